//! Google Gemini, `models.generateContent` and `models.streamGenerateContent`.
//!
//! Source: the Gemini API reference, "Generating content"; what servers make of it from public reports. Each
//! chunk of a stream has the form of a whole reply. Without `alt=sse` in the endpoint the chunks come as one
//! JSON array. There is no terminal marker: the reply is whole if the last candidate had the finish reason
//! `STOP`. Some models send it with every chunk, so reading goes on until the input ends, and of such a reply
//! a connection that ends cleanly between two chunks cannot be told from the end.

use serde::Serialize;

use super::answer::{Answer, End, Object, Reader};
use super::json::{Value, list, string};
use super::json_writer::whole_to_json;
use super::{Config, Input, PartialReason, Usage};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    system_instruction: Content<'a>,
    contents: [Content<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    generation_config: Option<GenerationConfig>,
}

#[derive(Serialize)]
struct Content<'a> {
    /// The system instruction has none.
    #[serde(skip_serializing_if = "str::is_empty")]
    role: &'static str,
    parts: [Part<'a>; 1],
}

#[derive(Serialize)]
struct Part<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig {
    max_output_tokens: u32,
}

/// The request's body. It names no model and says nothing of streaming: both are in the URL.
pub(super) fn body(config: &Config, input: &Input<'_>) -> String {
    let content = |role, text| Content {
        role,
        parts: [Part { text }],
    };
    let body = Body {
        system_instruction: content("", input.instructions),
        contents: [content("user", input.input)],
        generation_config: config
            .max_output_tokens
            .map(|max_output_tokens| GenerationConfig { max_output_tokens }),
    };
    whole_to_json(&body)
}

/// The headers besides `content-type`. The server takes the key in the URL as well, where logs would keep it.
pub(super) fn headers(config: &Config) -> Vec<(&'static str, String)> {
    match &config.key {
        Some(key) => vec![("x-goog-api-key", key.expose().to_owned())],
        None => Vec::new(),
    }
}

/// The URL to call. To an endpoint that is a model's path, `…/models/NAME`, the method is added that `stream`
/// asks for. Any other endpoint names its method or is a proxy, and stays as it is whatever `stream` says.
pub(super) fn url(config: &Config) -> String {
    let endpoint = config.endpoint.as_str();
    let (path, query) = endpoint.split_once('?').unwrap_or((endpoint, ""));
    let mut segments = path.rsplit('/');
    let is_name = segments
        .next()
        .is_some_and(|name| !name.is_empty() && !name.contains([':', '#']));
    if !is_name || !matches!(segments.next(), Some("models" | "tunedModels")) {
        return endpoint.to_owned();
    }
    let (method, framing) = if config.stream {
        (":streamGenerateContent", "alt=sse")
    } else {
        (":generateContent", "")
    };
    let mut url = [path, method].concat();
    let mut sign = '?';
    for parameters in [framing, query].iter().filter(|part| !part.is_empty()) {
        url.push(sign);
        url.push_str(parameters);
        sign = '&';
    }
    url
}

/// Reads chunks and whole replies, which have the same form.
pub(super) struct GeminiReader;

impl Reader for GeminiReader {
    fn read(&mut self, object: &Object<'_>, answer: &mut Answer) -> bool {
        let value = object.value;
        let fields = ["candidates", "promptFeedback", "usageMetadata"];
        if fields.iter().all(|field| value.get(field).is_none()) {
            return false;
        }
        answer.set_model(value.get("modelVersion"));
        if let Some(counts) = value.get("usageMetadata") {
            read_usage(counts, answer);
        }
        if let Some(feedback) = value.get("promptFeedback") {
            read_feedback(feedback, answer);
        }
        let first = |candidate: &&Value| {
            let index = candidate.get("index").and_then(Value::as_u64);
            index.unwrap_or(0) == 0
        };
        if let Some(candidate) = list(value, "candidates").iter().find(first) {
            read_candidate(candidate, answer);
        }
        true
    }
}

/// The counts grow from chunk to chunk. Hidden reasoning is counted apart from the text.
fn read_usage(counts: &Value, answer: &mut Answer) {
    let count = |name| counts.get(name).and_then(Value::as_u64);
    let known = answer.facts.usage.unwrap_or_default();
    let text = count("candidatesTokenCount").unwrap_or(0);
    let thoughts = count("thoughtsTokenCount").unwrap_or(0);
    if let Some(input) = count("promptTokenCount") {
        answer.facts.usage = Some(Usage {
            input,
            output: text.saturating_add(thoughts).max(known.output),
        });
    }
}

/// A prompt that was blocked has no candidates. Ratings of a prompt that was not are no matter.
fn read_feedback(feedback: &Value, answer: &mut Answer) {
    if matches!(
        string(feedback, "blockReason"),
        "" | "BLOCK_REASON_UNSPECIFIED"
    ) {
        return;
    }
    answer.set_finish_reason(feedback.get("blockReason"));
    let words = string(feedback, "blockReasonMessage");
    answer.set_refusal(if words.is_empty() {
        "The server blocked the prompt."
    } else {
        words
    });
    answer.end(End::Complete);
    answer.closed = true;
}

fn read_candidate(candidate: &Value, answer: &mut Answer) {
    let parts = candidate
        .get("content")
        .map_or(&[][..], |content| list(content, "parts"));
    let mut has_text = false;
    for part in parts {
        answer.has_tool_call |= part.get("functionCall").is_some();
        if part.get("thought").and_then(Value::as_bool) != Some(true) {
            let text = string(part, "text");
            has_text |= !text.is_empty();
            answer.push_text(text);
        }
    }
    match string(candidate, "finishReason") {
        // The last reason counts: after more text the one before it was not the last.
        "" | "FINISH_REASON_UNSPECIFIED" => {
            if has_text && matches!(answer.end, Some(End::Complete)) {
                answer.end = None;
            }
        }
        reason => {
            answer.set_finish_reason(candidate.get("finishReason"));
            end(reason, answer);
        }
    }
}

/// Maps a finish reason. `STOP` is the only good one in the vendor's list; what is new in it is no good one.
fn end(reason: &str, answer: &mut Answer) {
    let end = match reason {
        "STOP" => End::Complete,
        "MAX_TOKENS" => End::Partial(PartialReason::Length),
        "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => {
            End::Partial(PartialReason::ContentFilter)
        }
        // `MALFORMED_FUNCTION_CALL` and its kin: without text there is nothing to show a part of.
        _ if reason.ends_with("_CALL") && answer.raw().is_empty() => {
            answer.has_tool_call = true;
            End::Complete
        }
        _ => End::Partial(PartialReason::Cut),
    };
    answer.end(end);
}
