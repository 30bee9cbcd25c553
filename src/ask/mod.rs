//! The whole flow: question, sources, prompt, reply, verified answer.
//!
//! [`Flow`] is a state machine without I/O: it says what to send and is told what came back, so
//! the same code runs in a browser, in Node and in tests. Fetching is the caller's.

mod answer;
mod flow;
mod judge;
mod neighbours;
pub mod offline;
mod retrieve;

pub use answer::{Answer, CitationPolicy, Reason, Status};
pub use flow::{Event, Flow, Judge, Provider, Step};
pub use judge::{SupportPolicy, judge};
pub use retrieve::{Retrieval, retrieve};
