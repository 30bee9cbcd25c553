//! A page with its terms counted: what one page gives to an index, whatever the other pages are.
//!
//! Reading and analysing a page costs most of a build and depends on that page alone. So it can
//! be done in another thread, and its result kept for the next build. [`IndexBuilder`] holds its
//! pages in this form too, which takes less memory than the page itself.
//!
//! [`IndexBuilder`]: super::IndexBuilder
//!
//! ```text
//! url, path, title, language   strings
//! collection, version,
//! canonical address            strings, empty for none
//! is a record                  0 or 1
//! tags                         n, n strings
//! chunks                       n, then each: title, heading path (n, n strings), anchor, text, parts
//! terms                        n, then n strings in the order of their first places
//! postings                     each chunk: lengths of its three fields, n, then each: gap, freqs
//! ```
//!
//! A gap is the number of terms between one of a chunk and the next one that it has; freqs is
//! the byte of [`TermFreqs`]. Numbers are varints and strings have their length in front, as in
//! the index itself.

use super::codec::{Cursor, push_string, push_varint};
use super::format::MAX_TERM_BYTES;
use super::{Error, TermFreqs, part};
use crate::document::{Chunk, Document};
use crate::text::{Analyzer, Language, TokenKind, detect};
use rustc_hash::FxHashMap;
use std::collections::HashMap;

/// Text of a page after which no more of it is asked for its language.
const MAX_DETECTED_BYTES: usize = 20_000;

const SECTION: &str = "an analysed page";

/// Counts the terms of pages, one after another.
///
/// It remembers the terms that it met, so memory grows with their number and not with that of
/// the pages.
#[derive(Default)]
pub struct PageAnalyzer {
    analyzers: HashMap<Language, Analyzer>,
    numbers: FxHashMap<Box<str>, u32>,
    terms: Vec<Box<str>>,
    /// By the numbers of the terms: which number a term has in the page at hand, and its counts in
    /// the chunk at hand. Both are set back after each page and chunk.
    local: Vec<Option<u32>>,
    counts: Vec<[u32; 3]>,
}

/// One chunk's postings: the numbers of its terms, in the order of their first places, and their
/// frequencies.
struct ChunkTerms {
    lengths: [u32; 3],
    freqs: Vec<(u32, TermFreqs)>,
}

/// The language that the texts of a page are in, if they tell it.
fn language_of(chunks: &[Chunk]) -> Option<Language> {
    let mut text = String::new();
    for chunk in chunks {
        text.push_str(&chunk.text);
        text.push('\n');
        if text.len() > MAX_DETECTED_BYTES {
            break;
        }
    }
    detect(&text)
}

impl PageAnalyzer {
    /// Analyses a page, and writes it down as [`AnalyzedPage`] reads it. `default_language` is
    /// the language of a page that names none; without it the text tells, and where it does not, the page counts
    /// as English.
    ///
    /// The result depends on the arguments alone and not on pages analysed before.
    pub fn analyze(
        &mut self,
        document: &Document,
        chunks: &[Chunk],
        default_language: Option<&str>,
    ) -> Vec<u8> {
        let tag = document.lang.as_deref().or(default_language);
        let language = tag.map(Language::from_tag).or_else(|| language_of(chunks));
        let language = language.unwrap_or(Language::English);
        let counted: Vec<ChunkTerms> = chunks
            .iter()
            .map(|chunk| self.count(language, chunk))
            .collect();

        let mut out = Vec::new();
        for text in [&document.url, &document.path, &document.title] {
            push_string(&mut out, text);
        }
        push_string(&mut out, language.code());
        for text in [&document.collection, &document.version, &document.canonical] {
            push_string(&mut out, text.as_deref().unwrap_or_default());
        }
        push_varint(&mut out, u32::from(document.is_record));
        push_strings(&mut out, &document.tags);
        push_varint(&mut out, chunks.len() as u32);
        for chunk in chunks {
            push_string(&mut out, &chunk.title);
            push_strings(&mut out, &chunk.heading_path);
            push_string(&mut out, chunk.anchor.as_deref().unwrap_or_default());
            push_string(&mut out, &chunk.text);
            push_string(&mut out, &part::write(&chunk.parts));
        }
        self.push_postings(&mut out, counted);
        out
    }

