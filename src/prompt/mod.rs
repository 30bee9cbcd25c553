//! From search results to the exact text that a model is sent.
//!
//! [`select`] chooses which passages fit, [`build`] lays them out by a [`Template`], and the
//! [`Prompt`] that comes out holds everything a provider needs and everything the answer is
//! later checked against. Text from documents is data: whatever a passage, a title or a
//! question holds, it cannot close its block or open another.

mod escape;
mod layout;
mod presets;
mod repair;
#[cfg(test)]
pub(crate) mod samples;
mod select;
mod template;

pub(crate) use escape::unescape;
pub use layout::{Prompt, build};
pub use presets::{PRESETS, preset};
pub use repair::{Fault, repair};
pub use select::{Passage, Selection, Source, select};
pub use template::{CitationMode, Layout, Template};
