//! The UI message stream of the AI SDK, which its server routes and many proxies speak.
//!
//! Source: the AI SDK's documentation, "Stream Protocols" and "Transport", and its published schema of stream
//! parts. Each event is one part of a message, told by its `type`. The terminal markers are `finish` and
//! `[DONE]`. The stream has neither token counts nor the model's name, and there is no form without a stream.

use serde::Serialize;

use super::answer::{Answer, End, Object, Reader};
use super::json::{Value, string};
use super::json_writer::whole_to_json;
use super::wire_error::WireError;
use super::{Input, PartialReason};

/// As `DefaultChatTransport` sends it, but for the chat's `id`: a server that stores chats under it would
/// join those of all readers, since there is only one that could be sent.
#[derive(Serialize)]
struct Body<'a> {
    messages: [UiMessage<'a>; 1],
    trigger: &'static str,
}

#[derive(Serialize)]
struct UiMessage<'a> {
    /// Servers that validate messages want one. It need be unique within the request only.
    id: &'static str,
    role: &'static str,
    parts: [Part<'a>; 2],
}

#[derive(Serialize)]
struct Part<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
}

/// The request's body. The instructions are the user message's first part and no message of the role
/// `system`: the SDK's newer versions refuse that role from a page unless the server allows it. Model and cap
/// are the server's to choose.
pub(super) fn body(input: &Input<'_>) -> String {
    let part = |text| Part { kind: "text", text };
    let body = Body {
        messages: [UiMessage {
            id: "question",
            role: "user",
            parts: [part(input.instructions), part(input.input)],
        }],
        trigger: "submit-message",
    };
    whole_to_json(&body)
}

/// Reads the parts of a stream.
#[derive(Default)]
pub(super) struct UiMessageReader {
    /// Length in bytes of the text before the step that is open.
    step_start: usize,
}

impl Reader for UiMessageReader {
    fn read(&mut self, object: &Object<'_>, answer: &mut Answer) -> bool {
        let value = object.value;
        match object.kind {
            "text-delta" => answer.push_text(string(value, "delta")),
            "start-step" => self.step_start = answer.raw().len(),
            // The server makes the step anew, because the model failed in it.
            "reset-step" => {
                if let Some(kept) = answer.raw().get(..self.step_start).map(str::to_owned) {
                    answer.set_text(&kept);
                }
            }
            "finish" => {
                answer.set_finish_reason(value.get("finishReason"));
                finish(string(value, "finishReason"), answer);
                answer.closed = true;
            }
            // It was the server that aborted: a timeout of its own, or what it asked went away.
            "abort" => {
                answer.set_finish_reason(Some(&Value::String("abort".to_owned())));
                answer.end(End::Partial(PartialReason::Cut));
                answer.closed = true;
            }
            "start" | "text-start" | "text-end" | "finish-step" | "message-metadata" | "file" => {}
            kind if kind.starts_with("tool-") => answer.has_tool_call = true,
            kind => {
                let others = ["reasoning-", "source-", "data-"];
                return others.iter().any(|start| kind.starts_with(start));
            }
        }
        true
    }
}

/// Maps a finish reason. Older servers send none.
fn finish(reason: &str, answer: &mut Answer) {
    match reason {
        "" | "stop" | "tool-calls" => answer.end(End::Complete),
        "length" => answer.end(End::Partial(PartialReason::Length)),
        "content-filter" => answer.end(End::Partial(PartialReason::ContentFilter)),
        "error" => answer.fail(WireError {
            message: "The server ended the message with the finish reason \"error\".".to_owned(),
            ..WireError::default()
        }),
        // `other`, in older versions `unknown`: also where the model's own stream broke off before a reason.
        _ => answer.end(End::Partial(PartialReason::Cut)),
    }
}
