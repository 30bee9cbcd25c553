//! Google Gemini.

use groundling::provider::{Code, Outcome, PartialReason, Protocol, Usage};

use crate::replay::{Reply, sse, warnings};

const HELLO: &str = r#"{"candidates":[{"content":{"parts":[{"text":"Open "}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":12,"totalTokenCount":12},"modelVersion":"m-1","responseId":"r"}"#;
const WORLD: &str = r#"{"candidates":[{"content":{"parts":[{"text":"порт 🚀 [1]."}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":4,"totalTokenCount":16}}"#;
const STOP: &str = r#"{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":5,"thoughtsTokenCount":30,"totalTokenCount":47}}"#;
const TEXT: &str = "Open порт 🚀 [1].";

fn reply(body: impl Into<Vec<u8>>) -> Reply {
    Reply::new(Protocol::Gemini, body)
}

/// The chunks as they come without `alt=sse`: one array, indented, with commas on lines of their own.
fn array(chunks: &[&str]) -> String {
    let chunks = chunks.join("\n,\r\n").replace(",\"", ",\n  \"");
    format!("[{chunks}\n]\n")
}

/// A chunk without text.
fn end(reason: &str) -> String {
    format!(r#"{{"candidates":[{{"finishReason":"{reason}"}}]}}"#)
}

fn chunk(text: &str, reason: &str) -> String {
    format!(
        r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{text}"}}]}},"finishReason":"{reason}"}}]}}"#
    )
}

#[test]
fn an_ordinary_stream_is_complete_with_usage_and_model() {
    let facts = reply(sse(&[HELLO, WORLD, STOP])).complete(TEXT);
    assert_eq!(
        facts.usage,
        Some(Usage {
            input: 12,
            output: 35
        }),
        "hidden reasoning counts as output"
    );
    assert_eq!(facts.model.as_deref(), Some("m-1"));
    assert_eq!(facts.finish_reason.as_deref(), Some("STOP"));
}

#[test]
fn line_ends_comments_and_content_types_do_not_matter() {
    let body = sse(&[HELLO, WORLD, STOP]);
    let (a, b) = WORLD.split_at(WORLD.find("\"usageMetadata\"").unwrap());
    for body in [
        body.replace('\n', "\r\n"),
        body.replace('\n', "\r"),
        body.trim_end().to_owned(),
        format!(
            "\u{FEFF}: warming up\n\nretry: 10\nid: 1\ndata:{HELLO}\n\n:\nevent: chunk\n: ping\ndata: {a}\n: ping\ndata: {b}\n\n\
             data: : ping\n\ndata:\n\ndata: {STOP}\nid: 3\n\n"
        ),
        body + "data: [DONE]\n\n",
    ] {
        for content_type in ["text/event-stream", "text/plain", "application/json", ""] {
            reply(body.as_str())
                .with_head(200, content_type)
                .complete(TEXT);
        }
    }
}

#[test]
fn an_array_of_chunks_is_read_where_no_events_were_asked_for() {
    for body in [
        array(&[HELLO, WORLD, STOP]),
        format!("[{HELLO},{WORLD},{STOP}]"),
        [HELLO, WORLD, STOP].join("\n"),
    ] {
        for content_type in ["application/json; charset=UTF-8", "text/event-stream", ""] {
            reply(body.as_str())
                .with_head(200, content_type)
                .complete(TEXT);
        }
    }
    reply(array(&[HELLO, WORLD])).partial(PartialReason::Cut, TEXT);
}

#[test]
fn a_json_body_is_read_as_the_whole_reply() {
    let body = r#"{
        "candidates": [{
            "content": {"role": "model", "parts": [
                {"text": "99?", "thought": true},
                {"text": "Open "},
                {"text": "порт 🚀 [1].", "thoughtSignature": "x"}
            ]},
            "finishReason": "STOP",
            "index": 0
        }],
        "usageMetadata": {"promptTokenCount": 12, "candidatesTokenCount": 5},
        "modelVersion": "m-1"
    }"#;
    for content_type in ["application/json", "text/event-stream", "text/plain", ""] {
        let facts = reply(body).with_head(200, content_type).complete(TEXT);
        assert_eq!(
            facts.usage,
            Some(Usage {
                input: 12,
                output: 5
            })
        );
    }
    reply(format!("{body}\n\ndata: [DONE]\n\n")).complete(TEXT);
    reply(body.replace("STOP", "MAX_TOKENS")).partial(PartialReason::Length, TEXT);
    reply(body.replace("\"finishReason\": \"STOP\",", "")).partial(PartialReason::Cut, TEXT);
    reply(&body[..body.len() - 90]).partial(PartialReason::Cut, "");
}

