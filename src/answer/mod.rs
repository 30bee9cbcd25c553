//! Is a reply backed by the sources that the model was given?
//!
//! [`citations`] finds the citation markers of a reply, [`CitationScanner`] finds the same ones
//! while the reply streams in, and [`verify`] passes a judgement on the whole. Reasoning is no
//! part of a reply: a leading `<think>` block is passed over here too, since a caller's own
//! function may return one.

mod blocks;
mod claim;
mod facts;
mod fragment;
mod inline;
mod link;
mod marker;
mod polarity;
mod scanner;
mod strip;
mod support;
mod verify;
mod word_list;

pub use facts::Detail;
pub use fragment::text_fragment;
pub use marker::{Marker, NumberRange};
pub use scanner::{CitationScanner, citations};
pub use strip::{strip, without_markers};
pub use support::{Problem, Quote, Sentence, Support, support};
pub use verify::{Citation, Cited, Reason, Verdict, is_refusal, verify, verify_with_refusal};
