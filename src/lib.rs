//! groundling answers questions about a documentation site inside the reader's browser,
//! with sources it can prove.
//!
//! Data goes one way: documents, chunks, terms, index bytes, hits, sources, prompt,
//! provider stream, verified answer. Each room below uses only rooms above it.

pub mod bundle;
#[cfg(feature = "build")]
pub mod document;
pub mod index;
pub mod search;
pub mod text;
