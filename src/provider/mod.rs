//! The wire protocols of language model servers, without any I/O.
//!
//! [`request`] turns plain strings into the one POST request to make. A [`Decoder`] is fed the bytes of the
//! reply, however the network cut them, and gives [`Event`]s on the way and one [`Outcome`] at the end.
//! Fetching, clocks and random numbers belong to the caller.
//!
//! A reply is complete only if the protocol's terminal marker was seen; every other end is
//! [`Outcome::Partial`] or [`Outcome::Failed`].
//!
//! Bytes go one way: `utf8` (characters), `sniff` (what kind of body), `sse` or `json_values` (events), `event_reader` (JSON),
//! `wire_error` (is it an error?), one file per protocol (what does it say?), `answer` (the text so far).
//! A new protocol is one file with a request body and a `Reader`, and one line in each
//! table of `protocol`.
//!
//! ```
//! use groundling::provider::{Decoder, Event, Outcome, Protocol, ResponseHead};
//!
//! let head = ResponseHead { status: 200, ..ResponseHead::default() };
//! let mut decoder = Decoder::new(Protocol::OpenAiChat, &head);
//! let mut text = String::new();
//! let mut sink = |event| {
//!     if let Event::Delta(delta) = event {
//!         text.push_str(&delta);
//!     }
//! };
//! decoder.feed(b"data: {\"choices\":[{\"delta\":{\"content\":\"Port 8080 [1].\"}}]}\n\n", &mut sink);
//! decoder.feed(b"data: [DONE]\n\n", &mut sink);
//! assert!(matches!(decoder.finish(&mut sink), Outcome::Complete(_)));
//! assert_eq!(text, "Port 8080 [1].");
//! ```

mod answer;
mod anthropic;
mod classify;
mod config;
mod decoder;
mod endpoint;
mod error;
mod event_reader;
mod failure;
mod gemini;
mod http_date;
mod json;
mod json_values;
mod json_writer;
mod ollama;
mod openai_chat;
mod openai_responses;
mod outcome;
mod plain_text;
mod protocol;
mod request;
pub mod retry;
mod sniff;
mod sse;
mod think;
mod ui_message_stream;
mod utf8;
mod wire_error;

pub use answer::MAX_ANSWER_BYTES;
pub use config::{Config, Input, Secret, TokenField};
pub use decoder::{Decoder, ResponseHead};
pub use error::Error;
pub use failure::{Code, Failure};
pub use json_writer::to_json;
pub use outcome::{Event, Facts, Outcome, PartialReason, Usage};
pub use protocol::Protocol;
pub use request::{Request, request};
pub use utf8::Utf8Decoder;
