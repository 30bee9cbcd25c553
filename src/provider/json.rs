//! Reading JSON of which nothing is certain: a missing field and one of another type are both empty.
//!
//! Protocols read [`Value`]s and not structs of their own: real servers put null, numbers and lists where
//! strings belong, and a struct would lose the whole event over a field that nobody needs.

use serde_json::Value;

/// The string under that key, or an empty one.
pub(super) fn string<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The list under that key, or an empty one.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}
