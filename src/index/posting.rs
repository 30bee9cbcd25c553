//! Postings: which chunks hold a term, and how often in each field.

use super::Error;

/// Term frequencies of one posting: three fields in one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TermFreqs(pub u8);

impl TermFreqs {
    /// Packs frequencies, each capped at its width's maximum: 3, 3 and 15.
    pub fn new(title: u32, heading: u32, body: u32) -> TermFreqs {
        TermFreqs((title.min(3) << 6 | heading.min(3) << 4 | body.min(15)) as u8)
    }

    /// Occurrences in the chunk's title, at most 3.
    pub fn title(self) -> u8 {
        self.0 >> 6
    }

    /// Occurrences in the headings above the chunk and the page title, at most 3.
    pub fn heading(self) -> u8 {
        self.0 >> 4 & 3
    }

    /// Occurrences in the chunk's text, at most 15.
    pub fn body(self) -> u8 {
        self.0 & 15
    }
}

/// The postings of one term, in rising order of chunk ids.
#[derive(Clone, Copy)]
pub struct Postings<'a> {
    /// Gaps as varints.
    pub(crate) ids: &'a [u8],
    /// One byte a posting, same order.
    pub(crate) freqs: &'a [u8],
    pub(crate) chunks: u32,
}

impl Postings<'_> {
    /// Calls `visit` for each posting.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] where an id is no chunk of the index or the list does not fill its
    /// bytes; the postings before it have been visited by then.
    #[inline]
    pub fn for_each(self, mut visit: impl FnMut(u32, TermFreqs)) -> Result<(), Error> {
        const CORRUPT: Error = Error::Corrupt {
            section: "POSTING_IDS",
        };
        let mut ids = self.ids.iter();
        let mut next = 0u32;
        for &freqs in self.freqs {
            let mut byte = *ids.next().ok_or(CORRUPT)?;
            let mut gap = u32::from(byte & 0x7f);
            let mut shift = 7;
            // Nearly all gaps are one byte, so this loop is a well predicted branch.
            while byte & 0x80 != 0 {
                if shift > 28 {
                    return Err(CORRUPT);
                }
                byte = *ids.next().ok_or(CORRUPT)?;
                gap |= u32::from(byte & 0x7f) << shift;
                shift += 7;
            }
            let id = next.checked_add(gap).ok_or(CORRUPT)?;
            if id >= self.chunks {
                return Err(CORRUPT);
            }
            visit(id, TermFreqs(freqs));
            next = id + 1;
        }
        if ids.next().is_some() {
            return Err(CORRUPT);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_are_capped_and_come_back() {
        let freqs = TermFreqs::new(1, 2, 3);
        assert_eq!((freqs.title(), freqs.heading(), freqs.body()), (1, 2, 3));
        let freqs = TermFreqs::new(9, 9, 99);
        assert_eq!((freqs.title(), freqs.heading(), freqs.body()), (3, 3, 15));
    }

    #[track_caller]
    fn check(ids: &[u8], freqs: &[u8], expected: Option<&[u32]>) {
        let mut seen = Vec::new();
        let postings = Postings {
            ids,
            freqs,
            chunks: 1000,
        };
        let result = postings.for_each(|id, _| seen.push(id));
        assert_eq!(result.is_ok(), expected.is_some());
        if let Some(expected) = expected {
            assert_eq!(seen, expected);
        }
    }

    #[test]
    fn gaps_become_ids() {
        check(&[4, 1, 0], &[0x42, 1, 1], Some(&[4, 6, 7]));
        check(&[0x80, 2, 0xff, 1], &[1, 1], Some(&[256, 512]));
    }

    #[test]
    fn ids_that_do_not_fit_are_refused() {
        check(&[0xe8, 7], &[1], None);
        check(&[4], &[1, 1], None);
        check(&[4, 4], &[1], None);
        check(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff], &[1], None);
        check(&[0x80], &[1], None);
    }
}
