//! What a protocol file tells the decoder: the answer so far.

use super::json::Value;
use super::plain_text::plain_text;
use super::think::ThinkFilter;
use super::wire_error::WireError;
use super::{Event, Facts, PartialReason, Usage};

/// Bound on the text of one answer, hidden reasoning in the text included. About 250 thousand model tokens,
/// more than any model writes in one reply.
pub const MAX_ANSWER_BYTES: usize = 1 << 20;

/// Bound on names that a server gives (model, finish reason), in characters.
const MAX_NAME_CHARS: usize = 200;

/// One protocol's view on a reply. It is given each JSON object of the reply that is no error, and tells the
/// [`Answer`] what the object means.
pub(super) trait Reader {
    /// Reads one object. False if it is none of this protocol; objects of unknown kinds are ignored.
    fn read(&mut self, object: &Object<'_>, answer: &mut Answer) -> bool;
}

/// One JSON object of a reply.
pub(super) struct Object<'a> {
    /// Its `type`; without one the name that the SSE layer gave; else empty.
    pub(super) kind: &'a str,
    pub(super) value: &'a Value,
    /// Whether it came as an event of a stream. False for a JSON body.
    pub(super) streamed: bool,
}

/// How the server ended its reply.
#[derive(Debug)]
pub(super) enum End {
    Complete,
    Partial(PartialReason),
    Failed(WireError),
}

/// The answer so far. Events wait in `events` until the decoder passes them on.
#[derive(Default)]
pub(super) struct Answer {
    pub(super) facts: Facts,
    pub(super) events: Vec<Event>,
    /// Set by the terminal marker. `None` at the end of input means that the reply was cut.
    pub(super) end: Option<End>,
    /// Nothing that follows can matter: the reply is over or failed.
    pub(super) closed: bool,
    /// Words in which the model declined.
    pub(super) refusal: String,
    /// The model tried to call a tool although none was offered.
    pub(super) has_tool_call: bool,
    /// The model's text as it came, think block included.
    raw: String,
    /// What the caller was shown.
    visible: String,
    think: ThinkFilter,
}

impl Answer {
    /// The visible text so far.
    pub(super) fn visible(&self) -> &str {
        &self.visible
    }

    /// The model's text so far, as it came.
    pub(super) fn raw(&self) -> &str {
        &self.raw
    }

    /// Takes the next piece of the model's text.
    pub(super) fn push_text(&mut self, piece: &str) {
        if self.raw.len() + piece.len() > MAX_ANSWER_BYTES {
            return self.fail_here("The answer is longer than 1 MiB.");
        }
        self.raw.push_str(piece);
        let visible = self.think.feed(piece);
        self.show(visible);
    }

    /// Takes the model's whole text, where the server repeats it. What was pushed before stays if the text
    /// continues it, and is replaced otherwise.
    pub(super) fn set_text(&mut self, whole: &str) {
        if let Some(rest) = whole.strip_prefix(self.raw.as_str()) {
            return self.push_text(rest);
        }
        let shown = std::mem::take(&mut self.visible);
        let waiting = self.events.len();
        self.raw.clear();
        self.think = ThinkFilter::default();
        self.push_text(whole);
        self.events.truncate(waiting);
        match self.visible.strip_prefix(shown.as_str()) {
            Some("") => {}
            Some(rest) => self.events.push(Event::Delta(rest.to_owned())),
            None => self.events.push(Event::Replace(self.visible.clone())),
        }
    }

    /// Takes the next piece of a refusal.
    pub(super) fn push_refusal(&mut self, piece: &str) {
        if self.refusal.len() + piece.len() <= MAX_ANSWER_BYTES {
            self.refusal.push_str(piece);
        }
    }

    /// Takes a refusal's whole text, where the server repeats it.
    pub(super) fn set_refusal(&mut self, whole: &str) {
        if whole.len() > self.refusal.len() {
            self.refusal.clear();
            self.push_refusal(whole);
        }
    }

    /// Releases text that the think filter held back.
    pub(super) fn finish_text(&mut self) {
        let held = self.think.finish();
        self.show(held);
    }

    /// Takes the server's word on how the reply ended. Once it was not complete it stays so: some servers
    /// send a second, milder reason after the first.
    pub(super) fn end(&mut self, end: End) {
        if matches!(self.end, None | Some(End::Complete)) {
            self.end = Some(end);
        }
    }

