//! BM25F: how much a posting counts.
//!
//! Robertson, Zaragoza: *The Probabilistic Relevance Framework: BM25 and Beyond* (2009),
//! section 3.6. Each field has its own weight and length normalization; the weighted frequencies
//! are summed before they saturate, so a word that is in title and text is not counted as two
//! words would be.

use crate::index::{FieldTotals, LENGTH_CLASSES, Lengths, TermFreqs, length_of_class};

/// Parameters of the ranking function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bm25Params {
    /// Saturation: the weighted frequency at which a term reaches half of its limit. 0 makes the
    /// frequency irrelevant; raising it lets repetition count longer. Range 0 and up, default 1.2
    /// as in Lucene.
    pub k1: f32,
    /// The chunk's own heading.
    pub title: FieldParams,
    /// Page title and headings above the chunk's own.
    pub heading: FieldParams,
    /// The chunk's text.
    pub body: FieldParams,
}

/// How one field counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldParams {
    /// How many occurrences in the body one occurrence in this field is worth. Range 0 and up.
    pub weight: f32,
    /// Length normalization: 0 ignores the field's length, 1 divides by it fully. Range 0..=1.
    pub b: f32,
}

impl Default for Bm25Params {
    /// Values between 0.65 and 0.75 for the `b` of the body rank alike on ten judged collections; Lucene
    /// has 0.75. Titles and headings are short and their lengths say
    /// little, so they are normalized less.
    fn default() -> Self {
        Bm25Params {
            k1: 1.2,
            title: FieldParams {
                weight: 2.0,
                b: 0.4,
            },
            heading: FieldParams {
                weight: 1.0,
                b: 0.4,
            },
            body: FieldParams {
                weight: 1.0,
                b: 0.7,
            },
        }
    }
}

/// Inverse document frequency, never negative: `ln(1 + (N - n + 0.5) / (n + 0.5))`, as in Lucene.
pub(crate) fn idf(chunks: u32, doc_freq: u32) -> f32 {
    let (all, n) = (chunks as f32, doc_freq as f32);
    (1.0 + (all - n + 0.5).max(0.0) / (n + 0.5)).ln()
}

/// The saturated weight of every combination of frequency and length class, computed once for an
/// index, so that a posting costs a table look-up.
pub(crate) struct Weights {
    k1: f32,
    /// Weight of one occurrence, by length class.
    title: [f32; LENGTH_CLASSES],
    heading: [f32; LENGTH_CLASSES],
    body: [f32; LENGTH_CLASSES],
    /// Saturated weights of postings in the body alone, by class and frequency. Nearly all
    /// postings are of this kind.
    body_only: Vec<[f32; 16]>,
}

impl Weights {
    pub(crate) fn new(params: &Bm25Params, totals: FieldTotals, chunks: u32) -> Weights {
        let field = |field: FieldParams, total: u32| {
            let mean = (total as f32 / chunks.max(1) as f32).max(1.0);
            let mut weights = [0.0; LENGTH_CLASSES];
            for (class, weight) in weights.iter_mut().enumerate() {
                let length = length_of_class(class as u8);
                *weight = field.weight / (1.0 - field.b + field.b * length / mean);
            }
            weights
        };
        let body = field(params.body, totals.body);
        let saturate = |per_occurrence: f32| {
            let mut row = [0.0; 16];
            for (freq, weight) in row.iter_mut().enumerate() {
                let frequency = freq as f32 * per_occurrence;
                *weight = frequency / (params.k1 + frequency);
            }
            row
        };
        Weights {
            k1: params.k1,
            title: field(params.title, totals.title),
            heading: field(params.heading, totals.heading),
            body_only: body.iter().map(|&weight| saturate(weight)).collect(),
            body,
        }
    }

    /// What one occurrence in title, heading path and text of a chunk counts before it saturates.
    pub(crate) fn per_occurrence(&self, chunk: usize, lengths: &Lengths<'_>) -> [f32; 3] {
        let of = |weights: &[f32], classes: &[u8]| weights[usize::from(classes[chunk])];
        [
            of(&self.title, lengths.title),
            of(&self.heading, lengths.heading),
            of(&self.body, lengths.body),
        ]
    }

    /// The part of the score that does not depend on the term: 0 to 1.
    #[inline]
    pub(crate) fn of(&self, freqs: TermFreqs, chunk: usize, lengths: &Lengths<'_>) -> f32 {
        let class = usize::from(lengths.body[chunk]);
        if freqs.0 < 16 {
            return self.body_only[class][usize::from(freqs.0)];
        }
        let title = usize::from(lengths.title[chunk]);
        let heading = usize::from(lengths.heading[chunk]);
        let frequency = f32::from(freqs.title()) * self.title[title]
            + f32::from(freqs.heading()) * self.heading[heading]
            + f32::from(freqs.body()) * self.body[class];
        frequency / (self.k1 + frequency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rarer_term_counts_more_and_none_counts_below_zero() {
        assert!(idf(1000, 1) > idf(1000, 10));
        assert!(idf(1000, 1000) > 0.0);
        assert!(idf(1, 1) > 0.0);
    }

    #[test]
    fn weights_follow_the_formula() {
        let totals = FieldTotals {
            title: 300,
            heading: 500,
            body: 12_000,
        };
        let weights = Weights::new(&Bm25Params::default(), totals, 100);
        let (title, heading, body) = ([2u8], [4u8], [15u8]);
        let lengths = Lengths {
            title: &title,
            heading: &heading,
            body: &body,
        };
        let w = 2.0 / (0.6 + 0.4 * 2.0 / 3.0) + 2.0 * (1.0 / (0.3 + 0.7 * 15.0 / 120.0));
        let expected = w / (1.2 + w);
        assert!((weights.of(TermFreqs::new(1, 0, 2), 0, &lengths) - expected).abs() < 1e-6);
        let w: f32 = 3.0 / (0.3 + 0.7 * 15.0 / 120.0);
        let expected = w / (1.2 + w);
        assert!((weights.of(TermFreqs::new(0, 0, 3), 0, &lengths) - expected).abs() < 1e-6);
    }
}