#[test]
fn thoughts_and_other_candidates_are_no_answer() {
    let events = [
        r#"{"candidates":[{"content":{"parts":[{"text":"99?","thought":true}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"No.","thought":false}]},"index":1},{"content":{"parts":[{"text":"Open ","thought":false},{"text":"99!","thought":true}]}}]}"#,
        WORLD,
        r#"{"candidates":[{"finishReason":"MAX_TOKENS","index":1}]}"#,
        STOP,
    ];
    reply(sse(&events)).complete(TEXT);
    reply(sse(&[&chunk("<think>99</think>Open it.", "STOP")])).complete("Open it.");
}

#[test]
fn missing_and_null_fields_are_skipped() {
    let events = [
        HELLO,
        r#"{"candidates":[]}"#,
        r#"{"candidates":null,"usageMetadata":null}"#,
        r#"{"candidates":[{}]}"#,
        r#"{"candidates":[{"content":null}]}"#,
        r#"{"candidates":[{"content":{"role":"model"}}]}"#,
        r#"{"candidates":[{"content":{"parts":null},"finishReason":null}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":null},{"inlineData":{}}]},"finishReason":"FINISH_REASON_UNSPECIFIED"}]}"#,
        r#"{"promptFeedback":{"safetyRatings":[]}}"#,
        r#"{"promptFeedback":{"blockReason":"BLOCK_REASON_UNSPECIFIED"}}"#,
        r#"{"shinyNew":1}"#,
        WORLD,
        STOP,
    ];
    reply(sse(&events)).complete(TEXT);
    let bare = events.map(|event| event.replace("usageMetadata", "u"));
    let facts = reply(sse(&bare.each_ref().map(String::as_str))).complete(TEXT);
    assert_eq!(facts.usage, None);
}

#[test]
fn the_end_of_input_without_a_finish_reason_is_a_cut() {
    reply(sse(&[HELLO])).partial(PartialReason::Cut, "Open ");
    reply(sse(&[HELLO, WORLD])).partial(PartialReason::Cut, TEXT);
    reply(sse(&[HELLO]) + "data: {\"candidates\":[{\"con").partial(PartialReason::Cut, "Open ");
    reply("[{\"candidates\":[{\"con").partial(PartialReason::Cut, "");
}

#[test]
fn a_finish_reason_with_every_chunk_does_not_end_the_text() {
    let chunks = [
        &chunk("Open ", "STOP"),
        &chunk("порт 🚀 [1].", "STOP"),
        &end("STOP"),
    ];
    let seen = reply(sse(&chunks.map(String::as_str))).replay();
    assert_eq!(seen.text, TEXT);
    assert!(matches!(seen.outcome, Outcome::Complete(_)), "{seen:?}");
    let limited = [&chunk("Open ", "STOP"), &chunk("it", "MAX_TOKENS")];
    reply(sse(&limited.map(String::as_str))).partial(PartialReason::Length, "Open it");
}

#[test]
fn a_finish_reason_before_more_text_is_not_the_last() {
    let early = chunk("Open ", "STOP");
    reply(sse(&[&early, WORLD])).partial(PartialReason::Cut, TEXT);
    reply(sse(&[&early]) + "data: {\"candidates\":[{\"con").partial(PartialReason::Cut, "Open ");
    reply(sse(&[&early, &format!("{WORLD}{WORLD}")])).partial(PartialReason::Cut, "Open ");
    reply(format!("[{early},{{\"candidates\":[{{\"con")).partial(PartialReason::Cut, "Open ");
    let seen = reply(sse(&[&early, WORLD, STOP])).replay();
    assert!(matches!(seen.outcome, Outcome::Complete(_)), "{seen:?}");
    // The counts may follow the last candidate.
    let counts = r#"{"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":5}}"#;
    reply(sse(&[HELLO, WORLD, &end("STOP"), counts])).complete(TEXT);
}

#[test]
fn finish_reasons_are_mapped_and_only_one_of_them_is_good() {
    let check = |reason: &str, expected| {
        let facts = reply(sse(&[HELLO, &end(reason)])).partial(expected, "Open ");
        assert_eq!(facts.finish_reason.as_deref(), Some(reason));
    };
    check("MAX_TOKENS", PartialReason::Length);
    for reason in [
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
    ] {
        check(reason, PartialReason::ContentFilter);
    }
    check("OTHER", PartialReason::Cut);
    check("MALFORMED_FUNCTION_CALL", PartialReason::Cut);
    check("SHINY_NEW", PartialReason::Cut);
    reply(sse(&[&end("SAFETY")])).partial(PartialReason::ContentFilter, "");
    reply(sse(&[&end("MAX_TOKENS")])).partial(PartialReason::Length, "");
}