    /// Ends the reply with an error; it weighs more than any other end.
    pub(super) fn fail(&mut self, error: WireError) {
        self.end = Some(End::Failed(error));
        self.closed = true;
    }

    /// Ends the reply because it breaks one of our own bounds or rules.
    pub(super) fn fail_here(&mut self, message: &str) {
        self.fail(WireError {
            message: message.to_owned(),
            name: Some(UNREADABLE.to_owned()),
            ..WireError::default()
        });
    }

    /// Adds a warning.
    pub(super) fn warn(&mut self, message: String) {
        self.events.push(Event::Warning(message));
    }

    /// Takes the model's name, if the value is one.
    pub(super) fn set_model(&mut self, value: Option<&Value>) {
        set_name(&mut self.facts.model, value);
    }

    /// Takes the raw finish reason, if the value is one.
    pub(super) fn set_finish_reason(&mut self, value: Option<&Value>) {
        set_name(&mut self.facts.finish_reason, value);
    }

    /// Takes token counts under the names that the protocol has for them. A missing one keeps what an
    /// earlier event told, because some servers count input and output in different events.
    pub(super) fn set_usage(&mut self, counts: Option<&Value>, input: &str, output: &str) {
        let count = |name| {
            counts
                .and_then(|counts| counts.get(name))
                .and_then(Value::as_u64)
        };
        let (input, output) = (count(input), count(output));
        if input.is_some() || output.is_some() {
            let known = self.facts.usage.unwrap_or_default();
            self.facts.usage = Some(Usage {
                input: input.unwrap_or(known.input),
                output: output.unwrap_or(known.output),
            });
        }
    }

    fn show(&mut self, visible: String) {
        if !visible.is_empty() {
            self.visible.push_str(&visible);
            self.events.push(Event::Delta(visible));
        }
    }
}

/// The name under which the decoder recognises errors of its own making.
pub(super) const UNREADABLE: &str = "groundling_unreadable";

fn set_name(slot: &mut Option<String>, value: Option<&Value>) {
    if let Some(name) = value
        .and_then(Value::as_str)
        .filter(|name| !name.is_empty())
    {
        *slot = Some(plain_text(name, MAX_NAME_CHARS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pieces: &[&str], whole: &str, expected: &[Event]) {
        let mut answer = Answer::default();
        for piece in pieces {
            answer.push_text(piece);
        }
        answer.events.clear();
        answer.set_text(whole);
        assert_eq!(answer.events, expected);
        assert_eq!(answer.raw(), whole);
    }

    #[test]
    fn a_whole_text_adds_only_what_is_new() {
        check(&["Use ", "8080"], "Use 8080", &[]);
        check(&["Use "], "Use 8080", &[Event::Delta("8080".to_owned())]);
        check(&[], "Use 8080", &[Event::Delta("Use 8080".to_owned())]);
        check(
            &["Use 99"],
            "Use 8080",
            &[Event::Replace("Use 8080".to_owned())],
        );
    }

    #[test]
    fn a_whole_text_goes_through_the_think_filter() {
        check(
            &["<think>a</think>Use "],
            "<think>b</think>Use 8080",
            &[Event::Delta("8080".to_owned())],
        );
        check(
            &["<thi"],
            "<think>b</think>Use",
            &[Event::Delta("Use".to_owned())],
        );
    }

    #[test]
    fn an_end_gets_worse_but_never_better() {
        let mut answer = Answer::default();
        answer.end(End::Complete);
        answer.end(End::Partial(PartialReason::Length));
        answer.end(End::Complete);
        assert!(matches!(
            answer.end,
            Some(End::Partial(PartialReason::Length))
        ));
        answer.fail(WireError::default());
        answer.end(End::Complete);
        assert!(matches!(answer.end, Some(End::Failed(_))));
    }

    #[test]
    fn a_text_beyond_the_bound_fails() {
        let mut answer = Answer::default();
        answer.push_text(&"x".repeat(MAX_ANSWER_BYTES));
        assert!(!answer.closed);
        answer.push_text("x");
        assert!(answer.closed && matches!(answer.end, Some(End::Failed(_))));
    }
}
