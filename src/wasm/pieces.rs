//! What JavaScript gives piece by piece: a stream or an iterable object.

use super::stop::Stop;
use js_sys::{Function, Object, Promise, Reflect, Symbol};
use wasm_bindgen::{JsCast, JsValue};

/// The reader of a stream, or an iterator: both have a method that gives `{ value, done }`, and one to leave.
pub(super) struct Pieces {
    object: JsValue,
    next: &'static str,
    leave: &'static str,
}

impl Pieces {
    /// `None` where the value gives no pieces. A string does not, although it lists its characters.
    pub(super) fn of(value: &JsValue) -> Result<Option<Pieces>, JsValue> {
        if !value.is_object() {
            return Ok(None);
        }
        // Not every browser's streams are iterable, so the reader comes first.
        let makers: [(JsValue, _, _); 3] = [
            ("getReader".into(), "read", "cancel"),
            (Symbol::async_iterator().into(), "next", "return"),
            (Symbol::iterator().into(), "next", "return"),
        ];
        for (maker, next, leave) in makers {
            if let Some(made) = call(value, &maker)? {
                let object = made;
                return Ok(Some(Pieces {
                    object,
                    next,
                    leave,
                }));
            }
        }
        Ok(None)
    }

    /// The promise of the next `{ value, done }`.
    pub(super) fn next(&self) -> Result<Promise, JsValue> {
        let step = call(&self.object, &self.next.into())?.unwrap_or_default();
        Ok(Promise::resolve(&step))
    }

    /// Tells the other side that nobody reads on. Not awaited: one that is stuck must not hold up the caller,
    /// and one that the same abort has ended already refuses, which is no news.
    pub(super) fn leave(&self) {
        if let Ok(Some(left)) = call(&self.object, &self.leave.into()) {
            Stop::forget(&Promise::resolve(&left));
        }
    }
}

/// The value of a step, or `None` at the end.
pub(super) fn value_of(step: &JsValue) -> Result<Option<JsValue>, JsValue> {
    // Fails for what is no object, as JavaScript's own loops do.
    let is_done = Reflect::get(step, &"done".into())?.is_truthy();
    let value = Reflect::get(step, &"value".into())?;
    Ok((!is_done).then_some(value))
}

/// Calls a method, if there is one.
fn call(object: &JsValue, name: &JsValue) -> Result<Option<JsValue>, JsValue> {
    let method = Reflect::get(object.unchecked_ref::<Object>(), name)?;
    let method = method.dyn_ref::<Function>();
    method.map(|method| method.call0(object)).transpose()
}
