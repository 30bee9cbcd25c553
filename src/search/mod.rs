//! From a question to ranked chunks: query analysis, BM25F, snippets.

mod best;
mod bm25;
mod edit_distance;
mod explain;
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
mod suggest;
mod synonyms;
mod title;
mod together;
mod typo;
mod written;

pub use bm25::{Bm25Params, FieldParams};
pub use explain::{Explanation, WordExplanation};
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
pub use suggest::Suggestion;
pub use title::TitleMatch;
pub use typo::Correction;
