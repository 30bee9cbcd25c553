//! The edge to JavaScript. Nothing else in the crate knows a JS type.
//!
//! A method of [`Docs`] converts in, calls the core, converts out.

mod api;
#[cfg(feature = "build")]
mod build;
mod convert;
mod error;
mod fetch;
mod fields;
#[cfg(feature = "build")]
mod inspect;
mod options;
mod pieces;
mod question;
mod stop;
mod types;
mod utf16;

pub use api::Docs;
#[cfg(feature = "build")]
pub use build::{GitIgnorePatterns, SiteBuilder, embed, extract, needs_all_languages};
#[cfg(feature = "build")]
pub use inspect::Inspector;
