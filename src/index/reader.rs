//! Opens an index and reads from it what a query touches.

use super::codec::u32_at;
use super::dictionary::{Dictionary, Term};
use super::format::{BLOCK_LEN, HEADER_LEN, Kind, MAGIC, REQUIRED, SECTION_ENTRY_LEN, VERSION};
use super::string_column::string_at;
use super::{Error, Meta, Postings};
use crate::text::{Analyzer, Language};
use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Range;
use xxhash_rust::xxh64::xxh64;

/// An open index over borrowed or owned bytes.
///
/// Opening checks the head only, so it costs the same for every size. A payload block of 64 kB
/// is checked against its checksum when it is first used; every method can therefore fail with
/// [`Error::Checksum`].
pub struct Index<B> {
    bytes: B,
    payload_start: usize,
    /// One for each payload block: whether its checksum was found right.
    checked: Vec<Cell<bool>>,
    /// Where each section of [`Kind::ALL`] is.
    sections: [Range<usize>; Kind::ALL.len()],
    meta: Meta,
}

/// Length classes of all chunks, one byte a chunk (see [`length_of_class`](super::length_of_class)).
#[derive(Clone, Copy)]
pub struct Lengths<'a> {
    /// Of the titles.
    pub title: &'a [u8],
    /// Of the heading paths.
    pub heading: &'a [u8],
    /// Of the texts.
    pub body: &'a [u8],
}

/// A page, borrowed from the index.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPage<'a> {
    /// Number of the page.
    pub id: u32,
    /// File relative to the documentation root, or a record's URL.
    pub path: &'a str,
    /// Address without a fragment.
    pub url: &'a str,
    /// Page title.
    pub title: &'a str,
    /// Index into [`Meta::languages`].
    pub language: usize,
    /// Index into [`Meta::collections`].
    pub collection: Option<usize>,
    /// Ids of the page's chunks.
    pub chunks: Range<u32>,
}

/// A chunk, borrowed from the index.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredChunk<'a> {
    /// Number of the chunk.
    pub id: u32,
    /// The page that it is a part of.
    pub page: StoredPage<'a>,
    /// Its heading, or the page title before the first heading.
    pub title: &'a str,
    /// Headings between page title and `title`, outermost first, joined by a line feed.
    pub headings: &'a str,
    /// Fragment without `#`; empty for the top of the page.
    pub anchor: &'a str,
    /// Plain text.
    pub text: &'a str,
}

impl StoredPage<'_> {
    /// The address that scrolls to an anchor; the page's own where that is empty.
    pub fn url_of(&self, anchor: &str) -> String {
        if anchor.is_empty() {
            self.url.to_owned()
        } else {
            [self.url, "#", anchor].concat()
        }
    }
}

impl StoredChunk<'_> {
    /// The address that scrolls to the chunk.
    pub fn url(&self) -> String {
        self.page.url_of(self.anchor)
    }
}