    fn count(&mut self, language: Language, chunk: &Chunk) -> ChunkTerms {
        let analyzer = self
            .analyzers
            .entry(language)
            .or_insert_with(|| Analyzer::new(language));
        let (numbers, terms, counts) = (&mut self.numbers, &mut self.terms, &mut self.counts);
        let mut used = Vec::new();
        let (title, headings, body) = (
            chunk.title_field(),
            chunk.heading_field(),
            chunk.body_field(),
        );
        let mut lengths = [0u32; 3];
        let fields = [&*title, &headings, &*body];
        for (field, text) in fields.into_iter().enumerate() {
            analyzer.analyze(text, &mut |token| {
                // The parts of an identifier are found too, but it is one word long.
                if token.kind == TokenKind::Word {
                    lengths[field] += 1;
                }
                debug_assert!(token.term.len() <= MAX_TERM_BYTES);
                let number = match numbers.get(token.term) {
                    Some(&number) => number,
                    None => {
                        let number = terms.len() as u32;
                        numbers.insert(token.term.into(), number);
                        terms.push(token.term.into());
                        counts.push([0; 3]);
                        number
                    }
                };
                let counts = &mut counts[number as usize];
                if *counts == [0; 3] {
                    used.push(number);
                }
                counts[field] += 1;
            });
        }
        let freqs = used
            .into_iter()
            .map(|number| {
                let [title, heading, body] = std::mem::take(&mut counts[number as usize]);
                (number, TermFreqs::new(title, heading, body))
            })
            .collect();
        ChunkTerms { lengths, freqs }
    }

    fn push_postings(&mut self, out: &mut Vec<u8>, chunks: Vec<ChunkTerms>) {
        self.local.resize(self.terms.len(), None);
        let mut used = Vec::new();
        for (number, _) in chunks.iter().flat_map(|chunk| &chunk.freqs) {
            let local = &mut self.local[*number as usize];
            if local.is_none() {
                *local = Some(used.len() as u32);
                used.push(*number);
            }
        }
        push_varint(out, used.len() as u32);
        for &number in &used {
            push_string(out, &self.terms[number as usize]);
        }
        for chunk in chunks {
            for length in chunk.lengths {
                push_varint(out, length);
            }
            let mut freqs: Vec<(u32, TermFreqs)> = chunk
                .freqs
                .into_iter()
                .map(|(number, freqs)| (self.local[number as usize].unwrap_or_default(), freqs))
                .collect();
            freqs.sort_unstable_by_key(|(number, _)| *number);
            push_varint(out, freqs.len() as u32);
            let mut next = 0;
            for (number, freqs) in freqs {
                push_varint(out, number - next);
                out.push(freqs.0);
                next = number + 1;
            }
        }
        for number in used {
            self.local[number as usize] = None;
        }
    }
}

/// An analysed page, read from the bytes that [`PageAnalyzer::analyze`] wrote.
pub(super) struct AnalyzedPage<'a> {
    pub(super) url: &'a str,
    pub(super) path: &'a str,
    pub(super) title: &'a str,
    /// BCP 47 code of the language that it was analysed in.
    pub(super) language: &'a str,
    pub(super) collection: Option<&'a str>,
    pub(super) version: &'a str,
    /// The address that it names as its own, where that is another page's.
    pub(super) canonical: Option<&'a str>,
    /// Whether its author listed it as a record.
    pub(super) is_record: bool,
    pub(super) tags: Vec<&'a str>,
    pub(super) chunks: Vec<AnalyzedChunk<'a>>,
    /// In the order of their first places in the page.
    pub(super) terms: Vec<&'a str>,
}

/// A chunk of an analysed page.
pub(super) struct AnalyzedChunk<'a> {
    pub(super) title: &'a str,
    pub(super) heading_path: Vec<&'a str>,
    /// Empty for the top of the page.
    pub(super) anchor: &'a str,
    pub(super) text: &'a str,
    /// As `part::write` made it.
    pub(super) parts: &'a str,
    /// Field lengths in words: title, heading path, body.
    pub(super) lengths: [u32; 3],
    /// Numbers of its terms, ascending, with their frequencies.
    pub(super) freqs: Vec<(u32, TermFreqs)>,
}

