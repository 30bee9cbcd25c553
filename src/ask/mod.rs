//! The whole flow: question, sources, prompt, reply, verified answer.
//!
//! [`Flow`] is a state machine without I/O: it says what to send and is told what came back, so
//! the same code runs in a browser, in Node and in tests. Fetching is the caller's.

mod answer;
pub mod confidence;
mod fit;
mod flow;
mod follow_up;
mod neighbours;
pub mod offline;
mod question_kind;
mod quotable;
mod quotation;
mod quotes;
mod retrieve;
mod site;
pub mod stand_in;

pub use answer::{Answer, CitationPolicy, Reason, Status};
pub use fit::{Fitted, Window, fit};
pub use flow::{Event, Flow, Provider, Rewriting, Step};
pub use follow_up::FollowUp;
pub use quotes::SourceQuote;
pub use retrieve::{Retrieval, retrieve};
pub use site::{Site, SupportPolicy};