impl<B: AsRef<[u8]>> Index<B> {
    /// Checks the head and remembers where the sections are.
    ///
    /// # Errors
    ///
    /// Any variant of [`Error`]: the bytes are no index, of another version or analyzer, cut, or
    /// damaged in the head.
    pub fn open(bytes: B) -> Result<Index<B>, Error> {
        let all = bytes.as_ref();
        if all.get(..8) != Some(&MAGIC) {
            return Err(Error::NotAnIndex);
        }
        let truncated = |expected: u64| Error::Truncated {
            expected,
            got: all.len() as u64,
        };
        let header = all.get(..HEADER_LEN).ok_or(truncated(HEADER_LEN as u64))?;
        let got = u32_field(header, 8);
        if got != VERSION {
            return Err(Error::Version {
                expected: VERSION,
                got,
            });
        }
        let section_count = u32_field(header, 12) as usize;
        let file_len = u64_field(header, 16);
        if file_len != all.len() as u64 {
            return Err(truncated(file_len));
        }
        let damaged_head = Error::Checksum { at: 0 };
        let payload_start = usize::try_from(u64_field(header, 24))
            .ok()
            .filter(|&start| start <= all.len())
            .ok_or(damaged_head.clone())?;
        let blocks = (all.len() - payload_start).div_ceil(BLOCK_LEN);
        let head_len = section_count
            .checked_mul(SECTION_ENTRY_LEN)
            .and_then(|table| table.checked_add(HEADER_LEN + blocks * 8 + 8));
        if head_len != Some(payload_start) {
            return Err(damaged_head);
        }
        let head = &all[..payload_start - 8];
        if xxh64(head, 0) != u64_field(all, payload_start - 8) {
            return Err(damaged_head);
        }

        let mut sections = [const { 0..0 }; Kind::ALL.len()];
        for entry in head[HEADER_LEN..]
            .chunks_exact(SECTION_ENTRY_LEN)
            .take(section_count)
        {
            let (kind, flags) = (u32_field(entry, 0), u32_field(entry, 4));
            let start = u64_field(entry, 8);
            let range = start
                .checked_add(u64_field(entry, 16))
                .filter(|&end| start >= payload_start as u64 && end <= file_len)
                .map(|end| start as usize..end as usize)
                .ok_or(Error::Corrupt {
                    section: "the section table",
                })?;
            match Kind::ALL.iter().find(|known| **known as u32 == kind) {
                Some(known) => sections[known.ordinal()] = range,
                None if flags & REQUIRED != 0 => return Err(Error::UnknownSection { kind }),
                None => {}
            }
        }
        let mut index = Index {
            payload_start,
            checked: vec![Cell::new(false); blocks],
            sections,
            meta: Meta::default(),
            bytes,
        };
        index.meta = Meta::read(index.section(Kind::Meta)?)?;
        if index.meta.analyzer != Analyzer::ID {
            return Err(Error::Analyzer {
                expected: Analyzer::ID,
                got: index.meta.analyzer,
            });
        }
        if let Some(language) = other_stemmer(&index.meta) {
            return Err(Error::Stemmer { language });
        }
        index.check_counts()?;
        Ok(index)
    }

    /// Columns of fixed width must have the length that the counts give.
    fn check_counts(&self) -> Result<(), Error> {
        let (chunks, pages) = (self.meta.chunks as usize, self.meta.pages as usize);
        for (kind, len) in [
            (Kind::PostingFreqs, self.meta.postings as usize),
            (Kind::Lengths, chunks.saturating_mul(3)),
            (Kind::PageChunks, pages.saturating_mul(4)),
            (Kind::PageLanguage, pages),
            (Kind::PageCollection, pages.saturating_mul(2)),
        ] {
            if self.sections[kind.ordinal()].len() != len {
                return Err(Error::Corrupt {
                    section: kind.name(),
                });
            }
        }
        Ok(())
    }

    /// Counts, totals and names.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Length in bytes of a section.
    pub fn section_len(&self, kind: Kind) -> usize {
        self.sections[kind.ordinal()].len()
    }

    /// Where a section is in the file, in bytes.
    #[cfg(feature = "build")]
    pub(crate) fn section_range(&self, kind: Kind) -> Range<usize> {
        self.sections[kind.ordinal()].clone()
    }

    /// Checks every payload block, for `inspect --verify`. Linear in the size of the index.
    ///
    /// # Errors
    ///
    /// [`Error::Checksum`] at the first block that does not match.
    pub fn verify(&self) -> Result<(), Error> {
        self.range(self.payload_start..self.bytes.as_ref().len())?;
        Ok(())
    }

    /// Bytes of the file, after the checksum of each block that they touch was found right.
    fn range(&self, range: Range<usize>) -> Result<&[u8], Error> {
        let all = self.bytes.as_ref();
        if !range.is_empty() {
            let first = (range.start - self.payload_start) / BLOCK_LEN;
            let last = (range.end - 1 - self.payload_start) / BLOCK_LEN;
            for block in first..=last {
                if !self.checked[block].get() {
                    self.check_block(block)?;
                }
            }
        }
        Ok(&all[range])
    }

    #[cold]
    fn check_block(&self, block: usize) -> Result<(), Error> {
        let all = self.bytes.as_ref();
        let start = self.payload_start + block * BLOCK_LEN;
        let end = all.len().min(start + BLOCK_LEN);
        let checksum_at = self.payload_start - 8 - (self.checked.len() - block) * 8;
        if xxh64(&all[start..end], 0) != u64_field(all, checksum_at) {
            return Err(Error::Checksum { at: start });
        }
        self.checked[block].set(true);
        Ok(())
    }

