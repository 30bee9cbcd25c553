//! The text around what was found joins its source.

use crate::index::{Error, Index};
use crate::prompt::{Budget, Source};

/// Joins to each source the chunk that follows it on its page, then the one before, as long as
/// all sources stay within `budget`. What follows comes first, because a
/// passage that matches most often opens its subject. A chunk that is a source of its own is
/// left where it is, and no chunk is joined twice.
///
/// # Errors
///
/// Where the index is damaged.
pub(super) fn join_neighbours<B: AsRef<[u8]>>(
    index: &Index<B>,
    sources: &mut [Source],
    budget: Budget,
) -> Result<(), Error> {
    let mut taken: Vec<u32> = sources
        .iter()
        .map(|source| source.passage.chunk_id)
        .collect();
    let mut size: usize = sources
        .iter()
        .map(|source| budget.size_of(&source.passage.text))
        .sum();
    for after in [true, false] {
        for source in &mut *sources {
            let passage = &mut source.passage;
            let page = index.page(index.page_of(passage.chunk_id)?)?;
            let neighbour = if after {
                passage.chunk_id.checked_add(1)
            } else {
                passage.chunk_id.checked_sub(1)
            };
            let Some(neighbour) = neighbour.filter(|id| page.chunks.contains(id)) else {
                continue;
            };
            let text = index.chunk(neighbour)?.text;
            let total = size.saturating_add(budget.size_of(text));
            if total > budget.limit() || taken.contains(&neighbour) {
                continue;
            }
            size = total;
            taken.push(neighbour);
            passage.text = if after {
                [&passage.text, "\n\n", text].concat()
            } else {
                [text, "\n\n", &passage.text].concat()
            };
        }
    }
    Ok(())
}
