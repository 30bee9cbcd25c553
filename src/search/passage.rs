//! The sentences of a passage, and which of them have what is asked for.
//!
//! Both ways of reading a passage need it: which of its sentences bears out a sentence of an
//! answer, and which of them answers a question.

use crate::text::{Analyzer, Lines, TokenKind, sentences};
use std::ops::Range;

/// Tells how rare a term is.
pub trait Idf {
    /// The inverse document frequency of a term; that of the rarest where no chunk has it.
    fn idf(&self, term: &str) -> f32;
}

/// Every term is as rare as any other.
#[cfg(test)]
pub(crate) struct Alike;

#[cfg(test)]
impl Idf for Alike {
    fn idf(&self, _: &str) -> f32 {
        1.0
    }
}

/// What the words of a site weigh.
pub struct TermWeights<'a> {
    /// The analyzer of the text's language.
    pub analyzer: &'a Analyzer,
    /// The rarity of its terms.
    pub idf: &'a dyn Idf,
}

/// A term of a text that carries meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedTerm {
    /// As the analyzer writes it.
    pub text: String,
    /// Its inverse document frequency.
    pub weight: f32,
    /// Where the text has it, in bytes.
    pub at: Range<usize>,
}

impl TermWeights<'_> {
    /// The words of `text` that are no stop words. A compound is one word.
    pub fn terms(&self, text: &str) -> Vec<WeightedTerm> {
        let mut terms = self.unweighted(text);
        for term in &mut terms {
            term.weight = self.idf.idf(&term.text);
        }
        terms
    }

    /// [`TermWeights::terms`] of a text in which others are only looked for: all weights are 0,
    /// because each would be looked up in the index.
    pub fn unweighted(&self, text: &str) -> Vec<WeightedTerm> {
        let mut terms = Vec::new();
        self.analyzer.analyze(text, &mut |token| {
            if token.kind == TokenKind::Word && !self.analyzer.is_stop_word(token.term) {
                terms.push(WeightedTerm {
                    text: token.term.to_owned(),
                    weight: 0.0,
                    at: token.start_bytes..token.end_bytes,
                });
            }
        });
        terms
    }
}

/// A passage, analysed once.
#[derive(Debug)]
pub struct Passage<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its sentences with their [unweighted](TermWeights::unweighted) terms, in order.
    pub sentences: Vec<(Range<usize>, Vec<WeightedTerm>)>,
    /// The terms of its title, which every sentence speaks about.
    pub title: Vec<WeightedTerm>,
}

/// What each further sentence costs, so that the shortest of equal places wins.
const LENGTH_COST: f32 = 0.03;

impl<'a> Passage<'a> {
    /// Analyses title and text.
    pub fn new(title: &str, text: &'a str, weights: &TermWeights<'_>) -> Passage<'a> {
        let analysed = sentences(text, Lines::Apart).into_iter().map(|at| {
            let terms = weights.unweighted(&text[at.clone()]);
            (at, terms)
        });
        Passage {
            text,
            sentences: analysed.collect(),
            title: weights.unweighted(title),
        }
    }

    /// The place of at most `most` sentences in a row with the most of `wanted`, as a range of
    /// sentences, and the share of the weight of `wanted` that it and the title have.
    pub fn best(&self, wanted: &[WeightedTerm], most: usize) -> (f32, Range<usize>) {
        let shares = |terms: &[WeightedTerm]| -> Vec<f32> {
            let shares = wanted.iter().map(|wanted| share(&wanted.text, terms));
            shares.collect()
        };
        let title = shares(&self.title);
        let sentences = self.sentences.iter();
        let sentences: Vec<Vec<f32>> = sentences.map(|(_, terms)| shares(terms)).collect();
        let mut best = (0.0, 0..0);
        for first in 0..sentences.len() {
            let mut has = title.clone();
            for (i, more) in sentences[first..].iter().take(most).enumerate() {
                for (has, more) in has.iter_mut().zip(more) {
                    *has = has.max(*more);
                }
                let score = covered(&has, wanted) - LENGTH_COST * i as f32;
                if score > best.0 {
                    best = (score, first..first + i + 1);
                }
            }
        }
        best
    }

    /// Raises what `has` tells of each wanted term to what a range of sentences and the title have.
    pub fn cover(&self, has: &mut [f32], wanted: &[WeightedTerm], sentences: &Range<usize>) {
        cover(has, wanted, &self.title);
        for (_, terms) in self.sentences.get(sentences.clone()).unwrap_or_default() {
            cover(has, wanted, terms);
        }
    }

    /// The bytes from the first sentence of a range to the last one.
    pub fn span(&self, sentences: &Range<usize>) -> Range<usize> {
        let inside = self.sentences.get(sentences.clone()).unwrap_or_default();
        match (inside.first(), inside.last()) {
            (Some((first, _)), Some((last, _))) => first.start..last.end,
            _ => 0..0,
        }
    }
}

/// Raises what `has` tells of each wanted term to what `terms` have of it.
pub fn cover(has: &mut [f32], wanted: &[WeightedTerm], terms: &[WeightedTerm]) {
    for (has, wanted) in has.iter_mut().zip(wanted) {
        if *has < 1.0 {
            *has = has.max(share(&wanted.text, terms));
        }
    }
}

/// The share of the weight of `wanted` that `has` tells of, from 0 to 1.
pub fn covered(has: &[f32], wanted: &[WeightedTerm]) -> f32 {
    let (mut found, mut all) = (0.0, 0.0);
    for (has, wanted) in has.iter().zip(wanted) {
        found += has * wanted.weight;
        all += wanted.weight;
    }
    if all > 0.0 { found / all } else { 0.0 }
}

/// How far `terms` have a term: 1 where they do, less where they have one of the same beginning,
/// such as another derivation that the stemmer keeps apart (`configure`, `configuration`).
fn share(wanted: &str, terms: &[WeightedTerm]) -> f32 {
    const DERIVED: f32 = 0.8;
    const MIN_COMMON: usize = 4;
    let mut best: f32 = 0.0;
    for term in terms {
        if term.text == wanted {
            return 1.0;
        }
        // Nearly all terms differ in their first bytes, so that no letters need to be counted.
        let starts = [wanted, &term.text].map(|text| text.as_bytes().get(..MIN_COMMON));
        if starts[0] != starts[1] {
            continue;
        }
        let pairs = wanted.chars().zip(term.text.chars());
        let common = pairs.take_while(|(one, other)| one == other).count();
        let longer = wanted.chars().count().max(term.text.chars().count());
        if common >= MIN_COMMON && common * 10 >= longer * 6 {
            best = DERIVED;
        }
    }
    best
}
