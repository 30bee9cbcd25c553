//! groundling answers questions about a documentation site inside the reader's browser,
//! with sources it can prove.
//!
//! Data goes one way: documents, chunks, terms, index bytes, hits, sources, prompt,
//! provider stream, verified answer. Each room below uses only rooms above it.

#[cfg(feature = "build")]
pub mod document;
pub mod provider;
pub mod text;
