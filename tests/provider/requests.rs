//! What is sent.

use groundling::provider::{Config, Error, Input, Protocol, Secret, TokenField, request};

const INPUT: Input<'static> = Input {
    instructions: "Answer from the sources.",
    input: "<question>a \"b\"</question>",
    prompt_version: "answer-v1",
};

#[track_caller]
fn check_body(config: &Config, expected: &str) {
    assert_eq!(request(config, &INPUT).unwrap().body, expected);
}

#[test]
fn a_responses_request_stores_nothing_and_names_the_prompt_version() {
    let mut config = Config::new(
        Protocol::OpenAiResponses,
        "https://api.example.com/v1/responses",
        "m",
    );
    check_body(
        &config,
        r#"{"model":"m","instructions":"Answer from the sources.","input":"<question>a \"b\"</question>","stream":true,"store":false,"metadata":{"prompt_version":"answer-v1"}}"#,
    );
    config.stream = false;
    config.max_output_tokens = Some(300);
    check_body(
        &config,
        r#"{"model":"m","instructions":"Answer from the sources.","input":"<question>a \"b\"</question>","stream":false,"store":false,"max_output_tokens":300,"metadata":{"prompt_version":"answer-v1"}}"#,
    );
}

#[test]
fn a_chat_request_has_two_messages_and_asks_for_usage_only_when_streaming() {
    let mut config = Config::new(
        Protocol::OpenAiChat,
        "http://localhost:8080/v1/chat/completions",
        "m",
    );
    check_body(
        &config,
        r#"{"model":"m","messages":[{"role":"system","content":"Answer from the sources."},{"role":"user","content":"<question>a \"b\"</question>"}],"stream":true,"stream_options":{"include_usage":true}}"#,
    );
    config.stream = false;
    check_body(
        &config,
        r#"{"model":"m","messages":[{"role":"system","content":"Answer from the sources."},{"role":"user","content":"<question>a \"b\"</question>"}],"stream":false}"#,
    );
}

#[test]
fn the_cap_has_the_name_that_the_host_knows_unless_it_is_set() {
    #[track_caller]
    fn check(endpoint: &str, field: Option<TokenField>, expected: &str) {
        let mut config = Config::new(Protocol::OpenAiChat, endpoint, "m");
        config.max_output_tokens = Some(7);
        config.token_field = field;
        let body = request(&config, &INPUT).unwrap().body;
        assert!(body.contains(&format!("\"{expected}\":7")), "{body}");
        assert_eq!(body.matches("_tokens\"").count(), 1, "{body}");
    }
    check(
        "https://api.openai.com/v1/chat/completions",
        None,
        "max_completion_tokens",
    );
    check(
        "https://x.openai.azure.com/openai/deployments/m/chat/completions",
        None,
        "max_completion_tokens",
    );
    check(
        "http://127.0.0.1:8080/v1/chat/completions",
        None,
        "max_tokens",
    );
    check(
        "https://api.openai.com.example.com/v1/chat/completions",
        None,
        "max_tokens",
    );
    check(
        "https://api.openai.com/v1/chat/completions",
        Some(TokenField::MaxTokens),
        "max_tokens",
    );
    check(
        "/api/ask",
        Some(TokenField::MaxCompletionTokens),
        "max_completion_tokens",
    );
}

#[test]
fn headers_are_the_fewest_that_work_and_own_ones_replace_them() {
    let mut config = Config::new(
        Protocol::OpenAiResponses,
        "https://api.example.com/v1/responses",
        "m",
    );
    let headers = |config: &Config| request(config, &INPUT).unwrap().headers;
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(headers(&config), [pair("content-type", "application/json")]);
    config.key = Some(Secret::new(" sk-1\n"));
    assert_eq!(
        headers(&config),
        [
            pair("content-type", "application/json"),
            pair("authorization", "Bearer sk-1")
        ]
    );
    config.headers = vec![pair("Authorization", "Basic x"), pair("X-Site", "docs")];
    assert_eq!(
        headers(&config),
        [
            pair("content-type", "application/json"),
            pair("authorization", "Basic x"),
            pair("x-site", "docs")
        ]
    );
}

#[test]
fn malformed_headers_and_endpoints_are_refused() {
    let mut config = Config::new(Protocol::OpenAiChat, "https://api.example.com/", "m");
    for (name, value) in [
        ("x y", "a"),
        ("", "a"),
        ("x\r\ny", "a"),
        ("x", "a\nb"),
        ("x", "ключ"),
    ] {
        config.headers = vec![(name.to_owned(), value.to_owned())];
        assert!(
            matches!(request(&config, &INPUT), Err(Error::Header { .. })),
            "{name:?}: {value:?}"
        );
    }
    config.headers.clear();
    config.key = Some(Secret::new("sk-\u{200B}1"));
    assert!(matches!(
        request(&config, &INPUT),
        Err(Error::Header { .. })
    ));
    config.key = None;
    config.endpoint = "http://api.example.com/".to_owned();
    assert_eq!(
        request(&config, &INPUT),
        Err(Error::EndpointInsecure {
            host: "api.example.com".to_owned()
        })
    );
    config.allow_insecure = true;
    assert!(request(&config, &INPUT).is_ok());
}

