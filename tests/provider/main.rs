//! Replies of model servers, ordinary and odd, replayed however the network may cut them.
//!
//! The fixtures are written by hand after the protocols' documentation and public bug reports.

mod anthropic;
mod bodies;
mod chat;
mod gemini;
mod ollama;
mod quirks;
mod replay;
mod requests;
mod responses;
mod secrets;
mod ui_message_stream;
