//! groundling answers questions about a documentation site inside the reader's browser,
//! with sources it can prove.
//!
//! Data goes one way: documents, chunks, terms, index bytes, hits, sources, prompt,
//! provider stream, verified answer. Each room below uses only rooms above it.

pub mod answer;
pub mod ask;
#[cfg(feature = "build")]
pub mod document;
pub mod prompt;
pub mod text;
