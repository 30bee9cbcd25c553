//! The exported class in a real browser, with an index that the test builds itself.
//!
//! `wasm-pack test --headless --chrome . --test browser`
#![cfg(target_arch = "wasm32")]

use groundling::document::Options;
use groundling::index::Site;
use groundling::wasm::Docs;
use js_sys::{Array, Function, Object, Promise, Reflect};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const PAGE: &str = "# Kettles\n\nA kettle boils the water for tea.\n\n## Whistles\n\nThe whistle tells that it boils.\n";

fn docs() -> Docs {
    let mut site = Site::new(Options::default());
    let added = site.add("tea/kettles.md", PAGE.as_bytes());
    assert_eq!(added.expect("default options").chunks, 2);
    Docs::from_index(site.finish().expect("text")).expect("a good index")
}

/// Options as JavaScript writes them.
fn options<T: Tsify>(source: &str) -> Option<Ts<T>> {
    let value = js_sys::eval(&format!("({source})")).expect("an object");
    Some(Ts::new_unchecked(value))
}

/// What a call gives, as a value of JavaScript.
fn js<T: Tsify>(result: Result<Ts<T>, JsValue>) -> JsValue {
    result.expect("no error").js_value()
}

fn field(value: &JsValue, path: &str) -> JsValue {
    path.split('.').fold(value.clone(), |value, name| {
        Reflect::get(&value, &name.into()).expect("an object")
    })
}

fn text(value: &JsValue, path: &str) -> String {
    field(value, path).as_string().unwrap_or_default()
}

async fn settled(promise: Result<Promise, JsValue>) -> Result<JsValue, JsValue> {
    JsFuture::from(promise?).await
}

async fn ask(source: &str) -> Result<JsValue, JsValue> {
    settled(docs().ask("Which kettle boils?", options(source))).await
}

/// Checks the code of the error that a question ends with, and that its message holds a word.
async fn check_error(source: &str, code: &str, word: &str) {
    let error = ask(source).await.expect_err(source);
    assert_eq!(text(&error, "name"), "GroundlingError", "{source}");
    assert_eq!(text(&error, "code"), code, "{source}");
    let message = text(&error, "message");
    assert!(message.contains(word), "{source}: {message}");
}

#[wasm_bindgen_test]
fn an_index_tells_what_is_in_it() {
    let info = js(docs().info());
    assert_eq!(field(&info, "pages"), 1);
    assert_eq!(field(&info, "chunks"), 2);
    assert_eq!(text(&info, "languages.0"), "en");
}

#[wasm_bindgen_test]
fn a_search_finds_chunks_and_marks_the_words() {
    let found = js(docs().search("kettle", None));
    assert_eq!(text(&found, "hits.0.url"), "/tea/kettles.html#kettles");
    assert_eq!(text(&found, "hits.0.pageTitle"), "Kettles");
    let snippet = text(&found, "hits.0.snippet.text");
    let bound = |name: &str| {
        let path = format!("hits.0.snippet.marks.0.{name}");
        field(&found, &path).as_f64().expect("a number") as usize
    };
    assert_eq!(&snippet[bound("start")..bound("end")], "kettle");

    let limited = js(docs().search("boils", options("{ limit: 1 }")));
    assert_eq!(Array::from(&field(&limited, "hits")).length(), 1);
    assert_eq!(field(&limited, "total"), 2);
}

#[wasm_bindgen_test]
fn retrieval_gives_one_source_for_a_page() {
    let sources = docs().retrieve("boils", None).expect("no error");
    assert_eq!(sources.len(), 1);
    let both = docs().retrieve("boils", options("{ perPage: 2 }"));
    assert_eq!(both.expect("no error").len(), 2);
}

