//! Judges replies with the words of a site's own index.

use crate::answer::{Sentence, Weigher, support};
use crate::prompt::Source;
use crate::search::Searcher;

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
/// weighs what its rarity on the site says; a damaged part of the index counts as not having it.
pub fn judge<B: AsRef<[u8]>>(
    searcher: &Searcher<B>,
    reply: &str,
    sources: &[Source],
) -> Vec<Sentence> {
    let index = searcher.index();
    let chunks = index.meta().chunks as f32;
    // The formula of BM25, which stays above zero for a term that every chunk has.
    let idf = |term: &str| {
        let doc_freq = match index.find(term) {
            Ok(Some(term)) => term.doc_freq as f32,
            _ => 0.0,
        };
        (1.0 + (chunks - doc_freq + 0.5) / (doc_freq + 0.5)).ln()
    };
    // A reply is in the language of its sources, or hardly any of its words are theirs.
    let language = sources.first().and_then(|source| {
        let page = index.page_of(source.passage.chunk_id).ok()?;
        Some(index.page(page).ok()?.language)
    });
    let analyzer = searcher.analyzer(language.unwrap_or_default());
    support(
        reply,
        sources,
        &Weigher {
            analyzer,
            idf: &idf,
        },
    )
}
