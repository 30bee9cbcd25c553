//! The AI SDK's UI message stream.

use groundling::provider::{Code, Event, Outcome, PartialReason, Protocol};

use crate::replay::{Reply, sse, warnings};

const START: &str = r#"{"type":"start","messageId":"m"}"#;
const STEP: &str = r#"{"type":"start-step"}"#;
const FINISH: &str = r#"{"type":"finish","finishReason":"stop"}"#;
const TEXT: &str = "Open порт 🚀 [1].";

fn reply(body: impl Into<Vec<u8>>) -> Reply {
    Reply::new(Protocol::UiMessageStream, body)
}

fn delta(text: &str) -> String {
    format!(r#"{{"type":"text-delta","id":"0","delta":"{text}"}}"#)
}

fn finish(reason: &str) -> String {
    FINISH.replace("stop", reason)
}

#[test]
fn an_ordinary_stream_is_complete_and_only_its_text_is_the_answer() {
    let events = [
        START,
        STEP,
        r#"{"type":"reasoning-start","id":"r"}"#,
        r#"{"type":"reasoning-delta","id":"r","delta":"99?"}"#,
        r#"{"type":"reasoning-end","id":"r"}"#,
        r#"{"type":"source-url","sourceId":"s","url":"https://example.com/","title":"No"}"#,
        r#"{"type":"source-document","sourceId":"s","mediaType":"file","title":"No"}"#,
        r#"{"type":"data-note","data":{"error":"no","delta":"no"}}"#,
        r#"{"type":"text-start","id":"0"}"#,
        &delta("Open "),
        r#"{"type":"file","url":"data:,no","mediaType":"text/plain"}"#,
        r#"{"type":"shiny-new","delta":"no"}"#,
        &delta("порт 🚀 [1]."),
        r#"{"type":"text-end","id":"0"}"#,
        r#"{"type":"message-metadata","messageMetadata":{"x":1}}"#,
        r#"{"type":"finish-step"}"#,
        FINISH,
        "[DONE]",
    ];
    let facts = reply(sse(&events)).complete(TEXT);
    assert_eq!(facts.finish_reason.as_deref(), Some("stop"));
    assert_eq!((facts.usage, facts.model), (None, None));
}

#[test]
fn line_ends_comments_framing_and_content_types_do_not_matter() {
    let (hello, world) = (delta("Open "), delta("порт 🚀 [1]."));
    let events = [START, &hello, &world, FINISH];
    let body = sse(&events);
    let (a, b) = world.split_at(world.find("\"delta\"").unwrap());
    for body in [
        body.replace('\n', "\r\n"),
        body.replace('\n', "\r"),
        body.trim_end().to_owned(),
        format!(
            "\u{FEFF}: warming up\n\nretry: 10\nid: 1\ndata:{hello}\n\n:\nevent: part\n: ping\ndata: {a}\n: ping\ndata: {b}\n\n\
             data: : ping\n\ndata:\n\ndata: {FINISH}\nid: 3\n\n"
        ),
        events.join("\n"),
        format!("[{}]", events.join(",")),
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
fn either_marker_ends_the_message_and_nothing_after_it_counts() {
    reply(sse(&[&delta(TEXT), "[DONE]", &delta("no")])).complete(TEXT);
    reply(sse(&[&delta(TEXT), FINISH, &delta("no")])).complete(TEXT);
    reply(sse(&[&delta(TEXT), r#"{"type":"finish"}"#])).complete(TEXT);
}

#[test]
fn the_end_of_input_without_a_marker_is_a_cut() {
    reply(sse(&[START])).partial(PartialReason::Cut, "");
    reply(sse(&[START, &delta("Open ")])).partial(PartialReason::Cut, "Open ");
    reply(sse(&[
        START,
        &delta(TEXT),
        r#"{"type":"text-end","id":"0"}"#,
        r#"{"type":"finish-step"}"#,
    ]))
    .partial(PartialReason::Cut, TEXT);
    reply(sse(&[&delta("Open ")]) + "data: {\"type\":\"fin").partial(PartialReason::Cut, "Open ");
    reply(sse(&[&delta("Open ")]) + "data: [DON").partial(PartialReason::Cut, "Open ");
}

#[test]
fn finish_reasons_are_mapped() {
    let check = |reason: &str, expected| {
        let facts =
            reply(sse(&[&delta("Open "), &finish(reason), "[DONE]"])).partial(expected, "Open ");
        assert_eq!(facts.finish_reason.as_deref(), Some(reason));
    };
    check("length", PartialReason::Length);
    check("content-filter", PartialReason::ContentFilter);
    check("other", PartialReason::Cut);
    check("unknown", PartialReason::Cut);
    let broken = reply(sse(&[&delta("Open "), &finish("error"), "[DONE]"]));
    assert_eq!(broken.replay().text, "Open ");
    broken.failed(Code::Server, "\"error\"");
}

#[test]
fn an_abort_of_the_server_is_a_cut() {
    let abort = r#"{"type":"abort","reason":"too slow"}"#;
    let facts = reply(sse(&[&delta("Open "), abort, FINISH, "[DONE]"]))
        .partial(PartialReason::Cut, "Open ");
    assert_eq!(facts.finish_reason.as_deref(), Some("abort"));
    reply(sse(&[r#"{"type":"abort"}"#])).partial(PartialReason::Cut, "");
}

#[test]
fn an_error_inside_the_stream_is_an_error_and_keeps_the_text() {
    let error = r#"{"type":"error","errorText":"The model went away."}"#;
    let broken = reply(sse(&[START, &delta("Open "), error, FINISH, "[DONE]"]));
    assert_eq!(broken.replay().text, "Open ");
    broken.failed(Code::Server, "The model went away.");
    reply(
        sse(&[START, &delta("Open ")])
            + r#"{"error":{"code":503,"message":"Busy","status":"UNAVAILABLE"}}"#,
    )
    .failed(Code::Overloaded, "Busy");
    reply(r#"{"error":"Not this way"}"#)
        .with_head(400, "application/json")
        .failed(Code::BadRequest, "Not this way");
}

#[test]
fn a_step_that_the_server_makes_anew_loses_its_text() {
    let reset = r#"{"type":"reset-step"}"#;
    let events = [
        STEP,
        &delta("Open "),
        STEP,
        &delta("no"),
        reset,
        &delta("порт 🚀 [1]."),
        FINISH,
    ];
    let seen = reply(sse(&events)).replay();
    assert!(matches!(seen.outcome, Outcome::Complete(_)), "{seen:?}");
    assert_eq!(seen.text, TEXT);
    assert!(seen.events.contains(&Event::Replace("Open ".to_owned())));
    reply(sse(&[STEP, &delta("no"), reset, FINISH])).failed(Code::Protocol, "empty answer");
}

#[test]
fn missing_and_null_fields_are_skipped() {
    let events = [
        r#"{"type":"text-delta"}"#,
        r#"{"type":"text-delta","id":null,"delta":null}"#,
        r#"{"delta":"no"}"#,
        &delta("<think>99</think>"),
        &delta(TEXT),
        r#"{"type":"finish","finishReason":null}"#,
    ];
    reply(sse(&events)).complete(TEXT);
}

#[test]
fn an_unreadable_event_is_skipped_with_a_warning_unless_it_was_the_last() {
    let glued = delta("a") + &delta("b");
    let seen = reply(sse(&[&glued, &delta(TEXT), FINISH])).replay();
    assert_eq!((seen.text.as_str(), warnings(&seen)), (TEXT, 1));
    reply(sse(&[&delta("Open "), &glued, "[DONE]"])).failed(Code::Protocol, "could not be read");
}

#[test]
fn a_tool_call_alone_and_an_empty_message_are_errors() {
    let call = r#"{"type":"tool-input-available","toolCallId":"c","toolName":"f","input":{}}"#;
    let tool_error = r#"{"type":"tool-output-error","toolCallId":"c","errorText":"no"}"#;
    reply(sse(&[START, call, &finish("tool-calls")])).failed(Code::Protocol, "tool");
    reply(sse(&[call, tool_error, &delta(TEXT), FINISH])).complete(TEXT);
    reply(sse(&[START, FINISH])).failed(Code::Protocol, "empty answer");
    reply("").failed(Code::Protocol, "empty answer");
    reply(sse(&["[DONE]"])).failed(Code::Protocol, "empty answer");
    reply(r#"{"text":"Open it."}"#)
        .with_head(200, "application/json")
        .failed(Code::Protocol, "not of the protocol");
}
