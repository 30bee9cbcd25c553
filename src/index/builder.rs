//! Writes an index: collects pages, counts terms, lays out the sections.

use super::analyzed::{AnalyzedChunk, AnalyzedPage, PageAnalyzer};
use super::codec::push_varint;
use super::duplicates::{Identity, duplicates};
use super::format::{BLOCK_LEN, HEADER_LEN, Kind, MAGIC, REQUIRED, SECTION_ENTRY_LEN, VERSION};
use super::{
    Collection, Error, FieldTotals, Meta, dictionary, length_class, string_column, synonyms,
};
use crate::document::{Chunk, Document, Options, SynonymRule};
use crate::text::{Analyzer, Language};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt;
use xxhash_rust::xxh64::xxh64;

/// Collects documents and writes them as one index. The order in which they are added does not
/// matter: the same documents give the same bytes.
#[derive(Default)]
pub struct IndexBuilder {
    pages: Vec<Page>,
    /// Those of all pages together.
    chunks: usize,
    /// Display names of collections by id.
    names: BTreeMap<String, String>,
    default_language: Option<String>,
    analyzer: PageAnalyzer,
    synonyms: Vec<SynonymRule>,
}

/// A page and what must be known of it before it is read again.
struct Page {
    identity: Identity,
    url: String,
    path: String,
    collection: Option<String>,
    language: String,
    /// As [`PageAnalyzer`] wrote it.
    analyzed: Vec<u8>,
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
            chunks: 0,
            names: names
                .filter(|rule| !rule.name.is_empty())
                .map(|rule| (rule.id.clone(), rule.name.clone()))
                .collect(),
            default_language: options.lang.clone(),
            analyzer: PageAnalyzer::default(),
            synonyms: Vec::new(),
        }
    }

    /// Gives what means the same on this site.
    pub fn set_synonyms(&mut self, synonyms: Vec<SynonymRule>) {
        self.synonyms = synonyms;
    }

    /// Adds a page with its chunks. Chunks without text and title add nothing and are dropped.
    pub fn add(&mut self, document: Document, chunks: Vec<Chunk>) {
        if let Some(analyzed) = self.analyze(&document, chunks) {
            // What was just written is no other thing.
            let added = self.add_analyzed(analyzed);
            debug_assert!(added.is_ok());
        }
    }

    /// Analyses a page without adding it; `None` where there is nothing to find in it. The same
    /// page gives the same bytes, with every builder that was made with the same options.
    pub fn analyze(&mut self, document: &Document, mut chunks: Vec<Chunk>) -> Option<Vec<u8>> {
        chunks.retain(|chunk| !chunk.text.trim().is_empty() || !chunk.title.trim().is_empty());
        if chunks.is_empty() {
            return None;
        }
        let language = self.default_language.as_deref();
        Some(self.analyzer.analyze(document, &chunks, language))
    }

    /// Adds a page that [`IndexBuilder::analyze`] wrote, of this builder or of another one that
    /// was made with the same options.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] where the bytes are something else; nothing is added then.
    pub fn add_analyzed(&mut self, analyzed: Vec<u8>) -> Result<(), Error> {
        let page = AnalyzedPage::read(&analyzed)?;
        self.chunks += page.chunks.len();
        self.pages.push(Page {
            identity: Identity::of(&page),
            url: page.url.to_owned(),
            path: page.path.to_owned(),
            collection: page.collection.map(str::to_owned),
            language: page.language.to_owned(),
            analyzed,
        });
        Ok(())
    }

    /// Number of chunks so far.
    pub fn chunks(&self) -> usize {
        self.chunks
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
        self.pages
            .sort_by(|a, b| (&a.url, &a.path).cmp(&(&b.url, &b.path)));
        self.drop_duplicates();
        let languages = self.languages();
        let collections = self.collections();
        limit("pages", self.pages.len(), u32::MAX as usize)?;
        limit("chunks", self.chunks(), u32::MAX as usize / 4)?;
        limit("languages", languages.len(), 256)?;
        limit("collections", collections.len(), usize::from(u16::MAX))?;

        let mut terms = Terms::default();
        let mut columns = Columns::default();
        for page in self.pages {
            // Read once before, when it was added.
            let Ok(page) = AnalyzedPage::read(&page.analyzed) else {
                continue;
            };
            columns.add_page(&page, &languages, &collections);
            terms.add_page(&page);
        }
        let synonyms = synonyms::write(&self.synonyms, &languages);
        write(&terms, columns, languages, collections, synonyms)
    }

    /// Leaves out copies. The pages must be in the order of their addresses.
    fn drop_duplicates(&mut self) {
        let pages: Vec<(&str, &Identity)> = self
            .pages
            .iter()
            .map(|page| (page.url.as_str(), &page.identity))
            .collect();
        let mut copies = duplicates(&pages).into_iter();
        self.pages.retain(|_| copies.next() != Some(true));
    }

    /// Language codes of the pages so far, the language of most pages first.
    pub fn languages(&self) -> Vec<String> {
        let mut pages: BTreeMap<&str, usize> = BTreeMap::new();
        for page in &self.pages {
            *pages.entry(&page.language).or_default() += 1;
        }
        let mut languages: Vec<(&str, usize)> = pages.into_iter().collect();
        languages.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        languages
            .iter()
            .map(|(code, _)| (*code).to_owned())
            .collect()
    }

    fn collections(&self) -> Vec<Collection> {
        let mut ids: Vec<&String> = self
            .pages
            .iter()
            .filter_map(|page| page.collection.as_ref())
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
    numbers: FxHashMap<Box<str>, u32>,
    lists: Vec<List>,
    totals: [u64; 3],
    chunks: u32,
    postings: u64,
}

