//! From a question to ranked chunks: query analysis, BM25F, snippets.

mod best;
mod bm25;
mod query;
mod searcher;
mod snippet;

pub use bm25::{Bm25Params, FieldParams};
pub use query::{Prefix, Query, QueryTerm};
pub use searcher::{Filter, Hit, Results, SearchOptions, Searcher};
pub use snippet::{Snippet, SnippetOptions};
