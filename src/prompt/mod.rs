//! From search results to the exact text that a model is sent.
//!
//! [`select`] chooses which passages fit, [`build`] lays them out by a [`Template`], and the
//! [`Prompt`] that comes out holds everything a provider needs and everything the answer is
//! later checked against. Text from documents is data: whatever a passage, a title or a
//! question holds, it cannot close its block or open another.

mod budget;
mod escape;
mod history;
mod layout;
mod presets;
mod repair;
mod rewrite;
#[cfg(test)]
pub(crate) mod samples;
mod select;
mod template;

pub use budget::{Budget, model_tokens};
pub(crate) use escape::unescape;
pub use history::{Turn, recent};
pub use layout::{Prompt, build, build_follow_up};
pub use presets::{PRESETS, preset};
pub use repair::{Fault, repair};
pub use rewrite::rewrite;
pub use select::{Passage, Selection, Source, select};
pub use template::{CitationMode, Layout, Template};

/// Whether a BCP 47 tag is Russian; the words that are no part of a template are in Russian and English.
fn is_russian(lang: &str) -> bool {
    lang == "ru" || lang.starts_with("ru-")
}
