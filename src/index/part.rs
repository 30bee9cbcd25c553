//! Places within a chunk that a link can lead to.
//!
//! A chunk can hold several short sections, or the terms of a definition list, each with an
//! anchor of its own. `CHUNK_PARTS` has one string a chunk: for each place in reading order its
//! offset in the text in bytes, its anchor and its heading, divided by tabs, and a line feed.

use super::format::Kind;
use super::{Error, Index, StoredChunk};

/// Where a link to a place in a chunk leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place<'a> {
    /// Where it begins, in bytes from the start of the chunk's text.
    pub at: usize,
    /// Fragment without `#`; empty for the top of the page.
    pub anchor: &'a str,
    /// The heading above it.
    pub title: &'a str,
}

impl<B: AsRef<[u8]>> Index<B> {
    /// The places of a chunk in reading order: its start, and those within it.
    ///
    /// # Errors
    ///
    /// Where the index is damaged.
    pub fn places<'a>(&'a self, chunk: &StoredChunk<'a>) -> Result<Vec<Place<'a>>, Error> {
        let mut last = Place {
            at: 0,
            anchor: chunk.anchor,
            title: chunk.title,
        };
        let mut places = vec![last];
        // An index in which no chunk has any lacks the section.
        if self.section_len(Kind::ChunkParts) == 0 {
            return Ok(places);
        }
        let parts = self.string(Kind::ChunkParts, self.meta().chunks, chunk.id)?;
        for line in parts.lines() {
            let mut fields = line.splitn(3, '\t');
            let at = fields.next().and_then(|at| at.parse().ok());
            let (Some(at), Some(anchor), Some(title)) = (at, fields.next(), fields.next()) else {
                return Err(Error::Corrupt {
                    section: Kind::ChunkParts.name(),
                });
            };
            last.at = at;
            // A heading without an anchor is reached through the place before it.
            for (field, new) in [(&mut last.anchor, anchor), (&mut last.title, title)] {
                if !new.is_empty() {
                    *field = new;
                }
            }
            places.push(last);
        }
        Ok(places)
    }

    /// The place nearest before an offset in a chunk's text.
    ///
    /// # Errors
    ///
    /// Where the index is damaged.
    pub fn place_at<'a>(&'a self, chunk: &StoredChunk<'a>, at: usize) -> Result<Place<'a>, Error> {
        let places = self.places(chunk)?;
        let nearest = places.iter().rev().find(|place| place.at <= at);
        Ok(nearest.copied().unwrap_or_default())
    }
}

/// The string of a chunk.
#[cfg(feature = "build")]
pub(super) fn write(parts: &[crate::document::Part]) -> String {
    let mut lines = String::new();
    for part in parts {
        // A place that is no heading has the title of the section around it.
        let title = if part.is_heading { &part.title } else { "" };
        for (field, end) in [
            (&*part.at.to_string(), '\t'),
            (&*part.anchor, '\t'),
            (title, '\n'),
        ] {
            // An id has no white space; a heading is one line, which the chunker made sure of.
            lines.extend(field.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')));
            lines.push(end);
        }
    }
    lines
}

#[cfg(all(test, feature = "build"))]
mod tests {
    use super::*;
    use crate::document::{DEFAULT_CHUNK_WORDS, Options, chunks, read};
    use crate::index::IndexBuilder;

    #[test]
    fn a_place_is_found_by_what_stands_before_it() {
        let text = "# Set\n\n## Add\n\nAdds it.\n\n## Drop\n\nRemoves it.\n\n## List\n\nLists all.";
        let read = read("set.md", text.as_bytes(), &Options::default()).expect("options");
        let mut builder = IndexBuilder::new();
        for document in read.documents {
            let chunks = chunks(&document, DEFAULT_CHUNK_WORDS);
            builder.add(document, chunks);
        }
        let index = Index::open(builder.finish().expect("text")).expect("an index");
        let id = index.meta().chunks - 1;
        let chunk = index.chunk(id).expect("a chunk");
        let place = |word: &str| {
            let at = chunk.text.find(word).expect("in the text");
            let place = index.place_at(&chunk, at).expect("a sound index");
            (place.anchor, place.title)
        };
        assert_eq!(place("Adds"), ("add", "Add"));
        assert_eq!(place("Removes"), ("drop", "Drop"));
        assert_eq!(place("List"), ("list", "List"));
    }
}
