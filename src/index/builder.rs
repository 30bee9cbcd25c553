//! Writes an index: collects pages, counts terms, lays out the sections.

use super::codec::push_varint;
use super::duplicates::{Identity, duplicates};
use super::format::{
    BLOCK_LEN, HEADER_LEN, Kind, MAGIC, MAX_TERM_BYTES, REQUIRED, SECTION_ENTRY_LEN, VERSION,
};
use super::{
    Collection, FieldTotals, Meta, TermFreqs, dictionary, length_class, part, string_column,
};
use crate::document::{Chunk, Document, Options};
use crate::text::{Analyzer, Language, TokenKind};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use xxhash_rust::xxh64::xxh64;

/// Collects documents and writes them as one index. The order in which they are added does not
/// matter: the same documents give the same bytes.
#[derive(Default)]
pub struct IndexBuilder {
    pages: Vec<Page>,
    /// Display names of collections by id.
    names: BTreeMap<String, String>,
    default_language: Option<String>,
}

struct Page {
    identity: Identity,
    document: Document,
    chunks: Vec<Chunk>,
}

/// Why an index cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// Nothing to index: no page has text.
    NoText,
    /// More than the format can hold.
    TooMany {
        /// Of what.
        what: &'static str,
        /// The most that there may be.
        limit: u64,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::NoText => f.write_str(
                "no page has any text: check that the folder holds built HTML or Markdown",
            ),
            BuildError::TooMany { what, limit } => write!(
                f,
                "too many {what} for one index (at most {limit}): split the documentation"
            ),
        }
    }
}

impl std::error::Error for BuildError {}

/// One term's postings while building.
#[derive(Default)]
struct List {
    doc_freq: u32,
    ids: Vec<u8>,
    freqs: Vec<u8>,
    /// One above the last chunk id.
    next: u32,
}

/// Counts of one term in the chunk at hand.
#[derive(Clone, Copy, Default)]
struct Counts([u32; 3]);

impl IndexBuilder {
    /// A builder without pages.
    pub fn new() -> IndexBuilder {
        IndexBuilder::default()
    }

    /// A builder that knows a site's language and the names of its collections.
    pub fn for_site(options: &Options) -> IndexBuilder {
        let names = options.collections.iter();
        IndexBuilder {
            pages: Vec::new(),
            names: names
                .filter(|rule| !rule.name.is_empty())
                .map(|rule| (rule.id.clone(), rule.name.clone()))
                .collect(),
            default_language: options.lang.clone(),
        }
    }

    /// Adds a page with its chunks. Chunks without text and title add nothing and are dropped.
    pub fn add(&mut self, document: Document, mut chunks: Vec<Chunk>) {
        chunks.retain(|chunk| !chunk.text.trim().is_empty() || !chunk.title.trim().is_empty());
        if !chunks.is_empty() {
            self.pages.push(Page {
                identity: Identity::of(&document, &chunks),
                document,
                chunks,
            });
        }
    }

    /// Number of chunks so far.
    pub fn chunks(&self) -> usize {
        self.pages.iter().map(|page| page.chunks.len()).sum()
    }

    /// Number of pages so far.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// Analyses all chunks and writes the index.
    ///
    /// # Errors
    ///
    /// [`BuildError`] where there is nothing to index, or more than the format can hold.
    pub fn finish(mut self) -> Result<Vec<u8>, BuildError> {
        if self.pages.is_empty() {
            return Err(BuildError::NoText);
        }
        // URL order: neighbouring chunks share words, which makes gaps small (9 to 20 % of the
        // index in the study); the path settles pages that claim one URL.
        self.pages.sort_by(|a, b| {
            (&a.document.url, &a.document.path).cmp(&(&b.document.url, &b.document.path))
        });
        self.drop_duplicates();
        let languages = self.languages();
        let collections = self.collections();
        limit("pages", self.pages.len(), u32::MAX as usize)?;
        limit("chunks", self.chunks(), u32::MAX as usize / 4)?;
        limit("languages", languages.len(), 256)?;
        limit("collections", collections.len(), usize::from(u16::MAX))?;

        let mut terms = Terms::default();
        let mut analyzers: HashMap<Language, Analyzer> = HashMap::new();
        let mut columns = Columns::default();
        for page in &self.pages {
            let document = &page.document;
            let language = self.language(document);
            let analyzer = analyzers
                .entry(language)
                .or_insert_with(|| Analyzer::new(language));
            columns.add_page(document, language.code(), &languages, &collections);
            for chunk in &page.chunks {
                let lengths = terms.add_chunk(analyzer, chunk);
                columns.add_chunk(&document.title, chunk, lengths);
            }
        }
        write(&terms, columns, languages, collections)
    }

