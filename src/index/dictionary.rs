//! The term dictionary: front-coded blocks, found by binary search over the blocks' first terms.

use super::Error;
use super::codec::{Cursor, u32_at};
use super::format::TERMS_PER_BLOCK;
use std::cmp::Ordering;
use std::ops::Range;

const CORRUPT: Error = Error::Corrupt {
    section: "DICTIONARY",
};

/// Where a term's postings are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Number of the term in byte order.
    pub ordinal: u32,
    /// Number of chunks that hold the term.
    pub doc_freq: u32,
    pub(crate) ids: Range<usize>,
    pub(crate) freqs: Range<usize>,
}

/// Reads the dictionary's columns. Each access names a range, so that only the checksum blocks
/// that a look-up touches are checked.
pub(crate) struct Dictionary<'a, F> {
    /// Yields a range of the section, checked for damage.
    pub(crate) bytes: F,
    pub(crate) len: usize,
    pub(crate) terms: usize,
    pub(crate) lifetime: std::marker::PhantomData<&'a [u8]>,
}

/// Is given a term and where its postings are, and tells whether to go on.
pub(crate) type Visit<'v> = dyn FnMut(&[u8], Term) -> Result<bool, Error> + 'v;

/// Starts of the columns, from the start of the section.
struct Columns {
    shared: usize,
    lens: usize,
    suffixes: usize,
    infos: usize,
}

