//! Error objects, in all the shapes in which servers send them.
//!
//! Five are known inside a stream that started with status 200:
//! 1. `{"error": "text"}` (Ollama);
//! 2. `{"error": {"message", "type", "param", "code"}}` (OpenAI and compatible servers);
//! 3. `{"type": "error", "code", "message", "param"}` (the published schema of OpenAI Responses);
//! 4. `{"type": "error", "error": {"type", "message"}}` (Anthropic, and Responses in practice);
//! 5. `{"error": {"code": 503, "message", "status": "UNAVAILABLE"}}` (Google).
//!
//! The body of a failed request can have a few more, which count as errors only there.

use super::json::Value;

/// What a server said about an error. Nothing is cleaned or cut yet.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct WireError {
    pub(super) message: String,
    /// The most specific name: a textual `code`, else `status` or `type`, else a number as text.
    pub(super) name: Option<String>,
    /// The `type`, where another name was more specific.
    pub(super) kind: Option<String>,
    /// An HTTP status given inside the object.
    pub(super) status: Option<u16>,
    pub(super) request_id: Option<String>,
}

impl WireError {
    /// The error that an event carries, if it carries one. `event_name` is the name that the SSE layer gave;
    /// it counts only where the object has no `type`.
    pub(super) fn of_event(event_name: &str, value: &Value) -> Option<WireError> {
        let kind = text(value, "type").unwrap_or(event_name);
        let mut error = match value.get("error") {
            Some(Value::String(message)) if !message.is_empty() => {
                WireError::from_words(message, value)
            }
            Some(error @ Value::Object(fields)) if !fields.is_empty() => {
                WireError::from_object(error)
            }
            // vLLM marks a flat error by `object`.
            _ if kind == "error" || text(value, "object") == Some("error") => {
                WireError::from_object(value)
            }
            _ => return None,
        };
        error.request_id = text(value, "request_id").map(str::to_owned);
        Some(error)
    }

    /// The error that the JSON body of a failed request tells: an error as in a stream, or one of the shapes
    /// of web frameworks (`message`, `detail`, `errors`).
    pub(super) fn of_body(value: &Value) -> Option<WireError> {
        if let Some(error) = WireError::of_event("", value) {
            return Some(error);
        }
        let nested = value
            .get("errors")
            .or_else(|| value.get("detail"))
            .and_then(|list| list.as_array()?.first());
        let error = WireError::from_object(nested.unwrap_or(value));
        if error.message.is_empty() {
            None
        } else {
            Some(error)
        }
    }

    /// `{"error": "text"}`, where a framework may put the longer words beside it as `message`.
    fn from_words(words: &str, beside: &Value) -> WireError {
        match text(beside, "message") {
            Some(message) => WireError {
                message: message.to_owned(),
                name: Some(words.to_owned()),
                ..WireError::default()
            },
            None => WireError {
                message: words.to_owned(),
                ..WireError::default()
            },
        }
    }

    fn from_object(object: &Value) -> WireError {
        let message = ["message", "errorText", "detail", "msg", "error"]
            .iter()
            .find_map(|key| text(object, key));
        let number = object.get("code").and_then(Value::as_u64);
        let kind = text(object, "status")
            .or_else(|| text(object, "type"))
            .filter(|kind| *kind != "error");
        let number_name = || number.map(|number| number.to_string());
        let name = text(object, "code")
            .or(kind)
            .map(str::to_owned)
            .or_else(number_name);
        WireError {
            message: message.unwrap_or_default().to_owned(),
            name,
            kind: kind.map(str::to_owned),
            status: number
                .and_then(|number| u16::try_from(number).ok())
                .filter(|status| (400..600).contains(status)),
            request_id: None,
        }
    }
}

fn text<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    object
        .get(key)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, message: &str, name: Option<&str>) {
        let value = Value::parse(json).unwrap();
        let error = WireError::of_event("", &value).expect("an error");
        assert_eq!(
            (error.message.as_str(), error.name.as_deref()),
            (message, name),
            "{json}"
        );
    }

    #[track_caller]
    fn check_none(json: &str) {
        assert_eq!(
            WireError::of_event("", &Value::parse(json).unwrap()),
            None,
            "{json}"
        );
    }

    #[test]
    fn all_five_shapes_are_read() {
        check(r#"{"error":"model is gone"}"#, "model is gone", None);
        check(
            r#"{"error":{"message":"slow","type":"requests","param":null,"code":"slow_down"}}"#,
            "slow",
            Some("slow_down"),
        );
        check(
            r#"{"type":"error","code":"server_error","message":"oops","param":null}"#,
            "oops",
            Some("server_error"),
        );
        check(
            r#"{"type":"error","error":{"type":"overloaded_error","message":"busy"}}"#,
            "busy",
            Some("overloaded_error"),
        );
        check(
            r#"{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}"#,
            "busy",
            Some("UNAVAILABLE"),
        );
    }

    #[test]
    fn an_error_beside_content_is_still_an_error() {
        check(
            r#"{"choices":[{"delta":{"content":"x"}}],"error":{"code":502,"message":"gone"}}"#,
            "gone",
            Some("502"),
        );
    }

    #[test]
    fn absent_and_empty_errors_are_none() {
        check_none(r#"{"error":null,"type":"response"}"#);
        check_none(r#"{"error":{}}"#);
        check_none(r#"{"error":""}"#);
        check_none(r#"{"message":"hello"}"#);
        check_none("[1]");
    }

    #[test]
    fn the_event_name_counts_only_without_a_type() {
        let value = Value::parse(r#"{"message":"x"}"#).unwrap();
        assert!(WireError::of_event("error", &value).is_some());
        let value = Value::parse(r#"{"type":"ping","message":"x"}"#).unwrap();
        assert!(WireError::of_event("error", &value).is_none());
    }

    #[test]
    fn the_body_of_a_failed_request_has_more_shapes() {
        #[track_caller]
        fn check(json: &str, expected: Option<&str>) {
            let error = WireError::of_body(&Value::parse(json).unwrap());
            assert_eq!(
                error.map(|error| error.message).as_deref(),
                expected,
                "{json}"
            );
        }
        check(r#"{"message":"no"}"#, Some("no"));
        check(r#"{"detail":"no"}"#, Some("no"));
        check(
            r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#,
            Some("field required"),
        );
        check(r#"{"errors":[{"message":"no"}]}"#, Some("no"));
        check(
            r#"{"statusCode":400,"error":"Bad Request","message":"model is required"}"#,
            Some("model is required"),
        );
        check(r#"{"ok":false}"#, None);
    }
}
