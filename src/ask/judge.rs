//! Judges replies with the words of a site's own index.

use crate::answer::{Sentence, support};
use crate::prompt::Source;
use crate::search::{Searcher, TermWeights};
use crate::text::Analyzer;

/// What becomes of an answer with a sentence that its sources do not bear out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SupportPolicy {
    /// The answer stands, and each of its sentences tells how far it is borne out.
    #[default]
    Report,
    /// It is withdrawn.
    Strict,
    /// Nothing is judged.
    Off,
}

/// Judges the sentences of a reply by the sources of its prompt, as [`support`] does. A word
/// weighs what its rarity on the site says.
pub fn judge<B: AsRef<[u8]>>(
    searcher: &Searcher<B>,
    reply: &str,
    sources: &[Source],
) -> Vec<Sentence> {
    let weights = TermWeights {
        analyzer: analyzer_of(searcher, sources),
        idf: &|term| searcher.idf(term),
    };
    support(reply, sources, &weights)
}

/// The analyzer of the language that the best source is in, the site's main language where the
/// sources are the caller's. A reply is in the language of its sources, or hardly any of its
/// words are theirs.
pub(super) fn analyzer_of<'a, B: AsRef<[u8]>>(
    searcher: &'a Searcher<B>,
    sources: &[Source],
) -> &'a Analyzer {
    let index = searcher.index();
    let language = sources.first().and_then(|source| {
        let page = index.page_of(source.passage.chunk_id).ok()?;
        Some(index.page(page).ok()?.language)
    });
    searcher.analyzer(language.unwrap_or_default())
}
