//! The twins of core types that cross to JavaScript. Their TypeScript is generated from here.

use serde::{Deserialize, Serialize};
use tsify::Tsify;

/// What a bundle says of itself.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Info {
    /// Number of pages.
    pub pages: u32,
    /// Number of chunks: texts under one heading, the units that are found and cited.
    pub chunks: u32,
    /// Number of distinct terms.
    pub terms: u32,
    /// BCP 47 codes, the language of most pages first.
    pub languages: Vec<String>,
    /// The parts of the documentation.
    pub collections: Vec<Collection>,
    /// Program and version that built the index.
    pub built_by: String,
    /// Version of the index format.
    pub format_version: u32,
    /// Length of the index in bytes, texts included.
    pub index_bytes: u32,
    /// Version of the engine.
    pub version: String,
}

/// A part of the documentation, such as a course or a product.
#[derive(Clone, Serialize, Deserialize, Tsify)]
pub struct Collection {
    /// Stable id, used in filters.
    pub id: String,
    /// Name to show.
    pub name: String,
}

/// Which pages may be found. A list that is empty or left out allows all.
#[derive(Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Filter {
    /// Ids of collections.
    #[tsify(optional)]
    pub collections: Vec<String>,
    /// Language codes as in `Info.languages`.
    #[tsify(optional)]
    pub languages: Vec<String>,
    /// Tags; one of them is enough.
    #[tsify(optional)]
    pub tags: Vec<String>,
}

/// How to search.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SearchOptions {
    /// Most hits to return. Default 10.
    #[tsify(optional)]
    pub limit: u32,
    /// Hits to pass over first. Default 0.
    #[tsify(optional)]
    pub offset: u32,
    /// Where to look. Default everywhere.
    #[tsify(optional)]
    pub filter: Filter,
    /// Whether the last word may be the beginning of one, as while it is typed. Default true.
    #[tsify(optional)]
    pub prefix: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
            limit: 10,
            offset: 0,
            filter: Filter::default(),
            prefix: true,
        }
    }
}

/// What a search found.
#[derive(Serialize, Tsify)]
pub struct SearchResults {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Number of chunks found, before `offset` and `limit`.
    pub total: u32,
    /// Words of the query that no chunk has, as the analyzer writes them.
    pub missing: Vec<String>,
}

/// A found chunk.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// Number of the chunk in this bundle.
    pub id: u32,
    /// Address that scrolls to the chunk.
    pub url: String,
    /// File relative to the documentation root, or a record's URL.
    pub path: String,
    /// The chunk's heading, or the page title before the first heading.
    pub title: String,
    /// Title of the page.
    pub page_title: String,
    /// Headings between page title and title, outermost first.
    pub headings: Vec<String>,
    /// The part of the documentation.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<Collection>,
    /// BCP 47 code of the page's language.
    pub lang: String,
    /// Ranking score; comparable within one query only.
    pub score: f32,
    /// The part of the text that shows why it was found.
    pub snippet: Snippet,
}

/// A part of a chunk's text.
#[derive(Serialize, Tsify)]
pub struct Snippet {
    /// Plain text, to be shown as text and never as markup.
    pub text: String,
    /// The matching words in `text`, in order.
    pub marks: Vec<Range>,
}

/// A range of a string in UTF-16 code units, as `String.prototype.slice` takes it.
#[derive(Serialize, Tsify)]
pub struct Range {
    /// First unit.
    pub start: u32,
    /// One after the last unit.
    pub end: u32,
}
