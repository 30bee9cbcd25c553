//! Do the sources that were found answer the question at all?
//!
//! A ranking score cannot tell: it grows with the number and rarity of the question's words, and
//! something is always first. What separates is how much of the question one passage has, weighed
//! by rarity, how much that is beside what any question has, and whether the passage has the name
//! that was asked about (query performance prediction, Hauff 2010, with predictors made after
//! retrieval). Gaps between scores, words near each other and words that no chunk has were tried as
//! well; beside these three they told nothing more.

use crate::prompt::Source;
use crate::search::{Passage, TermWeights, WeightedTerm, cover, covered};
use crate::text::Language;

/// What the confidence is made of; each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    /// How much of the question, by weight, the best source has with its titles.
    pub coverage: f32,
    /// How much of it all sources have together, in itself: a long question may leave half of its
    /// words unmatched and yet match more than a short one has. 0.5 for as much as four of the
    /// rarest words.
    pub mass: f32,
    /// The weight of the rarest name of the question that the best source lacks, beside that of a
    /// word that no chunk has. 0 where it lacks none.
    pub missing_name: f32,
}

/// How the signals add up: logistic regression on the tuning half of the questions in
/// `tests/fixtures/questions`. `node bench/answers/run.mjs --fit` prints these numbers.
const INTERCEPT: f32 = -2.60;
const COVERAGE: f32 = 4.02;
const MASS: f32 = 5.25;
const MISSING_NAME: f32 = -3.21;

/// Below this chance a question counts as not covered. On the tuning half it refuses each question
/// that is not about the site at all, and none that is asked in the docs' own words.
const COVERED: f32 = 0.65;

/// As many sources as are likely to be cited.
const SOURCES: usize = 5;
/// Rarest words that give a mass of 0.5.
const HALF_MASS: f32 = 4.0;

impl Signals {
    /// Compares a question with what was found for it.
    pub fn new(question: &str, sources: &[Source], weights: &TermWeights<'_>) -> Signals {
        let wanted = weights.terms(question);
        let names = names(question, &wanted, weights.analyzer.language());
        let rarest = weights.idf.idf("");
        let mut union: Vec<f32> = vec![0.0; wanted.len()];
        let mut best: Option<(f32, f32)> = None;
        for source in sources.iter().take(SOURCES) {
            let passage = &source.passage;
            let titles = [&passage.page_title, " ", &passage.title].concat();
            let passage = Passage::new(&titles, &passage.text, weights);
            let mut has = vec![0.0; wanted.len()];
            cover(&mut has, &wanted, &passage.title);
            for (_, terms) in &passage.sentences {
                cover(&mut has, &wanted, terms);
            }
            let coverage = covered(&has, &wanted);
            let missing = names.iter().filter(|&&name| has[name] == 0.0);
            let missing = missing.map(|&name| wanted[name].weight / rarest);
            let missing = missing.fold(0.0, f32::max);
            // A passage about the thing that was asked for is better than one with more of the
            // other words.
            if best.is_none_or(|(other, lacks)| coverage - missing > other - lacks) {
                best = Some((coverage, missing));
            }
            for (union, has) in union.iter_mut().zip(&has) {
                *union = union.max(*has);
            }
        }
        let all: f32 = wanted.iter().map(|term| term.weight).sum();
        let matched = covered(&union, &wanted) * all;
        let (coverage, missing_name) = best.unwrap_or_default();
        Signals {
            coverage,
            mass: matched / (matched + HALF_MASS * rarest),
            missing_name,
        }
    }

    /// Whether the sources are likely enough to answer.
    pub fn covers(&self) -> bool {
        self.confidence() >= COVERED
    }

    /// The chance that the sources answer, from 0 to 1.
    pub fn confidence(&self) -> f32 {
        let sum = INTERCEPT
            + COVERAGE * self.coverage
            + MASS * self.mass
            + MISSING_NAME * self.missing_name;
        1.0 / (1.0 + (-sum).exp())
    }
}

/// Which of the wanted terms a question writes as names: with a capital that begins no sentence,
/// or with signs of code.
fn names(question: &str, wanted: &[WeightedTerm], language: Language) -> Vec<usize> {
    let begins_with_capital = |word: &str| word.starts_with(char::is_uppercase);
    let words = question.split_whitespace().count();
    let capitals = question
        .split_whitespace()
        .filter(|w| begins_with_capital(w));
    // In a headline, in shouting and in German a capital does not make a name.
    let tells = language != Language::German && capitals.count() * 2 <= words;
    let is_name = |term: &WeightedTerm| {
        let (written, before) = (&question[term.at.clone()], &question[..term.at.start]);
        let capitals = written.chars().filter(|c| c.is_uppercase()).count();
        let begins_sentence = before
            .trim_end()
            .chars()
            .next_back()
            .is_none_or(|c| matches!(c, '.' | '!' | '?' | '。' | '！' | '？'));
        let is_capital = begins_with_capital(written) && !begins_sentence;
        let is_plain = capitals == usize::from(begins_with_capital(written));
        written.contains(['_', '.', ':']) || (tells && (is_capital || !is_plain))
    };
    (0..wanted.len()).filter(|&i| is_name(&wanted[i])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Alike;
    use crate::text::Analyzer;
    use crate::{prompt, search};

    const TEXT: &str = "The cache keeps pages in Redis. Set max_age to a number of seconds.";

    fn signals_in(language: Language, question: &str) -> Signals {
        let source = Source {
            n: 1,
            passage: prompt::Passage {
                title: "Expiry".to_owned(),
                page_title: "Caching".to_owned(),
                text: TEXT.to_owned(),
                ..prompt::Passage::default()
            },
        };
        let weights = search::TermWeights {
            analyzer: &Analyzer::new(language),
            idf: &Alike,
        };
        Signals::new(question, &[source], &weights)
    }

    fn signals(question: &str) -> Signals {
        signals_in(Language::English, question)
    }

    #[test]
    fn titles_count_as_the_text_does() {
        let found = signals("how does caching in seconds expiry work");
        assert!((found.coverage - 0.75).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn a_name_that_the_passage_lacks_makes_an_answer_unlikely() {
        let (has, lacks) = (
            signals("Does the cache keep pages in Redis?"),
            signals("Does the cache keep pages in Kafka?"),
        );
        assert_eq!((has.missing_name, lacks.missing_name), (0.0, 1.0));
        assert!(has.covers() && !lacks.covers());
        // A word in small letters that is not there may be another word for one that is.
        assert_eq!(signals("does the store keep pages").missing_name, 0.0);
        assert_eq!(signals("does min_age keep pages").missing_name, 1.0);
    }

    #[test]
    fn a_capital_makes_no_name_where_every_word_or_noun_has_one() {
        for question in ["Kafka pages", "KEEP PAGES IN KAFKA", "Keep Pages In Kafka"] {
            assert_eq!(signals(question).missing_name, 0.0, "{question}");
        }
        let german = signals_in(Language::German, "wo bleibt der Vorrat im Keller");
        assert_eq!(german.missing_name, 0.0);
        assert_eq!(signals("Pages stay. Kafka does too").missing_name, 0.0);
    }

    #[test]
    fn without_sources_nothing_is_covered() {
        let weights = search::TermWeights {
            analyzer: &Analyzer::new(Language::English),
            idf: &Alike,
        };
        let nothing = Signals::new("Does it keep pages?", &[], &weights);
        assert_eq!(nothing, Signals::default());
        assert!(!nothing.covers());
    }
}
