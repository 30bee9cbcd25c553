//! How far each sentence of a reply is borne out by the passages it cites.
//!
//! Deterministic and explainable, with no model: a sentence is compared with the sentences of
//! its sources by the terms that both have, each weighed by its inverse document frequency on
//! the site (as ROUGE compares by words, Lin 2004, with the weights of retrieval), and details
//! that a word count misses are checked by themselves: numbers, versions, names of code, denial.

use super::claim::{Claim, claims};
use super::facts::{self, Detail, Number};
use super::polarity;
use crate::prompt::{self, Source};
use crate::search::{Passage, TermWeights, WeightedTerm, covered};
use std::ops::Range;

/// How far a sentence is borne out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// A passage that it cites says so, as far as words can tell.
    Supported,
    /// A passage says something like it.
    Weak,
    /// No passage that it cites says so, or one says otherwise.
    Unsupported,
    /// It cites nothing.
    Uncited,
}

impl Support {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Support::Supported => "supported",
            Support::Weak => "weak",
            Support::Unsupported => "unsupported",
            Support::Uncited => "uncited",
        }
    }
}

/// A sentence of a reply with what was found for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    /// Where the reply has it, in bytes, its markers included.
    pub at: Range<usize>,
    /// The judgement.
    pub support: Support,
    /// The weight of its terms that the best place of its sources has, as a part of the weight
    /// of all its terms. From 0 to 1; 0 where it cites nothing.
    pub score: f32,
    /// The given sources that it cites.
    pub cited: Vec<u32>,
    /// The best place.
    pub quote: Option<Quote>,
    /// Details that the sources do not bear out.
    pub problems: Vec<Problem>,
    /// Its words that the best places of its sources do not have, each once: what the score lacks.
    pub missing: Vec<String>,
    /// The one source that bears it out, where those it cites do not.
    pub correction: Option<u32>,
}

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Number of the source.
    pub n: u32,
    /// Where its text has it, in bytes: one to three whole sentences.
    pub at: Range<usize>,
}

/// A detail that the cited sources do not bear out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of detail.
    pub detail: Detail,
    /// As the sentence writes it; empty for a denial.
    pub text: String,
}

/// From here on a sentence is supported.
const SUPPORTED: f32 = 0.6;
/// From here on it is weak, below it is unsupported.
const WEAK: f32 = 0.35;
/// Most sentences of a quote: a sentence of a reply often joins two of its source.
const QUOTE_SENTENCES: usize = 3;

/// Judges each sentence of `reply` by the sources that it cites. The time is that of analysing
/// reply and sources once, and of comparing their terms.
pub fn support<'a>(reply: &str, sources: &'a [Source], weights: &TermWeights<'_>) -> Vec<Sentence> {
    let read = |source| Evidence::new(source, weights);
    let evidence: Vec<Evidence<'a>> = sources.iter().map(read).collect();
    let claims = claims(reply, sources.len() as u32);
    let judged = claims.iter().map(|claim| judge(claim, &evidence, weights));
    judged.collect()
}

fn judge(claim: &Claim, evidence: &[Evidence<'_>], weights: &TermWeights<'_>) -> Sentence {
    let mut sentence = Sentence {
        at: claim.at.clone(),
        support: Support::Uncited,
        score: 0.0,
        cited: claim.cited.clone(),
        quote: None,
        problems: Vec::new(),
        missing: Vec::new(),
        correction: None,
    };
    if claim.cited.is_empty() {
        return sentence;
    }
    let terms = weights.terms(&claim.text);
    let is_cited = |evidence: &&Evidence<'_>| claim.cited.contains(&evidence.n);
    let cited: Vec<&Evidence<'_>> = evidence.iter().filter(is_cited).collect();
    let verdict = Verdict::of(claim, &terms, &cited, weights);
    if verdict.support() != Support::Supported {
        let others = evidence.iter().filter(|other| !is_cited(other));
        let mut better = others.filter(|other| {
            let other = Verdict::of(claim, &terms, &[other], weights);
            other.support() == Support::Supported && other.score > verdict.score
        });
        sentence.correction = better.next().map(|other| other.n);
        if better.next().is_some() {
            sentence.correction = None;
        }
    }
    sentence.support = verdict.support();
    sentence.score = verdict.score;
    sentence.quote = verdict.quote;
    sentence.problems = verdict.problems;
    sentence.missing = verdict.missing;
    sentence
}

/// A source, read once.
struct Evidence<'a> {
    n: u32,
    title: &'a str,
    passage: Passage<'a>,
    /// The numbers of each sentence of the passage, and those of the title at the end.
    numbers: Vec<Vec<Number>>,
}

