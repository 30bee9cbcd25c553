//! From text to terms: the one analyzer that build and query share.
//!
//! ```
//! use groundling::text::{Analyzer, Language};
//!
//! let mut terms = Vec::new();
//! Analyzer::new(Language::English).analyze("Set maxIdleTime before starting.", &mut |token| {
//!     terms.push(token.term.to_string());
//! });
//! assert_eq!(terms, ["set", "maxidletim", "max", "idl", "time", "befor", "start"]);
//! ```

mod analyzer;
mod chars;
mod compound;
#[cfg(feature = "build")]
mod detect;
mod fold;
mod initials;
mod language;
mod segment;
mod sentence;
mod stem;
mod stop_words;
mod token;

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

pub use analyzer::{Analyzer, MAX_TERM_BYTES};
#[cfg(feature = "build")]
pub(crate) use detect::detect;
pub use fold::{fold, small_letter};
pub use initials::Initials;
pub use language::Language;
pub use sentence::{Lines, sentences};
pub use token::{Token, TokenKind};
