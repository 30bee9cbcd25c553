//! OpenAI Responses.

use groundling::provider::{Code, Event, PartialReason, Protocol, Usage};

use crate::replay::{Reply, sse, warnings};

const CREATED: &str = r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","model":"m-1","output":[],"error":null,"usage":null}}"#;
const COMPLETED: &str = r#"{"type":"response.completed","response":{"id":"r","object":"response","status":"completed","model":"m-1","error":null,"output":[{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"99"}]},{"id":"i","type":"message","role":"assistant","content":[{"type":"output_text","text":"Open порт 🚀 [1].","annotations":[]}]}],"usage":{"input_tokens":12,"output_tokens":5,"total_tokens":17}}}"#;
const TEXT: &str = "Open порт 🚀 [1].";

fn reply(body: impl Into<Vec<u8>>) -> Reply {
    Reply::new(Protocol::OpenAiResponses, body)
}

fn delta(text: &str) -> String {
    format!(
        r#"{{"type":"response.output_text.delta","item_id":"i","output_index":1,"content_index":0,"delta":"{text}","logprobs":[],"obfuscation":"x7"}}"#
    )
}

fn done(text: &str) -> String {
    format!(
        r#"{{"type":"response.output_text.done","output_index":1,"content_index":0,"text":"{text}"}}"#
    )
}

/// A terminal event without output.
fn end(status: &str, more: &str) -> String {
    format!(
        r#"{{"type":"response.{status}","response":{{"status":"{status}","output":[]{more}}}}}"#
    )
}

#[test]
fn an_ordinary_stream_is_complete_and_its_text_is_taken_once() {
    let part = r#"{"type":"response.content_part.done","output_index":1,"content_index":0,"part":{"type":"output_text","text":"Open порт 🚀 [1]."}}"#;
    let item = r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"message","content":[{"type":"output_text","text":"Open порт 🚀 [1]."}]}}"#;
    let events = [
        CREATED,
        r#"{"type":"response.in_progress","response":{"status":"in_progress"}}"#,
        r#"{"type":"response.reasoning_text.delta","delta":"99?"}"#,
        r#"{"type":"response.reasoning_summary_text.delta","summary_index":0,"delta":"99!"}"#,
        r#"{"type":"response.output_item.added","output_index":1,"item":{"type":"message","content":[]}}"#,
        &delta("Open "),
        &delta("порт 🚀 [1]."),
        &done(TEXT),
        r#"{"type":"response.output_text.annotation.added","annotation":{"type":"url_citation"}}"#,
        part,
        item,
        COMPLETED,
    ];
    let facts = reply(sse(&events)).complete(TEXT);
    assert_eq!(
        facts.usage,
        Some(Usage {
            input: 12,
            output: 5
        })
    );
    assert_eq!(facts.model.as_deref(), Some("m-1"));
    assert_eq!(facts.finish_reason.as_deref(), Some("completed"));
}

#[test]
fn the_event_name_counts_where_the_type_is_missing() {
    let body = "event: response.output_text.delta\ndata: {\"delta\":\"Open it.\"}\n\n\
                event: response.completed\ndata: {\"response\":{\"status\":\"completed\"}}\n\n";
    reply(body).complete("Open it.");
    reply(body.replace('\n', "\r\n")).complete("Open it.");
}

#[test]
fn text_that_only_a_later_event_has_is_added() {
    let item = r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"message","content":[{"type":"output_text","text":"Open порт 🚀 [1]."}]}}"#;
    reply(sse(&[COMPLETED])).complete(TEXT);
    reply(sse(&[&delta("Open "), COMPLETED])).complete(TEXT);
    reply(sse(&[&delta("Open "), &done(TEXT), &end("completed", "")])).complete(TEXT);
    reply(sse(&[&delta("Open "), item, &end("completed", "")])).complete(TEXT);
    reply(sse(&[&delta(TEXT), &done("Open"), &end("completed", "")])).complete(TEXT);
}

