//! How far each sentence of a reply is borne out by the passages it cites.
//!
//! Deterministic and explainable, with no model: a sentence is compared with the sentences of
//! its sources by the terms that both have, each weighed by its inverse document frequency on
//! the site (as ROUGE compares by words, Lin 2004, with the weights of retrieval), and details
//! that a word count misses are checked by themselves: numbers, versions, names of code, denial.

use super::claim::{Claim, claims};
use super::facts::{self, Detail};
use super::polarity;
use crate::prompt::Source;
use crate::text::{Analyzer, Lines, TokenKind, sentences};
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

/// What a site's own words weigh.
pub struct Weigher<'a> {
    /// The analyzer of the site's main language.
    pub analyzer: &'a Analyzer,
    /// The inverse document frequency of a term; that of the rarest where no chunk has it.
    pub idf: &'a dyn Fn(&str) -> f32,
}

/// From here on a sentence is supported.
const SUPPORTED: f32 = 0.6;
/// From here on it is weak, below it is unsupported.
const WEAK: f32 = 0.35;
/// What each further sentence of a quote costs, so that the shortest of equal places wins.
const LENGTH_COST: f32 = 0.03;
/// Most sentences of a quote: a sentence of a reply often joins two of its source.
const QUOTE_SENTENCES: usize = 3;

/// Judges each sentence of `reply` by the sources that it cites. The time is that of analysing
/// reply and sources once, and of comparing their terms.
pub fn support(reply: &str, sources: &[Source], weigher: &Weigher<'_>) -> Vec<Sentence> {
    let evidence: Vec<Evidence<'_>> = sources
        .iter()
        .map(|source| Evidence::new(source, weigher))
        .collect();
    let claims = claims(reply, sources.len() as u32);
    let judged = claims.iter().map(|claim| judge(claim, &evidence, weigher));
    judged.collect()
}

fn judge(claim: &Claim, evidence: &[Evidence<'_>], weigher: &Weigher<'_>) -> Sentence {
    let mut sentence = Sentence {
        at: claim.at.clone(),
        support: Support::Uncited,
        score: 0.0,
        cited: claim.cited.clone(),
        quote: None,
        problems: Vec::new(),
        correction: None,
    };
    if claim.cited.is_empty() {
        return sentence;
    }
    let terms = terms(&claim.text, weigher);
    let is_cited = |evidence: &&Evidence<'_>| claim.cited.contains(&evidence.source.n);
    let cited: Vec<&Evidence<'_>> = evidence.iter().filter(is_cited).collect();
    let verdict = Verdict::of(claim, &terms, &cited, weigher);
    if verdict.support() != Support::Supported {
        let others = evidence.iter().filter(|other| !is_cited(other));
        let mut better = others.filter(|other| {
            let other = Verdict::of(claim, &terms, &[other], weigher);
            other.support() == Support::Supported && other.score > verdict.score
        });
        sentence.correction = better.next().map(|other| other.source.n);
        if better.next().is_some() {
            sentence.correction = None;
        }
    }
    sentence.support = verdict.support();
    sentence.score = verdict.score;
    sentence.quote = verdict.quote;
    sentence.problems = verdict.problems;
    sentence
}

/// A term of a text.
struct Term {
    text: String,
    weight: f32,
    at: Range<usize>,
}

/// The terms of `text` that carry meaning.
fn terms(text: &str, weigher: &Weigher<'_>) -> Vec<Term> {
    let mut terms = Vec::new();
    weigher.analyzer.analyze(text, &mut |token| {
        let stands_alone = token.kind == TokenKind::Word;
        if stands_alone && !weigher.analyzer.is_stop_word(token.term) {
            terms.push(Term {
                text: token.term.to_owned(),
                weight: (weigher.idf)(token.term),
                at: token.start_bytes..token.end_bytes,
            });
        }
    });
    terms
}

/// A source, analysed once.
struct Evidence<'a> {
    source: &'a Source,
    title: Vec<Term>,
    sentences: Vec<(Range<usize>, Vec<Term>)>,
}

