//! Ollama's own protocol.

use groundling::provider::{Code, PartialReason, Protocol, Usage};

use crate::replay::{Reply, sse, warnings};

const HELLO: &str = r#"{"model":"m-1","message":{"role":"assistant","content":"Open ","thinking":"99"},"done":false}"#;
const WORLD: &str =
    r#"{"model":"m-1","message":{"role":"assistant","content":"порт 🚀 [1]."},"done":false}"#;
const DONE: &str = r#"{"model":"m-1","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":12,"eval_count":5}"#;
const TEXT: &str = "Open порт 🚀 [1].";

fn reply(lines: &[&str]) -> Reply {
    Reply::new(Protocol::Ollama, lines.join("\n") + "\n").with_head(200, "application/x-ndjson")
}

#[test]
fn an_ordinary_stream_is_complete_with_usage_and_model() {
    let facts = reply(&[HELLO, WORLD, DONE]).complete(TEXT);
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
fn line_ends_content_type_and_framing_do_not_matter() {
    let lines = [HELLO, WORLD, DONE];
    for body in [
        lines.join("\r\n"),
        lines.join("\n\n"),
        lines.join(""),
        sse(&lines),
        "\u{FEFF}".to_owned() + &lines.join("\n"),
    ] {
        for content_type in [
            "application/x-ndjson",
            "text/plain",
            "",
            "text/event-stream",
        ] {
            Reply::new(Protocol::Ollama, body.as_str())
                .with_head(200, content_type)
                .complete(TEXT);
        }
    }
}

#[test]
fn a_stream_without_done_is_a_cut() {
    reply(&[HELLO]).partial(PartialReason::Cut, "Open ");
    reply(&[HELLO, r#"{"model":"m-1","mess"#]).partial(PartialReason::Cut, "Open ");
}

#[test]
fn a_limit_is_partial() {
    reply(&[HELLO, &DONE.replace("stop", "length")]).partial(PartialReason::Length, "Open ");
}

#[test]
fn an_error_line_is_an_error_and_keeps_the_text() {
    let broken = reply(&[HELLO, r#"{"error":"model runner has stopped"}"#, DONE]);
    assert_eq!(broken.replay().text, "Open ");
    broken.failed(Code::Server, "runner has stopped");
    reply(&[r#"{"error":"model 'x' not found"}"#])
        .with_head(404, "application/json")
        .failed(Code::ModelNotFound, "'x'");
}

#[test]
fn a_broken_line_is_skipped_with_a_warning() {
    let seen = reply(&[r#"{"message":{"content":"lost"#, HELLO, WORLD, DONE]).replay();
    assert_eq!((seen.text.as_str(), warnings(&seen)), (TEXT, 1));
}

#[test]
fn a_whole_reply_is_one_line() {
    reply(&[&DONE.replace(
        r#""content":"""#,
        r#""content":"<think>99</think>Open it [1].""#,
    )])
    .complete("Open it [1].");
}

#[test]
fn text_after_done_is_ignored_and_an_empty_answer_is_an_error() {
    reply(&[HELLO, WORLD, DONE, HELLO]).complete(TEXT);
    reply(&[DONE]).failed(Code::Protocol, "empty answer");
    reply(&[r#"{"model":"m-1","done":true,"done_reason":"load"}"#])
        .failed(Code::Protocol, "empty answer");
}
