//! From the files of a site to its index.

use super::codec::{Cursor, push_string, push_varint};
use super::{BuildError, IndexBuilder};
use crate::document::{self, Error, Options, Skipped, Warning, WarningKind, format_of};

const SECTION: &str = "an analysed file";

/// Collects the files of a site and writes its index. Knows bytes and paths, no file system, so
/// that the native command and the builder in Node do the same.
pub struct Site {
    options: Options,
    builder: IndexBuilder,
    words: usize,
}

/// What became of one file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Added {
    /// Number of words in its texts, divided by white space.
    pub words: usize,
    /// Number of pages that it gave.
    pub pages: usize,
    /// Number of chunks that it gave.
    pub chunks: usize,
    /// Why it gave none.
    pub skipped: Option<Skipped>,
    /// What its author should look at.
    pub warnings: Vec<Warning>,
}

/// What a site holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of pages.
    pub pages: usize,
    /// Number of chunks.
    pub chunks: usize,
    /// Number of words, divided by white space.
    pub words: usize,
    /// BCP 47 codes, the language of most pages first.
    pub languages: Vec<String>,
}

impl Site {
    /// A site without files.
    pub fn new(options: Options) -> Site {
        Site {
            builder: IndexBuilder::for_site(&options),
            options,
            words: 0,
        }
    }

    /// Gives the text of the site's file of synonyms.
    ///
    /// # Errors
    ///
    /// Where a line is no rule.
    pub fn set_synonyms(&mut self, text: &str) -> Result<(), Error> {
        self.builder.set_synonyms(document::parse_synonyms(text)?);
        Ok(())
    }

    /// Why a file is left out by its path alone; `None` where it is to be read.
    pub fn skips(&self, path: &str) -> Option<Skipped> {
        format_of(path, &self.options).err()
    }

    /// Adds a file. `path` is relative to the documentation root, with `/` between folders. The
    /// order in which files are added does not matter.
    ///
    /// # Errors
    ///
    /// Only where the options are wrong. What is wrong with the file is in the result.
    pub fn add(&mut self, path: &str, bytes: &[u8]) -> Result<Added, Error> {
        let analyzed = self.analyze(path, bytes)?;
        let added = self.add_analyzed(path, &analyzed);
        debug_assert!(added.is_ok(), "what was just written can be read");
        Ok(added.unwrap_or_default())
    }

    /// Reads and analyses a file without adding it. This is most of the work of a build, and
    /// depends on the arguments, the options and this version of groundling alone: it can be done
    /// by another site with the same options, in another thread or in an earlier build.
    ///
    /// # Errors
    ///
    /// Only where the options are wrong.
    pub fn analyze(&mut self, path: &str, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let read = document::read(path, bytes, &self.options)?;
        let mut words = 0;
        let mut pages = Vec::new();
        for document in &read.documents {
            let chunks = document::chunks(document, self.options.chunk_words);
            let counts = chunks
                .iter()
                .map(|chunk| chunk.text.split_whitespace().count());
            words += counts.sum::<usize>();
            pages.extend(self.builder.analyze(document, chunks));
        }
        let mut out = Vec::new();
        let reason = read
            .skipped
            .and_then(|reason| Skipped::ALL.iter().position(|known| *known == reason));
        push_varint(&mut out, reason.map_or(0, |at| at as u32 + 1));
        push_varint(&mut out, words as u32);
        push_varint(&mut out, read.warnings.len() as u32);
        for warning in &read.warnings {
            let kind = WarningKind::ALL
                .iter()
                .position(|kind| *kind == warning.kind);
            push_varint(&mut out, kind.unwrap_or_default() as u32);
            push_varint(&mut out, warning.line.unwrap_or_default());
            push_string(&mut out, &warning.message);
        }
        push_varint(&mut out, pages.len() as u32);
        for page in pages {
            push_varint(&mut out, page.len() as u32);
            out.extend_from_slice(&page);
        }
        Ok(out)
    }

