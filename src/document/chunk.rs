//! What a page is made of, before it is indexed.

use std::borrow::Cow;
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
    /// The version of the software that the page describes, if it says so.
    pub version: Option<String>,
    /// The address that the page names as its own, where that is another page's.
    pub canonical: Option<String>,
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
    /// Places within `text` that have an anchor of their own, in reading order.
    pub parts: Vec<Part>,
    /// What its author weighs above other text: byte ranges in `text`, ascending. The words of
    /// these ranges count as words of a heading too.
    pub emphasis: Vec<Range<usize>>,
}

/// A place within a text that a link can lead to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Where it begins, in bytes from the start of the text.
    pub at: usize,
    /// The fragment that scrolls to it, without `#`; empty for none.
    pub anchor: String,
    /// What stands there: a heading, or the term that is defined.
    pub title: String,
    /// Whether it is a heading, which stands in the text as a line of its own.
    pub is_heading: bool,
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
    /// Places within `text` that have an anchor of their own, in reading order.
    pub parts: Vec<Part>,
    /// As [`Section::emphasis`].
    pub emphasis: Vec<Range<usize>>,
}

impl Chunk {
    /// What is searched as title: its own and those of the sections that were joined to it.
    pub fn title_field(&self) -> Cow<'_, str> {
        let mut titles = Cow::Borrowed(self.title.as_str());
        for part in self.parts.iter().filter(|part| part.is_heading) {
            titles.to_mut().push('\n');
            titles.to_mut().push_str(&part.title);
        }
        titles
    }

    /// What is searched as headings: the path, and what is emphasized in the text.
    pub fn heading_field(&self) -> String {
        let mut headings = self.heading_path.join("\n");
        for range in &self.emphasis {
            headings.push('\n');
            headings.push_str(&self.text[range.clone()]);
        }
        headings
    }

    /// What is searched as text: all of it but the headings within, which count as titles.
    pub fn body_field(&self) -> Cow<'_, str> {
        if !self.parts.iter().any(|part| part.is_heading) {
            return Cow::Borrowed(&self.text);
        }
        let mut body = String::with_capacity(self.text.len());
        let mut from = 0;
        for part in self.parts.iter().filter(|part| part.is_heading) {
            body.push_str(&self.text[from..part.at]);
            from = part.at + part.title.len();
        }
        body.push_str(&self.text[from..]);
        Cow::Owned(body)
    }
}
