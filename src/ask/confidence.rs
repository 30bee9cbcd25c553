//! Do the sources that were found answer the question at all?
//!
//! A ranking score cannot tell: it grows with the number and rarity of the question's words, and
//! something is always first. What separates is how much of the question the best passage has,
//! weighed by rarity, whether the words stand together in it, and whether the rarest word is
//! missing (query performance prediction, Hauff 2010, with predictors made after retrieval).

use crate::prompt::Source;
use crate::search::{Passage, TermWeights, WeightedTerm, cover, covered};

/// What the confidence is made of; each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    /// The most of the question, by weight, that one source with its title has.
    pub passage: f32,
    /// The most of it that two sentences in a row have with the title.
    pub place: f32,
    /// How much that is in itself: a long question may leave half of its words unmatched and yet
    /// match more than a short one has. 0.5 for as much as two of the rarest words.
    pub mass: f32,
    /// What all sources together have.
    pub union: f32,
    /// The weight of the rarest word that the best source lacks, beside that of the rarest word a
    /// site can have.
    pub miss: f32,
    /// Whether no chunk has a name of the question: a word with a capital that begins no
    /// sentence, or one with signs of code.
    pub unknown_name: f32,
    /// How far the best source is ahead of the next in ranking score.
    pub gap: f32,
}

/// How the signals add up, by logistic regression on questions about this project's own docs.
const WEIGHTS: [f32; 8] = [-3.0, 3.0, 2.0, 2.0, 0.5, -1.5, -1.5, 1.0];

/// Below this chance a question counts as not covered.
const COVERED: f32 = 0.3;

/// Sentences that count as standing together.
const PLACE_SENTENCES: usize = 2;
/// As many sources as are likely to be cited.
const SOURCES: usize = 5;

impl Signals {
    /// Compares a question with what was found for it.
    pub fn new(question: &str, sources: &[Source], weights: &TermWeights<'_>) -> Signals {
        let wanted = weights.terms(question);
        let rarest = weights.idf.idf("");
        let mut signals = Signals::default();
        let mut union: Vec<f32> = vec![0.0; wanted.len()];
        let mut matched = 0.0;
        for source in sources.iter().take(SOURCES) {
            let (title, text) = (&source.passage.title, &source.passage.text);
            let passage = Passage::new(title, text, weights);
            let mut has = vec![0.0; wanted.len()];
            cover(&mut has, &wanted, &passage.title);
            for (_, terms) in &passage.sentences {
                cover(&mut has, &wanted, terms);
            }
            let part = covered(&has, &wanted);
            if part > signals.passage {
                signals.passage = part;
                let missed = wanted.iter().zip(&has).filter(|(_, has)| **has == 0.0);
                let weight = missed.map(|(term, _)| term.weight).fold(0.0, f32::max);
                signals.miss = weight / rarest;
            }
            let (place, _) = passage.best(&wanted, PLACE_SENTENCES);
            if place > signals.place {
                signals.place = place;
                matched = place * wanted.iter().map(|term| term.weight).sum::<f32>();
            }
            for (union, has) in union.iter_mut().zip(&has) {
                *union = union.max(*has);
            }
        }
        signals.union = covered(&union, &wanted);
        signals.mass = matched / (matched + 2.0 * rarest);
        let is_unknown = |term: &WeightedTerm| term.weight >= rarest && is_name(question, term);
        signals.unknown_name = f32::from(u8::from(wanted.iter().any(is_unknown)));
        if let [first, second, ..] = sources {
            let (first, second) = (first.passage.score, second.passage.score);
            signals.gap = if first > 0.0 {
                (first - second) / first
            } else {
                0.0
            };
        }
        signals
    }

    /// Whether the sources are likely enough to answer.
    pub fn covers(&self) -> bool {
        self.confidence() >= COVERED
    }

    /// The chance that the sources answer, from 0 to 1.
    pub fn confidence(&self) -> f32 {
        let values = [
            1.0,
            self.passage,
            self.place,
            self.mass,
            self.union,
            self.miss,
            self.unknown_name,
            self.gap,
        ];
        let sum: f32 = WEIGHTS
            .iter()
            .zip(values)
            .map(|(weight, value)| weight * value)
            .sum();
        1.0 / (1.0 + (-sum).exp())
    }
}

/// Whether a question writes a term as a name.
fn is_name(question: &str, term: &WeightedTerm) -> bool {
    let written = &question[term.at.clone()];
    let mut capitals = written
        .chars()
        .enumerate()
        .filter(|(_, c)| c.is_uppercase());
    match capitals.next() {
        Some((0, _)) => term.at.start > 0 || capitals.next().is_some(),
        Some(_) => true,
        None => written.contains(['_', '.', ':']),
    }
}
