//! Reads the options that JavaScript gives, field by field.
//!
//! Serde could derive this. But each struct then brings a visitor of its own, and all together
//! the words for every mistake that serde knows: more than a tenth of what a reader downloads.

use super::error::new;
use js_sys::{Array, Object, Reflect, Symbol};
use wasm_bindgen::{JsCast, JsValue};

/// A type that an option may have.
pub(super) trait FromOption: Sized {
    /// Reads a value that is neither `undefined` nor `null`.
    ///
    /// # Errors
    ///
    /// `bad-options` with the option's `path` where the value is of another type.
    fn from_option(value: &JsValue, path: &str) -> Result<Self, JsValue>;
}

/// An object with options. A field that nobody asks for is a mistake too, most often of spelling.
///
/// The first mistake is kept and told by [`Fields::finish`]; what was read of a wrong field until
/// then is a default. To leave at each field would double the code of the many that are read.
pub(super) struct Fields<'a> {
    object: &'a JsValue,
    /// Where the object stands in the call's options, empty for the options themselves.
    path: &'a str,
    /// What was asked for.
    names: Vec<&'static str>,
    mistake: Option<JsValue>,
}

impl<'a> Fields<'a> {
    pub(super) fn of(object: &'a JsValue, path: &'a str) -> Fields<'a> {
        let shown = if path.is_empty() { "options" } else { path };
        Fields {
            object,
            path,
            names: Vec::new(),
            // A list is an object too, and its methods have names that options have.
            mistake: (!object.is_object() || Array::is_array(object))
                .then(|| wrong(shown, "an object")),
        }
    }

    /// The field's value as it is, `undefined` where it was left out.
    pub(super) fn value(&mut self, name: &'static str) -> JsValue {
        self.names.push(name);
        if self.mistake.is_some() {
            return JsValue::UNDEFINED;
        }
        // Fails where the field is a getter that throws.
        let value = Reflect::get(self.object, &name.into());
        value.unwrap_or_else(|thrown| {
            self.mistake = Some(thrown);
            JsValue::UNDEFINED
        })
    }

    /// A field that may be left out. `undefined` and `null` count as that too.
    pub(super) fn optional<T: FromOption>(&mut self, name: &'static str) -> Option<T> {
        let (value, path) = self.given(name)?;
        let read = T::from_option(&value, &path);
        read.map_err(|mistake| self.mistake = Some(mistake)).ok()
    }

    /// The field's value and path, if it was given.
    fn given(&mut self, name: &'static str) -> Option<(JsValue, String)> {
        let value = self.value(name);
        (!is_left_out(&value)).then(|| (value, self.path_of(name)))
    }

    /// A field that must be there.
    pub(super) fn required<T: FromOption + Default>(&mut self, name: &'static str) -> T {
        self.optional(name).unwrap_or_else(|| self.lack(name))
    }

    /// Notes that a field is missing, unless it is there and wrong.
    fn lack<T: Default>(&mut self, name: &str) -> T {
        if self.mistake.is_none() {
            self.mistake = Some(wrong(&self.path_of(name), "given"));
        }
        T::default()
    }

    /// What was read, if there was no mistake.
    pub(super) fn finish<T>(self, read: T) -> Result<T, JsValue> {
        self.check().map(|()| read)
    }

    /// The same for every type of options, and so once in the engine.
    #[inline(never)]
    fn check(self) -> Result<(), JsValue> {
        if let Some(mistake) = self.mistake {
            return Err(mistake);
        }
        for key in Object::keys(self.object.unchecked_ref::<Object>()) {
            let key = key.as_string().unwrap_or_default();
            if !self.names.contains(&key.as_str()) {
                let known = self.names.join(", ");
                let path = self.path_of(&key);
                let message = ["there is no option `", &path, "`; there are: ", &known];
                return Err(new("bad-options", &message.concat()));
            }
        }
        Ok(())
    }

    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() {
            return name.to_owned();
        }
        [self.path, ".", name].concat()
    }
}

pub(super) fn is_left_out(value: &JsValue) -> bool {
    value.is_undefined() || value.is_null()
}

/// The error for an option that is not what it must be.
pub(super) fn wrong(path: &str, what: &str) -> JsValue {
    new("bad-options", &["`", path, "` must be ", what].concat())
}

impl FromOption for String {
    fn from_option(value: &JsValue, path: &str) -> Result<String, JsValue> {
        value.as_string().ok_or_else(|| wrong(path, "a string"))
    }
}

impl FromOption for bool {
    fn from_option(value: &JsValue, path: &str) -> Result<bool, JsValue> {
        value.as_bool().ok_or_else(|| wrong(path, "true or false"))
    }
}

impl FromOption for u32 {
    fn from_option(value: &JsValue, path: &str) -> Result<u32, JsValue> {
        // The cast saturates and cuts, so it gives the same number only where the number is one.
        let number = value.as_f64().map(|number| (number, number as u32));
        match number {
            Some((number, whole)) if f64::from(whole) == number => Ok(whole),
            _ => Err(wrong(path, "a whole number from 0 to 4294967295")),
        }
    }
}

impl<T: FromOption> FromOption for Vec<T> {
    fn from_option(value: &JsValue, path: &str) -> Result<Vec<T>, JsValue> {
        let items = items(value).ok_or_else(|| wrong(path, "a list"))?;
        let item_path = [path, "[]"].concat();
        let read = |item: JsValue| T::from_option(&item, &item_path);
        items.iter().map(read).collect()
    }
}

/// Names and values, from an object or from what lists pairs, such as `Headers` and `Map`.
#[derive(Default)]
pub(super) struct Pairs(pub(super) Vec<(String, String)>);

impl FromOption for Pairs {
    fn from_option(value: &JsValue, path: &str) -> Result<Pairs, JsValue> {
        if !value.is_object() {
            return Err(wrong(path, "an object"));
        }
        let pairs = items(value).unwrap_or_else(|| Object::entries(value.unchecked_ref()));
        let pair_path = [path, "[]"].concat();
        let read = |pair: JsValue| {
            let pair = Array::from(&pair);
            let part = |i| String::from_option(&pair.get(i), &pair_path);
            Ok((part(0)?, part(1)?))
        };
        pairs.iter().map(read).collect::<Result<_, _>>().map(Pairs)
    }
}

/// What an iterable object lists.
fn items(value: &JsValue) -> Option<Array> {
    let iterable = value.is_object()
        && Reflect::get(value, &Symbol::iterator()).is_ok_and(|it| it.is_function());
    iterable.then(|| Array::from(value))
}
