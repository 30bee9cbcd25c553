//! Anthropic Messages.

use groundling::provider::{Code, PartialReason, Protocol, Usage};

use crate::replay::{Reply, warnings};

const START: &str = r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m-1","content":[],"stop_reason":null,"usage":{"input_tokens":12,"output_tokens":1}}}"#;
const STOP: &str = r#"{"type":"message_stop"}"#;
const TEXT: &str = "Open порт 🚀 [1].";

fn reply(events: &[&str]) -> Reply {
    let mut body = String::new();
    for event in events {
        let kind = event.split('"').nth(3).unwrap();
        body += &format!("event: {kind}\ndata: {event}\n\n");
    }
    Reply::new(Protocol::Anthropic, body)
}

fn delta(index: u8, text: &str) -> String {
    format!(
        r#"{{"type":"content_block_delta","index":{index},"delta":{{"type":"text_delta","text":"{text}"}}}}"#
    )
}

fn end(reason: &str) -> String {
    format!(
        r#"{{"type":"message_delta","delta":{{"stop_reason":"{reason}","stop_sequence":null}},"usage":{{"input_tokens":null,"output_tokens":5}}}}"#
    )
}

#[test]
fn an_ordinary_stream_is_complete_with_usage_and_model() {
    let events = [
        START,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"99?"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"x"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"ping"}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
        &delta(1, "Open "),
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"citations_delta","citation":{"cited_text":"no"}}}"#,
        &delta(1, "порт 🚀 [1]."),
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"shiny_new"}"#,
        &end("end_turn"),
        STOP,
    ];
    let facts = reply(&events).complete(TEXT);
    assert_eq!(
        facts.usage,
        Some(Usage {
            input: 12,
            output: 5
        })
    );
    assert_eq!(facts.model.as_deref(), Some("m-1"));
    assert_eq!(facts.finish_reason.as_deref(), Some("end_turn"));
    let mut with_cr = reply(&events);
    with_cr.body = String::from_utf8(with_cr.body)
        .unwrap()
        .replace('\n', "\r\n")
        .into_bytes();
    with_cr.complete(TEXT);
}

#[test]
fn a_stream_without_message_stop_is_a_cut() {
    reply(&[START]).partial(PartialReason::Cut, "");
    reply(&[START, &delta(0, "Open ")]).partial(PartialReason::Cut, "Open ");
    reply(&[START, &delta(0, TEXT), &end("end_turn")]).partial(PartialReason::Cut, TEXT);
}

#[test]
fn stop_reasons_are_mapped() {
    let check = |reason: &str, expected| {
        let facts =
            reply(&[START, &delta(0, "Open "), &end(reason), STOP]).partial(expected, "Open ");
        assert_eq!(facts.finish_reason.as_deref(), Some(reason));
    };
    check("max_tokens", PartialReason::Length);
    check("model_context_window_exceeded", PartialReason::Length);
    check("pause_turn", PartialReason::Cut);
    reply(&[START, &delta(0, TEXT), &end("stop_sequence"), STOP]).complete(TEXT);
    let seen = reply(&[START, &delta(0, TEXT), &end("sated"), STOP]).replay();
    assert_eq!((seen.text.as_str(), warnings(&seen)), (TEXT, 1));
}

#[test]
fn a_refusal_is_no_answer() {
    reply(&[START, &end("refusal"), STOP]).refused("The model declined to answer.");
    let told = r#"{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"explanation":"Not this."}}}"#;
    reply(&[START, &delta(0, "Open "), told, STOP]).refused("Not this.");
}

#[test]
fn an_error_inside_the_stream_is_an_error() {
    let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}"#;
    let failure = reply(&[START, &delta(0, "Open "), error]).failed(Code::Overloaded, "Overloaded");
    assert_eq!(failure.request_id.as_deref(), Some("req_1"));
    let failed = Reply::new(Protocol::Anthropic, error).with_head(529, "application/json");
    failed.failed(Code::Overloaded, "Overloaded");
}

#[test]
fn a_tool_call_alone_and_an_empty_message_are_errors() {
    let call = r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"f","input":{}}}"#;
    reply(&[START, call, &end("tool_use"), STOP]).failed(Code::Protocol, "tool");
    reply(&[START, call, &delta(1, TEXT), &end("tool_use"), STOP]).complete(TEXT);
    reply(&[START, &end("end_turn"), STOP]).failed(Code::Protocol, "empty answer");
}

#[test]
fn a_json_body_is_read_as_the_whole_reply() {
    let body = r#"{"id":"m","type":"message","role":"assistant","model":"m-1","content":[{"type":"thinking","thinking":"99"},{"type":"text","text":"Open "},{"type":"text","text":"порт 🚀 [1]."}],"stop_reason":"end_turn","usage":{"input_tokens":12,"output_tokens":5}}"#;
    let facts = Reply::new(Protocol::Anthropic, body)
        .with_head(200, "application/json")
        .complete(TEXT);
    assert_eq!(
        facts.usage,
        Some(Usage {
            input: 12,
            output: 5
        })
    );
    Reply::new(Protocol::Anthropic, body.replace("end_turn", "max_tokens"))
        .partial(PartialReason::Length, TEXT);
}
