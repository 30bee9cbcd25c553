//! The quote that each cited source is shown with.

use super::site::Site;
use crate::answer::{Sentence, text_fragment};
use crate::prompt::Source;
use std::ops::Range;

/// The place of a source that best bears out a sentence which cites it.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceQuote {
    /// Number of the source.
    pub n: u32,
    /// Where it stands in the source's text, in bytes.
    pub at: Range<usize>,
    /// The source's address with a fragment that selects it.
    pub link: String,
}

/// The best quote of each source that has one.
pub(super) fn quotes(
    sources: &[Source],
    sentences: &[Sentence],
    site: &dyn Site,
) -> Vec<SourceQuote> {
    let quote = |source: &Source| {
        let quotes = sentences.iter().filter_map(|sentence| {
            let quote = sentence.quote.as_ref()?;
            (quote.n == source.n && sentence.score > 0.0).then_some((sentence.score, quote))
        });
        // Of equal ones the first.
        let (_, best) = quotes.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        let passage = &source.passage;
        let page = site.page_text(passage);
        let page = page.as_deref().unwrap_or(&passage.text);
        Some(SourceQuote {
            n: source.n,
            at: best.at.clone(),
            link: text_fragment(&passage.url, best.at.clone(), &passage.text, page),
        })
    };
    sources.iter().filter_map(quote).collect()
}
