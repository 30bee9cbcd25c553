//! OpenAI Chat Completions.

use groundling::provider::{Code, PartialReason, Protocol, Usage};

use crate::replay::{Reply, sse, warnings};

const HELLO: &str = r#"{"id":"c","object":"chat.completion.chunk","model":"m-1","choices":[{"index":0,"delta":{"role":"assistant","content":"Open "},"finish_reason":null}]}"#;
const WORLD: &str = r#"{"id":"c","object":"chat.completion.chunk","model":"m-1","choices":[{"index":0,"delta":{"content":"порт 🚀 [1]."},"finish_reason":null}],"usage":null}"#;
const STOP: &str = r#"{"id":"c","object":"chat.completion.chunk","model":"m-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
const USAGE: &str = r#"{"id":"c","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":5,"total_tokens":17}}"#;
const TEXT: &str = "Open порт 🚀 [1].";

fn reply(body: impl Into<Vec<u8>>) -> Reply {
    Reply::new(Protocol::OpenAiChat, body)
}

fn content(text: &str) -> String {
    format!(r#"{{"choices":[{{"delta":{{"content":{text:?}}}}}]}}"#)
}

#[test]
fn an_ordinary_stream_is_complete_with_usage_and_model() {
    let facts = reply(sse(&[HELLO, WORLD, STOP, USAGE, "[DONE]"])).complete(TEXT);
    assert_eq!(
        facts.usage,
        Some(Usage {
            input: 12,
            output: 5
        })
    );
    assert_eq!(facts.model.as_deref(), Some("m-1"));
    assert_eq!(facts.finish_reason.as_deref(), Some("stop"));
}

#[test]
fn every_line_end_gives_the_same_stream() {
    let body = sse(&[HELLO, WORLD, STOP, USAGE, "[DONE]"]);
    for line_end in ["\r\n", "\r"] {
        reply(body.replace('\n', line_end)).complete(TEXT);
    }
}

#[test]
fn frames_as_the_html_standard_allows_them_are_read() {
    let (a, b) = WORLD.split_at(WORLD.find("\"model\"").unwrap());
    let body = format!(
        "\u{FEFF}: warming up\n\nretry: 10\nid: 1\ndata:{HELLO}\n\n:\nevent: chunk\n: ping\ndata: {a}\n: ping\ndata: {b}\n\n\
         data: : ping\n\ndata:\n\ndata: {STOP}\nid: 3\n\ndata:  [DONE] \n\n"
    );
    reply(body).complete(TEXT);
}

#[test]
fn the_last_event_needs_no_blank_line_and_no_line_end() {
    for end in ["data: [DONE]\n", "data: [DONE]", "data: [DONE]\r"] {
        reply(sse(&[HELLO, WORLD]) + end).complete(TEXT);
    }
    reply(sse(&[HELLO, WORLD]) + "data: " + STOP).complete(TEXT);
}

#[test]
fn either_end_marker_is_enough() {
    reply(sse(&[HELLO, WORLD, "[DONE]"])).complete(TEXT);
    reply(sse(&[HELLO, WORLD, STOP])).complete(TEXT);
}

#[test]
fn the_end_of_input_without_a_marker_is_a_cut() {
    reply(sse(&[HELLO, WORLD])).partial(PartialReason::Cut, TEXT);
    reply(sse(&[HELLO]) + "data: {\"choices\":[{\"del").partial(PartialReason::Cut, "Open ");
    reply(sse(&[HELLO]) + "data: [DON").partial(PartialReason::Cut, "Open ");
    reply(sse(&[r#"{"choices":[{"delta":{"role":"assistant"}}]}"#]))
        .partial(PartialReason::Cut, "");
}

#[test]
fn a_limit_or_a_filter_is_partial_even_if_a_milder_reason_follows() {
    let end = |reason: &str| {
        format!(r#"{{"choices":[{{"delta":{{"content":""}},"finish_reason":"{reason}"}}]}}"#)
    };
    let check = |reason: &str, expected| {
        let facts = reply(sse(&[HELLO, &end(reason), "[DONE]"])).partial(expected, "Open ");
        assert_eq!(facts.finish_reason.as_deref(), Some(reason));
        reply(sse(&[HELLO, &end(reason), STOP, "[DONE]"])).partial(expected, "Open ");
    };
    check("length", PartialReason::Length);
    check("model_length", PartialReason::Length);
    check("content_filter", PartialReason::ContentFilter);
    check("abort", PartialReason::Cut);
}

#[test]
fn a_limit_reached_before_any_text_is_partial() {
    let end = r#"{"choices":[{"delta":{"reasoning":"hm"},"finish_reason":"length"}]}"#;
    reply(sse(&[end, "[DONE]"])).partial(PartialReason::Length, "");
}

#[test]
fn an_unknown_finish_reason_is_a_warning() {
    let seen = reply(sse(&[
        HELLO,
        WORLD,
        &STOP.replace("stop", "sated"),
        "[DONE]",
    ]))
    .replay();
    assert_eq!((seen.text.as_str(), warnings(&seen)), (TEXT, 1));
}

#[test]
fn empty_and_missing_fields_are_skipped() {
    reply(sse(&[
        r#"{"choices":[],"created":0,"id":"","model":"","object":""}"#,
        r#"{"choices":null,"object":"chat.completion.chunk"}"#,
        r#"{"choices":[{"index":0,"finish_reason":null}]}"#,
        r#"{"choices":[{"index":0,"delta":null}]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":null,"refusal":null,"tool_calls":null}}]}"#,
        r#"{"choices":[null]}"#,
        r#"{"choices":[{"index":1,"delta":{"content":"another choice"}}]}"#,
        "null",
        "1",
        HELLO,
        WORLD,
        STOP,
        "[DONE]",
    ]))
    .complete(TEXT);
}

#[test]
fn usage_may_come_early_late_on_every_chunk_or_never() {
    let usage = |input, output| {
        format!(
            r#"{{"choices":[{{"delta":{{}}}}],"usage":{{"prompt_tokens":{input},"completion_tokens":{output}}}}}"#
        )
    };
    let facts = reply(sse(&[
        &usage(9, 0),
        HELLO,
        &usage(9, 2),
        WORLD,
        STOP,
        "[DONE]",
    ]))
    .complete(TEXT);
    assert_eq!(
        facts.usage,
        Some(Usage {
            input: 9,
            output: 2
        })
    );
    let facts = reply(sse(&[HELLO, WORLD, STOP, "[DONE]"])).complete(TEXT);
    assert_eq!(facts.usage, None);
}

#[test]
fn reasoning_never_reaches_the_answer() {
    let parts = r#"{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"99"}]},{"type":"text","text":""}]}}]}"#;
    reply(sse(&[
        r#"{"choices":[{"delta":{"reasoning_content":"99?"}}]}"#,
        r#"{"choices":[{"delta":{"reasoning":"99!","content":""}}]}"#,
        parts,
        &content("<th"),
        &content("ink>99 [2]</thi"),
        &content("nk>\n\n"),
        HELLO,
        WORLD,
        STOP,
        "[DONE]",
    ]))
    .complete(TEXT);
}

#[test]
fn a_reply_of_nothing_but_reasoning_is_no_answer() {
    reply(sse(&[&content("<think>99 [2]"), STOP, "[DONE]"]))
        .failed(Code::Protocol, "reasoning only");
    reply(sse(&[&content("<think>99 [2]")])).partial(PartialReason::Cut, "");
}

#[test]
fn text_that_looks_like_the_start_of_a_tag_is_released() {
    reply(sse(&[&content("<thi"), "[DONE]"])).complete("<thi");
    reply(sse(&[&content("Use "), &content("<think> here"), "[DONE]"]))
        .complete("Use <think> here");
}

#[test]
fn an_error_inside_the_stream_ends_it_whatever_its_shape() {
    let check = |data: &str, code, words: &str| {
        let seen = reply(sse(&[HELLO, data, WORLD, "[DONE]"])).replay();
        assert_eq!(seen.text, "Open ", "text before the error stays");
        let failure = reply(sse(&[HELLO, data, "[DONE]"])).failed(code, words);
        assert_eq!(failure.status, Some(200));
    };
    check(
        r#"{"error":"out of memory"}"#,
        Code::Server,
        "out of memory",
    );
    check(
        r#"{"error":{"message":"slow down","type":"requests","code":"rate_limit_exceeded"}}"#,
        Code::RateLimited,
        "slow",
    );
    check(
        r#"{"type":"error","code":"server_error","message":"oops","param":null}"#,
        Code::Server,
        "oops",
    );
    check(
        r#"{"type":"error","error":{"type":"overloaded_error","message":"busy"}}"#,
        Code::Overloaded,
        "busy",
    );
    check(
        r#"{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}"#,
        Code::Overloaded,
        "busy",
    );
    check(
        r#"{"choices":[{"delta":{"content":"x"},"finish_reason":"error"}],"error":{"code":502,"message":"gone"}}"#,
        Code::Server,
        "gone",
    );
    check(
        r#"{"choices":[{"delta":{},"finish_reason":"error"}]}"#,
        Code::Server,
        "finish reason",
    );
}

#[test]
fn an_error_without_json_or_without_a_frame_is_read() {
    let body = sse(&[HELLO]) + "event: error\ndata: upstream died\n\n";
    reply(body).failed(Code::Server, "upstream died");
    let body = sse(&[HELLO])
        + "{\n  \"error\": {\n    \"code\": 500,\n    \"message\": \"bare\"\n  }\n}\n";
    reply(body).failed(Code::Server, "bare");
}

#[test]
fn one_unreadable_event_is_skipped_with_a_warning() {
    let glued = format!("{HELLO}{HELLO}");
    let seen = reply(sse(&[&glued, HELLO, WORLD, STOP, "[DONE]"])).replay();
    assert_eq!((seen.text.as_str(), warnings(&seen)), (TEXT, 1));
    reply(sse(&[&glued, HELLO, WORLD, STOP, "[DONE]"])).complete(TEXT);
}

#[test]
fn an_unreadable_last_event_is_not_skipped() {
    let glued = format!("{WORLD}{WORLD}");
    reply(sse(&[HELLO, &glued])).partial(PartialReason::Cut, "Open ");
    reply(sse(&[HELLO, &glued, "[DONE]"])).failed(Code::Protocol, "could not be read");
}

#[test]
fn deep_nesting_is_one_unreadable_event() {
    let bomb = "{\"a\":".repeat(100_000) + &"}".repeat(100_000);
    let seen = reply(sse(&[&bomb, HELLO, WORLD, STOP, "[DONE]"])).feed(&[]);
    assert_eq!((seen.text.as_str(), warnings(&seen)), (TEXT, 1));
}

#[test]
fn a_tool_call_is_ignored_beside_text_and_an_error_alone() {
    let call = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#;
    reply(sse(&[HELLO, WORLD, call, "[DONE]"])).complete(TEXT);
    reply(sse(&[call, "[DONE]"])).failed(Code::Protocol, "tool");
}

#[test]
fn a_refusal_is_no_answer() {
    let refusal = |text: &str| format!(r#"{{"choices":[{{"delta":{{"refusal":"{text}"}}}}]}}"#);
    reply(sse(&[
        &refusal("I can't "),
        &refusal("help."),
        STOP,
        "[DONE]",
    ]))
    .refused("I can't help.");
}

#[test]
fn text_after_the_end_is_ignored() {
    reply(sse(&[
        HELLO,
        WORLD,
        STOP,
        "[DONE]",
        HELLO,
        r#"{"error":"late"}"#,
    ]))
    .complete(TEXT);
}

#[test]
fn a_finish_reason_with_every_chunk_does_not_end_the_text() {
    let early = HELLO.replace("\"finish_reason\":null", "\"finish_reason\":\"stop\"");
    let seen = reply(sse(&[&early, WORLD, STOP, "[DONE]"])).replay();
    assert_eq!(seen.text, TEXT);
    let cut = "data: {\"choices\":[{\"del";
    reply(sse(&[&early]) + cut).partial(PartialReason::Cut, "Open ");
}

#[test]
fn a_json_body_is_read_as_the_whole_reply() {
    let body = r#"{
        "id": "c", "object": "chat.completion", "model": "m-1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant",
            "reasoning_content": "99", "content": "<think>99</think>Open порт 🚀 [1]."}}],
        "usage": {"prompt_tokens": 12, "completion_tokens": 5}
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
    reply(body.replace("stop", "length")).partial(PartialReason::Length, TEXT);
    reply(&body[..body.len() - 90]).partial(PartialReason::Cut, "");
    reply(format!("data: {}\n\n", body.replace('\n', ""))).complete(TEXT);
}

#[test]
fn a_json_body_without_finish_reason_is_whole() {
    let body = r#"{"choices":[{"message":{"role":"assistant","content":"Open it [1]."}}]}"#;
    reply(body)
        .with_head(200, "application/json")
        .complete("Open it [1].");
}

#[test]
fn a_whole_message_beside_each_delta_is_not_added() {
    let both = |delta: &str, whole: &str| {
        format!(
            r#"{{"choices":[{{"delta":{{"content":"{delta}"}},"message":{{"content":"{whole}"}}}}]}}"#
        )
    };
    reply(sse(&[&both("a", "a"), &both("b", "ab"), STOP, "[DONE]"])).complete("ab");
}

#[test]
fn an_empty_answer_is_an_error() {
    reply("").failed(Code::Protocol, "empty answer");
    reply("\n\n").failed(Code::Protocol, "empty answer");
    reply(": ping\n\n: ping\n\n").failed(Code::Protocol, "empty answer");
    reply(sse(&["[DONE]"])).failed(Code::Protocol, "empty answer");
    reply(sse(&[STOP, "[DONE]"])).failed(Code::Protocol, "empty answer");
    reply(sse(&[&content(" \n"), STOP, "[DONE]"])).failed(Code::Protocol, "empty answer");
}

#[test]
fn a_reply_of_another_protocol_is_an_error() {
    let other = r#"{"type":"response.output_text.delta","delta":"x"}"#;
    reply(sse(&[other, "[DONE]"])).failed(Code::Protocol, "not of the protocol");
    reply(r#"{"answer":"hello"}"#).failed(Code::Protocol, "not of the protocol");
}
