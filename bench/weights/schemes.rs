//! The ways to store a posting's weight that are compared.

use super::postings::{Corpus, Fields};
use groundling::index::{TermFreqs, length_class, length_of_class};
use groundling::search::Bm25Params;

/// A way to store the part of a score that depends on the posting.
#[derive(Clone, Copy, PartialEq)]
pub enum Scheme {
    /// Nothing rounded, the judge of the others; not stored.
    Exact,
    /// The saturated weight in this many bits, as a part of the term's greatest; that greatest is
    /// a byte a term.
    Impact {
        /// 4 or 8.
        bits: u32,
    },
    /// Term frequencies of the three fields in a byte, and a length class a chunk and field.
    TermFreqs,
}

/// What a scheme makes of a corpus.
pub struct Stored {
    /// Weight of each posting as a reader of the index gets it, in the order of the lists.
    pub weights: Vec<Vec<f32>>,
    /// One byte a posting, by term.
    pub column: Vec<u8>,
    /// What must be stored beside the column: scales of the terms or lengths of the chunks.
    pub beside: Vec<u8>,
}

impl Scheme {
    /// Stores the weights and reads them back.
    pub fn store(self, corpus: &Corpus, params: &Bm25Params) -> Stored {
        let mut stored = Stored {
            weights: Vec::with_capacity(corpus.lists.len()),
            column: Vec::new(),
            beside: Vec::new(),
        };
        let means = corpus.means();
        for list in corpus.lists.values() {
            let exact = list.iter().map(|&(chunk, freqs)| {
                let lengths = corpus.lengths[chunk as usize].map(|length| length as f32);
                weight(freqs, lengths, means, params)
            });
            match self {
                Scheme::Exact => stored.weights.push(exact.collect()),
                Scheme::Impact { bits } => stored.add_impacts(&exact.collect::<Vec<_>>(), bits),
                Scheme::TermFreqs => {
                    let rounded = list.iter().map(|&(chunk, freqs)| {
                        let [title, heading, body] = freqs;
                        let code = TermFreqs::new(title, heading, body);
                        stored.column.push(code.0);
                        let freqs = [code.title(), code.heading(), code.body()].map(u32::from);
                        let lengths = corpus.lengths[chunk as usize];
                        let lengths = lengths.map(|length| length_of_class(length_class(length)));
                        weight(freqs, lengths, means, params)
                    });
                    stored.weights.push(rounded.collect());
                }
            }
        }
        if self == Scheme::TermFreqs {
            for field in 0..3 {
                let classes = corpus.lengths.iter().map(|l| length_class(l[field]));
                stored.beside.extend(classes);
            }
        }
        stored
    }
}

impl Stored {
    /// Rounds a list's weights to `bits` bits below its greatest weight. No weight becomes 0: the
    /// chunk has the term.
    fn add_impacts(&mut self, exact: &[f32], bits: u32) {
        let steps = ((1u32 << bits) - 1) as f32;
        let greatest = exact.iter().copied().fold(0.0, f32::max);
        // Rounded up, so that the scale is never below a weight. All weights are under 1.
        let scale = (greatest * 255.0).ceil();
        self.beside.push(scale as u8);
        let unit = scale / 255.0 / steps;
        let codes = exact.iter().map(|weight| (weight / unit).round().max(1.0));
        let codes: Vec<u8> = codes.map(|code| code as u8).collect();
        self.weights
            .push(codes.iter().map(|&code| f32::from(code) * unit).collect());
        self.column.extend(codes);
    }
}

/// The part of BM25F that depends on the posting: 0 to 1. Written out here once more so that the
/// judge is not the code that is judged.
fn weight(freqs: Fields, lengths: [f32; 3], means: [f32; 3], params: &Bm25Params) -> f32 {
    let fields = [params.title, params.heading, params.body];
    let mut frequency = 0.0;
    for (i, field) in fields.iter().enumerate() {
        let norm = 1.0 - field.b + field.b * lengths[i] / means[i];
        frequency += freqs[i] as f32 * field.weight / norm;
    }
    frequency / (params.k1 + frequency)
}