    fn section(&self, kind: Kind) -> Result<&[u8], Error> {
        self.range(self.sections[kind.ordinal()].clone())
    }

    /// A range counted from the start of a section.
    fn within(&self, kind: Kind, range: Range<usize>) -> Result<&[u8], Error> {
        let section = &self.sections[kind.ordinal()];
        let corrupt = Error::Corrupt {
            section: kind.name(),
        };
        if range.start > range.end || range.end > section.len() {
            return Err(corrupt);
        }
        self.range(section.start + range.start..section.start + range.end)
    }

    fn dictionary<'a>(
        &'a self,
    ) -> Dictionary<'a, impl Fn(Range<usize>) -> Result<&'a [u8], Error>> {
        Dictionary {
            bytes: |range| self.within(Kind::Dictionary, range),
            len: self.section_len(Kind::Dictionary),
            terms: self.meta.terms as usize,
            lifetime: PhantomData,
        }
    }

    /// Finds a term. Logarithmic in the number of terms.
    pub fn find(&self, term: &str) -> Result<Option<Term>, Error> {
        self.dictionary().find(term.as_bytes())
    }

    /// Calls `visit` with each term not below `from`, in byte order, until it returns false.
    pub fn scan_terms(
        &self,
        from: &str,
        visit: &mut dyn FnMut(&str, Term) -> bool,
    ) -> Result<(), Error> {
        self.dictionary().scan(from.as_bytes(), &mut |bytes, info| {
            let term = std::str::from_utf8(bytes).map_err(|_| Error::Corrupt {
                section: "DICTIONARY",
            })?;
            Ok(visit(term, info))
        })
    }

    /// Calls `visit` with the bytes of each term in order, and with the number of bytes that it shares with
    /// the one before. Linear in the number of terms.
    pub fn walk_terms(&self, visit: &mut dyn FnMut(usize, &[u8])) -> Result<(), Error> {
        self.dictionary().walk(visit)
    }

    /// The postings of a term.
    pub fn postings(&self, term: &Term) -> Result<Postings<'_>, Error> {
        Ok(Postings {
            ids: self.within(Kind::PostingIds, term.ids.clone())?,
            freqs: self.within(Kind::PostingFreqs, term.freqs.clone())?,
            chunks: self.meta.chunks,
        })
    }

    /// Length classes of all chunks.
    pub fn lengths(&self) -> Result<Lengths<'_>, Error> {
        let chunks = self.meta.chunks as usize;
        let (title, rest) = self.section(Kind::Lengths)?.split_at(chunks);
        let (heading, body) = rest.split_at(chunks);
        Ok(Lengths {
            title,
            heading,
            body,
        })
    }

    pub(super) fn string(&self, kind: Kind, count: u32, index: u32) -> Result<&str, Error> {
        string_at(
            &|range| self.within(kind, range),
            self.section_len(kind),
            count as usize,
            index as usize,
            kind.name(),
        )
    }

    fn first_chunk(&self, page: u32) -> Result<u32, Error> {
        if page == self.meta.pages {
            return Ok(self.meta.chunks);
        }
        let at = page as usize * 4;
        let four = self.within(Kind::PageChunks, at..at + 4)?;
        Ok(u32_field(four, 0))
    }

    /// The number of the page that a chunk is a part of. Logarithmic in the number of pages.
    pub fn page_of(&self, chunk: u32) -> Result<u32, Error> {
        let (mut low, mut high) = (0, self.meta.pages);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.first_chunk(middle)? <= chunk {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// A page by its number.
    pub fn page(&self, id: u32) -> Result<StoredPage<'_>, Error> {
        let corrupt = |kind: Kind| Error::Corrupt {
            section: kind.name(),
        };
        if id >= self.meta.pages {
            return Err(corrupt(Kind::PageChunks));
        }
        let at = id as usize;
        let language = usize::from(self.within(Kind::PageLanguage, at..at + 1)?[0]);
        let two = self.within(Kind::PageCollection, at * 2..at * 2 + 2)?;
        let collection = usize::from(u16::from_le_bytes([two[0], two[1]])).checked_sub(1);
        if language >= self.meta.languages.len() {
            return Err(corrupt(Kind::PageLanguage));
        }
        if collection.is_some_and(|i| i >= self.meta.collections.len()) {
            return Err(corrupt(Kind::PageCollection));
        }
        Ok(StoredPage {
            id,
            path: self.string(Kind::PagePaths, self.meta.pages, id)?,
            url: self.string(Kind::PageUrls, self.meta.pages, id)?,
            title: self.string(Kind::PageTitles, self.meta.pages, id)?,
            language,
            collection,
            chunks: self.first_chunk(id)?..self.first_chunk(id + 1)?,
        })
    }

    /// Labels of a page.
    pub fn tags(&self, page: u32) -> Result<impl Iterator<Item = &str>, Error> {
        let tags = self.string(Kind::PageTags, self.meta.pages, page)?;
        Ok(tags.split('\n').filter(|tag| !tag.is_empty()))
    }

    /// The version that a page describes, if it names one.
    pub fn version(&self, page: u32) -> Result<Option<&str>, Error> {
        if self.section_len(Kind::PageVersions) == 0 {
            return Ok(None);
        }
        let version = self.string(Kind::PageVersions, self.meta.pages, page)?;
        Ok((!version.is_empty()).then_some(version))
    }

    /// What means the same: lines of two phrases divided by a tab, of which the second stands for the first.
    pub fn synonyms(&self) -> Result<&str, Error> {
        std::str::from_utf8(self.section(Kind::Synonyms)?).map_err(|_| Error::Corrupt {
            section: Kind::Synonyms.name(),
        })
    }

    /// Ids of a page's chunks.
    pub fn chunks_of(&self, page: u32) -> Result<Range<u32>, Error> {
        let end = self.first_chunk(page + 1)?.min(self.meta.chunks);
        Ok(self.first_chunk(page)?..end)
    }

    /// The title of a chunk and the language of its page, an index into [`Meta::languages`].
    pub fn chunk_title(&self, id: u32) -> Result<(&str, usize), Error> {
        let title = self.string(Kind::ChunkTitles, self.meta.chunks, id)?;
        let page = self.page_of(id)? as usize;
        let language = usize::from(self.within(Kind::PageLanguage, page..page + 1)?[0]);
        if language >= self.meta.languages.len() {
            let section = Kind::PageLanguage.name();
            return Err(Error::Corrupt { section });
        }
        Ok((title, language))
    }

    /// A chunk by its number.
    pub fn chunk(&self, id: u32) -> Result<StoredChunk<'_>, Error> {
        let chunks = self.meta.chunks;
        Ok(StoredChunk {
            id,
            title: self.string(Kind::ChunkTitles, chunks, id)?,
            headings: self.string(Kind::ChunkHeadings, chunks, id)?,
            anchor: self.string(Kind::ChunkAnchors, chunks, id)?,
            text: self.string(Kind::ChunkTexts, chunks, id)?,
            page: self.page(self.page_of(id)?)?,
        })
    }
}

