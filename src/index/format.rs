//! The index format, version 1: specification and constants.
//!
//! # Basic idea
//!
//! One file holds everything that a search needs: a term dictionary, postings with term
//! frequencies, the length of every chunk, and the chunks themselves. It is laid out in
//! columns, each contiguous, and none is compressed: a host's own brotli or gzip does that
//! better than a codec inside the file could, because it also finds repeats between columns.
//! The reader borrows the bytes and decodes only what a query touches.
//!
//! The "document" of the terms *document frequency* and *document length* is a **chunk**
//! here: the text under one heading. A **page** is what has a URL of its own.
//!
//! All fixed-width integers are little-endian. A *varint* is LEB128: seven bits a byte,
//! least significant first, the high bit says that another byte follows; at most five bytes.
//! A *string* is a varint length in bytes followed by UTF-8.
//!
//! # File
//!
//! ```text
//! +--------+---------------+-----------------+---------------+---------------------------+
//! | header | section table | block checksums | head checksum | payload: sections, packed |
//! | 32 B   | 24 B each     | 8 B each        | 8 B           |                           |
//! +--------+---------------+-----------------+---------------+---------------------------+
//! 0        32                                                ^ payload_start
//! ```
//!
//! | at | type | header field |
//! |----|------|------|
//! | 0 | 8 bytes | [`MAGIC`] |
//! | 8 | u32 | [`VERSION`] |
//! | 12 | u32 | number of sections |
//! | 16 | u64 | length of the whole file in bytes |
//! | 24 | u64 | `payload_start`, offset of the first payload byte |
//!
//! A section table entry is `kind: u32, flags: u32, offset: u64, length: u64`; offsets count
//! from the start of the file. Flag bit 0 ([`REQUIRED`]) says that a reader which does not
//! know the kind must refuse the file; without it the reader skips the section. New kinds can
//! so be added without touching old ones.
//!
//! The payload is divided into blocks of [`BLOCK_LEN`] bytes, the last one shorter. For each
//! the head holds its [XXH64](https://github.com/Cyan4973/xxHash) (seed 0). The head checksum
//! is the XXH64 of all bytes before it. Opening checks the head only; a block is checked when
//! a byte of it is first used. So opening costs the same for a large site as for a small one,
//! and no damaged byte is ever used.
//!
//! # Sections
//!
//! ## `META` (1)
//!
//! `analyzer: string, built_by: string, chunks: varint, pages: varint, terms: varint,
//! postings: varint, title_total: varint, heading_total: varint, body_total: varint,
//! languages: varint n, n strings, unstemmed: varint n, n strings, collections: varint n, n pairs
//! of strings (id, name)`.
//! The three totals are sums over all chunks of the field's length in words; they give the
//! mean lengths of BM25F. The reader refuses an index made by another analyzer, because its
//! terms would not be found; `unstemmed` lists the languages for which the builder lacked the stemmer,
//! and a reader that has it, or lacks the stemmer of another, refuses too.
//!
//! ## `DICTIONARY` (2)
//!
//! Terms in byte order, front-coded in blocks of [`TERMS_PER_BLOCK`]: a term is stored as the
//! number of bytes it shares with the one before (0 for the first of a block) and the rest.
//! Columns one after another, `n` terms, `b = ceil(n / 16)` blocks:
//!
//! | column | type | meaning |
//! |---|---|---|
//! | suffix bytes length | u32 | length of the fifth column |
//! | block table | b × 4 × u32 | where the block starts in: suffix bytes, infos, `POSTING_IDS`, `POSTING_FREQS` |
//! | shared | n × u8 | bytes shared with the term before |
//! | suffix lengths | n × u8 | bytes that follow |
//! | suffix bytes | | |
//! | infos | n × 2 varints | document frequency; surplus bytes of the list in `POSTING_IDS` over one a posting |
//!
//! Worked example, terms `cache`, `cached`, `call`: shared `0 5 2`, suffix lengths `5 1 2`,
//! suffix bytes `cachedll`.
//!
//! ## `POSTING_IDS` (3) and `POSTING_FREQS` (4)
//!
//! For each term, in dictionary order, the ids of its chunks in rising order as gaps: the first
//! id, then `id - previous - 1`, each a varint. Beside them, one byte a posting, the term
//! frequencies in the three fields:
//!
//! ```text
//!   7 6     5 4      3 2 1 0
//! +-------+---------+---------+
//! | title | heading | body    |      each capped at its width's maximum: 3, 3, 15
//! +-------+---------+---------+
//! ```
//!
//! Worked example: a term in the title and twice in the body of chunk 4, and once in the body
//! of chunk 6: ids `4 1`, freqs `0x42 0x01`.
//!
//! BM25F saturates: with k1 = 1.2 a frequency of 15 already gives 93 % of the limit, which is
//! why the caps cost nothing that can be measured (`ARCHITECTURE.md` has the figures, also
//! against storing a quantised impact instead).
//!
//! ## `LENGTHS` (5)
//!
//! Three columns of one byte a chunk: the length class of title, heading path and body
//! ([`length_class`](super::length_class)): exact up to 31 words, then sixteen classes an octave.
//!
//! ## Pages and chunks (16 to 29)
//!
//! Chunks are numbered in the order of their pages' URLs, pages in URL order too, so the chunks
//! of a page are a range. `PAGE_CHUNKS` holds the first chunk of each page, u32 each;
//! `PAGE_LANGUAGE` one byte each, an index into the languages of `META`; `PAGE_COLLECTION` one
//! u16 each, 0 for none, else 1 + index into the collections.
//! All others are string columns, one string a page or chunk: `PAGE_PATHS`, `PAGE_URLS`,
//! `PAGE_TITLES`, `PAGE_TAGS` (joined by a line feed), `PAGE_VERSIONS` (not required, and left
//! out where no page names a version; empty for none), `CHUNK_TITLES`, `CHUNK_HEADINGS` (the
//! headings between the page title and the chunk's title, outermost first, joined by a line
//! feed), `CHUNK_ANCHORS` (empty for none), `CHUNK_TEXTS`.
//!
//! `CHUNK_PARTS` (28) is a string column too, of the places within a chunk that have an anchor of
//! their own ([`Index::places`](super::Index::places)). It is not required, and left out where
//! there are none.
//!
//! `SYNONYMS` (29) holds lines, each two phrases divided by a tab: where a question has the first, the second
//! counts too. A phrase is its terms as the analyzer writes them, divided by spaces; stop words are left out of
//! the second. In byte order, not required, and left out where the site gives none.
//!
//! A string column of `n` strings in groups of [`STRINGS_PER_GROUP`], `g = ceil(n / 16)`:
//! `g × u32` offsets of the groups from the end of this table, then per group its strings'
//! lengths as varints followed by their bytes.

