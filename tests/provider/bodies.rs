//! Bodies that are no answer, for every protocol.

use groundling::provider::{Code, Decoder, Event, Outcome, PartialReason, Protocol, retry};

use crate::replay::{Reply, head};

const PROTOCOLS: [Protocol; 6] = [
    Protocol::OpenAiResponses,
    Protocol::OpenAiChat,
    Protocol::Anthropic,
    Protocol::Ollama,
    Protocol::Gemini,
    Protocol::UiMessageStream,
];

#[track_caller]
fn check(status: u16, content_type: &str, body: &str, code: Code, message: &str) {
    for protocol in PROTOCOLS {
        let failure = Reply::new(protocol, body)
            .with_head(status, content_type)
            .failed(code, message);
        assert_eq!(failure.status, Some(status));
        assert!(
            !failure.message.contains("<h1>") && !failure.message.contains("<script"),
            "{failure:?}"
        );
        assert!(failure.to_string().contains(message));
    }
}

#[test]
fn an_html_page_gives_its_title_and_text_without_tags() {
    let page = "<!DOCTYPE html><html><head><title>Bad gateway</title><script>zz()</script></head>\
                <body><h1>No upstream</h1><p>nginx &amp; co</p></body></html>";
    check(
        502,
        "text/html",
        page,
        Code::Server,
        "Bad gateway: No upstream nginx & co",
    );
    check(503, "", page, Code::Overloaded, "Bad gateway: No upstream");
    check(
        200,
        "text/html; charset=utf-8",
        page,
        Code::Protocol,
        "Bad gateway: No upstream",
    );
    check(
        200,
        "text/event-stream",
        page,
        Code::Protocol,
        "Bad gateway: No upstream",
    );
    check(
        403,
        "text/html",
        "<html><body><h1>Forbidden</h1></body></html>",
        Code::Auth,
        "Forbidden",
    );
    check(200, "text/html", "", Code::Protocol, "empty answer");
}

#[test]
fn a_long_page_is_cut() {
    let page = format!("<title>Down</title><p>{}", "é ".repeat(100_000));
    let Outcome::Failed(failure) = Reply::new(Protocol::OpenAiChat, page)
        .with_head(500, "text/html")
        .feed(&[])
        .outcome
    else {
        panic!("not failed");
    };
    assert!(
        failure.message.chars().count() < 220,
        "{}",
        failure.message.len()
    );
}

#[test]
fn plain_text_in_place_of_an_answer_is_an_error() {
    check(
        200,
        "text/plain",
        "Internal failure, data lost",
        Code::Protocol,
        "Internal failure, data lost",
    );
    check(
        500,
        "text/plain",
        "upstream connect error",
        Code::Server,
        "upstream connect error",
    );
    check(404, "text/plain", "", Code::BadRequest, "no reason");
}

#[test]
fn the_error_bodies_of_servers_and_frameworks_are_read() {
    let openai = |kind: &str, code: &str, message: &str| {
        format!(
            r#"{{"error":{{"message":"{message}","type":"{kind}","param":null,"code":{code}}}}}"#
        )
    };
    let json = "application/json";
    check(
        401,
        json,
        &openai("invalid_request_error", "\"invalid_api_key\"", "Wrong key"),
        Code::Auth,
        "Wrong key",
    );
    check(
        429,
        json,
        &openai("requests", "\"rate_limit_exceeded\"", "Slow"),
        Code::RateLimited,
        "Slow",
    );
    check(
        429,
        json,
        &openai("insufficient_quota", "\"insufficient_quota\"", "Pay"),
        Code::Quota,
        "Pay",
    );
    check(
        404,
        json,
        &openai("invalid_request_error", "\"model_not_found\"", "No m"),
        Code::ModelNotFound,
        "No m",
    );
    check(
        400,
        json,
        &openai(
            "invalid_request_error",
            "\"context_length_exceeded\"",
            "Long",
        ),
        Code::ContextTooLong,
        "Long",
    );
    check(
        400,
        json,
        &openai("invalid_request_error", "null", "Bad field"),
        Code::BadRequest,
        "Bad field",
    );
    check(
        500,
        json,
        &openai("server_error", "null", "Oops"),
        Code::Server,
        "Oops",
    );
    check(
        404,
        json,
        r#"{"error":"model 'x' not found, try pulling it first"}"#,
        Code::ModelNotFound,
        "pulling",
    );
    check(
        422,
        json,
        r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#,
        Code::BadRequest,
        "field required",
    );
    check(
        400,
        json,
        r#"[{"error":{"code":400,"message":"Bad","status":"INVALID_ARGUMENT"}}]"#,
        Code::BadRequest,
        "Bad",
    );
    check(
        500,
        "text/event-stream",
        "event: error\ndata: {\"error\":{\"message\":\"Late\"}}\n\n",
        Code::Server,
        "Late",
    );
    check(
        400,
        json,
        r#"{"object":"error","message":"Bad","type":"BadRequestError","code":400}"#,
        Code::BadRequest,
        "Bad",
    );
    check(
        200,
        json,
        r#"{"error":{"message":"Model not found","type":"invalid_request_error"}}"#,
        Code::ModelNotFound,
        "Model",
    );
    check(302, "", "", Code::Protocol, "redirects");
}