impl<'a> Evidence<'a> {
    fn new(source: &'a Source, weights: &TermWeights<'_>) -> Evidence<'a> {
        let prompt::Passage { title, text, .. } = &source.passage;
        let passage = Passage::new(title, text, weights);
        let sentences = passage.sentences.iter();
        let sentences = sentences.map(|(at, _)| &text[at.clone()]);
        let numbers = sentences.chain([title.as_str()]).map(facts::numbers);
        Evidence {
            n: source.n,
            title,
            numbers: numbers.collect(),
            passage,
        }
    }

    /// Whether it has `number` in its title or in a sentence that speaks about the claim: one
    /// that has one of its `terms`. A table has many numbers, and each belongs to its row.
    fn has_number(&self, number: &Number, terms: &[WeightedTerm]) -> bool {
        let is_here = |given: &[Number]| {
            given
                .iter()
                .any(|given| facts::is_same_number(number, given))
        };
        let speaks_about_it = |sentence: &[WeightedTerm]| {
            let words = sentence
                .iter()
                .filter(|term| !term.text.starts_with(|c: char| c.is_ascii_digit()));
            let mut words = words.map(|term| &term.text);
            words.any(|word| terms.iter().any(|term| term.text == *word))
        };
        let sentences = self.passage.sentences.iter().zip(&self.numbers);
        let mut sentences = sentences.filter(|(_, numbers)| is_here(numbers));
        sentences.any(|((_, terms), _)| speaks_about_it(terms))
            || self.numbers.last().is_some_and(|title| is_here(title))
    }
}

/// What the cited sources say to a claim.
struct Verdict {
    score: f32,
    quote: Option<Quote>,
    problems: Vec<Problem>,
    missing: Vec<String>,
}

