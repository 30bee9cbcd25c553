//! From the bytes of a response to events and an outcome.

use super::answer::{End, UNREADABLE};
use super::classify::classify;
use super::event_reader::{EventReader, LastEvent};
use super::json::Value;
use super::json_values::JsonValues;
use super::plain_text::{cut, page_text, plain_text};
use super::sniff::{BodyKind, sniff};
use super::sse::SseParser;
use super::utf8::Utf8Decoder;
use super::wire_error::WireError;
use super::{Code, Config, Event, Facts, Failure, Outcome, PartialReason, Protocol, retry};

/// Bound on one event or JSON object. The last event of OpenAI Responses repeats prompt and answer, so this
/// is four times the bound on an answer.
const MAX_EVENT_BYTES: usize = 4 << 20;

/// Bound on a page, an error body or an error's message; what is beyond is ignored.
const MAX_PAGE_BYTES: usize = 64 << 10;

/// Bound on the server's words in a message.
const MAX_MESSAGE_CHARS: usize = 500;

/// Bound on the text of a page in a message.
const MAX_PAGE_CHARS: usize = 200;

/// Secrets shorter than this are not searched for in messages: replacing every `a` would hide the message,
/// and nothing that short is a key.
const MIN_SECRET_BYTES: usize = 6;

/// The part of a response that arrives before its body. Header values are as received.
#[derive(Clone, Debug, Default)]
pub struct ResponseHead {
    /// HTTP status.
    pub status: u16,
    /// `Content-Type`.
    pub content_type: Option<String>,
    /// `Retry-After`: seconds or an HTTP date. A page cannot read it across origins unless the server
    /// exposes it.
    pub retry_after: Option<String>,
    /// `retry-after-ms`, a number of milliseconds.
    pub retry_after_ms: Option<String>,
    /// `x-request-id` or `request-id`.
    pub request_id: Option<String>,
    /// `x-should-retry`: `true` or `false`, as the servers of both big vendors send it.
    pub should_retry: Option<String>,
    /// When the head arrived, in milliseconds since 1970 UTC. A date in `Retry-After` is relative to it.
    pub now_ms: u64,
}

/// Decodes one response.
///
/// Memory is bounded: an event of 4 MiB, an answer of 1 MiB, an error body of 64 kiB; beyond, the reply fails
/// or is ignored. Idle and total time are the caller's to bound.
pub struct Decoder {
    head: ResponseHead,
    /// Strings that must not appear in a message.
    secrets: Vec<String>,
    utf8: Utf8Decoder,
    body: Body,
    events: EventReader,
}

enum Body {
    /// The first characters, while the kind is undecided.
    Undecided(String),
    Sse(SseParser),
    Json(JsonValues),
    /// The text of a page, or of the body of a failed request.
    Page(String),
}

impl Decoder {
    /// A decoder for a response with this head.
    pub fn new(protocol: Protocol, head: &ResponseHead) -> Decoder {
        let is_success = (200..300).contains(&head.status);
        Decoder {
            head: head.clone(),
            secrets: Vec::new(),
            utf8: Utf8Decoder::default(),
            body: if is_success {
                Body::Undecided(String::new())
            } else {
                Body::Page(String::new())
            },
            events: EventReader::new(protocol.reader()),
        }
    }

    /// Keeps the key and all header values of this configuration out of messages: a server may repeat what it
    /// was sent.
    #[must_use]
    pub fn hiding_secrets_of(mut self, config: &Config) -> Decoder {
        let values = config.headers.iter().map(|(_, value)| value.as_str());
        for secret in values.chain(config.key.iter().map(|key| key.expose())) {
            // `Bearer KEY` may come back without its first word.
            for part in secret
                .split_whitespace()
                .filter(|part| part.len() >= MIN_SECRET_BYTES)
            {
                self.secrets.push(part.to_owned());
            }
        }
        self
    }

    /// Takes the next bytes of the body and gives the events in them.
    pub fn feed(&mut self, bytes: &[u8], sink: &mut dyn FnMut(Event)) {
        if self.is_done() {
            return;
        }
        let text = self.utf8.feed(bytes);
        self.take(&text, false);
        self.pass_on(sink);
    }

    /// Whether nothing that can still arrive matters, so the caller can stop reading.
    pub fn is_done(&self) -> bool {
        self.events.answer.closed
    }

    /// The visible text so far: all deltas, with replacements applied.
    pub fn text(&self) -> &str {
        self.events.answer.visible()
    }