#[test]
fn the_last_text_replaces_one_that_it_does_not_continue() {
    let seen = reply(sse(&[&delta("Close "), COMPLETED])).replay();
    assert_eq!(
        seen.events,
        [
            Event::Delta("Close ".to_owned()),
            Event::Replace(TEXT.to_owned())
        ]
    );
}

#[test]
fn parts_are_joined_in_the_order_of_their_indexes() {
    let part = |output: u8, content: u8, text: &str| {
        format!(
            r#"{{"type":"response.output_text.delta","output_index":{output},"content_index":{content},"delta":"{text}"}}"#
        )
    };
    let events = [
        &part(0, 0, "a"),
        &part(0, 1, "b"),
        &part(1, 0, "d"),
        &part(0, 1, "c"),
        &end("completed", ""),
    ];
    reply(sse(&events.map(String::as_str))).complete("abcd");
}

#[test]
fn the_end_of_input_without_a_terminal_event_is_a_cut() {
    reply(sse(&[CREATED, &delta("Open ")])).partial(PartialReason::Cut, "Open ");
    reply(sse(&[CREATED, &delta(TEXT), &done(TEXT)])).partial(PartialReason::Cut, TEXT);
    reply(sse(&[CREATED])).partial(PartialReason::Cut, "");
    reply(sse(&[CREATED, &delta("Open ")]) + "data: {\"type\":\"response.comp")
        .partial(PartialReason::Cut, "Open ");
}

#[test]
fn a_done_marker_is_accepted() {
    reply(sse(&[CREATED, &delta(TEXT), "[DONE]"])).complete(TEXT);
    reply(sse(&[CREATED, &delta(TEXT), COMPLETED, "[DONE]"])).complete(TEXT);
}