#[wasm_bindgen_test]
fn a_prompt_shows_what_would_be_sent() {
    let prompt = js(docs().prompt("Why <boil>?", options("{ maxSources: 1 }")));
    let input = text(&prompt, "input");
    assert!(input.starts_with("<source id=\"1\" title=\""), "{input}");
    assert!(
        input.ends_with("\n<question>Why &lt;boil&gt;?</question>"),
        "{input}"
    );
    assert_eq!(text(&prompt, "citationMode"), "verified");
    assert!(field(&prompt, "request").is_undefined());

    let provider =
        "{ provider: { endpoint: 'https://llm.test/v1/responses', model: 'm', key: 'sk-secret' } }";
    let prompt = js(docs().prompt("Why boil?", options(provider)));
    assert_eq!(
        text(&prompt, "request.url"),
        "https://llm.test/v1/responses"
    );
    assert!(!text(&prompt, "request.body").contains("sk-secret"));
}

#[wasm_bindgen_test]
async fn offline_it_answers_from_the_sources() {
    let answer = ask("{}").await.expect("an answer");
    assert_eq!(
        text(&answer, "answer"),
        "A kettle boils the water for tea. [1]"
    );
    assert_eq!(text(&answer, "status"), "complete");
    assert_eq!(field(&answer, "grounded"), true);
    assert_eq!(text(&answer, "sources.0.path"), "tea/kettles.md");
}

#[wasm_bindgen_test]
async fn nothing_found_is_an_answer_too() {
    let answer = settled(docs().ask("chicken", None))
        .await
        .expect("an answer");
    assert_eq!(text(&answer, "answer"), "I don't know.");
    assert_eq!(text(&answer, "status"), "no_answer");
    assert_eq!(text(&answer, "reason"), "nothing_found");
}

#[wasm_bindgen_test]
fn a_reply_with_a_made_up_source_is_refused() {
    let verdict = js(docs().verify("It boils [1]. It sings [4].", 1));
    assert_eq!(field(&verdict, "grounded"), false);
    let numbers = |name| Array::from(&field(&verdict, name)).join(",");
    assert_eq!(numbers("cited"), "1,4");
    assert_eq!(numbers("invalid"), "4");
}

#[wasm_bindgen_test]
async fn a_function_can_answer() {
    for provider in ["() => 'It boils [1].'", "async () => 'It boils [1].'"] {
        let answer = ask(&format!("{{ provider: {provider} }}")).await;
        assert_eq!(text(&answer.expect("an answer"), "answer"), "It boils [1].");
    }
    let told = "{ provider: ({ input, sources }) => input.includes('boils') && sources.length === 1 ? 'Yes [1].' : 'No.' }";
    assert_eq!(
        text(&ask(told).await.expect("an answer"), "answer"),
        "Yes [1]."
    );
}

#[wasm_bindgen_test]
async fn a_function_that_fails_is_the_cause_of_the_error() {
    for provider in [
        "() => { throw new RangeError('too hot'); }",
        "async () => { throw new RangeError('too hot'); }",
    ] {
        let error = ask(&format!("{{ provider: {provider} }}")).await;
        let error = error.expect_err("the function threw");
        assert_eq!(text(&error, "code"), "provider-function");
        assert_eq!(text(&error, "cause.message"), "too hot");
    }
    check_error("{ provider: () => 3 }", "provider-function", "string").await;
    check_error(
        "{ provider: async () => undefined }",
        "provider-function",
        "string",
    )
    .await;
}

#[wasm_bindgen_test]
async fn wrong_options_are_named() {
    check_error("{ topp: 3 }", "bad-options", "`topp`").await;
    check_error(
        "{ filter: { colections: [] } }",
        "bad-options",
        "`filter.colections`",
    )
    .await;
    check_error("{ top: 'many' }", "bad-options", "`top`").await;
    check_error("{ top: -1 }", "bad-options", "`top`").await;
    check_error("{ prompt: 'polite' }", "bad-options", "cited-ru").await;
    check_error("{ provider: 'openai' }", "bad-options", "`provider`").await;
    check_error("{ onEvent: 3 }", "bad-options", "`onEvent`").await;
    check_error("{ signal: 3 }", "bad-options", "`signal`").await;
}

