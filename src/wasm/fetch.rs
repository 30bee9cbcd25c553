//! Runs a [`Flow`]: the only file that fetches, waits and looks at a clock.

use super::convert;
use super::error::{caused, new, to_js, twin};
use super::options::Host;
use super::stop::Stop;
use super::types::{self, EngineEvent, Timings};
use super::utf16::Utf16;
use crate::ask::{Answer, Event, Flow, Reason, Step};
use crate::prompt::CitationMode;
use crate::provider::{Code, Failure, Request, ResponseHead};
use gloo_net::http;
use js_sys::{Function, Promise, Reflect, Uint8Array};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{ReadableStreamDefaultReader, ReferrerPolicy, RequestCredentials, RequestRedirect};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Measures from the call on.
pub(super) struct Clock {
    started: f64,
    pub(super) timings: Timings,
}

impl Clock {
    pub(super) fn start() -> Clock {
        Clock {
            started: now(),
            timings: Timings::default(),
        }
    }

    fn elapsed_ms(&self) -> f64 {
        now() - self.started
    }

    pub(super) fn retrieved(&mut self) {
        self.timings.retrieval_ms = self.elapsed_ms();
    }
}

/// Tells the caller what happens. A callback that throws ends the question with what it threw.
struct Events {
    callback: Option<Function>,
    thrown: Option<JsValue>,
    clock: Clock,
    /// The text so far, to convert the offsets of citations.
    text: Utf16<String>,
}

impl Events {
    fn send(&mut self, event: EngineEvent) {
        let (Some(callback), None) = (&self.callback, &self.thrown) else {
            return;
        };
        let sent =
            twin(event).and_then(|event| callback.call1(&JsValue::UNDEFINED, &event.js_value()));
        self.thrown = sent.err();
    }

    fn flow(&mut self, event: Event) {
        match event {
            Event::Delta(text) => {
                if self.clock.timings.first_text_ms.is_none() {
                    self.clock.timings.first_text_ms = Some(self.clock.elapsed_ms());
                }
                if self.callback.is_some() {
                    self.text.push_str(&text);
                    self.send(EngineEvent::Delta { text });
                }
            }
            Event::Restart => {
                self.text = Utf16::new(String::new());
                self.send(EngineEvent::Restart);
            }
            Event::Citation(citation) => {
                let place = citation.start_bytes..citation.end_bytes;
                let (start, end) = self.text.range(&place);
                let n = citation.n;
                self.send(EngineEvent::Citation(types::Citation {
                    n,
                    start,
                    end,
                    support: None,
                }));
            }
        }
    }

    fn check(&mut self) -> Result<(), JsValue> {
        self.thrown.take().map_or(Ok(()), Err)
    }
}

/// Runs a question to its end.
///
/// # Errors
///
/// With the signal's reason where it was stopped, else with an error that has a code.
pub(super) async fn run(
    mut flow: Flow,
    host: Host,
    clock: Clock,
) -> Result<(Answer, Timings), JsValue> {
    let stop = Stop::new(host.signal.as_ref(), host.timeout_ms)?;
    let events = RefCell::new(Events {
        callback: host.on_event.clone(),
        thrown: None,
        clock,
        text: Utf16::new(String::new()),
    });
    let sources = flow.prompt().sources.iter().map(convert::source).collect();
    events.borrow_mut().send(EngineEvent::Sources { sources });
    events.borrow_mut().check()?;

    let mut step = flow
        .start(&mut |event| events.borrow_mut().flow(event))
        .map_err(|error| to_js(&error.into()))?;
    let answer = loop {
        events.borrow_mut().check()?;
        // A callback of the caller's may have stopped what needs no more waiting.
        if let Some(reason) = stop.reason() {
            return Err(reason);
        }
        step = match step {
            Step::Done(answer) => break *answer,
            Step::Failed(failure) => return Err(to_js(&failure.into())),
            Step::Call => {
                let reply = call(&flow, &host, &stop).await?;
                flow.reply(&reply, &mut |event| events.borrow_mut().flow(event))
            }
            Step::Retry { delay_ms, request } => {
                stop.sleep(delay_ms).await?;
                send(&mut flow, request, &stop, &events).await?
            }
            Step::Send(request) => send(&mut flow, request, &stop, &events).await?,
        };
    };

    let mut events = events.into_inner();
    events.clock.timings.total_ms = events.clock.elapsed_ms();
    let timings = events.clock.timings;
    if events.callback.is_some() {
        let withdrawn = is_withdrawn(&answer, flow.prompt().citation_mode);
        let answer = convert::answer(answer.clone(), timings);
        events.send(if withdrawn {
            EngineEvent::Withdrawn { answer }
        } else {
            EngineEvent::Done { answer }
        });
        events.check()?;
    }
    Ok((answer, timings))
}

/// Whether the text that was shown on the way is not the answer.
fn is_withdrawn(answer: &Answer, mode: CitationMode) -> bool {
    let refusal = Reason::Unverified(crate::answer::Reason::Refused);
    let is_verdict = matches!(
        answer.reason,
        Some(Reason::Unverified(_) | Reason::Unsupported)
    );
    mode == CitationMode::Verified && is_verdict && answer.reason != Some(refusal)
}

