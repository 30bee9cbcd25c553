//! From a question to ranked chunks: query analysis, BM25F, snippets.

mod best;
mod bm25;
mod filter;
mod passage;
mod query;
mod searcher;
mod snippet;
mod title;

pub use bm25::{Bm25Params, FieldParams};
pub use filter::Filter;
#[cfg(test)]
pub(crate) use passage::Alike;
pub use passage::{Idf, Passage, TermWeights, WeightedTerm, cover, covered};
pub use query::{Prefix, Query, QueryTerm};
pub use searcher::{Hit, Results, SearchOptions, Searcher};
pub use snippet::{Snippet, SnippetOptions};
pub use title::TitleMatch;
