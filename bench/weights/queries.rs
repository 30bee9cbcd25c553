//! Queries sampled from a corpus.

use groundling::document::Chunk;
use std::collections::BTreeSet;

const SENTENCES: usize = 300;
const HEADINGS: usize = 100;

/// Sentences of 5 to 12 words from the texts, then headings; the same for the same chunks.
pub fn sample(chunks: &[&Chunk]) -> Vec<String> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let sentences = chunks.iter().flat_map(|chunk| chunk.text.lines());
    let sentences = sentences.flat_map(|line| line.split_inclusive(['.', '?', '!']));
    let sentences: BTreeSet<&str> = sentences
        .map(str::trim)
        // Neither code nor a fragment that a stop inside a word left.
        .filter(|sentence| {
            sentence.starts_with(char::is_uppercase)
                && sentence.ends_with(['.', '?', '!'])
                && (5..=12).contains(&sentence.split_whitespace().count())
        })
        .collect();
    let headings: BTreeSet<&str> = chunks.iter().map(|chunk| chunk.title.trim()).collect();
    let mut queries = random.choose(sentences, SENTENCES);
    queries.extend(random.choose(headings, HEADINGS));
    queries
}

/// Xorshift64 (Marsaglia 2003): the same numbers on every machine, without a dependency.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    /// `count` different items, or all where there are fewer.
    fn choose(&mut self, items: BTreeSet<&str>, count: usize) -> Vec<String> {
        let mut items: Vec<&str> = items.into_iter().collect();
        for at in 0..count.min(items.len()) {
            let other = at + self.below(items.len() - at);
            items.swap(at, other);
        }
        items.truncate(count);
        items.into_iter().map(str::to_owned).collect()
    }
}