    /// Leaves out copies. The pages must be in the order of their addresses.
    fn drop_duplicates(&mut self) {
        let pages: Vec<(&str, &Identity)> = self
            .pages
            .iter()
            .map(|page| (page.document.url.as_str(), &page.identity))
            .collect();
        let mut copies = duplicates(&pages).into_iter();
        self.pages.retain(|_| copies.next() != Some(true));
    }

    /// Language codes of the pages so far, the language of most pages first.
    pub fn languages(&self) -> Vec<String> {
        let mut pages: BTreeMap<&str, usize> = BTreeMap::new();
        for page in &self.pages {
            *pages
                .entry(self.language(&page.document).code())
                .or_default() += 1;
        }
        let mut languages: Vec<(&str, usize)> = pages.into_iter().collect();
        languages.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        languages
            .iter()
            .map(|(code, _)| (*code).to_owned())
            .collect()
    }

    /// The language of a page: its own, else the site's, else English.
    fn language(&self, document: &Document) -> Language {
        let tag = document.lang.as_ref().or(self.default_language.as_ref());
        tag.map_or(Language::English, |tag| Language::from_tag(tag))
    }

    fn collections(&self) -> Vec<Collection> {
        let mut ids: Vec<&String> = self
            .pages
            .iter()
            .filter_map(|page| page.document.collection.as_ref())
            .collect();
        ids.sort();
        ids.dedup();
        let name = |id: &String| self.names.get(id).unwrap_or(id).clone();
        ids.into_iter()
            .map(|id| Collection {
                id: id.clone(),
                name: name(id),
            })
            .collect()
    }
}

fn limit(what: &'static str, count: usize, limit: usize) -> Result<(), BuildError> {
    if count > limit {
        let limit = limit as u64;
        return Err(BuildError::TooMany { what, limit });
    }
    Ok(())
}

/// All terms with their postings, and the field totals.
#[derive(Default)]
struct Terms {
    numbers: HashMap<Box<str>, u32>,
    lists: Vec<List>,
    totals: [u64; 3],
    chunks: u32,
    postings: u64,
    /// Counts of the chunk at hand, by term number.
    counts: HashMap<u32, Counts>,
}

impl Terms {
    /// Counts the chunk's terms and returns its field lengths: title, heading path, body.
    fn add_chunk(&mut self, analyzer: &Analyzer, chunk: &Chunk) -> [u32; 3] {
        let (title, body) = (chunk.title_field(), chunk.body_field());
        let mut lengths = [0u32; 3];
        for (field, text) in [&*title, &chunk.heading_field(), &*body]
            .into_iter()
            .enumerate()
        {
            let (numbers, lists, counts) = (&mut self.numbers, &mut self.lists, &mut self.counts);
            analyzer.analyze(text, &mut |token| {
                // The parts of an identifier are found too, but it is one word long.
                if token.kind == TokenKind::Word {
                    lengths[field] += 1;
                }
                debug_assert!(token.term.len() <= MAX_TERM_BYTES);
                let number = match numbers.get(token.term) {
                    Some(&number) => number,
                    None => {
                        let number = lists.len() as u32;
                        numbers.insert(token.term.into(), number);
                        lists.push(List::default());
                        number
                    }
                };
                counts.entry(number).or_default().0[field] += 1;
            });
        }
        let id = self.chunks;
        self.chunks += 1;
        for (number, Counts([title, heading, body])) in self.counts.drain() {
            let list = &mut self.lists[number as usize];
            push_varint(&mut list.ids, id - list.next);
            list.freqs.push(TermFreqs::new(title, heading, body).0);
            list.next = id + 1;
            list.doc_freq += 1;
            self.postings += 1;
        }
        for (total, length) in self.totals.iter_mut().zip(lengths) {
            *total += u64::from(length);
        }
        lengths
    }
}

