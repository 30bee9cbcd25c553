//! Stopping a question: by the caller's signal, or because it took too long.

use super::error::to_js;
use super::fetch::settle;
use crate::provider::{Code, Failure};
use js_sys::{Array, Function, Promise};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, AbortSignal};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, delay_ms: f64) -> JsValue;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// Ends waiting at once when the question is stopped. Dropping it takes the timer and the
/// listener away and ends a request that is still under way.
pub(super) struct Stop {
    /// Of the attempt that is under way. Our own, because a time-out ends the request too.
    controller: Rc<RefCell<AbortController>>,
    /// Rejects when stopped, never resolves.
    stopped: Promise,
    reason: Rc<RefCell<Option<JsValue>>>,
    timer: JsValue,
    signal: Option<AbortSignal>,
    on_abort: Closure<dyn FnMut()>,
    _on_timeout: Closure<dyn FnMut()>,
}

impl Stop {
    /// Watches a signal and a clock.
    ///
    /// # Errors
    ///
    /// With the signal's reason where it is aborted already.
    pub(super) fn new(signal: Option<&AbortSignal>, timeout_ms: u32) -> Result<Stop, JsValue> {
        if let Some(aborted) = signal.filter(|signal| signal.aborted()) {
            return Err(aborted.reason());
        }
        let controller = Rc::new(RefCell::new(AbortController::new()?));
        let reason = Rc::new(RefCell::new(None));
        let mut reject = None;
        let stopped = Promise::new(&mut |_, rejecting| reject = Some(rejecting));
        Stop::forget(&stopped);

        let halt = {
            let (controller, reason) = (controller.clone(), reason.clone());
            move |why: JsValue| {
                reason.borrow_mut().get_or_insert_with(|| why.clone());
                controller.borrow().abort();
                if let Some(reject) = &reject {
                    let _ = reject.call1(&JsValue::UNDEFINED, &why);
                }
            }
        };
        let on_timeout = {
            let halt = halt.clone();
            Closure::new(move || halt(to_js(too_long("no whole answer within ", timeout_ms))))
        };
        let watched = signal.cloned();
        let on_abort: Closure<dyn FnMut()> = Closure::new(move || {
            halt(
                watched
                    .as_ref()
                    .map(AbortSignal::reason)
                    .unwrap_or_default(),
            );
        });
        if let Some(signal) = signal {
            let listener = on_abort.as_ref().unchecked_ref();
            signal.add_event_listener_with_callback("abort", listener)?;
        }
        let timer = set_timeout(on_timeout.as_ref().unchecked_ref(), delay(timeout_ms));
        Ok(Stop {
            controller,
            stopped,
            reason,
            timer,
            signal: signal.cloned(),
            on_abort,
            _on_timeout: on_timeout,
        })
    }

    /// Handles the rejection of a promise that nobody may be waiting for, which would be reported. A closure of
    /// ours would not do: it is called after an abort that ends the question in the same turn, when all of this
    /// is dropped.
    pub(super) fn forget(promise: &Promise) {
        let _ = Promise::all_settled(&Array::of1(promise));
    }

    /// The signal of what is under way: a request, or a call of the caller's function.
    pub(super) fn signal(&self) -> AbortSignal {
        self.controller.borrow().signal()
    }

    /// Ends the attempt that is under way, but not the question.
    ///
    /// # Errors
    ///
    /// Where the environment has no `AbortController`.
    pub(super) fn next_attempt(&self) -> Result<(), JsValue> {
        self.controller.replace(AbortController::new()?).abort();
        Ok(())
    }

    /// Why the question was stopped, if it was.
    pub(super) fn reason(&self) -> Option<JsValue> {
        self.reason.borrow().clone()
    }

    /// Waits for what a call gave, but not longer than until the question is stopped, or until the time is over:
    /// then it is `undefined`.
    ///
    /// # Errors
    ///
    /// With the reason where the question is stopped, else with what was thrown.
    pub(super) async fn race(
        &self,
        called: Result<JsValue, JsValue>,
        limit_ms: Option<u32>,
    ) -> Result<JsValue, JsValue> {
        let contenders = Array::of2(&Promise::resolve(&called?), &self.stopped);
        let limit = limit_ms.map(|ms| after(delay(ms)));
        if let Some((over, _)) = &limit {
            contenders.push(over);
        }
        let first = settle(Promise::race(&contenders)).await;
        if let Some((_, timer)) = limit {
            clear_timeout(&timer);
        }
        // Where the question was stopped, that is the reason, whatever else went wrong because of it.
        self.reason().map_or(first, Err)
    }

    /// Waits for a time.
    ///
    /// # Errors
    ///
    /// With the reason where the question is stopped first.
    pub(super) async fn sleep(&self, delay_ms: u64) -> Result<(), JsValue> {
        let (over, timer) = after(delay_ms as f64);
        let waited = self.race(Ok(over.into()), None).await;
        clear_timeout(&timer);
        waited.map(drop)
    }
}

impl Drop for Stop {
    fn drop(&mut self) {
        clear_timeout(&self.timer);
        if let Some(signal) = &self.signal {
            let listener = self.on_abort.as_ref().unchecked_ref();
            // Fails for no signal that took the listener before.
            let _ = signal.remove_event_listener_with_callback("abort", listener);
        }
        self.controller.borrow().abort();
    }
}

/// A failure that tells which limit was reached.
pub(super) fn too_long(what: &str, limit_ms: u32) -> Failure {
    let message = [what, &limit_ms.to_string(), " ms"].concat();
    Failure::without_response(Code::Timeout, message)
}

/// A promise that resolves to `undefined` after a time, and its timer.
fn after(delay_ms: f64) -> (Promise, JsValue) {
    let mut timer = JsValue::UNDEFINED;
    let over = Promise::new(&mut |resolve, _| timer = set_timeout(&resolve, delay_ms));
    (over, timer)
}

/// A timer takes a longer delay for none at all.
fn delay(ms: u32) -> f64 {
    f64::from(ms.min(i32::MAX as u32))
}