impl<'a> Evidence<'a> {
    fn new(source: &'a Source, weigher: &Weigher<'_>) -> Evidence<'a> {
        let text = &source.passage.text;
        let cut = sentences(text, Lines::Apart);
        let analysed = cut.into_iter().map(|at| {
            let terms = terms(&text[at.clone()], weigher);
            (at, terms)
        });
        Evidence {
            source,
            title: terms(&source.passage.title, weigher),
            sentences: analysed.collect(),
        }
    }

    fn text(&self, at: &Range<usize>) -> &'a str {
        &self.source.passage.text[at.clone()]
    }

    /// The place with the most of `terms`, and its share of their weight.
    fn best(&self, wanted: &[Term]) -> (f32, Range<usize>) {
        let all: f32 = wanted.iter().map(|term| term.weight).sum();
        let mut best = (0.0, 0..0);
        for first in 0..self.sentences.len() {
            let mut has: Vec<f32> = wanted.iter().map(|term| share(term, &self.title)).collect();
            let last = self.sentences.len().min(first + QUOTE_SENTENCES);
            for end in first..last {
                let (_, terms) = &self.sentences[end];
                for (has, term) in has.iter_mut().zip(wanted) {
                    *has = has.max(share(term, terms));
                }
                let found: f32 = has
                    .iter()
                    .zip(wanted)
                    .map(|(has, term)| has * term.weight)
                    .sum();
                let score = if all > 0.0 { found / all } else { 0.0 };
                let cost = LENGTH_COST * (end - first) as f32;
                if score - cost > best.0 {
                    best = (score - cost, first..end + 1);
                }
            }
        }
        best
    }

    /// From the first sentence to the last one.
    fn span(&self, sentences: &Range<usize>) -> Range<usize> {
        let inside = &self.sentences[sentences.clone()];
        match (inside.first(), inside.last()) {
            (Some((first, _)), Some((last, _))) => first.start..last.end,
            _ => 0..0,
        }
    }
}

/// How far `terms` have a term: 1 where they do, less where they have one of the same beginning,
/// such as another derivation that the stemmer keeps apart (`configure`, `configuration`).
fn share(wanted: &Term, terms: &[Term]) -> f32 {
    let mut best: f32 = 0.0;
    for term in terms {
        if term.text == wanted.text {
            return 1.0;
        }
        let common = wanted
            .text
            .chars()
            .zip(term.text.chars())
            .take_while(|(one, other)| one == other)
            .count();
        let longer = wanted.text.chars().count().max(term.text.chars().count());
        if common >= 4 && common * 10 >= longer * 6 {
            best = best.max(0.8);
        }
    }
    best
}

/// What the cited sources say to a claim.
struct Verdict {
    score: f32,
    quote: Option<Quote>,
    problems: Vec<Problem>,
}

impl Verdict {
    fn of(
        claim: &Claim,
        terms: &[Term],
        cited: &[&Evidence<'_>],
        weigher: &Weigher<'_>,
    ) -> Verdict {
        let mut best: Option<(f32, Quote)> = None;
        let mut place = "";
        for evidence in cited {
            let (score, sentences) = evidence.best(terms);
            if best.as_ref().is_none_or(|(best, _)| score > *best) && !sentences.is_empty() {
                let at = evidence.span(&sentences);
                place = evidence.text(&at);
                best = Some((
                    score,
                    Quote {
                        n: evidence.source.n,
                        at,
                    },
                ));
            }
        }
        let mut problems = missing_details(claim, cited);
        if denies(&claim.text, terms, place, weigher) {
            problems.push(Problem {
                detail: Detail::Negation,
                text: String::new(),
            });
        }
        Verdict {
            score: best.as_ref().map_or(0.0, |(score, _)| *score),
            quote: best.map(|(_, quote)| quote),
            problems,
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
fn missing_details(claim: &Claim, cited: &[&Evidence<'_>]) -> Vec<Problem> {
    let texts = |has: &dyn Fn(&str) -> bool| {
        cited.iter().any(|evidence| {
            let passage = &evidence.source.passage;
            has(&passage.text) || has(&passage.title)
        })
    };
    let mut problems = Vec::new();
    for number in facts::numbers(&claim.text) {
        let has = |text: &str| {
            let given = facts::numbers(text);
            given
                .iter()
                .any(|given| facts::is_same_number(&number, given))
        };
        if !texts(&has) {
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
fn denies(claim: &str, terms: &[Term], place: &str, weigher: &Weigher<'_>) -> bool {
    let given_terms = self::terms(place, weigher);
    let given = denied(&given_terms, place);
    let claimed = denied(terms, claim);
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
    is_denied != polarity::has_opposite(claim, place)
}

/// Which of `terms` the text that they are of denies.
fn denied(terms: &[Term], text: &str) -> Vec<bool> {
    let words = polarity::words(text);
    let is_denied = |term: &Term| {
        words.iter().any(|word| {
            word.denied && word.at.start <= term.at.start && term.at.start < word.at.end
        })
    };
    terms.iter().map(is_denied).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Passage;
    use crate::text::Language;

    const PORTS: &str = "The server listens on port 8080. The port is not opened before `listen` \
        is called.\nRequests time out after 30 seconds.";
    const CACHE: &str = "The cache keeps rendered pages in memory until the process stops.";

    fn judged(reply: &str) -> Vec<Sentence> {
        let source = |n, title: &str, text: &str| Source {
            n,
            passage: Passage {
                title: title.to_owned(),
                text: text.to_owned(),
                ..Passage::default()
            },
        };
        let sources = [source(1, "Ports", PORTS), source(2, "Cache", CACHE)];
        let weigher = Weigher {
            analyzer: &Analyzer::new(Language::English),
            idf: &|_| 1.0,
        };
        support(reply, &sources, &weigher)
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
