//! OpenAI Chat Completions, and what the many servers that speak it make of it.
//!
//! Source: the OpenAI API reference, "Chat Completions" and "Streaming"; behaviour of compatible servers from
//! public reports. The terminal marker is `[DONE]`; a finish reason followed by the end of input counts too.

use serde::Serialize;

use super::answer::{Answer, End, Object, Reader};
use super::json::{Value, list, string};
use super::json_writer::whole_to_json;
use super::request::Message;
use super::wire_error::WireError;
use super::{Config, Input, PartialReason, TokenField, endpoint};

#[derive(Serialize)]
struct Body<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    model: &'a str,
    messages: [Message<'a>; 2],
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

/// The request's body. It has neither `store` nor `metadata`: compatible servers refuse them.
pub(super) fn body(config: &Config, input: &Input<'_>) -> String {
    let field = config
        .token_field
        .unwrap_or_else(|| token_field(&config.endpoint));
    let cap = |wanted| {
        if field == wanted {
            config.max_output_tokens
        } else {
            None
        }
    };
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
        stream_options: if config.stream {
            Some(StreamOptions {
                include_usage: true,
            })
        } else {
            None
        },
        max_tokens: cap(TokenField::MaxTokens),
        max_completion_tokens: cap(TokenField::MaxCompletionTokens),
    };
    whole_to_json(&body)
}

/// The cap's name that the endpoint's host is known to want.
fn token_field(url: &str) -> TokenField {
    let host = endpoint::host_of(url);
    if host == "api.openai.com" || host.ends_with(".openai.azure.com") {
        TokenField::MaxCompletionTokens
    } else {
        TokenField::MaxTokens
    }
}

/// Reads chunks (`chat.completion.chunk`) and whole replies (`chat.completion`).
pub(super) struct ChatReader;

impl Reader for ChatReader {
    fn read(&mut self, object: &Object<'_>, answer: &mut Answer) -> bool {
        let value = object.value;
        let choices = value.get("choices");
        if choices.is_none() && !string(value, "object").starts_with("chat.completion") {
            return false;
        }
        answer.set_model(value.get("model"));
        answer.set_usage(value.get("usage"), "prompt_tokens", "completion_tokens");
        // The list can be empty or null: first events without text and the last one with usage are like that.
        let first = |choice: &&Value| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0;
        if let Some(choice) = list(value, "choices").iter().find(first) {
            read_choice(choice, object.streamed, answer);
        }
        true
    }
}

fn read_choice(choice: &Value, streamed: bool, answer: &mut Answer) {
    // Some servers repeat the whole text so far as `message` beside each `delta`.
    if let Some(delta) = choice.get("delta").filter(|delta| delta.is_object()) {
        each_text(delta.get("content"), &mut |text| answer.push_text(text));
        read_rest(delta, answer);
    } else if let Some(message) = choice.get("message").filter(|message| message.is_object()) {
        let mut whole = String::new();
        each_text(message.get("content"), &mut |text| whole.push_str(text));
        if !whole.is_empty() {
            answer.set_text(&whole);
        }
        read_rest(message, answer);
        // A JSON body is whole once it parses, whether or not the server names a finish reason.
        if !streamed {
            answer.end(End::Complete);
        }
    }
    answer.set_finish_reason(choice.get("finish_reason"));
    end(string(choice, "finish_reason"), answer);
}

/// Gives the answer's text in a `content`: a string, or a list of parts of which only text counts, because
/// the others are reasoning. Null and absent are common.
fn each_text(content: Option<&Value>, sink: &mut dyn FnMut(&str)) {
    match content {
        Some(Value::String(text)) => sink(text),
        Some(Value::Array(parts)) => {
            for part in parts.iter().filter(|part| string(part, "type") == "text") {
                sink(string(part, "text"));
            }
        }
        _ => {}
    }
}

/// Reads what a delta or message has besides text. `reasoning` and `reasoning_content` are left where they are.
fn read_rest(message: &Value, answer: &mut Answer) {
    answer.push_refusal(string(message, "refusal"));
    let has_calls = !list(message, "tool_calls").is_empty();
    answer.has_tool_call |= has_calls || message.get("function_call").is_some_and(Value::is_object);
}

/// Maps a finish reason. The end of the reply is not yet reached: usage may follow, and servers exist that
/// send a reason with every chunk.
fn end(reason: &str, answer: &mut Answer) {
    match reason {
        "" => {}
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" | "tool_calls"
        | "function_call" => {
            answer.end(End::Complete);
        }
        "length" | "max_tokens" | "max_output_tokens" | "model_length" | "MAX_TOKENS" => {
            answer.end(End::Partial(PartialReason::Length));
        }
        "content_filter" | "safety" | "SAFETY" => {
            answer.end(End::Partial(PartialReason::ContentFilter))
        }
        "abort" | "aborted" | "cancelled" | "insufficient_system_resource" => {
            answer.end(End::Partial(PartialReason::Cut));
        }
        "error" => answer.fail(WireError {
            message: "The server ended the reply with the finish reason \"error\".".to_owned(),
            ..WireError::default()
        }),
        _ => {
            if answer.end.is_none() {
                answer.warn(
                    "The server gave an unknown finish reason; the answer is taken as whole."
                        .to_owned(),
                );
            }
            answer.end(End::Complete);
        }
    }
}
