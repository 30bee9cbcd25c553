//! The precomputed index: its format, its reader and, for builds, its writer.

#[cfg(feature = "build")]
mod analyzed;
#[cfg(feature = "build")]
mod builder;
mod codec;
mod dictionary;
#[cfg(feature = "build")]
mod duplicates;
mod error;
pub mod format;
#[cfg(feature = "build")]
mod inspect;
mod length;
mod meta;
mod part;
mod posting;
mod reader;
#[cfg(feature = "build")]
mod site;
mod string_column;
#[cfg(feature = "build")]
mod synonyms;

#[cfg(feature = "build")]
pub use builder::{BuildError, IndexBuilder};
pub use dictionary::Term;
pub use error::Error;
#[cfg(feature = "build")]
pub use inspect::TermReport;
pub use length::{LENGTH_CLASSES, length_class, length_of_class};
pub use meta::{Collection, FieldTotals, Meta};
pub use part::Place;
pub use posting::{Postings, TermFreqs};
pub use reader::{Index, Lengths, StoredChunk, StoredPage};
#[cfg(feature = "build")]
pub use site::{Added, Site, Summary};
