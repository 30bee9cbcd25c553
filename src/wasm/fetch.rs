//! Runs a [`Flow`]: the only file that fetches, waits and looks at a clock.

use super::convert;
use super::error::{caused, new, to_js, twin};
use super::fields::{FromOption, Pairs};
use super::options::Host;
use super::pieces::{Piece, Pieces};
use super::stop::{Stop, too_long};
use super::types::{self, EngineEvent, Timings};
use super::utf16::Utf16;
use crate::ask::{Answer, Event, Flow, Reason, Step};
use crate::prompt::CitationMode;
use crate::provider::{Code, Failure, Request, ResponseHead};
use gloo_net::http;
use js_sys::{Function, Object, Promise, Reflect, Uint8Array};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReferrerPolicy, RequestCredentials, RequestRedirect};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
    #[wasm_bindgen(js_name = fetch, catch)]
    fn global_fetch(request: &web_sys::Request) -> Result<JsValue, JsValue>;
}

/// Measures from the call on.
#[derive(Clone)]
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
        .map_err(to_js)?;
    let answer = loop {
        go_on(&stop, &events)?;
        let request = match step {
            Step::Done(answer) => break *answer,
            Step::Failed(failure) => return Err(to_js(failure)),
            Step::Call => None,
            Step::Retry { delay_ms, request } => {
                stop.sleep(delay_ms).await?;
                Some(request)
            }
            Step::Send(request) => Some(request),
        };
        step = match request {
            Some(request) => send(&mut flow, request, &host, &stop, &events).await?,
            None => call(&mut flow, &host, &stop, &events).await?,
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

/// Calls the function that answers and takes its reply, whole or piece by piece.
async fn call(
    flow: &mut Flow,
    host: &Host,
    stop: &Stop,
    events: &RefCell<Events>,
) -> Result<Step, JsValue> {
    let Some(function) = &host.function else {
        return Err(new("bad-options", "`provider` must be a function"));
    };
    let prompt = twin(convert::prompt(flow.prompt(), None))?.js_value();
    let call = Object::new();
    Reflect::set(&call, &"signal".into(), &stop.signal())?;
    let sink = &mut |event| events.borrow_mut().flow(event);
    let called = function.call2(&JsValue::UNDEFINED, &prompt, &call);
    let failed = |thrown| function_failed(stop, thrown);
    let reply = stop.race(called, None).await.map_err(failed)?;
    if let Some(whole) = reply.as_string() {
        take(flow, whole.as_bytes(), sink)?;
        return Ok(flow.reply_end(sink));
    }
    let Some(pieces) = Pieces::of(&reply).map_err(failed)? else {
        return Err(wrong_reply());
    };
    while let Piece::Value(piece) = pieces.next(stop, None).await.map_err(failed)? {
        let bytes = match (piece.as_string(), piece.dyn_ref::<Uint8Array>()) {
            (Some(text), _) => Ok(text.into_bytes()),
            (None, Some(bytes)) => Ok(bytes.to_vec()),
            (None, None) => Err(wrong_reply()),
        };
        let taken = bytes.and_then(|bytes| take(flow, &bytes, sink));
        if let Err(thrown) = taken.and_then(|()| go_on(stop, events)) {
            pieces.leave();
            return Err(thrown);
        }
    }
    Ok(flow.reply_end(sink))
}

/// Whether the question goes on: a callback of the caller's may have stopped it, or thrown.
fn go_on(stop: &Stop, events: &RefCell<Events>) -> Result<(), JsValue> {
    events.borrow_mut().check()?;
    stop.reason().map_or(Ok(()), Err)
}

fn take(flow: &mut Flow, bytes: &[u8], sink: &mut dyn FnMut(Event)) -> Result<(), JsValue> {
    flow.piece(bytes, sink).map_err(to_js)
}

/// What a function threw. An error that has a code already keeps it, so that a function can tell, say, that
/// its model is overloaded; and what stopped the question is passed on as it is.
fn function_failed(stop: &Stop, thrown: JsValue) -> JsValue {
    let name = Reflect::get(&thrown, &"name".into());
    let is_told = name.is_ok_and(|name| name.as_string().as_deref() == Some("GroundlingError"));
    if is_told || stop.reason().is_some() {
        return thrown;
    }
    caused(FUNCTION, "the provider function failed", thrown)
}

fn wrong_reply() -> JsValue {
    new(
        FUNCTION,
        "the provider function must return a string, a stream or an iterable of strings or bytes, or a promise of one",
    )
}

const FUNCTION: &str = "provider-function";

/// Sends a request and reads the response to its end.
async fn send(
    flow: &mut Flow,
    request: Request,
    host: &Host,
    stop: &Stop,
    events: &RefCell<Events>,
) -> Result<Step, JsValue> {
    let chance = js_sys::Math::random();
    let request = match &host.headers {
        Some(headers) => {
            let headers = fresh_headers(headers, stop).await?;
            let made = flow.set_headers(&headers);
            made.map_err(to_js)?.unwrap_or(request)
        }
        None => request,
    };
    let response = match fetch(&request, host, stop).await {
        Ok(response) => response,
        Err(Stopped(reason)) => return Err(reason),
        Err(NoResponse(failure)) => {
            stop.next_attempt()?;
            return Ok(flow.failed(failure, chance));
        }
    };
    flow.head(&head(&response));
    let sink = &mut |event| events.borrow_mut().flow(event);
    let body = response.body().map_or(JsValue::NULL, JsValue::from);
    let Some(pieces) = Pieces::of(&body)? else {
        return Ok(flow.end(chance, sink));
    };
    loop {
        let piece = pieces.next(stop, host.idle_timeout_ms).await;
        go_on(stop, events).inspect_err(|_| pieces.leave())?;
        match piece {
            Ok(Piece::Value(bytes)) => flow.bytes(&Uint8Array::new(&bytes).to_vec(), sink),
            Ok(Piece::End) => return Ok(flow.end(chance, sink)),
            Ok(Piece::Late) => {
                stop.next_attempt()?;
                let limit_ms = host.idle_timeout_ms.unwrap_or_default();
                return Ok(flow.failed(too_long("nothing arrived for ", limit_ms), chance));
            }
            // The end of a connection that broke is no end that the server made.
            Err(thrown) => return Ok(flow.broken(&words_of(&thrown), chance, sink)),
        }
        if flow.is_done() {
            pieces.leave();
            return Ok(flow.end(chance, sink));
        }
    }
}

/// Headers from the function that makes them, such as a token that is valid for minutes.
async fn fresh_headers(function: &Function, stop: &Stop) -> Result<Vec<(String, String)>, JsValue> {
    let made = stop.race(function.call0(&JsValue::UNDEFINED), None).await;
    let made = made.map_err(|thrown| match stop.reason() {
        Some(reason) => reason,
        None => caused("provider-headers", "the function `headers` failed", thrown),
    })?;
    Ok(Pairs::from_option(&made, "provider.headers()")?.0)
}

/// Why there is no response.
enum FetchError {
    /// The caller stopped the question, or it took too long.
    Stopped(JsValue),
    /// The connection failed.
    NoResponse(Failure),
}
use FetchError::{NoResponse, Stopped};

async fn fetch(request: &Request, host: &Host, stop: &Stop) -> Result<http::Response, FetchError> {
    let failed = |message: &str| NoResponse(no_response(&request.url, message));
    let signal = stop.signal();
    let mut builder = http::Request::post(&request.url)
        .abort_signal(Some(&signal))
        // Sends cookies to the page's own origin only.
        .credentials(RequestCredentials::SameOrigin)
        // A redirect would carry the prompt elsewhere. `Error` would refuse it too, but as one of the failures
        // that say nothing.
        .redirect(RequestRedirect::Manual)
        .referrer_policy(ReferrerPolicy::NoReferrer);
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    let sent: web_sys::Request = match builder.body(request.body.as_str()) {
        Ok(sent) => sent.into(),
        Err(error) => return Err(failed(&error.to_string())),
    };
    // Not gloo's `send`, which knows the global `fetch` only and traps where the response is of another class.
    let response = match &host.fetch {
        Some(own) => own.call1(&JsValue::UNDEFINED, &sent),
        None => global_fetch(&sent),
    };
    let response = stop.race(response, host.connect_timeout_ms).await;
    if let Some(reason) = stop.reason() {
        return Err(Stopped(reason));
    }
    match response {
        Ok(response) if response.is_object() => {
            let response: web_sys::Response = response.unchecked_into();
            Ok(response.into())
        }
        Ok(_) => Err(NoResponse(match host.connect_timeout_ms {
            Some(limit_ms) => too_long("no response within ", limit_ms),
            None => no_response(&request.url, "`provider.fetch` gave no response"),
        })),
        Err(thrown) => Err(failed(&words_of(&thrown))),
    }
}

/// The message of an error, else what was thrown as text.
fn words_of(thrown: &JsValue) -> String {
    let message = Reflect::get(thrown, &"message".into()).unwrap_or_default();
    let message = message.as_string().or_else(|| thrown.as_string());
    message.unwrap_or_default()
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
        should_retry: headers.get("x-should-retry"),
        now_ms: js_sys::Date::now() as u64,
    }
}

/// Awaits a promise of JavaScript.
pub(super) async fn settle(promise: Promise) -> Result<JsValue, JsValue> {
    JsFuture::from(promise).await
}