impl Verdict {
    fn of(
        claim: &Claim,
        terms: &[WeightedTerm],
        cited: &[&Evidence<'_>],
        weights: &TermWeights<'_>,
    ) -> Verdict {
        let mut best: Option<(f32, Quote)> = None;
        let mut place = "";
        let mut joined = vec![0.0; terms.len()];
        for evidence in cited {
            let (score, sentences) = evidence.passage.best(terms, QUOTE_SENTENCES);
            evidence.passage.cover(&mut joined, terms, &sentences);
            if best.as_ref().is_none_or(|(best, _)| score > *best) && !sentences.is_empty() {
                let at = evidence.passage.span(&sentences);
                place = &evidence.passage.text[at.clone()];
                best = Some((score, Quote { n: evidence.n, at }));
            }
        }
        // A sentence that cites several sources has something from each.
        let alone = best.as_ref().map_or(0.0, |(score, _)| *score);
        let score = if cited.len() > 1 {
            alone.max(covered(&joined, terms))
        } else {
            alone
        };
        let mut problems = missing_details(claim, terms, cited);
        // A place about something else denies nothing.
        if score >= WEAK && denies(&claim.text, terms, place, weights) {
            problems.push(Problem {
                detail: Detail::Negation,
                text: String::new(),
            });
        }
        let mut missing: Vec<String> = Vec::new();
        for (term, _) in terms.iter().zip(&joined).filter(|(_, has)| **has == 0.0) {
            let word = &claim.text[term.at.clone()];
            if !missing.iter().any(|known| known == word) {
                missing.push(word.to_owned());
            }
        }
        Verdict {
            score,
            quote: best.map(|(_, quote)| quote),
            problems,
            missing,
        }
    }

    fn support(&self) -> Support {
        if !self.problems.is_empty() || self.score < WEAK {
            Support::Unsupported
        } else if self.score < SUPPORTED {
            Support::Weak
        } else {
            Support::Supported
        }
    }
}

/// The numbers, versions and names of code that no cited source has.
fn missing_details(claim: &Claim, terms: &[WeightedTerm], cited: &[&Evidence<'_>]) -> Vec<Problem> {
    let texts = |has: &dyn Fn(&str) -> bool| {
        cited
            .iter()
            .any(|evidence| has(evidence.passage.text) || has(evidence.title))
    };
    let mut problems = Vec::new();
    for number in facts::numbers(&claim.text) {
        if !cited
            .iter()
            .any(|evidence| evidence.has_number(&number, terms))
        {
            let detail = if number.is_version {
                Detail::Version
            } else {
                Detail::Number
            };
            problems.push(Problem {
                detail,
                text: number.written,
            });
        }
    }
    for name in facts::identifiers(&claim.text) {
        if !texts(&|text| facts::has_identifier(text, name)) {
            let text = name.to_owned();
            problems.push(Problem {
                detail: Detail::Identifier,
                text,
            });
        }
    }
    problems
}

/// How much of what claim and place have in common must be denied by one of them alone.
const DENIED: f32 = 0.3;

/// Whether the claim says no where `place` says yes, or the other way round. A denial and a word
/// of opposite meaning together say the same again.
fn denies(claim: &str, terms: &[WeightedTerm], place: &str, weights: &TermWeights<'_>) -> bool {
    let (claim_words, place_words) = (polarity::words(claim), polarity::words(place));
    let given_terms = weights.unweighted(place);
    let given = denied(&given_terms, &place_words);
    let claimed = denied(terms, &claim_words);
    let (mut common, mut differing, mut agrees) = (0.0, 0.0, false);
    for (term, is_denied) in terms.iter().zip(&claimed) {
        let same = given_terms.iter().zip(&given);
        let mut same = same.filter(|(given, _)| given.text == term.text).peekable();
        if same.peek().is_none() {
            continue;
        }
        common += term.weight;
        if same.all(|(_, given)| given != is_denied) {
            differing += term.weight;
        } else {
            agrees |= is_denied;
        }
    }
    let is_denied = !agrees && common > 0.0 && differing >= DENIED * common;
    is_denied != polarity::has_opposite(&claim_words, &place_words)
}

/// Which of `terms` are denied by the text with these `words`.
fn denied(terms: &[WeightedTerm], words: &[polarity::Word]) -> Vec<bool> {
    let is_denied = |term: &WeightedTerm| {
        words.iter().any(|word| {
            word.denied && word.at.start <= term.at.start && term.at.start < word.at.end
        })
    };
    terms.iter().map(is_denied).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Alike;
    use crate::text::{Analyzer, Language};

    const PORTS: &str = "The server listens on port 8080. The port is not opened before `listen` \
        is called.\nRequests time out after 30 seconds.";
    const CACHE: &str = "The cache keeps rendered pages in memory until the process stops.";

    fn judged(reply: &str) -> Vec<Sentence> {
        let source = |n, title: &str, text: &str| Source {
            n,
            passage: prompt::Passage {
                title: title.to_owned(),
                text: text.to_owned(),
                ..prompt::Passage::default()
            },
        };
        let sources = [source(1, "Ports", PORTS), source(2, "Cache", CACHE)];
        let weights = TermWeights {
            analyzer: &Analyzer::new(Language::English),
            idf: &Alike,
        };
        support(reply, &sources, &weights)
    }

    #[track_caller]
    fn check(reply: &str, expected: Support, problems: &[(Detail, &str)]) {
        let judged = judged(reply);
        let [sentence] = &judged[..] else {
            panic!("{judged:?}");
        };
        let found: Vec<(Detail, &str)> = sentence
            .problems
            .iter()
            .map(|problem| (problem.detail, problem.text.as_str()))
            .collect();
        assert_eq!(
            (sentence.support, &found[..]),
            (expected, problems),
            "{sentence:?}"
        );
    }

    #[test]
    fn what_a_source_says_is_supported() {
        check(
            "The server listens on port 8080 [1].",
            Support::Supported,
            &[],
        );
        check(
            "Rendered pages stay in the memory cache until the process stops [2].",
            Support::Supported,
            &[],
        );
    }

    #[test]
    fn what_no_source_says_is_unsupported() {
        check(
            "Certificates are renewed by a nightly job [1].",
            Support::Unsupported,
            &[],
        );
    }

    #[test]
    fn a_sentence_without_a_citation_is_uncited() {
        check("The server listens on port 8080.", Support::Uncited, &[]);
    }

    #[test]
    fn details_that_no_cited_source_has_are_told() {
        check(
            "The server listens on port 8081 [1].",
            Support::Unsupported,
            &[(Detail::Number, "8081")],
        );
        check(
            "The server of version 2.1 listens on port 8080 [1].",
            Support::Unsupported,
            &[(Detail::Version, "2.1")],
        );
        check(
            "The port is not opened before `bind` is called [1].",
            Support::Unsupported,
            &[(Detail::Identifier, "bind")],
        );
        check(
            "The server does not listen on port 8080 [1].",
            Support::Unsupported,
            &[(Detail::Negation, "")],
        );
        check(
            "The port is opened before `listen` is called [1].",
            Support::Unsupported,
            &[(Detail::Negation, "")],
        );
    }

    #[test]
    fn russian_sentences_are_judged_alike() {
        let text = "Сервер слушает порт 8080. Запрос отменяется через тридцать секунд.\n\
            Ключ не отправляется на сервер. Перенаправление запрещено.";
        let source = Source {
            n: 1,
            passage: prompt::Passage {
                title: "Порты".to_owned(),
                text: text.to_owned(),
                ..prompt::Passage::default()
            },
        };
        let weights = TermWeights {
            analyzer: &Analyzer::new(Language::Russian),
            idf: &Alike,
        };
        for (reply, expected, details) in [
            (
                "Через 30 секунд запрос будет отменяться [1].",
                Support::Supported,
                &[][..],
            ),
            (
                "Сервер слушает порт 8081 [1].",
                Support::Unsupported,
                &[Detail::Number],
            ),
            (
                "Запрос отменяется через двадцать секунд [1].",
                Support::Unsupported,
                &[Detail::Number],
            ),
            (
                "Ключ отправляется на сервер [1].",
                Support::Unsupported,
                &[Detail::Negation],
            ),
            ("Перенаправление не разрешено [1].", Support::Weak, &[]),
            (
                "Журнал хранится в базе данных [1].",
                Support::Unsupported,
                &[],
            ),
        ] {
            let judged = support(reply, std::slice::from_ref(&source), &weights);
            let found: Vec<Detail> = judged[0].problems.iter().map(|p| p.detail).collect();
            assert_eq!(
                (judged[0].support, &found[..]),
                (expected, details),
                "{judged:?}"
            );
        }
    }

    #[test]
    fn a_sentence_tells_which_of_its_words_no_place_has() {
        let judged = judged("The cache keeps compressed pages in memory [2]. So.");
        assert_eq!(judged[0].missing, ["compressed"]);
        assert!(judged[1].missing.is_empty());
    }

    #[test]
    fn numbers_in_words_and_a_sentence_of_two_sources() {
        check(
            "Requests time out after thirty seconds [1].",
            Support::Supported,
            &[],
        );
        check(
            "Requests time out after thirteen seconds [1].",
            Support::Unsupported,
            &[(Detail::Number, "thirteen")],
        );
        check(
            "Requests time out after 8080 seconds [1].",
            Support::Unsupported,
            &[(Detail::Number, "8080")],
        );
        check(
            "Requests time out after 30 seconds [1], while the cache keeps rendered pages in memory [2].",
            Support::Supported,
            &[],
        );
    }

    #[test]
    fn the_one_source_that_bears_a_sentence_out_is_the_correction() {
        let judged = judged("Requests time out after 30 seconds [2].");
        assert_eq!(judged[0].support, Support::Unsupported);
        assert_eq!(judged[0].correction, Some(1));
    }

    #[test]
    fn the_quote_is_the_place_that_says_so() {
        let judged = judged("Requests time out after 30 seconds [1].");
        let quote = judged[0].quote.as_ref().expect("a quote");
        assert_eq!(
            &PORTS[quote.at.clone()],
            "Requests time out after 30 seconds."
        );
    }
}
