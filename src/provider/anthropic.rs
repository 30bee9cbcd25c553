//! Anthropic Messages.
//!
//! Source: Anthropic's API reference, "Messages" and "Streaming Messages". Text comes in blocks, one after
//! the other. The stop reason arrives in `message_delta`, the terminal marker is `message_stop`.

use serde::Serialize;

use super::answer::{Answer, End, Object, Reader};
use super::json::{Value, list, string};
use super::json_writer::whole_to_json;
use super::request::Message;
use super::{Config, Input, PartialReason};

/// The API's version. Bodies made here are valid under 2026-10-21 as well; set the header to change it.
const VERSION: &str = "2023-06-01";

/// The cap that is sent where none is set, because the protocol requires one. An answer of a few sentences
/// needs a tenth of it.
const DEFAULT_MAX_TOKENS: u32 = 1024;

#[derive(Serialize)]
struct Body<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    model: &'a str,
    max_tokens: u32,
    system: &'a str,
    messages: [Message<'a>; 1],
    stream: bool,
}

/// The request's body.
pub(super) fn body(config: &Config, input: &Input<'_>) -> String {
    let body = Body {
        model: &config.model,
        max_tokens: config.max_output_tokens.unwrap_or(DEFAULT_MAX_TOKENS),
        system: input.instructions,
        messages: [Message {
            role: "user",
            content: input.input,
        }],
        stream: config.stream,
    };
    whole_to_json(&body)
}

/// The headers besides `content-type`. Without the last one the server refuses requests from a page; it is
/// sent with a key only, because a proxy that adds the key talks to the server itself.
pub(super) fn headers(config: &Config) -> Vec<(&'static str, String)> {
    let mut headers = vec![("anthropic-version", VERSION.to_owned())];
    if let Some(key) = &config.key {
        headers.push(("x-api-key", key.expose().to_owned()));
        headers.push((
            "anthropic-dangerous-direct-browser-access",
            "true".to_owned(),
        ));
    }
    headers
}

/// Reads the events of a stream, and whole messages.
pub(super) struct MessagesReader;

impl Reader for MessagesReader {
    fn read(&mut self, object: &Object<'_>, answer: &mut Answer) -> bool {
        let value = object.value;
        match object.kind {
            "message_start" => {
                if let Some(message) = value.get("message") {
                    read_facts(message, answer);
                }
            }
            "content_block_start" => {
                if let Some(block) = value.get("content_block") {
                    read_block(block, answer);
                }
            }
            "content_block_delta" => {
                if let Some(delta) = value
                    .get("delta")
                    .filter(|delta| string(delta, "type") == "text_delta")
                {
                    answer.push_text(string(delta, "text"));
                }
            }
            "message_delta" => {
                // The counts are cumulative; the input may be null here and known from the start.
                read_facts(value, answer);
                if let Some(delta) = value.get("delta") {
                    stop(delta, answer);
                }
            }
            "message_stop" => {
                answer.end(End::Complete);
                answer.closed = true;
            }
            "message" => {
                read_facts(value, answer);
                for block in list(value, "content") {
                    read_block(block, answer);
                }
                stop(value, answer);
                answer.end(End::Complete);
                answer.closed = true;
            }
            "content_block_stop" | "ping" => {}
            _ => return false,
        }
        true
    }
}

fn read_facts(message: &Value, answer: &mut Answer) {
    answer.set_model(message.get("model"));
    answer.set_usage(message.get("usage"), "input_tokens", "output_tokens");
}

/// A block, which in a stream starts empty. Thinking and tool results are no answer.
fn read_block(block: &Value, answer: &mut Answer) {
    match string(block, "type") {
        "text" => answer.push_text(string(block, "text")),
        kind => answer.has_tool_call |= kind.ends_with("tool_use"),
    }
}

/// Maps a stop reason. A good one does not end the reply yet: only `message_stop` does.
fn stop(from: &Value, answer: &mut Answer) {
    answer.set_finish_reason(from.get("stop_reason"));
    match string(from, "stop_reason") {
        "max_tokens" | "model_context_window_exceeded" => {
            answer.end(End::Partial(PartialReason::Length))
        }
        // The server paused a long turn and wants to be asked to go on.
        "pause_turn" => answer.end(End::Partial(PartialReason::Cut)),
        "refusal" => {
            let words = from
                .get("stop_details")
                .map_or("", |details| string(details, "explanation"));
            answer.set_refusal(if words.is_empty() {
                "The model declined to answer."
            } else {
                words
            });
        }
        "" | "end_turn" | "stop_sequence" | "tool_use" => {}
        _ => answer.warn(
            "The server gave an unknown stop reason; the answer is taken as whole.".to_owned(),
        ),
    }
}