impl<'a, F: Fn(Range<usize>) -> Result<&'a [u8], Error>> Dictionary<'a, F> {
    fn blocks(&self) -> usize {
        self.terms.div_ceil(TERMS_PER_BLOCK)
    }

    fn columns(&self) -> Result<Columns, Error> {
        let suffix_len = u32_at(self.get(0, 4)?, 0).ok_or(CORRUPT)? as usize;
        let shared = 4 + self.blocks() * 16;
        let lens = shared + self.terms;
        let suffixes = lens + self.terms;
        let infos = suffixes.checked_add(suffix_len).ok_or(CORRUPT)?;
        if infos > self.len {
            return Err(CORRUPT);
        }
        Ok(Columns {
            shared,
            lens,
            suffixes,
            infos,
        })
    }

    fn get(&self, start: usize, len: usize) -> Result<&'a [u8], Error> {
        let end = start.checked_add(len).ok_or(CORRUPT)?;
        if end > self.len {
            return Err(CORRUPT);
        }
        (self.bytes)(start..end)
    }

    /// The four starts of a block: suffix bytes, infos, posting ids, posting freqs.
    fn block_entry(&self, block: usize) -> Result<[usize; 4], Error> {
        let entry = self.get(4 + block * 16, 16)?;
        let mut starts = [0; 4];
        for (i, start) in starts.iter_mut().enumerate() {
            *start = u32_at(entry, i).ok_or(CORRUPT)? as usize;
        }
        Ok(starts)
    }

    fn first_term(&self, columns: &Columns, block: usize) -> Result<&'a [u8], Error> {
        let len = self.get(columns.lens + block * TERMS_PER_BLOCK, 1)?[0];
        let start = columns.suffixes + self.block_entry(block)?[0];
        self.get(start, usize::from(len))
    }

    /// The last block whose first term is not above `term`; block 0 if all are.
    fn block_of(&self, columns: &Columns, term: &[u8]) -> Result<usize, Error> {
        let (mut low, mut high) = (0, self.blocks());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.first_term(columns, middle)? <= term {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// Calls `visit` with each term not below `from`, in order, until it returns false.
    pub(crate) fn scan(&self, from: &[u8], visit: &mut Visit<'_>) -> Result<(), Error> {
        if self.terms == 0 {
            return Ok(());
        }
        let columns = self.columns()?;
        let mut term = Vec::new();
        for block in self.block_of(&columns, from)?..self.blocks() {
            let first = block * TERMS_PER_BLOCK;
            let count = TERMS_PER_BLOCK.min(self.terms - first);
            let shared = self.get(columns.shared + first, count)?;
            let lens = self.get(columns.lens + first, count)?;
            let [suffix_start, info_start, mut ids_start, mut freqs_start] =
                self.block_entry(block)?;
            let mut suffix_at = columns.suffixes + suffix_start;
            // An info is two varints of at most five bytes.
            let info_at = columns.infos.checked_add(info_start).ok_or(CORRUPT)?;
            let infos_len = (count * 10).min(self.len.checked_sub(info_at).ok_or(CORRUPT)?);
            let mut infos = Cursor::new(self.get(info_at, infos_len)?, "DICTIONARY");
            for i in 0..count {
                let len = usize::from(lens[i]);
                if usize::from(shared[i]) > term.len() || (i == 0 && shared[i] != 0) {
                    return Err(CORRUPT);
                }
                term.truncate(usize::from(shared[i]));
                term.extend_from_slice(self.get(suffix_at, len)?);
                suffix_at += len;
                let doc_freq = infos.varint()?;
                let surplus = infos.varint()? as usize;
                let freqs_end = freqs_start.checked_add(doc_freq as usize).ok_or(CORRUPT)?;
                let ids_end = ids_start
                    .checked_add(doc_freq as usize)
                    .and_then(|end| end.checked_add(surplus))
                    .ok_or(CORRUPT)?;
                if term.as_slice() >= from {
                    let found = Term {
                        ordinal: (first + i) as u32,
                        doc_freq,
                        ids: ids_start..ids_end,
                        freqs: freqs_start..freqs_end,
                    };
                    if !visit(&term, found)? {
                        return Ok(());
                    }
                }
                (ids_start, freqs_start) = (ids_end, freqs_end);
            }
        }
        Ok(())
    }

    /// Calls `visit` with the spelling of each term in order, and with the number of bytes that it shares
    /// with the one before. Reads no infos: a walk over all terms looks at few of them.
    pub(crate) fn walk(&self, visit: &mut dyn FnMut(usize, &[u8])) -> Result<(), Error> {
        if self.terms == 0 {
            return Ok(());
        }
        let columns = self.columns()?;
        let shared = self.get(columns.shared, self.terms)?;
        let lens = self.get(columns.lens, self.terms)?;
        let mut suffixes = self.get(columns.suffixes, columns.infos - columns.suffixes)?;
        let mut term = Vec::new();
        for (&shared, &len) in shared.iter().zip(lens) {
            let (suffix, rest) = suffixes.split_at_checked(usize::from(len)).ok_or(CORRUPT)?;
            suffixes = rest;
            let shared = usize::from(shared);
            if shared > term.len() {
                return Err(CORRUPT);
            }
            term.truncate(shared);
            term.extend_from_slice(suffix);
            visit(shared, &term);
        }
        Ok(())
    }

    /// Finds one term.
    pub(crate) fn find(&self, term: &[u8]) -> Result<Option<Term>, Error> {
        let mut found = None;
        self.scan(term, &mut |candidate, info| {
            if candidate.cmp(term) == Ordering::Equal {
                found = Some(info);
            }
            Ok(false)
        })?;
        Ok(found)
    }
}

/// Writes the dictionary section for terms in byte order, each with its document frequency and
/// the length in bytes of its list of ids.
#[cfg(feature = "build")]
pub(crate) fn write<'t>(terms: impl Iterator<Item = (&'t str, u32, usize)>) -> Vec<u8> {
    use super::codec::push_varint;
    let (mut table, mut shared, mut lens) = (Vec::new(), Vec::new(), Vec::new());
    let (mut suffixes, mut infos) = (Vec::new(), Vec::new());
    let (mut ids, mut freqs) = (0u32, 0u32);
    let mut previous = "";
    for (i, (term, doc_freq, ids_len)) in terms.enumerate() {
        let mut common = 0;
        if i % TERMS_PER_BLOCK == 0 {
            for start in [suffixes.len() as u32, infos.len() as u32, ids, freqs] {
                table.extend_from_slice(&start.to_le_bytes());
            }
        } else {
            common = previous
                .bytes()
                .zip(term.bytes())
                .take_while(|(a, b)| a == b)
                .count();
        }
        shared.push(common as u8);
        lens.push((term.len() - common) as u8);
        suffixes.extend_from_slice(&term.as_bytes()[common..]);
        push_varint(&mut infos, doc_freq);
        push_varint(&mut infos, ids_len as u32 - doc_freq);
        ids += ids_len as u32;
        freqs += doc_freq;
        previous = term;
    }
    let mut out = (suffixes.len() as u32).to_le_bytes().to_vec();
    for mut column in [table, shared, lens, suffixes, infos] {
        out.append(&mut column);
    }
    out
}