    /// Ends the body, whether the server or the network ended it, and gives the last events and the outcome.
    pub fn finish(&mut self, sink: &mut dyn FnMut(Event)) -> Outcome {
        if !self.is_done() {
            let rest = self.utf8.finish();
            self.take(rest, true);
            match &mut self.body {
                Body::Sse(parser) => {
                    let events = &mut self.events;
                    parser.finish(&mut |event| events.read(event.name, event.data, true));
                }
                Body::Json(values) => {
                    if let Some(cut) = values.finish() {
                        self.events.read("", &cut, true);
                    }
                }
                Body::Undecided(_) | Body::Page(_) => {}
            }
        }
        self.events.answer.finish_text();
        self.pass_on(sink);
        self.outcome()
    }

    /// Ends the body because its connection broke, as `message` tells. A reply whose terminal marker came before
    /// is whole; any other is not, whatever it looks like: an end that the network made proves nothing. Without
    /// any text there is nothing to show, so that is a failure, which may be tried again.
    pub fn broken(&mut self, message: &str, sink: &mut dyn FnMut(Event)) -> Outcome {
        let is_error_body = matches!(self.body, Body::Page(_));
        if self.is_done() || is_error_body {
            return self.finish(sink);
        }
        self.events.answer.closed = true;
        self.events.answer.finish_text();
        self.pass_on(sink);
        if self.text().is_empty() {
            let mut failure = Failure::without_response(Code::Network, self.words(message));
            failure.request_id = self.request_id(None);
            return Outcome::Failed(failure);
        }
        Outcome::Partial {
            reason: PartialReason::Cut,
            facts: self.facts(),
        }
    }

    /// Ends the body because the caller aborted: a normal outcome, not an error. What was complete before
    /// stays complete.
    pub fn abort(&mut self, sink: &mut dyn FnMut(Event)) -> Outcome {
        if self.is_done() {
            return self.finish(sink);
        }
        self.events.answer.closed = true;
        self.events.answer.finish_text();
        self.pass_on(sink);
        Outcome::Partial {
            reason: PartialReason::Aborted,
            facts: self.facts(),
        }
    }

    /// Gives the events that wait. A warning may repeat what the server said.
    fn pass_on(&mut self, sink: &mut dyn FnMut(Event)) {
        for event in std::mem::take(&mut self.events.answer.events) {
            sink(match event {
                Event::Warning(words) => Event::Warning(self.hide_secrets(&words)),
                event => event,
            });
        }
    }

    fn take(&mut self, text: &str, at_end: bool) {
        if let Body::Undecided(start) = &mut self.body {
            start.push_str(text);
            let Some(kind) = sniff(self.head.content_type.as_deref(), start, at_end) else {
                // Blank so far. Some servers send white space to keep the connection open.
                if start.trim_start().is_empty() {
                    start.clear();
                }
                return;
            };
            let start = std::mem::take(start);
            self.body = match kind {
                BodyKind::Sse => Body::Sse(SseParser::new(MAX_EVENT_BYTES)),
                BodyKind::Json => Body::Json(JsonValues::new(MAX_EVENT_BYTES)),
                BodyKind::Page => Body::Page(String::new()),
            };
            self.events.streamed = kind == BodyKind::Sse;
            return self.take_known(&start);
        }
        self.take_known(text);
    }

    fn take_known(&mut self, text: &str) {
        let events = &mut self.events;
        let fits = match &mut self.body {
            Body::Sse(parser) => parser
                .feed(text, &mut |event| {
                    events.read(event.name, event.data, false)
                })
                .is_ok(),
            Body::Json(values) => values
                .feed(text, &mut |object| events.read("", object, false))
                .is_ok(),
            Body::Page(page) => {
                page.push_str(cut(text, MAX_PAGE_BYTES.saturating_sub(page.len())));
                true
            }
            Body::Undecided(_) => true,
        };
        if !fits && !self.events.answer.closed {
            self.events
                .answer
                .fail_here("The server sent an event of more than 4 MiB.");
        }
    }