#[test]
fn only_an_own_proxy_may_do_without_a_model() {
    let config = |endpoint: &str| Config::new(Protocol::OpenAiChat, endpoint, "");
    assert_eq!(
        request(&config("https://api.example.com/"), &INPUT),
        Err(Error::ModelMissing)
    );
    assert!(
        !request(&config("/api/ask"), &INPUT)
            .unwrap()
            .body
            .contains("model")
    );
}

#[test]
fn an_anthropic_request_always_has_a_cap_and_the_browser_header_only_with_a_key() {
    let mut config = Config::new(
        Protocol::Anthropic,
        "https://api.example.com/v1/messages",
        "m",
    );
    check_body(
        &config,
        r#"{"model":"m","max_tokens":1024,"system":"Answer from the sources.","messages":[{"role":"user","content":"<question>a \"b\"</question>"}],"stream":true}"#,
    );
    let names = |config: &Config| {
        let headers = request(config, &INPUT).unwrap().headers;
        headers
            .into_iter()
            .map(|(name, _)| name)
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&config), ["content-type", "anthropic-version"]);
    config.key = Some(Secret::new("sk-1"));
    let with_key = [
        "content-type",
        "anthropic-version",
        "x-api-key",
        "anthropic-dangerous-direct-browser-access",
    ];
    assert_eq!(names(&config), with_key);
}

#[test]
fn an_ollama_request_has_options_only_where_they_are_set() {
    let mut config = Config::new(Protocol::Ollama, "http://localhost:11434/api/chat", "m");
    check_body(
        &config,
        r#"{"model":"m","messages":[{"role":"system","content":"Answer from the sources."},{"role":"user","content":"<question>a \"b\"</question>"}],"stream":true}"#,
    );
    config.max_output_tokens = Some(300);
    config.context_tokens = Some(8192);
    config.stream = false;
    check_body(
        &config,
        r#"{"model":"m","messages":[{"role":"system","content":"Answer from the sources."},{"role":"user","content":"<question>a \"b\"</question>"}],"stream":false,"options":{"num_predict":300,"num_ctx":8192}}"#,
    );
}

#[test]
fn a_gemini_request_has_its_key_in_a_header_and_needs_no_model() {
    let mut config = Config::new(
        Protocol::Gemini,
        "https://api.example.com/v1beta/models/m:streamGenerateContent?alt=sse",
        "",
    );
    check_body(
        &config,
        r#"{"systemInstruction":{"parts":[{"text":"Answer from the sources."}]},"contents":[{"role":"user","parts":[{"text":"<question>a \"b\"</question>"}]}]}"#,
    );
    config.key = Some(Secret::new("sk-1"));
    config.max_output_tokens = Some(300);
    let request = request(&config, &INPUT).unwrap();
    assert!(
        request
            .body
            .ends_with(r#","generationConfig":{"maxOutputTokens":300}}"#),
        "{}",
        request.body
    );
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        request.headers,
        [
            pair("content-type", "application/json"),
            pair("x-goog-api-key", "sk-1")
        ]
    );
}

#[test]
fn a_gemini_endpoint_gets_its_method_only_where_it_is_a_models_path() {
    #[track_caller]
    fn check(endpoint: &str, streamed: &str, whole: &str) {
        let mut config = Config::new(Protocol::Gemini, endpoint, "");
        assert_eq!(request(&config, &INPUT).unwrap().url, streamed);
        config.stream = false;
        assert_eq!(request(&config, &INPUT).unwrap().url, whole);
    }
    check(
        "https://api.example.com/v1beta/models/m-1.5",
        "https://api.example.com/v1beta/models/m-1.5:streamGenerateContent?alt=sse",
        "https://api.example.com/v1beta/models/m-1.5:generateContent",
    );
    check(
        "/google/tunedModels/m?site=docs",
        "/google/tunedModels/m:streamGenerateContent?alt=sse&site=docs",
        "/google/tunedModels/m:generateContent?site=docs",
    );
    for endpoint in [
        "https://api.example.com/v1beta/models/m:streamGenerateContent",
        "https://api.example.com/v1beta/models/m:generateContent?x=1",
        "https://api.example.com/v1beta/models/",
        "/api/ask",
    ] {
        check(endpoint, endpoint, endpoint);
    }
}

#[test]
fn a_ui_message_request_is_one_message_of_two_parts() {
    let mut config = Config::new(
        Protocol::UiMessageStream,
        "https://docs.example.com/api/chat",
        "",
    );
    config.max_output_tokens = Some(300);
    config.key = Some(Secret::new("sk-1"));
    check_body(
        &config,
        r#"{"messages":[{"id":"question","role":"user","parts":[{"type":"text","text":"Answer from the sources."},{"type":"text","text":"<question>a \"b\"</question>"}]}],"trigger":"submit-message"}"#,
    );
    let headers = request(&config, &INPUT).unwrap().headers;
    assert!(headers.contains(&("authorization".to_owned(), "Bearer sk-1".to_owned())));
}