#[test]
fn an_incomplete_response_is_partial_with_its_reason() {
    let check = |reason: &str, expected| {
        let end = end(
            "incomplete",
            &format!(r#","incomplete_details":{{"reason":"{reason}"}}"#),
        );
        let facts = reply(sse(&[CREATED, &delta("Open "), &end])).partial(expected, "Open ");
        assert_eq!(facts.finish_reason.as_deref(), Some(reason));
    };
    check("max_output_tokens", PartialReason::Length);
    check("content_filter", PartialReason::ContentFilter);
    check("something_new", PartialReason::Cut);
    let no_text = end(
        "incomplete",
        r#","incomplete_details":{"reason":"max_output_tokens"}"#,
    );
    reply(sse(&[CREATED, &no_text])).partial(PartialReason::Length, "");
}

#[test]
fn the_worse_of_event_name_and_status_counts() {
    let event = |name: &str, status: &str| {
        format!(r#"{{"type":"response.{name}","response":{{"status":"{status}"}}}}"#)
    };
    for (name, status) in [
        ("completed", "incomplete"),
        ("incomplete", "completed"),
        ("done", "cancelled"),
    ] {
        reply(sse(&[&delta("Open "), &event(name, status)])).partial(PartialReason::Cut, "Open ");
    }
    reply(sse(&[&delta("Open "), &event("completed", "failed")])).failed(Code::Server, "no reason");
    reply(sse(&[&delta("Open "), &event("failed", "completed")])).failed(Code::Server, "no reason");
}

#[test]
fn a_failed_response_is_an_error_in_the_servers_words() {
    let check = |code: &str, expected| {
        let end = end(
            "failed",
            &format!(r#","error":{{"code":"{code}","message":"Told you."}}"#),
        );
        let failure = reply(sse(&[CREATED, &delta("Open "), &end])).failed(expected, "Told you.");
        assert_eq!(failure.provider_code.as_deref(), Some(code));
    };
    check("server_error", Code::Server);
    check("rate_limit_exceeded", Code::RateLimited);
    check("invalid_prompt", Code::BadRequest);
}

#[test]
fn both_shapes_of_the_error_event_are_read() {
    let flat = r#"{"type":"error","code":"server_error","message":"Told you.","param":null,"sequence_number":3}"#;
    let nested = r#"{"type":"error","error":{"type":"server_error","code":"insufficient_quota","message":"Told you.","param":null}}"#;
    let named = "event: error\ndata: {\"code\":\"server_error\",\"message\":\"Told you.\"}\n\n";
    reply(sse(&[CREATED, &delta("Open "), flat])).failed(Code::Server, "Told you.");
    reply(sse(&[CREATED, &delta("Open "), nested])).failed(Code::Quota, "Told you.");
    reply(sse(&[CREATED]) + named).failed(Code::Server, "Told you.");
}

#[test]
fn a_refusal_is_no_answer_although_the_response_is_completed() {
    let pieces = |text: &str| format!(r#"{{"type":"response.refusal.delta","delta":"{text}"}}"#);
    let whole = r#"{"type":"response.refusal.done","refusal":"I can't help."}"#;
    let last = r#"{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"I can't help."}]}]}}"#;
    reply(sse(&[&pieces("I can't "), &pieces("help."), whole, last])).refused("I can't help.");
    reply(sse(&[
        &pieces("I can't "),
        &pieces("help."),
        &end("completed", ""),
    ]))
    .refused("I can't help.");
    reply(sse(&[last])).refused("I can't help.");
    reply(sse(&[&pieces("I can't ")])).partial(PartialReason::Cut, "");
}

#[test]
fn unknown_events_and_items_are_ignored() {
    let call = r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","name":"f"}}"#;
    reply(sse(&[
        r#"{"type":"response.shiny.new","delta":"no"}"#,
        r#"{"type":"keepalive"}"#,
        &delta(TEXT),
        COMPLETED,
    ]))
    .complete(TEXT);
    reply(sse(&[call, &delta(TEXT), COMPLETED])).complete(TEXT);
    reply(sse(&[call, &end("completed", "")])).failed(Code::Protocol, "tool");
}

#[test]
fn a_leading_think_block_is_removed_from_the_last_text_too() {
    let last = COMPLETED.replace("Open порт", "<think>99 [2]</think>\\n\\nOpen порт");
    let seen = reply(sse(&[
        &delta("<think>99 [2]</th"),
        &delta("ink>\\n\\nOpen "),
        &last,
    ]))
    .replay();
    assert_eq!(seen.text, TEXT);
    assert_eq!(seen.events.len(), 2, "{:?}", seen.events);
}

#[test]
fn one_unreadable_event_is_skipped_with_a_warning() {
    let glued = delta("a") + &delta("b");
    let seen = reply(sse(&[CREATED, &glued, &delta("Open "), COMPLETED])).replay();
    assert_eq!((seen.text.as_str(), warnings(&seen)), (TEXT, 1));
    reply(sse(&[CREATED, &delta("Open "), &glued])).partial(PartialReason::Cut, "Open ");
}

#[test]
fn a_json_body_is_read_as_the_whole_reply() {
    let body = &COMPLETED[COMPLETED.find("{\"id\"").unwrap()..COMPLETED.len() - 1];
    for content_type in ["application/json; charset=utf-8", "text/event-stream", ""] {
        reply(body).with_head(200, content_type).complete(TEXT);
    }
    reply(body.replace("\"completed\"", "\"queued\"")).partial(PartialReason::Cut, TEXT);
    reply(body.replace(
        "\"error\":null",
        "\"error\":{\"code\":\"server_error\",\"message\":\"Told you.\"}",
    ))
    .failed(Code::Server, "Told you.");
    reply(&body[..body.len() - 1]).partial(PartialReason::Cut, "");
}

#[test]
fn an_empty_answer_is_an_error() {
    reply("").failed(Code::Protocol, "empty answer");
    reply(sse(&[CREATED, &end("completed", "")])).failed(Code::Protocol, "empty answer");
    reply(sse(&["[DONE]"])).failed(Code::Protocol, "empty answer");
}
