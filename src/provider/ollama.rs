//! Ollama's own protocol, `POST …/api/chat`.
//!
//! Source: Ollama's API documentation and server source. One JSON object a line; the terminal marker is
//! `"done": true`. Reasoning comes in `message.thinking`. An error after the start is a line
//! `{"error": "text"}` under status 200, which the decoder reads before this file sees it.

use serde::Serialize;

use super::answer::{Answer, End, Object, Reader};
use super::json::{Value, list, string};
use super::json_writer::whole_to_json;
use super::request::Message;
use super::{Config, Input, PartialReason};

#[derive(Serialize)]
struct Body<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    model: &'a str,
    messages: [Message<'a>; 2],
    /// Always sent, because the server streams where it is missing.
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<Options>,
}

#[derive(Serialize)]
struct Options {
    #[serde(skip_serializing_if = "Option::is_none")]
    num_predict: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_ctx: Option<u32>,
}

/// The request's body.
pub(super) fn body(config: &Config, input: &Input<'_>) -> String {
    let options = Options {
        num_predict: config.max_output_tokens,
        num_ctx: config.context_tokens,
    };
    let is_set = options.num_predict.is_some() || options.num_ctx.is_some();
    let body = Body {
        model: &config.model,
        messages: [
            Message {
                role: "system",
                content: input.instructions,
            },
            Message {
                role: "user",
                content: input.input,
            },
        ],
        stream: config.stream,
        options: if is_set { Some(options) } else { None },
    };
    whole_to_json(&body)
}

/// Reads the lines of a stream; a whole reply is one such line.
pub(super) struct OllamaReader;

impl Reader for OllamaReader {
    fn read(&mut self, object: &Object<'_>, answer: &mut Answer) -> bool {
        let value = object.value;
        let message = value.get("message").filter(|message| message.is_object());
        let done = value.get("done").and_then(Value::as_bool);
        if message.is_none() && done.is_none() {
            return false;
        }
        answer.set_model(value.get("model"));
        // Counts of zero are left out.
        answer.set_usage(Some(value), "prompt_eval_count", "eval_count");
        if let Some(message) = message {
            answer.push_text(string(message, "content"));
            answer.has_tool_call |= !list(message, "tool_calls").is_empty();
        }
        if done == Some(true) {
            answer.set_finish_reason(value.get("done_reason"));
            answer.end(match string(value, "done_reason") {
                "length" => End::Partial(PartialReason::Length),
                _ => End::Complete,
            });
            answer.closed = true;
        }
        true
    }
}
