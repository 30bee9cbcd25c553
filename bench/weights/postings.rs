//! The postings of a corpus with nothing rounded: what both ways to store a weight start from.

use groundling::document::Chunk;
use groundling::text::{Analyzer, TokenKind};
use std::collections::BTreeMap;

/// Counts in title, heading path and body.
pub type Fields = [u32; 3];

/// A corpus as the index sees it, counted exactly.
#[derive(Default)]
pub struct Corpus {
    /// For each term, in byte order, its chunks in rising order with the term frequencies.
    pub lists: BTreeMap<String, Vec<(u32, Fields)>>,
    /// Lengths in words of each chunk's fields.
    pub lengths: Vec<Fields>,
}

impl Corpus {
    /// Counts the terms of chunks, as `IndexBuilder` does.
    pub fn new<'a>(chunks: impl Iterator<Item = &'a Chunk>, analyzer: &Analyzer) -> Corpus {
        let mut corpus = Corpus::default();
        for (id, chunk) in (0..).zip(chunks) {
            let headings = chunk.heading_path.join("\n");
            let mut lengths = [0; 3];
            let texts = [&chunk.title, &headings, &chunk.text];
            for (field, text) in texts.into_iter().enumerate() {
                analyzer.analyze(text, &mut |token| {
                    lengths[field] += u32::from(token.kind == TokenKind::Word);
                    let list = corpus.lists.entry(token.term.to_owned()).or_default();
                    if list.last().is_none_or(|last| last.0 != id) {
                        list.push((id, [0; 3]));
                    }
                    if let Some((_, freqs)) = list.last_mut() {
                        freqs[field] += 1;
                    }
                });
            }
            corpus.lengths.push(lengths);
        }
        corpus
    }

    /// Number of postings.
    pub fn postings(&self) -> usize {
        self.lists.values().map(Vec::len).sum()
    }

    /// Mean lengths of the fields.
    pub fn means(&self) -> [f32; 3] {
        let mean = |field: usize| {
            let total: u64 = self.lengths.iter().map(|l| u64::from(l[field])).sum();
            (total as f32 / self.lengths.len().max(1) as f32).max(1.0)
        };
        [mean(0), mean(1), mean(2)]
    }
}
