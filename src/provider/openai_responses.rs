//! OpenAI Responses.
//!
//! Source: the OpenAI API reference, "Responses" and "Streaming events". The text comes up to four times: in
//! deltas, and whole when a text, a content part, an output item and the response are done. Deltas are shown
//! as they come; a later whole text adds what they missed. The terminal markers are `response.completed`,
//! `response.incomplete` and `response.failed`, each with the whole response.

use serde::Serialize;

use super::answer::{Answer, End, Object, Reader};
use super::json::{Value, list, string};
use super::json_writer::whole_to_json;
use super::wire_error::WireError;
use super::{Config, Input, PartialReason};

#[derive(Serialize)]
struct Body<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    model: &'a str,
    instructions: &'a str,
    input: &'a str,
    stream: bool,
    /// The server keeps nothing: readers did not agree to that.
    store: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    metadata: Metadata<'a>,
}

#[derive(Serialize)]
struct Metadata<'a> {
    prompt_version: &'a str,
}

/// The request's body.
pub(super) fn body(config: &Config, input: &Input<'_>) -> String {
    let body = Body {
        model: &config.model,
        instructions: input.instructions,
        input: input.input,
        stream: config.stream,
        store: false,
        max_output_tokens: config.max_output_tokens,
        metadata: Metadata {
            prompt_version: input.prompt_version,
        },
    };
    whole_to_json(&body)
}

/// Reads the events of a stream, and whole responses.
#[derive(Default)]
pub(super) struct ResponsesReader {
    /// The parts in the order in which they are joined, that of their keys.
    parts: Vec<(Key, String)>,
}

/// `output_index` and `content_index` of a part.
type Key = (u64, u64);

impl Reader for ResponsesReader {
    fn read(&mut self, object: &Object<'_>, answer: &mut Answer) -> bool {
        let value = object.value;
        let Some(event) = object.kind.strip_prefix("response.") else {
            let is_response = string(value, "object") == "response";
            if !is_response && !value.get("output").is_some_and(Value::is_array) {
                return false;
            }
            self.end(value, "", answer);
            return true;
        };
        let key = (index(value, "output_index"), index(value, "content_index"));
        match event {
            "output_text.delta" => self.push(key, string(value, "delta"), answer),
            "output_text.done" => self.whole(key, string(value, "text"), answer),
            "refusal.delta" => answer.push_refusal(string(value, "delta")),
            "refusal.done" => answer.set_refusal(string(value, "refusal")),
            "content_part.done" => {
                if let Some(part) = value.get("part") {
                    self.whole(key, part_text(part, answer), answer);
                }
            }
            "output_item.done" => {
                let Some(item) = value.get("item") else {
                    return true;
                };
                for (content_index, text) in (0..).zip(item_texts(item, answer)) {
                    self.whole((key.0, content_index), text, answer);
                }
            }
            "completed" | "incomplete" | "failed" | "done" => {
                self.end(value.get("response").unwrap_or(&Value::Null), event, answer);
            }
            // The first events carry the response before it has output; the others concern reasoning or tools.
            _ => answer.set_model(
                value
                    .get("response")
                    .and_then(|response| response.get("model")),
            ),
        }
        true
    }
}

impl ResponsesReader {
    fn push(&mut self, key: Key, delta: &str, answer: &mut Answer) {
        let at = self.place(key);
        self.parts[at].1.push_str(delta);
        if at + 1 == self.parts.len() {
            answer.push_text(delta);
        } else {
            // A part before the last one grew: the text changes in the middle.
            answer.set_text(&self.joined());
        }
    }

    /// A part's whole text. A shorter one is ignored: the deltas were shown, and the response's own text,
    /// which comes last, decides.
    fn whole(&mut self, key: Key, text: &str, answer: &mut Answer) {
        let at = self.place(key);
        if text.len() > self.parts[at].1.len() {
            text.clone_into(&mut self.parts[at].1);
            answer.set_text(&self.joined());
        }
    }

    /// Where the part with that key is, put in empty where there is none yet.
    fn place(&mut self, key: Key) -> usize {
        match self.parts.binary_search_by_key(&key, |(key, _)| *key) {
            Ok(known) => known,
            Err(place) => {
                self.parts.insert(place, (key, String::new()));
                place
            }
        }
    }

    fn joined(&self) -> String {
        self.parts.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// A whole response: the terminal event's, or the body of a reply that is not streamed.
    fn end(&mut self, response: &Value, event: &str, answer: &mut Answer) {
        answer.set_model(response.get("model"));
        answer.set_usage(response.get("usage"), "input_tokens", "output_tokens");
        let items = list(response, "output").iter();
        let text: String = items.flat_map(|item| item_texts(item, answer)).collect();
        // Some servers leave the last response without output.
        if !text.is_empty() {
            answer.set_text(&text);
        }

        // The worse of what the event's name and the response's own status say.
        let status = match (string(response, "status"), event) {
            ("" | "completed", "incomplete" | "failed") => event,
            ("", _) => "completed",
            (status, _) => status,
        };
        match status {
            "completed" => answer.end(End::Complete),
            "incomplete" => {
                let reason = response
                    .get("incomplete_details")
                    .and_then(|details| details.get("reason"));
                answer.set_finish_reason(reason);
                answer.end(End::Partial(match reason.and_then(Value::as_str) {
                    Some("max_output_tokens" | "max_tokens") => PartialReason::Length,
                    Some("content_filter") => PartialReason::ContentFilter,
                    _ => PartialReason::Cut,
                }));
            }
            "failed" => answer.fail(WireError::of_event("", response).unwrap_or_default()),
            // Cancelled, or still queued or in progress: nothing more will come on this connection.
            _ => answer.end(End::Partial(PartialReason::Cut)),
        }
        if answer.facts.finish_reason.is_none() {
            answer.set_finish_reason(Some(&Value::String(status.to_owned())));
        }
        answer.closed = true;
    }
}

/// The texts of a message's parts. An item without a type is taken for a message; reasoning is an item of its
/// own, with content that is no answer. Refusals and tool calls go to the answer.
fn item_texts<'a>(item: &'a Value, answer: &mut Answer) -> Vec<&'a str> {
    let kind = string(item, "type");
    answer.has_tool_call |= kind.ends_with("_call");
    if !matches!(kind, "message" | "") {
        return Vec::new();
    }
    list(item, "content")
        .iter()
        .map(|part| part_text(part, answer))
        .collect()
}

/// The text of a content part; empty for one of another type.
fn part_text<'a>(part: &'a Value, answer: &mut Answer) -> &'a str {
    match string(part, "type") {
        "output_text" => string(part, "text"),
        "refusal" => {
            answer.set_refusal(string(part, "refusal"));
            ""
        }
        _ => "",
    }
}

fn index(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or(0)
}