/// The columns of pages and chunks.
#[derive(Default)]
struct Columns {
    lengths: [Vec<u8>; 3],
    page_chunks: Vec<u8>,
    page_language: Vec<u8>,
    page_collection: Vec<u8>,
    paths: Vec<String>,
    urls: Vec<String>,
    titles: Vec<String>,
    tags: Vec<String>,
    chunk_titles: Vec<String>,
    chunk_headings: Vec<String>,
    chunk_anchors: Vec<String>,
    chunk_texts: Vec<String>,
    chunk_parts: Vec<String>,
}

impl Columns {
    fn add_page(
        &mut self,
        document: &Document,
        code: &str,
        languages: &[String],
        collections: &[Collection],
    ) {
        let language = languages.iter().position(|known| known == code);
        let collection = document
            .collection
            .as_ref()
            .and_then(|id| collections.binary_search_by(|known| known.id.cmp(id)).ok());
        let first_chunk = self.chunk_titles.len() as u32;
        self.page_chunks
            .extend_from_slice(&first_chunk.to_le_bytes());
        self.page_language.push(language.unwrap_or_default() as u8);
        let collection = collection.map_or(0, |i| i as u16 + 1);
        self.page_collection
            .extend_from_slice(&collection.to_le_bytes());
        self.paths.push(document.path.clone());
        self.urls.push(document.url.clone());
        self.titles.push(document.title.clone());
        self.tags.push(document.tags.join("\n"));
    }

    fn add_chunk(&mut self, page_title: &str, chunk: &Chunk, lengths: [u32; 3]) {
        for (column, length) in self.lengths.iter_mut().zip(lengths) {
            column.push(length_class(length));
        }
        let path = chunk.heading_path.as_slice();
        let path = match path.first() {
            Some(first) if first == page_title => &path[1..],
            _ => path,
        };
        self.chunk_titles.push(chunk.title.clone());
        self.chunk_headings.push(path.join("\n"));
        self.chunk_anchors
            .push(chunk.anchor.clone().unwrap_or_default());
        self.chunk_texts.push(chunk.text.clone());
        self.chunk_parts.push(part::write(&chunk.parts));
    }
}

