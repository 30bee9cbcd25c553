//! From a question to ranked chunks: query analysis, BM25F, snippets.

mod best;
mod bm25;
mod edit_distance;
mod facets;
mod filter;
mod matcher;
mod passage;
mod plan;
mod proximity;
mod query;
mod ranking;
mod searcher;
mod snippet;
mod title;
mod typo;

pub use bm25::{Bm25Params, FieldParams};
pub use filter::Filter;
pub use matcher::Matcher;
#[cfg(test)]
pub(crate) use passage::Alike;
pub use passage::{Idf, Passage, TermWeights, WeightedTerm, cover, covered};
pub use plan::{Clause, Form, FormKind, Plan};
pub use query::{Prefix, Query, QueryTerm};
pub use ranking::{FacetCount, Facets, Hit};
pub use searcher::{Results, SearchOptions, Searcher};
pub use snippet::{Snippet, SnippetOptions};
pub use title::TitleMatch;
pub use typo::Correction;