/// Calls the function that answers.
async fn call(flow: &Flow, host: &Host, stop: &Stop) -> Result<String, JsValue> {
    let failed = |cause| caused("provider-function", "the provider function failed", cause);
    let Some(function) = &host.function else {
        return Err(new("bad-options", "`provider` must be a function"));
    };
    let prompt = twin(convert::prompt(flow.prompt(), None))?.js_value();
    let reply = function
        .call1(&JsValue::UNDEFINED, &prompt)
        .map_err(failed)?;
    let reply = stop.race(&Promise::resolve(&reply)).await;
    let reply = reply.map_err(|thrown| stop.reason().unwrap_or_else(|| failed(thrown)))?;
    reply.as_string().ok_or_else(|| {
        new(
            "provider-function",
            "the provider function must return a string or a promise of one",
        )
    })
}

/// Sends a request and reads the response to its end.
async fn send(
    flow: &mut Flow,
    request: Request,
    stop: &Stop,
    events: &RefCell<Events>,
) -> Result<Step, JsValue> {
    let chance = js_sys::Math::random();
    let response = match fetch(&request, stop).await {
        Ok(response) => response,
        Err(Stopped(reason)) => return Err(reason),
        Err(NoResponse(failure)) => return Ok(flow.failed(failure, chance)),
    };
    flow.head(&head(&response));
    let sink = &mut |event| events.borrow_mut().flow(event);
    if let Some(body) = response.body() {
        let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
        loop {
            let read = stop.race(&reader.read()).await;
            if let Some(reason) = stop.reason() {
                cancel(reader);
                return Err(reason);
            }
            // A connection that broke ends the body; the decoder tells whether it was whole.
            let Ok(piece) = read else { break };
            match Reflect::get(&piece, &"value".into())?.dyn_into::<Uint8Array>() {
                Ok(bytes) => flow.bytes(&bytes.to_vec(), sink),
                Err(_) => break,
            }
            if let Err(thrown) = events.borrow_mut().check() {
                cancel(reader);
                return Err(thrown);
            }
            if flow.is_done() {
                cancel(reader);
                break;
            }
        }
    }
    Ok(flow.end(chance, sink))
}

/// Tells the server that nobody reads on. Not awaited: a stuck stream must not hold up the caller.
/// A stream that the abort has ended already refuses, which is no news.
fn cancel(reader: ReadableStreamDefaultReader) {
    spawn_local(async move {
        let _ = settle(reader.cancel()).await;
    });
}

/// Why there is no response.
enum FetchError {
    /// The caller stopped the question, or it took too long.
    Stopped(JsValue),
    /// The connection failed.
    NoResponse(Failure),
}
use FetchError::{NoResponse, Stopped};

async fn fetch(request: &Request, stop: &Stop) -> Result<http::Response, FetchError> {
    let signal = stop.fetch_signal();
    let mut builder = http::Request::post(&request.url)
        .abort_signal(Some(&signal))
        // Sends cookies to the page's own origin only.
        .credentials(RequestCredentials::SameOrigin)
        // A redirect would carry the prompt elsewhere.
        .redirect(RequestRedirect::Error)
        .referrer_policy(ReferrerPolicy::NoReferrer);
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    let sent = match builder.body(request.body.as_str()) {
        Ok(sent) => sent.send(),
        Err(error) => return Err(NoResponse(no_response(&request.url, &error.to_string()))),
    };
    let response = stop.race_future(sent).await;
    if let Some(reason) = stop.reason() {
        return Err(Stopped(reason));
    }
    match response {
        Some(Ok(response)) => Ok(response),
        Some(Err(error)) => Err(NoResponse(no_response(&request.url, &error.to_string()))),
        None => Err(Stopped(JsValue::UNDEFINED)),
    }
}

/// `fetch` hides why it failed. On a page that asks another origin the browser's own rules are
/// the most likely cause, so the failure is named after them, as a guess.
fn no_response(url: &str, message: &str) -> Failure {
    let global = js_sys::global();
    let origin = Reflect::get(&global, &"location".into())
        .and_then(|location| Reflect::get(&location, &"origin".into()))
        .ok()
        .and_then(|origin| origin.as_string());
    let online = Reflect::get(&global, &"navigator".into())
        .and_then(|navigator| Reflect::get(&navigator, &"onLine".into()));
    let offline = online.is_ok_and(|online| online == JsValue::FALSE);
    match origin {
        Some(_) if offline => Failure::without_response(Code::Network, "this device is offline"),
        Some(origin) if url.starts_with("http") && !url.starts_with(&origin) => {
            let hint = if origin.starts_with("https:") && url.starts_with("http:") {
                "a page on https may not reach a server on plain http, or needs the reader's \
                 permission to reach one on this machine"
            } else {
                "the server may be down, or may not allow this page's origin (CORS)"
            };
            let message = [
                "a guess, since the browser hides the reason: ",
                hint,
                " (",
                message,
                ")",
            ];
            Failure::without_response(Code::BlockedByBrowser, message.concat())
        }
        _ => Failure::without_response(Code::Network, message),
    }
}

fn head(response: &http::Response) -> ResponseHead {
    let headers = response.headers();
    ResponseHead {
        status: response.status(),
        content_type: headers.get("content-type"),
        retry_after: headers.get("retry-after"),
        retry_after_ms: headers.get("retry-after-ms"),
        request_id: headers
            .get("x-request-id")
            .or_else(|| headers.get("request-id")),
        now_ms: js_sys::Date::now() as u64,
    }
}

/// Awaits a promise of JavaScript.
pub(super) async fn settle(promise: Promise) -> Result<JsValue, JsValue> {
    JsFuture::from(promise).await
}
