//! Errors become JavaScript errors with a stable code.

use crate::error::Error;
use crate::provider::to_json;
use js_sys::Reflect;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// An `Error` named `GroundlingError` with `code` and the error's facts as properties. The
/// JavaScript side makes an instance of its class from it.
pub(super) fn to_js(error: impl Into<Error>) -> JsValue {
    with_facts(&error.into())
}

/// Apart from what converts to it, because that part is made for each type.
#[inline(never)]
fn with_facts(error: &Error) -> JsValue {
    let object = new(error.code(), &error.to_string());
    if let Error::Provider(failure) = error {
        let number = |value: Option<u64>| value.map(|value| JsValue::from_f64(value as f64));
        let string = |value: &Option<String>| value.as_deref().map(JsValue::from_str);
        set(&object, "status", number(failure.status.map(u64::from)));
        set(&object, "retryAfterMs", number(failure.retry_after_ms));
        set(&object, "providerCode", string(&failure.provider_code));
        set(&object, "requestId", string(&failure.request_id));
    }
    object
}

/// An error that arises at the edge itself.
pub(super) fn new(code: &str, message: &str) -> JsValue {
    let object = JsValue::from(js_sys::Error::new(message));
    set(&object, "name", Some("GroundlingError".into()));
    set(&object, "code", Some(code.into()));
    object
}

/// An error that arises at the edge because of another one.
pub(super) fn caused(code: &str, message: &str, cause: JsValue) -> JsValue {
    let object = new(code, message);
    set(&object, "cause", Some(cause));
    object
}

#[wasm_bindgen]
extern "C" {
    /// The shortest decimal that gives the same number again.
    #[wasm_bindgen(js_name = String)]
    fn decimal(number: f64) -> String;
}

/// A value of Rust as a value of JavaScript. It crosses as JSON, in one piece: to make each object and field
/// by a call of its own takes longer, and is more code for each type.
///
/// # Errors
///
/// Where JavaScript cannot read the JSON, which what is written here gives it no reason for.
pub(super) fn twin<T: Tsify + serde::Serialize>(value: T) -> Result<Ts<T>, JsValue>
where
    T::JsType: JsCast,
{
    parsed(&to_json(&value, decimal)).map(Ts::new_unchecked)
}

#[inline(never)]
fn parsed(json: &str) -> Result<JsValue, JsValue> {
    js_sys::JSON::parse(json)
        .map_err(|cause| caused("engine-conversion", "a result is no JSON", cause))
}

fn set(object: &JsValue, name: &str, value: Option<JsValue>) {
    if let Some(value) = value {
        // Fails only for objects that were frozen, which a new error is not.
        let _ = Reflect::set(object, &name.into(), &value);
    }
}
