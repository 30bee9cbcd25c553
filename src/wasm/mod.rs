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
mod options;
mod pieces;
mod stop;
mod types;
mod utf16;

pub use api::Docs;
#[cfg(feature = "build")]
pub use build::{SiteBuilder, embed, extract, needs_all_languages};