impl<'a> AnalyzedPage<'a> {
    /// Reads a page.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] where the bytes are none that [`PageAnalyzer::analyze`] writes.
    pub(super) fn read(bytes: &'a [u8]) -> Result<AnalyzedPage<'a>, Error> {
        let mut cursor = Cursor::new(bytes, SECTION);
        let mut page = AnalyzedPage {
            url: cursor.string()?,
            path: cursor.string()?,
            title: cursor.string()?,
            language: cursor.string()?,
            collection: Some(cursor.string()?).filter(|id| !id.is_empty()),
            version: cursor.string()?,
            canonical: Some(cursor.string()?).filter(|url| !url.is_empty()),
            is_record: cursor.varint()? != 0,
            tags: strings(&mut cursor)?,
            chunks: Vec::new(),
            terms: Vec::new(),
        };
        for _ in 0..cursor.varint()? {
            page.chunks.push(AnalyzedChunk {
                title: cursor.string()?,
                heading_path: strings(&mut cursor)?,
                anchor: cursor.string()?,
                text: cursor.string()?,
                parts: cursor.string()?,
                lengths: [0; 3],
                freqs: Vec::new(),
            });
        }
        page.terms = strings(&mut cursor)?;
        for chunk in &mut page.chunks {
            for length in &mut chunk.lengths {
                *length = cursor.varint()?;
            }
            let mut next = 0u32;
            for _ in 0..cursor.varint()? {
                let number = next.checked_add(cursor.varint()?);
                let number = number.filter(|&number| (number as usize) < page.terms.len());
                let number = number.ok_or(Error::Corrupt { section: SECTION })?;
                let freqs = TermFreqs(cursor.take(1)?[0]);
                chunk.freqs.push((number, freqs));
                next = number + 1;
            }
        }
        cursor.finish()?;
        Ok(page)
    }
}

fn push_strings(out: &mut Vec<u8>, strings: &[String]) {
    push_varint(out, strings.len() as u32);
    for string in strings {
        push_string(out, string);
    }
}

fn strings<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<&'a str>, Error> {
    let count = cursor.varint()?;
    let mut strings = Vec::new();
    for _ in 0..count {
        strings.push(cursor.string()?);
    }
    Ok(strings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(title: &str, texts: &[&str]) -> (Document, Vec<Chunk>) {
        let document = Document {
            path: "a.md".to_owned(),
            url: "/a.html".to_owned(),
            title: title.to_owned(),
            tags: vec!["t".to_owned()],
            ..Document::default()
        };
        let chunks = texts.iter().map(|text| Chunk {
            title: title.to_owned(),
            text: (*text).to_owned(),
            ..Chunk::default()
        });
        (document, chunks.collect())
    }

    fn analyze(analyzer: &mut PageAnalyzer, title: &str, texts: &[&str]) -> Vec<u8> {
        let (document, chunks) = page(title, texts);
        analyzer.analyze(&document, &chunks, None)
    }

    #[test]
    fn a_page_comes_back_as_it_was_counted() {
        let bytes = analyze(
            &mut PageAnalyzer::default(),
            "Tea",
            &["tea water tea", "water"],
        );
        let page = AnalyzedPage::read(&bytes).expect("just written");
        assert_eq!(
            (page.url, page.language, page.tags),
            ("/a.html", "en", vec!["t"])
        );
        assert_eq!(page.terms, ["tea", "water"]);
        let freqs: Vec<Vec<(u32, TermFreqs)>> = page
            .chunks
            .iter()
            .map(|chunk| chunk.freqs.clone())
            .collect();
        let (tea, water) = (TermFreqs::new(1, 0, 2), TermFreqs::new(0, 0, 1));
        assert_eq!(freqs[0], [(0, tea), (1, water)]);
        assert_eq!(freqs[1], [(0, TermFreqs::new(1, 0, 0)), (1, water)]);
        assert_eq!(page.chunks[0].lengths, [1, 0, 3]);
    }

    #[test]
    fn what_was_analysed_before_changes_nothing() {
        let mut used = PageAnalyzer::default();
        analyze(&mut used, "Zebra", &["water zebra apple"]);
        assert_eq!(
            analyze(&mut used, "Tea", &["apple water tea"]),
            analyze(&mut PageAnalyzer::default(), "Tea", &["apple water tea"])
        );
    }

    #[test]
    fn cut_and_changed_bytes_are_refused_or_read_and_never_a_panic() {
        let bytes = analyze(&mut PageAnalyzer::default(), "Tea", &["tea water"]);
        for end in 0..bytes.len() {
            assert!(AnalyzedPage::read(&bytes[..end]).is_err(), "cut at {end}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            // Some changes only make another text.
            let _ = AnalyzedPage::read(&changed);
        }
    }
}
