//! From the data of an event to the protocol: JSON, error objects and end markers.

use super::answer::{Answer, End, Object, Reader};
use super::json::Value;
use super::wire_error::WireError;

/// Reads the JSON of each event and asks the protocol what it means.
pub(super) struct EventReader {
    reader: Box<dyn Reader>,
    pub(super) answer: Answer,
    /// The body is an event stream, not JSON.
    pub(super) streamed: bool,
    /// An object of this protocol was read.
    pub(super) saw_own: bool,
    /// An object of another protocol was read.
    pub(super) saw_other: bool,
    pub(super) last: LastEvent,
}

/// What became of the last event that had any data.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LastEvent {
    Read,
    /// It was no JSON.
    Unreadable,
    /// It was no JSON, and the input ended in it.
    CutOff,
}

impl EventReader {
    pub(super) fn new(reader: Box<dyn Reader>) -> EventReader {
        EventReader {
            reader,
            answer: Answer::default(),
            streamed: true,
            saw_own: false,
            saw_other: false,
            last: LastEvent::Read,
        }
    }

    /// Takes the data of one event, or one object of a JSON body. `at_end`: the input ended in it.
    pub(super) fn read(&mut self, name: &str, data: &str, at_end: bool) {
        let data = data.trim();
        // Proxies send keep-alive comments on as data.
        if self.answer.closed || data.is_empty() || data.starts_with(':') {
            return;
        }
        if data.starts_with("[DONE]") {
            self.answer.end(End::Complete);
            self.answer.closed = true;
            return;
        }
        match Value::parse(data) {
            Some(value) => self.read_value(name, &value),
            None if name == "error" => {
                self.answer.fail(WireError {
                    message: data.to_owned(),
                    ..WireError::default()
                });
            }
            None if at_end => self.last = LastEvent::CutOff,
            None => {
                self.last = LastEvent::Unreadable;
                self.answer.warn(
                    "One event of the reply could not be read as JSON and was skipped.".to_owned(),
                );
            }
        }
    }

    fn read_value(&mut self, name: &str, value: &Value) {
        self.last = LastEvent::Read;
        // Before anything else, because an error object can stand beside content.
        if let Some(error) = WireError::of_event(name, value) {
            return self.answer.fail(error);
        }
        let kind = value.get("type").and_then(Value::as_str).unwrap_or(name);
        let object = Object {
            kind,
            value,
            streamed: self.streamed,
        };
        if self.reader.read(&object, &mut self.answer) {
            self.saw_own = true;
        } else if value.is_object() {
            self.saw_other = true;
        }
    }
}