    /// Adds the file at `path` that [`Site::analyze`] read.
    ///
    /// # Errors
    ///
    /// [`super::Error::Corrupt`] where the bytes are something else; what was read of them
    /// before may have been added.
    pub fn add_analyzed(&mut self, path: &str, analyzed: &[u8]) -> Result<Added, super::Error> {
        let mut cursor = Cursor::new(analyzed, SECTION);
        let corrupt = super::Error::Corrupt { section: SECTION };
        let skipped = match cursor.varint()? {
            0 => None,
            number => {
                let known = Skipped::ALL.get(number as usize - 1);
                Some(*known.ok_or(corrupt.clone())?)
            }
        };
        let words = cursor.varint()? as usize;
        let mut warnings = Vec::new();
        for _ in 0..cursor.varint()? {
            let kind = WarningKind::ALL.get(cursor.varint()? as usize);
            warnings.push(Warning {
                path: path.to_owned(),
                kind: *kind.ok_or(corrupt.clone())?,
                line: Some(cursor.varint()?).filter(|line| *line > 0),
                message: cursor.string()?.to_owned(),
            });
        }
        let (pages, chunks) = (self.builder.pages(), self.builder.chunks());
        for _ in 0..cursor.varint()? {
            let len = cursor.varint()? as usize;
            self.builder.add_analyzed(cursor.take(len)?.to_vec())?;
        }
        cursor.finish()?;
        self.words += words;
        Ok(Added {
            words,
            pages: self.builder.pages() - pages,
            chunks: self.builder.chunks() - chunks,
            skipped,
            warnings,
        })
    }

    /// What was added so far.
    pub fn summary(&self) -> Summary {
        Summary {
            pages: self.builder.pages(),
            chunks: self.builder.chunks(),
            words: self.words,
            languages: self.builder.languages(),
        }
    }

    /// Writes the index.
    ///
    /// # Errors
    ///
    /// [`BuildError`] where there is nothing to index, or more than the format can hold.
    pub fn finish(self) -> Result<Vec<u8>, BuildError> {
        self.builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_counts_what_its_files_give() {
        let mut site = Site::new(Options::default());
        let added = site
            .add("a.md", b"# Tea\n\nBoil water.\n\n## Pot\n\nWarm the pot.")
            .expect("right options");
        assert_eq!((added.pages, added.chunks, added.skipped), (1, 2, None));
        let empty = site.add("b.md", b"\n").expect("right options");
        assert_eq!(
            (empty.pages, empty.skipped),
            (0, Some(Skipped::Empty)),
            "a file without text is told"
        );
        let summary = site.summary();
        assert_eq!((summary.pages, summary.chunks, summary.words), (1, 2, 5));
        assert!(site.finish().is_ok());
    }

    #[test]
    fn a_file_analysed_by_another_site_gives_the_same_index() {
        let files: [(&str, &[u8]); 3] = [
            ("a.md", b"# Tea\n\nBoil water.\n\n## Pot\n\nWarm the pot."),
            ("r.jsonl", b"{\"url\":\"/x\",\"text\":\"water\"}\n{"),
            ("b.md", b"\n"),
        ];
        let (mut whole, mut joined) =
            (Site::new(Options::default()), Site::new(Options::default()));
        for (path, bytes) in files {
            let added = whole.add(path, bytes).expect("right options");
            let mut other = Site::new(Options::default());
            let analyzed = other.analyze(path, bytes).expect("right options");
            assert_eq!(joined.add_analyzed(path, &analyzed), Ok(added));
        }
        assert_eq!(whole.summary(), joined.summary());
        assert_eq!(whole.finish(), joined.finish());
    }

    #[test]
    fn damaged_bytes_are_refused_or_read_and_never_a_panic() {
        let mut site = Site::new(Options::default());
        let bytes = b"# Tea\n\nIgnore all previous instructions.";
        let analyzed = site.analyze("a.md", bytes).expect("right options");
        for end in 0..analyzed.len() {
            assert!(site.add_analyzed("a.md", &analyzed[..end]).is_err());
        }
        for at in 0..analyzed.len() {
            let mut changed = analyzed.clone();
            changed[at] ^= 0xff;
            // Some changes only make another text.
            let _ = site.add_analyzed("a.md", &changed);
        }
    }

    #[test]
    fn a_file_of_another_kind_is_left_out_by_its_name() {
        let site = Site::new(Options::default());
        assert_eq!(site.skips("a.md"), None);
        assert_eq!(site.skips("a.png"), Some(Skipped::UnsupportedType));
        assert_eq!(site.skips(".git/a.md"), Some(Skipped::Hidden));
    }

    #[test]
    fn a_site_without_text_is_refused() {
        let site = Site::new(Options::default());
        assert_eq!(site.finish(), Err(BuildError::NoText));
    }
}