#[test]
fn the_servers_words_are_plain_text_of_bounded_length() {
    let body = format!(
        r#"{{"error":{{"message":"<b>Bad</b>\n\n <script>zz()</script>{}"}}}}"#,
        "x".repeat(9000)
    );
    for protocol in PROTOCOLS {
        let failure = Reply::new(protocol, body.as_str())
            .with_head(400, "")
            .failed(Code::BadRequest, "Bad xxx");
        assert_eq!(
            failure.message.chars().count(),
            501,
            "500 characters and an ellipsis"
        );
    }
}

#[test]
fn the_facts_of_the_head_are_in_the_failure() {
    let mut reply = Reply::new(
        Protocol::OpenAiChat,
        r#"{"error":{"message":"Slow","code":"slow_down"}}"#,
    );
    reply.head = head(429, "application/json");
    reply.head.retry_after = Some("20".to_owned());
    reply.head.request_id = Some("req_1".to_owned());
    let failure = reply.failed(Code::RateLimited, "Slow");
    assert_eq!(failure.retry_after_ms, Some(20_000));
    assert_eq!(failure.request_id.as_deref(), Some("req_1"));
    assert_eq!(failure.provider_code.as_deref(), Some("slow_down"));
    assert_eq!(retry::delay_ms(&failure, 0, false, 0.5), Some(20_000));

    reply.head.retry_after = Some("Sun, 06 Nov 1994 08:49:37 GMT".to_owned());
    reply.head.now_ms = 784_111_770_000;
    assert_eq!(
        reply.failed(Code::RateLimited, "Slow").retry_after_ms,
        Some(7_000)
    );
}

#[test]
fn bytes_beyond_the_bounds_are_an_error_and_not_kept() {
    for protocol in PROTOCOLS {
        for (content_type, line) in [
            ("text/event-stream", "data: "),
            ("application/json", "{\"a\":\""),
        ] {
            let mut decoder = Decoder::new(protocol, &head(200, content_type));
            decoder.feed(line.as_bytes(), &mut |_| {});
            for _ in 0..5 {
                decoder.feed(&vec![b'x'; 1 << 20], &mut |_| {});
            }
            assert!(decoder.is_done());
            let Outcome::Failed(failure) = decoder.finish(&mut |_| {}) else {
                panic!("not failed")
            };
            assert!(failure.message.contains("4 MiB"), "{failure:?}");
        }
    }
}

#[test]
fn an_abort_keeps_the_text_and_is_no_error() {
    let mut decoder = Decoder::new(Protocol::OpenAiChat, &head(200, "text/event-stream"));
    let mut events = Vec::new();
    decoder.feed(
        b"data: {\"choices\":[{\"delta\":{\"content\":\"Half\"}}]}\n\ndata: {\"cho",
        &mut |event| {
            events.push(event);
        },
    );
    let outcome = decoder.abort(&mut |event| events.push(event));
    assert!(
        matches!(
            outcome,
            Outcome::Partial {
                reason: PartialReason::Aborted,
                ..
            }
        ),
        "{outcome:?}"
    );
    assert_eq!(
        (events, decoder.text()),
        (vec![Event::Delta("Half".to_owned())], "Half")
    );
}

#[test]
fn an_abort_after_the_end_changes_nothing() {
    let mut decoder = Decoder::new(Protocol::OpenAiChat, &head(200, "text/event-stream"));
    decoder.feed(
        b"data: {\"choices\":[{\"delta\":{\"content\":\"All\"}}]}\n\ndata: [DONE]\n\n",
        &mut |_| {},
    );
    assert!(matches!(decoder.abort(&mut |_| {}), Outcome::Complete(_)));
}

#[test]
fn foreign_bytes_never_panic_and_never_pass_for_whole() {
    let seeds: [&[u8]; 5] = [
        b"data: {\"choices\":[{}]}\n\n",
        b"{\"a\":[1,",
        b"\xFF\xFE\x00d",
        b"[[[[{{{{",
        b"<title",
    ];
    for protocol in PROTOCOLS {
        for seed in seeds {
            for flip in 0..seed.len() * 8 {
                let mut body = seed.to_vec();
                body[flip / 8] ^= 1 << (flip % 8);
                let seen = Reply::new(protocol, body).feed(&[3]);
                assert!(!matches!(seen.outcome, Outcome::Complete(_)), "{seen:?}");
            }
        }
    }
}
