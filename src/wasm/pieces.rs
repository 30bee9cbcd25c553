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

/// What comes next.
pub(super) enum Piece {
    Value(JsValue),
    End,
    Late,
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

    /// The next piece, or `None` at the end. With a limit of time it is [`Piece::Late`] where that was not enough.
    ///
    /// # Errors
    ///
    /// As [`Stop::race`]. Nobody reads on then, which the other side is told.
    pub(super) async fn next(&self, stop: &Stop, limit_ms: Option<u32>) -> Result<Piece, JsValue> {
        let called = call(&self.object, &self.next.into()).map(Option::unwrap_or_default);
        let step = stop.race(called, limit_ms).await;
        let piece = step.and_then(|step| {
            if step.is_undefined() && limit_ms.is_some() {
                return Ok(Piece::Late);
            }
            // Fails for what is no object, as JavaScript's own loops do.
            if Reflect::get(&step, &"done".into())?.is_truthy() {
                return Ok(Piece::End);
            }
            Reflect::get(&step, &"value".into()).map(Piece::Value)
        });
        if !matches!(piece, Ok(Piece::Value(_) | Piece::End)) {
            self.leave();
        }
        piece
    }

    /// Tells the other side that nobody reads on. Not awaited: one that is stuck must not hold up the caller,
    /// and one that the same abort has ended already refuses, which is no news.
    pub(super) fn leave(&self) {
        if let Ok(Some(left)) = call(&self.object, &self.leave.into()) {
            Stop::forget(&Promise::resolve(&left));
        }
    }
}

/// Calls a method, if there is one.
fn call(object: &JsValue, name: &JsValue) -> Result<Option<JsValue>, JsValue> {
    let method = Reflect::get(object.unchecked_ref::<Object>(), name)?;
    let method = method.dyn_ref::<Function>();
    method.map(|method| method.call0(object)).transpose()
}