fn write(
    terms: &Terms,
    columns: Columns,
    languages: Vec<String>,
    collections: Vec<Collection>,
) -> Result<Vec<u8>, BuildError> {
    let word_limit = u32::MAX as usize;
    limit("postings", terms.postings as usize, word_limit)?;
    for total in terms.totals {
        limit("words", total as usize, word_limit)?;
    }
    let mut order: Vec<(&str, &List)> = terms
        .numbers
        .iter()
        .map(|(term, &number)| (&**term, &terms.lists[number as usize]))
        .collect();
    order.sort_unstable_by_key(|(term, _)| *term);

    let [title, heading, body] = terms.totals.map(|total| total as u32);
    let meta = Meta {
        analyzer: Analyzer::ID.to_owned(),
        built_by: concat!("groundling ", env!("CARGO_PKG_VERSION")).to_owned(),
        chunks: terms.chunks,
        pages: columns.paths.len() as u32,
        terms: order.len() as u32,
        postings: terms.postings as u32,
        totals: FieldTotals {
            title,
            heading,
            body,
        },
        unstemmed: unstemmed(&languages),
        languages,
        collections,
    };
    let dictionary = dictionary::write(
        order
            .iter()
            .map(|(term, list)| (*term, list.doc_freq, list.ids.len())),
    );
    let ids: Vec<u8> = order
        .iter()
        .flat_map(|(_, list)| &list.ids)
        .copied()
        .collect();
    let freqs: Vec<u8> = order
        .iter()
        .flat_map(|(_, list)| &list.freqs)
        .copied()
        .collect();
    let strings = |strings: Vec<String>| string_column::write(&strings);
    let has_parts = columns.chunk_parts.iter().any(|parts| !parts.is_empty());
    let parts = if has_parts {
        strings(columns.chunk_parts)
    } else {
        Vec::new()
    };
    let mut sections = vec![
        (Kind::Meta, meta.write()),
        (Kind::Dictionary, dictionary),
        (Kind::PostingIds, ids),
        (Kind::PostingFreqs, freqs),
        (Kind::Lengths, columns.lengths.concat()),
        (Kind::PageChunks, columns.page_chunks),
        (Kind::PageLanguage, columns.page_language),
        (Kind::PageCollection, columns.page_collection),
        (Kind::PagePaths, strings(columns.paths)),
        (Kind::PageUrls, strings(columns.urls)),
        (Kind::PageTitles, strings(columns.titles)),
        (Kind::PageTags, strings(columns.tags)),
        (Kind::ChunkTitles, strings(columns.chunk_titles)),
        (Kind::ChunkHeadings, strings(columns.chunk_headings)),
        (Kind::ChunkAnchors, strings(columns.chunk_anchors)),
        (Kind::ChunkTexts, strings(columns.chunk_texts)),
        (Kind::ChunkParts, parts),
    ];
    sections.retain(|(kind, bytes)| !kind.is_optional() || !bytes.is_empty());
    assemble(&sections)
}

/// Those languages whose stemmer this build lacks.
fn unstemmed(languages: &[String]) -> Vec<String> {
    let lacks_stemmer = |code: &&String| !Language::from_tag(code).is_supported();
    languages.iter().filter(lacks_stemmer).cloned().collect()
}

/// Puts header, section table, checksums and payload together.
fn assemble(sections: &[(Kind, Vec<u8>)]) -> Result<Vec<u8>, BuildError> {
    for (kind, bytes) in sections {
        // Offsets inside a section are u32, and wasm memory ends at 4 GiB anyway.
        limit(kind.name(), bytes.len(), u32::MAX as usize)?;
    }
    let payload: usize = sections.iter().map(|(_, bytes)| bytes.len()).sum();
    let head =
        HEADER_LEN + sections.len() * SECTION_ENTRY_LEN + payload.div_ceil(BLOCK_LEN) * 8 + 8;
    let mut out = Vec::with_capacity(head + payload);
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(sections.len() as u32).to_le_bytes());
    out.extend_from_slice(&((head + payload) as u64).to_le_bytes());
    out.extend_from_slice(&(head as u64).to_le_bytes());
    let mut start = head;
    for (kind, bytes) in sections {
        out.extend_from_slice(&(*kind as u32).to_le_bytes());
        let flags = if kind.is_optional() { 0 } else { REQUIRED };
        out.extend_from_slice(&flags.to_le_bytes());
        out.extend_from_slice(&(start as u64).to_le_bytes());
        out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        start += bytes.len();
    }
    let checksums_at = out.len();
    out.resize(head, 0);
    for (_, bytes) in sections {
        out.extend_from_slice(bytes);
    }
    let (front, payload) = out.split_at_mut(head);
    for (slot, block) in front[checksums_at..]
        .chunks_exact_mut(8)
        .zip(payload.chunks(BLOCK_LEN))
    {
        slot.copy_from_slice(&xxh64(block, 0).to_le_bytes());
    }
    let head_checksum = xxh64(&front[..head - 8], 0);
    front[head - 8..].copy_from_slice(&head_checksum.to_le_bytes());
    Ok(out)
}