#[test]
fn a_blocked_prompt_is_a_refusal() {
    let blocked = r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT","safetyRatings":[]},"usageMetadata":{"promptTokenCount":12},"modelVersion":"m-1"}"#;
    let words = "The server blocked the prompt.";
    reply(sse(&[blocked])).refused(words);
    reply(blocked)
        .with_head(200, "application/json")
        .refused(words);
    reply(array(&[blocked]))
        .with_head(200, "application/json")
        .refused(words);
    let told = r#"{"promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"Not this."}}"#;
    reply(sse(&[told, HELLO, STOP])).refused("Not this.");
}

#[test]
fn an_error_inside_the_stream_is_an_error_and_keeps_the_text() {
    let error = r#"{
  "error": {
    "code": 503,
    "message": "The model is overloaded.",
    "status": "UNAVAILABLE",
    "details": [{"@type": "x"}]
  }
}"#;
    let one_line = error.replace('\n', " ");
    for body in [
        // As it is, without `data:`.
        sse(&[HELLO]) + error,
        sse(&[HELLO]) + error + "\n\n",
        sse(&[HELLO]) + &one_line,
        sse(&[HELLO, &one_line, WORLD, STOP]),
        array(&[HELLO, error]),
    ] {
        let broken = reply(body);
        assert_eq!(broken.replay().text, "Open ");
        let failure = broken.failed(Code::Overloaded, "The model is overloaded.");
        assert_eq!(failure.provider_code.as_deref(), Some("UNAVAILABLE"));
    }
    reply(sse(&[
        HELLO,
        r#"{"candidates":[{"finishReason":"STOP"}],"error":{"code":500,"message":"Oops"}}"#,
    ]))
    .failed(Code::Server, "Oops");
}

#[test]
fn the_error_bodies_of_failed_requests_are_read() {
    #[track_caller]
    fn check(status: u16, name: &str, message: &str, code: Code) {
        let error =
            format!(r#"{{"error":{{"code":{status},"message":"{message}","status":"{name}"}}}}"#);
        for body in [format!("[{error}\n]"), error] {
            reply(body)
                .with_head(status, "application/json; charset=UTF-8")
                .failed(code, message);
        }
    }
    check(
        400,
        "INVALID_ARGUMENT",
        "API key not valid. Please pass a valid API key.",
        Code::Auth,
    );
    check(400, "INVALID_ARGUMENT", "Unknown name x", Code::BadRequest);
    check(
        403,
        "PERMISSION_DENIED",
        "Requests from referer x are blocked.",
        Code::Auth,
    );
    check(
        404,
        "NOT_FOUND",
        "models/x is not found for API version v1beta",
        Code::ModelNotFound,
    );
    check(429, "RESOURCE_EXHAUSTED", "Slow", Code::RateLimited);
    check(500, "INTERNAL", "Oops", Code::Server);
    check(503, "UNAVAILABLE", "Busy", Code::Overloaded);
    check(504, "DEADLINE_EXCEEDED", "Late", Code::Timeout);
}

#[test]
fn an_unreadable_event_is_skipped_with_a_warning_unless_it_was_the_last() {
    let glued = format!("{WORLD}{WORLD}");
    let seen = reply(sse(&[&glued, HELLO, WORLD, STOP])).replay();
    assert_eq!((seen.text.as_str(), warnings(&seen)), (TEXT, 1));
    reply(sse(&[HELLO, &glued])).partial(PartialReason::Cut, "Open ");
}

#[test]
fn a_tool_call_alone_and_an_empty_reply_are_errors() {
    let call =
        r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}}}]}}]}"#;
    reply(sse(&[call, STOP])).failed(Code::Protocol, "tool");
    reply(sse(&[&end("UNEXPECTED_TOOL_CALL")])).failed(Code::Protocol, "tool");
    reply(sse(&[HELLO, WORLD, call, STOP])).complete(TEXT);
    reply(sse(&[STOP])).failed(Code::Protocol, "empty answer");
    reply("").failed(Code::Protocol, "empty answer");
    reply(sse(&[r#"{"choices":[{"delta":{"content":"x"}}]}"#]))
        .failed(Code::Protocol, "not of the protocol");
}
