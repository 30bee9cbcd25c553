//! Counts, totals and names that hold for the whole index.

use super::Error;
use super::codec::Cursor;

/// What an index says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    /// The analyzer that made the terms.
    pub analyzer: String,
    /// Program and version that built the index.
    pub built_by: String,
    /// Number of chunks.
    pub chunks: u32,
    /// Number of pages.
    pub pages: u32,
    /// Number of distinct terms.
    pub terms: u32,
    /// Number of postings.
    pub postings: u32,
    /// Sums of the chunks' field lengths.
    pub totals: FieldTotals,
    /// BCP 47 codes of the languages of the pages, most frequent first.
    pub languages: Vec<String>,
    /// Those of `languages` whose stemmer the builder lacked.
    pub unstemmed: Vec<String>,
    /// Collections, ordered by id.
    pub collections: Vec<Collection>,
}

/// Sums over all chunks of each field's length in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldTotals {
    /// Words in titles.
    pub title: u32,
    /// Words in heading paths.
    pub heading: u32,
    /// Words in texts.
    pub body: u32,
}

/// A part of the documentation: a course, a product, a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    /// Stable id, used in filters.
    pub id: String,
    /// Name to show; the id where the site gives none.
    pub name: String,
}

impl Meta {
    pub(crate) fn read(bytes: &[u8]) -> Result<Meta, Error> {
        let mut cursor = Cursor::new(bytes, "META");
        let mut meta = Meta {
            analyzer: cursor.string()?.to_owned(),
            built_by: cursor.string()?.to_owned(),
            chunks: cursor.varint()?,
            pages: cursor.varint()?,
            terms: cursor.varint()?,
            postings: cursor.varint()?,
            totals: FieldTotals {
                title: cursor.varint()?,
                heading: cursor.varint()?,
                body: cursor.varint()?,
            },
            ..Meta::default()
        };
        meta.languages = strings(&mut cursor)?;
        meta.unstemmed = strings(&mut cursor)?;
        for _ in 0..cursor.varint()? {
            meta.collections.push(Collection {
                id: cursor.string()?.to_owned(),
                name: cursor.string()?.to_owned(),
            });
        }
        cursor.finish()?;
        Ok(meta)
    }

    #[cfg(feature = "build")]
    pub(crate) fn write(&self) -> Vec<u8> {
        use super::codec::{push_string, push_varint};
        let mut out = Vec::new();
        push_string(&mut out, &self.analyzer);
        push_string(&mut out, &self.built_by);
        for number in [
            self.chunks,
            self.pages,
            self.terms,
            self.postings,
            self.totals.title,
            self.totals.heading,
            self.totals.body,
        ] {
            push_varint(&mut out, number);
        }
        for codes in [&self.languages, &self.unstemmed] {
            push_varint(&mut out, codes.len() as u32);
            for code in codes {
                push_string(&mut out, code);
            }
        }
        push_varint(&mut out, self.collections.len() as u32);
        for collection in &self.collections {
            push_string(&mut out, &collection.id);
            push_string(&mut out, &collection.name);
        }
        out
    }
}

fn strings(cursor: &mut Cursor<'_>) -> Result<Vec<String>, Error> {
    let mut strings = Vec::new();
    for _ in 0..cursor.varint()? {
        strings.push(cursor.string()?.to_owned());
    }
    Ok(strings)
}