/// A language whose stemmer only one side has: it makes terms that the other does not look for.
fn other_stemmer(meta: &Meta) -> Option<String> {
    let differs =
        |code: &&String| Language::from_tag(code).is_supported() == meta.unstemmed.contains(code);
    meta.languages.iter().find(differs).cloned()
}

/// A u32 at a place that is known to be inside.
fn u32_field(bytes: &[u8], at: usize) -> u32 {
    u32_at(&bytes[at..at + 4], 0).unwrap_or_default()
}

/// A u64 at a place that is known to be inside.
fn u64_field(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_field(bytes, at)) | u64::from(u32_field(bytes, at + 4)) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(languages: &[&str], unstemmed: &[&str], expected: Option<&str>) {
        let meta = Meta {
            languages: languages.iter().map(|code| (*code).to_owned()).collect(),
            unstemmed: unstemmed.iter().map(|code| (*code).to_owned()).collect(),
            ..Meta::default()
        };
        assert_eq!(other_stemmer(&meta).as_deref(), expected);
    }

    #[test]
    fn an_index_with_other_stemmers_is_told() {
        check(&["en", "ru"], &[], None);
        check(&["en", "ru"], &["ru"], Some("ru"));
        check(&["zh", "und"], &[], None);
        let all = cfg!(feature = "all-languages");
        check(&["en", "de"], &[], (!all).then_some("de"));
        check(&["en", "de"], &["de"], all.then_some("de"));
    }
}