    fn outcome(&mut self) -> Outcome {
        if matches!(self.head.status, 0 | 300..=399) {
            return Outcome::Failed(self.unreadable(REDIRECT));
        }
        if let Body::Page(page) = &self.body {
            return Outcome::Failed(self.page_failure(page));
        }
        let facts = self.facts();
        let end = match self.events.answer.end.take() {
            Some(End::Failed(error)) => return Outcome::Failed(self.failure(&error)),
            end => end,
        };
        if !self.events.saw_own {
            let message = if self.events.saw_other {
                "The reply is not of the protocol that was expected."
            } else if self.events.last == LastEvent::CutOff {
                return Outcome::Partial {
                    reason: PartialReason::Cut,
                    facts,
                };
            } else if self.events.last == LastEvent::Unreadable {
                "The reply could not be read as JSON."
            } else {
                EMPTY_ANSWER
            };
            return Outcome::Failed(self.unreadable(message));
        }
        match end {
            None => Outcome::Partial {
                reason: PartialReason::Cut,
                facts,
            },
            // The marker came, but the text before it may be missing.
            Some(End::Complete)
                if self.events.last == LastEvent::Unreadable && facts.finish_reason.is_none() =>
            {
                Outcome::Failed(self.unreadable("The last event could not be read as JSON."))
            }
            _ if !self.events.answer.refusal.is_empty() => Outcome::Refused {
                message: self.hide_secrets(&self.events.answer.refusal),
                facts,
            },
            Some(End::Partial(reason)) => Outcome::Partial { reason, facts },
            // The marker came, but not as the last: the event after it could not be read and may hold more text.
            Some(End::Complete)
                if self.events.last != LastEvent::Read && !self.events.answer.closed =>
            {
                Outcome::Partial {
                    reason: PartialReason::Cut,
                    facts,
                }
            }
            _ if !self.text().trim().is_empty() => Outcome::Complete(facts),
            _ if self.events.answer.has_tool_call => Outcome::Failed(self.unreadable(
                "The model called a tool, though none was offered, and gave no answer.",
            )),
            _ if !self.events.answer.raw().trim().is_empty() => Outcome::Failed(
                self.unreadable("The model gave its reasoning only: an empty answer."),
            ),
            _ => Outcome::Failed(self.unreadable(EMPTY_ANSWER)),
        }
    }

    /// A failed request, or a page where an answer was expected.
    fn page_failure(&self, page: &str) -> Failure {
        if let Some(error) = error_in(page) {
            return self.failure(&error);
        }
        let mut message = page_text(page, MAX_PAGE_CHARS);
        if (200..300).contains(&self.head.status) {
            message.insert_str(0, "A page came in place of an answer: ");
            return self.unreadable(&message);
        }
        self.failure(&WireError {
            message,
            ..WireError::default()
        })
    }

    fn unreadable(&self, message: &str) -> Failure {
        self.failure(&WireError {
            message: message.to_owned(),
            name: Some(UNREADABLE.to_owned()),
            ..WireError::default()
        })
    }

    fn failure(&self, error: &WireError) -> Failure {
        let head = &self.head;
        let own = error.name.as_deref() == Some(UNREADABLE);
        let words = self.words(&error.message);
        let name = error
            .name
            .as_deref()
            .filter(|_| !own)
            .map(|name| plain_text(&self.hide_secrets(name), 100));
        Failure {
            code: if own {
                Code::Protocol
            } else {
                classify(head.status, error)
            },
            status: Some(head.status),
            message: if words.is_empty() {
                "The server gave no reason.".to_owned()
            } else {
                words
            },
            provider_code: name,
            retry_after_ms: retry::retry_after_ms(
                head.retry_after.as_deref(),
                head.retry_after_ms.as_deref(),
                head.now_ms,
            ),
            request_id: self.request_id(error.request_id.as_deref()),
            should_retry: match head.should_retry.as_deref() {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => None,
            },
        }
    }

    /// Takes what the server told besides text.
    fn facts(&mut self) -> Facts {
        let facts = std::mem::take(&mut self.events.answer.facts);
        Facts {
            request_id: self.request_id(None),
            model: facts.model.map(|name| self.hide_secrets(&name)),
            finish_reason: facts.finish_reason.map(|name| self.hide_secrets(&name)),
            usage: facts.usage,
        }
    }

    /// The name of the request in the head, else the one in the body.
    fn request_id(&self, in_body: Option<&str>) -> Option<String> {
        let id = self.head.request_id.as_deref().or(in_body)?;
        Some(plain_text(&self.hide_secrets(id), 100))
    }

    /// Words of a server or of the network, ready to be shown.
    fn words(&self, message: &str) -> String {
        let message = self.hide_secrets(cut(message, MAX_PAGE_BYTES));
        plain_text(&message, MAX_MESSAGE_CHARS)
    }

    fn hide_secrets(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in &self.secrets {
            text = text.replace(secret, "«redacted»");
        }
        text
    }
}

/// A browser shows a page nothing of a redirect, not even its status, which is then 0.
const REDIRECT: &str = "The endpoint redirects, which is not followed, because prompt and key would go \
    elsewhere: give its final address.";

const EMPTY_ANSWER: &str = "The server gave an empty answer.";

/// The error object in the body of a failed request: the body itself, or the first object in it, which finds
/// an event stream's error too. An HTML page has braces in its scripts, so there is none in it.
fn error_in(body: &str) -> Option<WireError> {
    if body.trim_start().starts_with('<') {
        return None;
    }
    let mut error = None;
    let _ = JsonValues::new(MAX_PAGE_BYTES).feed(body, &mut |object| {
        if error.is_none() {
            let value = Value::parse(object);
            error = value.and_then(|value| WireError::of_body(&value));
        }
    });
    error
}
