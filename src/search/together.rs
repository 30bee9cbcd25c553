//! Which chunks have several terms.

use crate::index::{Error, Index, Term};

/// The chunks that have a term, in rising order.
pub(super) fn chunks_with<B: AsRef<[u8]>>(
    index: &Index<B>,
    term: &Term,
) -> Result<Vec<u32>, Error> {
    let mut chunks = Vec::new();
    index
        .postings(term)?
        .for_each(|chunk, _| chunks.push(chunk))?;
    Ok(chunks)
}

/// Keeps of some chunks those that are among others too. Both are in rising order.
pub(super) fn keep_common(chunks: &mut Vec<u32>, others: &[u32]) {
    chunks.retain(|chunk| others.binary_search(chunk).is_ok());
}
