//! A key never appears in anything but the request's header.

use groundling::provider::{Config, Decoder, Input, Outcome, Protocol, Request, Secret, request};

use crate::replay::head;

const CANARY: &str = "sk-canary-7f3a9c";
const TOKEN: &str = "canary-token-51d0";

const PROTOCOLS: [Protocol; 6] = [
    Protocol::OpenAiChat,
    Protocol::OpenAiResponses,
    Protocol::Anthropic,
    Protocol::Ollama,
    Protocol::Gemini,
    Protocol::UiMessageStream,
];

fn config(endpoint: &str) -> Config {
    let mut config = Config::new(Protocol::OpenAiChat, endpoint, "m");
    config.key = Some(Secret::new(CANARY));
    config.headers = vec![("x-token".to_owned(), format!("Token {TOKEN}"))];
    config
}

#[track_caller]
fn check(shown: &str) {
    for secret in [CANARY, TOKEN] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

fn ask(config: &Config) -> Result<Request, groundling::provider::Error> {
    request(
        config,
        &Input {
            instructions: "i",
            input: "q",
            prompt_version: "v",
        },
    )
}

#[test]
fn settings_and_requests_do_not_print_it() {
    let mut config = config("https://example.com/v1/models/m?key=canary-token-51d0");
    for protocol in PROTOCOLS {
        config.protocol = protocol;
        check(&format!("{config:?}"));
        let request = ask(&config).unwrap();
        assert!(
            request
                .headers
                .iter()
                .any(|(_, value)| value.contains(CANARY)),
            "it is sent"
        );
        assert!(!request.body.contains(CANARY) && !request.url.contains(CANARY));
        check(&format!("{request:?}"));
    }
}

#[test]
fn refused_settings_do_not_print_it() {
    let endpoints = [
        format!("https://user:{CANARY}@example.com/"),
        format!("http://example.com/?key={CANARY}"),
        format!("nonsense {CANARY}"),
    ];
    for endpoint in endpoints {
        let config = config(&endpoint);
        let error = ask(&config).unwrap_err();
        check(&format!("{error} {error:?} {config:?}"));
    }
    let mut config = config("https://example.com/");
    config
        .headers
        .push(("x-bad".to_owned(), format!("{TOKEN}\r\nx-injected: 1")));
    let error = ask(&config).unwrap_err();
    assert!(error.to_string().contains("x-bad"));
    check(&format!("{error} {error:?}"));
}

#[test]
fn failures_do_not_repeat_what_the_server_repeats() {
    let both = format!("bad {CANARY} {TOKEN}");
    let bodies = [
        format!(
            r#"{{"error":{{"message":"{both}","type":"{CANARY}","code":"{TOKEN}"}},"request_id":"{CANARY}"}}"#
        ),
        format!(r#"{{"error":"{both}"}}"#),
        format!(r#"{{"type":"error","code":"{CANARY}","message":"{both}"}}"#),
        format!(r#"{{"type":"error","error":{{"type":"{TOKEN}","message":"{both}"}}}}"#),
        format!(r#"{{"error":{{"code":400,"message":"{both}","status":"{CANARY}"}}}}"#),
        format!(r#"{{"detail":"{both}"}}"#),
        format!("<title>{both}</title><p>{both}</p>"),
        format!("plain {both}"),
        format!("event: error\ndata: {both}\n\n"),
        format!("data: {{\"error\":\"{both}\"}}\n\n"),
        format!("data: {{\"choices\":[]}}{both}\n\n"),
        format!("{{\"error\":\"{both}"),
    ];
    for protocol in PROTOCOLS {
        for body in &bodies {
            for status in [200, 302, 400, 401, 429, 500] {
                let mut head = head(status, "");
                head.request_id = Some(format!("echo-{CANARY}"));
                let mut decoder = Decoder::new(protocol, &head)
                    .hiding_secrets_of(&config("https://example.com/"));
                let mut shown = String::new();
                decoder.feed(body.as_bytes(), &mut |event| shown += &format!("{event:?}"));
                let outcome = decoder.finish(&mut |event| shown += &format!("{event:?}"));
                assert!(!matches!(outcome, Outcome::Complete(_)));
                if let Outcome::Failed(failure) = &outcome {
                    shown += &failure.to_string();
                }
                check(&format!("{shown} {outcome:?}"));
            }
        }
    }
}

#[test]
fn what_an_answer_tells_besides_its_text_does_not_repeat_it() {
    let model = format!("m-{CANARY}");
    let streams = [
        (
            Protocol::OpenAiResponses,
            format!(
                r#"{{"type":"response.incomplete","response":{{"model":"{model}","status":"incomplete","incomplete_details":{{"reason":"{TOKEN}"}},"output":[{{"type":"message","content":[{{"type":"output_text","text":"Open it."}}]}}]}}}}"#
            ),
        ),
        (
            Protocol::OpenAiChat,
            format!(
                r#"{{"model":"{model}","choices":[{{"delta":{{"content":"Open it."}},"finish_reason":"{TOKEN}"}}]}}"#
            ),
        ),
        (
            Protocol::OpenAiChat,
            format!(
                r#"{{"model":"{model}","choices":[{{"delta":{{"refusal":"Not with {TOKEN}."}},"finish_reason":"stop"}}]}}"#
            ),
        ),
        (
            Protocol::Ollama,
            format!(
                r#"{{"model":"{model}","message":{{"content":"Open it."}},"done":true,"done_reason":"{TOKEN}"}}"#
            ),
        ),
        (
            Protocol::Gemini,
            format!(
                r#"{{"modelVersion":"{model}","candidates":[{{"content":{{"parts":[{{"text":"Open it."}}]}},"finishReason":"{TOKEN}"}}]}}"#
            ),
        ),
    ];
    for (protocol, event) in &streams {
        let mut decoder = Decoder::new(*protocol, &head(200, "text/event-stream"))
            .hiding_secrets_of(&config("https://example.com/"));
        let mut shown = String::new();
        let body = format!("data: {event}\n\ndata: [DONE]\n\n");
        decoder.feed(body.as_bytes(), &mut |event| shown += &format!("{event:?}"));
        let outcome = decoder.finish(&mut |event| shown += &format!("{event:?}"));
        assert!(!matches!(outcome, Outcome::Failed(_)), "{outcome:?}");
        check(&format!("{shown} {outcome:?}"));
    }
}
