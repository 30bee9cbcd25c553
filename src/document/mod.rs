//! Documents in: files of a documentation site become chunks.

mod chunk;

pub use chunk::{Chunk, Document, Section};
