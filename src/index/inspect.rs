//! What an index holds, for people: its sections, one page, one word.

use super::format::Kind;
use super::{Error, Index, TermFreqs};
use crate::text::{Analyzer, Language};
use std::ops::Range;

/// Terms that are shown for a word that the index does not have, at most.
const MAX_NEIGHBOURS: usize = 8;

/// A term of a word, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct TermReport {
    /// The term as the analyzer makes it of the word.
    pub term: String,
    /// Number of chunks that have it; 0 where the index does not.
    pub doc_freq: u32,
    /// Ids of those chunks, with the frequencies in their fields.
    pub postings: Vec<(u32, TermFreqs)>,
    /// Terms of the index that begin alike, where it does not have this one.
    pub neighbours: Vec<String>,
}

impl<B: AsRef<[u8]>> Index<B> {
    /// The sections that the file has, in its order, with their places in it.
    pub fn sections(&self) -> Vec<(Kind, Range<usize>)> {
        let mut sections: Vec<(Kind, Range<usize>)> = Kind::ALL
            .into_iter()
            .map(|kind| (kind, self.section_range(kind)))
            .filter(|(_, range)| range.end > 0)
            .collect();
        sections.sort_by_key(|(_, range)| range.start);
        sections
    }

    /// The number of the page whose path or address is `name`. Linear in the number of pages.
    ///
    /// # Errors
    ///
    /// Where a part of the index that is needed is damaged.
    pub fn find_page(&self, name: &str) -> Result<Option<u32>, Error> {
        for id in 0..self.meta().pages {
            let page = self.page(id)?;
            if page.path == name || page.url == name {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// The terms that a word becomes in the languages of the index.
    ///
    /// # Errors
    ///
    /// Where a part of the index that is needed is damaged.
    pub fn inspect_word(&self, word: &str) -> Result<Vec<TermReport>, Error> {
        let mut terms: Vec<String> = Vec::new();
        for code in &self.meta().languages {
            let analyzer = Analyzer::new(Language::from_tag(code));
            analyzer.analyze(word, &mut |token| {
                if terms.iter().all(|term| term != token.term) {
                    terms.push(token.term.to_owned());
                }
            });
        }
        terms
            .into_iter()
            .map(|term| self.inspect_term(term))
            .collect()
    }

    fn inspect_term(&self, term: String) -> Result<TermReport, Error> {
        let mut report = TermReport {
            term,
            doc_freq: 0,
            postings: Vec::new(),
            neighbours: Vec::new(),
        };
        if let Some(found) = self.find(&report.term)? {
            report.doc_freq = found.doc_freq;
            self.postings(&found)?
                .for_each(|chunk, freqs| report.postings.push((chunk, freqs)))?;
            return Ok(report);
        }
        let start: String = report.term.chars().take(3).collect();
        let neighbours = &mut report.neighbours;
        self.scan_terms(&start, &mut |term, _| {
            let alike = term.starts_with(&start) && neighbours.len() < MAX_NEIGHBOURS;
            if alike {
                neighbours.push(term.to_owned());
            }
            alike
        })?;
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Site;
    use super::*;
    use crate::document::Options;

    fn index() -> Index<Vec<u8>> {
        let mut site = Site::new(Options::default());
        let text = b"# Tea\n\nBoil water for teapots.\n\n## Pots\n\nWater.";
        site.add("a.md", text).expect("right options");
        Index::open(site.finish().expect("a page")).expect("just written")
    }

    #[test]
    fn the_sections_fill_the_file_behind_its_head() {
        let index = index();
        let sections = index.sections();
        assert!(sections.iter().any(|(kind, _)| *kind == Kind::ChunkTexts));
        assert!(
            sections
                .windows(2)
                .all(|pair| pair[0].1.end == pair[1].1.start)
        );
    }

    #[test]
    fn a_word_is_found_as_the_analyzer_makes_it() {
        let index = index();
        let found = index.inspect_word("Waters").expect("whole index");
        assert_eq!((found[0].term.as_str(), found[0].doc_freq), ("water", 2));
        assert_eq!(found[0].postings[0], (0, TermFreqs::new(0, 0, 1)));
        let missing = index.inspect_word("teabag").expect("whole index");
        assert_eq!(
            (missing[0].doc_freq, missing[0].neighbours.as_slice()),
            (0, &["tea".to_owned(), "teapot".to_owned()][..])
        );
    }

    #[test]
    fn a_page_is_found_by_path_and_address() {
        let index = index();
        assert_eq!(index.find_page("a.md"), Ok(Some(0)));
        assert_eq!(index.find_page("/a.html"), Ok(Some(0)));
        assert_eq!(index.find_page("b.md"), Ok(None));
    }
}
