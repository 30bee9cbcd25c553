//! Stopping a question: by the caller's signal, or because it took too long.

use super::error::to_js;
use super::fetch::settle;
use crate::provider::{Code, Failure};
use js_sys::{Array, Function, Promise};
use std::cell::RefCell;
use std::future::Future;
use std::rc::Rc;
use std::task::Poll;
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
    /// Of our own, because a time-out ends the request too.
    controller: AbortController,
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
        let controller = AbortController::new()?;
        let reason = Rc::new(RefCell::new(None));
        let mut reject = None;
        let stopped = Promise::new(&mut |_, rejecting| reject = Some(rejecting));
        // Handles the rejection, which would be reported where nobody waits for it. A closure of
        // ours would not do: it is called after an abort that ends the question in the same turn,
        // when all of this is dropped.
        let _ = Promise::all_settled(&Array::of1(&stopped));

        let halt = {
            let (controller, reason) = (controller.clone(), reason.clone());
            move |why: JsValue| {
                reason.borrow_mut().get_or_insert_with(|| why.clone());
                controller.abort();
                if let Some(reject) = &reject {
                    let _ = reject.call1(&JsValue::UNDEFINED, &why);
                }
            }
        };
        let on_timeout = {
            let halt = halt.clone();
            Closure::new(move || {
                let message = ["no whole answer within ", &timeout_ms.to_string(), " ms"].concat();
                let failure = Failure::without_response(Code::Timeout, message);
                halt(to_js(&failure.into()));
            })
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
        // A timer takes a longer delay for none at all.
        let delay_ms = f64::from(timeout_ms.min(i32::MAX as u32));
        let timer = set_timeout(on_timeout.as_ref().unchecked_ref(), delay_ms);
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

    /// The signal for `fetch`.
    pub(super) fn fetch_signal(&self) -> AbortSignal {
        self.controller.signal()
    }

    /// Why the question was stopped, if it was.
    pub(super) fn reason(&self) -> Option<JsValue> {
        self.reason.borrow().clone()
    }

    /// Waits for a promise, but not longer than until the question is stopped.
    pub(super) async fn race(&self, promise: &Promise) -> Result<JsValue, JsValue> {
        settle(Promise::race(&Array::of2(promise, &self.stopped))).await
    }

    /// Waits for a future, but not longer than until the question is stopped: then `None`.
    pub(super) async fn race_future<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        let mut future = Box::pin(future);
        let mut stopped = Box::pin(settle(self.stopped.clone()));
        std::future::poll_fn(|context| {
            if let Poll::Ready(value) = future.as_mut().poll(context) {
                return Poll::Ready(Some(value));
            }
            stopped.as_mut().poll(context).map(|_| None)
        })
        .await
    }

    /// Waits for a time.
    ///
    /// # Errors
    ///
    /// With the reason where the question is stopped first.
    pub(super) async fn sleep(&self, delay_ms: u64) -> Result<(), JsValue> {
        let mut timer = JsValue::UNDEFINED;
        let waited = self
            .race(&Promise::new(&mut |resolve, _| {
                timer = set_timeout(&resolve, delay_ms as f64);
            }))
            .await;
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
        self.controller.abort();
    }
}