#[wasm_bindgen_test]
async fn a_setting_that_cannot_be_sent_is_told_before_anything_is() {
    let provider =
        "{ protocol: 'openai-chat', endpoint: 'http://llm.test/v1/chat/completions', model: 'm' }";
    check_error(
        &format!("{{ provider: {provider} }}"),
        "provider-endpoint-insecure",
        "http",
    )
    .await;
}

#[wasm_bindgen_test]
fn bytes_that_are_no_index_are_refused() {
    let code = |bytes: Vec<u8>| match Docs::from_index(bytes) {
        Ok(_) => String::new(),
        Err(error) => text(&error, "code"),
    };
    assert_eq!(
        code(b"no index at all, whatever it may be".repeat(9)),
        "index-not-an-index"
    );
    let mut site = Site::new(Options::default());
    site.add("a.md", PAGE.as_bytes()).expect("default options");
    let index = site.finish().expect("text");
    assert_eq!(code(index[..index.len() / 2].to_vec()), "index-truncated");
    let engine = Docs::new().err().expect("this program has no index in it");
    assert_eq!(text(&engine, "code"), "no-index");
}

#[wasm_bindgen_test]
async fn an_abort_rejects_with_the_reason_of_the_signal() {
    let reason = ask("{ signal: AbortSignal.abort('gone') }").await;
    assert_eq!(reason.expect_err("aborted before"), "gone");
    let waiting = "(() => {
        const stop = new AbortController();
        return { signal: stop.signal, provider: () => new Promise(() => setTimeout(() => stop.abort('left'), 10)) };
    })()";
    assert_eq!(
        ask(waiting).await.expect_err("aborted while it waits"),
        "left"
    );
}

#[wasm_bindgen_test]
async fn a_question_that_takes_too_long_is_a_time_out() {
    let never = "{ provider: () => new Promise(() => {}), timeoutMs: 20 }";
    check_error(never, "provider-timeout", "20 ms").await;
}

/// The types of the events of a question, in their order.
async fn events(provider: &str) -> String {
    let told = Array::new();
    let given = Object::new();
    let set =
        |name: &str, value: &JsValue| Reflect::set(&given, &name.into(), value).expect("an object");
    let note = Function::new_with_args("event", "this.push(event.type)").bind(&told);
    set("onEvent", &note);
    set("provider", &js_sys::eval(provider).expect("a function"));
    let options = Ts::new_unchecked(given.into());
    let answered = settled(docs().ask("Which kettle boils?", Some(options))).await;
    answered.expect("an answer");
    told.join(" ").into()
}

#[wasm_bindgen_test]
async fn events_come_in_order_and_one_ends_them() {
    assert_eq!(
        events("() => 'It boils [1].'").await,
        "sources delta citation done"
    );
    assert_eq!(
        events("() => 'It sings [4].'").await,
        "sources delta withdrawn"
    );
    assert_eq!(
        events("() => \"I don't know.\"").await,
        "sources delta done"
    );
}

#[wasm_bindgen_test]
async fn a_callback_that_throws_ends_the_question_with_what_it_threw() {
    let thrown = ask("{ onEvent: () => { throw 'enough'; } }").await;
    assert_eq!(thrown.expect_err("the callback threw"), "enough");
}

#[wasm_bindgen_test]
async fn the_context_pipeline_gives_the_reply_and_the_paths() {
    let options = options("{ provider: () => 'Да.' }");
    let answer = settled(docs().ask_context("boils", options)).await;
    let answer = answer.expect("an answer");
    assert_eq!(text(&answer, "answer"), "Да.");
    assert_eq!(
        Array::from(&field(&answer, "sources")).join(","),
        "tea/kettles.md"
    );
}
