//! groundling answers questions about a documentation site inside the reader's browser,
//! with sources it can prove.
//!
//! Data goes one way: documents, chunks, terms, index bytes, hits, sources, prompt,
//! provider stream, verified answer. Each room below uses only rooms above it.

#[cfg(feature = "build")]
pub mod document;
pub mod text;

pub mod index;

pub mod search;

pub mod prompt;

pub mod answer;
pub mod provider;

pub mod ask;

pub mod bundle;
pub mod error;

#[cfg(target_arch = "wasm32")]
pub mod wasm;