/// First bytes of every index.
pub const MAGIC: [u8; 8] = *b"groundlg";
/// Version of the format that this crate reads and writes.
pub const VERSION: u32 = 1;
/// Bytes before the section table.
pub const HEADER_LEN: usize = 32;
/// Bytes of one section table entry.
pub const SECTION_ENTRY_LEN: usize = 24;
/// Section flag: a reader that does not know the kind must refuse the file.
pub const REQUIRED: u32 = 1;
/// Payload bytes under one checksum.
pub const BLOCK_LEN: usize = 64 * 1024;
/// Terms that share one entry of the dictionary's block table. The study behind this format
/// found 16 smallest after brotli (4, 16 and 64 tried).
pub const TERMS_PER_BLOCK: usize = 16;
/// Strings that share one offset in a string column.
pub const STRINGS_PER_GROUP: usize = 16;
/// Longest term in bytes, bounded by the one-byte length columns of the dictionary.
pub const MAX_TERM_BYTES: usize = 255;

/// A section kind, by its number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// Counts, totals, languages, collections.
    Meta = 1,
    /// The term dictionary.
    Dictionary = 2,
    /// Chunk ids of the postings.
    PostingIds = 3,
    /// Term frequencies of the postings.
    PostingFreqs = 4,
    /// Length classes of the chunks' fields.
    Lengths = 5,
    /// First chunk of each page.
    PageChunks = 16,
    /// Language of each page.
    PageLanguage = 17,
    /// Collection of each page.
    PageCollection = 18,
    /// Path of each page.
    PagePaths = 19,
    /// URL of each page.
    PageUrls = 20,
    /// Title of each page.
    PageTitles = 21,
    /// Tags of each page.
    PageTags = 22,
    /// Version of each page; left out where no page has one.
    PageVersions = 23,
    /// Title of each chunk.
    ChunkTitles = 24,
    /// Headings above each chunk.
    ChunkHeadings = 25,
    /// Anchor of each chunk.
    ChunkAnchors = 26,
    /// Text of each chunk.
    ChunkTexts = 27,
    /// Places within each chunk; left out where there are none.
    ChunkParts = 28,
    /// What means the same; left out where the site gives no synonyms.
    Synonyms = 29,
}

impl Kind {
    /// All kinds that this version knows, in file order.
    pub const ALL: [Kind; 19] = [
        Kind::Meta,
        Kind::Dictionary,
        Kind::PostingIds,
        Kind::PostingFreqs,
        Kind::Lengths,
        Kind::PageChunks,
        Kind::PageLanguage,
        Kind::PageCollection,
        Kind::PagePaths,
        Kind::PageUrls,
        Kind::PageTitles,
        Kind::PageTags,
        Kind::PageVersions,
        Kind::ChunkTitles,
        Kind::ChunkHeadings,
        Kind::ChunkAnchors,
        Kind::ChunkTexts,
        Kind::ChunkParts,
        Kind::Synonyms,
    ];

    /// Whether an index may lack the section, and a reader pass it over.
    #[cfg(feature = "build")]
    pub(crate) fn is_optional(self) -> bool {
        matches!(self, Kind::PageVersions | Kind::ChunkParts | Kind::Synonyms)
    }

    /// Position in [`Kind::ALL`].
    pub(crate) fn ordinal(self) -> usize {
        let number = self as usize;
        match number {
            1..=5 => number - 1,
            _ => number - 11,
        }
    }

    /// Name as the specification above writes it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Meta => "META",
            Kind::Dictionary => "DICTIONARY",
            Kind::PostingIds => "POSTING_IDS",
            Kind::PostingFreqs => "POSTING_FREQS",
            Kind::Lengths => "LENGTHS",
            Kind::PageChunks => "PAGE_CHUNKS",
            Kind::PageLanguage => "PAGE_LANGUAGE",
            Kind::PageCollection => "PAGE_COLLECTION",
            Kind::PagePaths => "PAGE_PATHS",
            Kind::PageUrls => "PAGE_URLS",
            Kind::PageTitles => "PAGE_TITLES",
            Kind::PageTags => "PAGE_TAGS",
            Kind::PageVersions => "PAGE_VERSIONS",
            Kind::ChunkTitles => "CHUNK_TITLES",
            Kind::ChunkHeadings => "CHUNK_HEADINGS",
            Kind::ChunkAnchors => "CHUNK_ANCHORS",
            Kind::ChunkTexts => "CHUNK_TEXTS",
            Kind::ChunkParts => "CHUNK_PARTS",
            Kind::Synonyms => "SYNONYMS",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_stands_at_its_ordinal() {
        for (i, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind.ordinal(), i, "{}", kind.name());
        }
    }
}
