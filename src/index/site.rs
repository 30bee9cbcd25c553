//! From the files of a site to its index.

use super::{BuildError, IndexBuilder};
use crate::document::{self, Error, Options, Skipped, Warning, format_of};

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
        let read = document::read(path, bytes, &self.options)?;
        let (pages, chunks) = (self.builder.pages(), self.builder.chunks());
        for document in read.documents {
            let chunks = document::chunks(&document);
            let words = chunks
                .iter()
                .map(|chunk| chunk.text.split_whitespace().count());
            self.words += words.sum::<usize>();
            self.builder.add(document, chunks);
        }
        Ok(Added {
            pages: self.builder.pages() - pages,
            chunks: self.builder.chunks() - chunks,
            skipped: read.skipped,
            warnings: read.warnings,
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