impl Terms {
    /// Adds the postings of a page's chunks.
    fn add_page(&mut self, page: &AnalyzedPage<'_>) {
        // Each term is looked up once a page and not once a chunk.
        let numbers: Vec<u32> = page.terms.iter().map(|term| self.number(term)).collect();
        for chunk in &page.chunks {
            let id = self.chunks;
            self.chunks += 1;
            for &(number, freqs) in &chunk.freqs {
                let list = &mut self.lists[numbers[number as usize] as usize];
                push_varint(&mut list.ids, id - list.next);
                list.freqs.push(freqs.0);
                list.next = id + 1;
                list.doc_freq += 1;
                self.postings += 1;
            }
            for (total, length) in self.totals.iter_mut().zip(chunk.lengths) {
                *total += u64::from(length);
            }
        }
    }

    fn number(&mut self, term: &str) -> u32 {
        if let Some(&number) = self.numbers.get(term) {
            return number;
        }
        let number = self.lists.len() as u32;
        self.numbers.insert(term.into(), number);
        self.lists.push(List::default());
        number
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
    versions: Vec<String>,
    chunk_titles: Vec<String>,
    chunk_headings: Vec<String>,
    chunk_anchors: Vec<String>,
    chunk_texts: Vec<String>,
    chunk_parts: Vec<String>,
}

impl Columns {
    fn add_page(
        &mut self,
        page: &AnalyzedPage<'_>,
        languages: &[String],
        collections: &[Collection],
    ) {
        let language = languages.iter().position(|known| known == page.language);
        let collection = page.collection.and_then(|id| {
            collections
                .binary_search_by(|known| known.id.as_str().cmp(id))
                .ok()
        });
        let first_chunk = self.chunk_titles.len() as u32;
        self.page_chunks
            .extend_from_slice(&first_chunk.to_le_bytes());
        self.page_language.push(language.unwrap_or_default() as u8);
        let collection = collection.map_or(0, |i| i as u16 + 1);
        self.page_collection
            .extend_from_slice(&collection.to_le_bytes());
        self.paths.push(page.path.to_owned());
        self.urls.push(page.url.to_owned());
        self.titles.push(page.title.to_owned());
        self.tags.push(page.tags.join("\n"));
        self.versions.push(page.version.to_owned());
        for chunk in &page.chunks {
            self.add_chunk(page.title, chunk);
        }
    }

    fn add_chunk(&mut self, page_title: &str, chunk: &AnalyzedChunk<'_>) {
        for (column, length) in self.lengths.iter_mut().zip(chunk.lengths) {
            column.push(length_class(length));
        }
        let path = chunk.heading_path.as_slice();
        let path = match path.first() {
            Some(&first) if first == page_title => &path[1..],
            _ => path,
        };
        self.chunk_titles.push(chunk.title.to_owned());
        self.chunk_headings.push(path.join("\n"));
        self.chunk_anchors.push(chunk.anchor.to_owned());
        self.chunk_texts.push(chunk.text.to_owned());
        self.chunk_parts.push(chunk.parts.to_owned());
    }
}

fn write(
    terms: &Terms,
    columns: Columns,
    languages: Vec<String>,
    collections: Vec<Collection>,
    synonyms: Vec<u8>,
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
    // A column that is empty for all is left out.
    let optional = |strings: Vec<String>| {
        if strings.iter().all(String::is_empty) {
            return Vec::new();
        }
        string_column::write(&strings)
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
        (Kind::PageVersions, optional(columns.versions)),
        (Kind::ChunkTitles, strings(columns.chunk_titles)),
        (Kind::ChunkHeadings, strings(columns.chunk_headings)),
        (Kind::ChunkAnchors, strings(columns.chunk_anchors)),
        (Kind::ChunkTexts, strings(columns.chunk_texts)),
        (Kind::ChunkParts, optional(columns.chunk_parts)),
        (Kind::Synonyms, synonyms),
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
