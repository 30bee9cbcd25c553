//! What a decoder gives: events on the way, one outcome at the end.

use super::Failure;

/// Something that happened while a reply was read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The next piece of visible answer text. Reasoning never appears here.
    Delta(String),
    /// The whole visible text so far, in place of all deltas before it.
    /// Sent only where the server's final text is not a continuation of what it streamed.
    Replace(String),
    /// Something odd that did not end the reply, as a sentence for the site's owner.
    Warning(String),
}

/// How a reply ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The server said that the answer is whole, and there is text.
    Complete(Facts),
    /// There is an answer, or the start of one, that must not pass for whole.
    Partial {
        /// Why it is not whole.
        reason: PartialReason,
        /// What the server told besides text.
        facts: Facts,
    },
    /// The model declined to answer, in a field of its own.
    Refused {
        /// The model's words.
        message: String,
        /// What the server told besides text.
        facts: Facts,
    },
    /// There is no answer. Text shown before stays available from [`Decoder::text`](super::Decoder::text).
    Failed(Failure),
}

/// What a server tells about a reply besides its text. Every field is optional on the wire.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Model tokens as the server counted them; never estimated here.
    pub usage: Option<Usage>,
    /// The model that answered, which may differ from the one asked for.
    pub model: Option<String>,
    /// The raw finish reason, stop reason or status that the outcome was mapped from.
    pub finish_reason: Option<String>,
    /// The server's name for the request, for its support.
    pub request_id: Option<String>,
}

/// Why an answer is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartialReason {
    /// A limit on output or context tokens was reached.
    Length,
    /// The server's content filter cut the text.
    ContentFilter,
    /// The connection or the server stopped before the terminal marker.
    Cut,
    /// The caller aborted.
    Aborted,
}

impl PartialReason {
    /// The stable name: `length`, `content_filter`, `cut` or `aborted`.
    pub fn as_str(self) -> &'static str {
        match self {
            PartialReason::Length => "length",
            PartialReason::ContentFilter => "content_filter",
            PartialReason::Cut => "cut",
            PartialReason::Aborted => "aborted",
        }
    }
}

/// Model tokens of one call, as the server reported them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of instructions and input.
    pub input: u64,
    /// Tokens that the model wrote, hidden reasoning included where the server counts it.
    pub output: u64,
}
