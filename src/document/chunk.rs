//! What a page is made of, before it is indexed.

use std::ops::Range;

/// One page of the documentation: a file, or one record of a JSONL file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The file relative to the documentation root, with `/` between folders; for a record its `url`.
    pub path: String,
    /// The address of the page as the site serves it, without a fragment.
    pub url: String,
    /// The page title as plain text.
    pub title: String,
    /// BCP 47 language of the page, if it says so or the configuration does.
    pub lang: Option<String>,
    /// Id of the collection that the page belongs to (a course, a product, a part of the docs).
    pub collection: Option<String>,
    /// Free labels to filter by.
    pub tags: Vec<String>,
    /// The page's content cut at its headings, in reading order.
    pub sections: Vec<Section>,
    /// Whether this is a record of a JSON file: its author cut it, so it is one chunk of any length.
    pub is_record: bool,
}

/// The text under one heading, up to the next heading of any level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The heading as plain text; empty for text before the first heading.
    pub heading: String,
    /// 1 for `h1` to 6 for `h6`; 0 for text before the first heading.
    pub level: u8,
    /// The fragment that scrolls to the heading, without `#`.
    pub anchor: Option<String>,
    /// Plain text, blocks divided by a newline, code kept exactly as written.
    pub text: String,
    /// Where the code blocks are in `text`: byte ranges, ascending, each between newlines.
    pub code: Vec<Range<usize>>,
}

/// The retrieval unit: what is found, quoted and cited.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunk {
    /// The heading, or the page title before the first heading.
    pub title: String,
    /// The page title and the headings above this one, outermost first; without `title` itself.
    pub heading_path: Vec<String>,
    /// The fragment that scrolls to the chunk, without `#`.
    pub anchor: Option<String>,
    /// Plain text as in [`Section::text`].
    pub text: String,
}
