//! Writing JSON.
//!
//! A serializer of our own beside our own reader: it cannot fail, so the many fields that are written carry
//! no code for an error, and it has no formatter for numbers with a fraction, which would be larger than all
//! the rest of it.

use std::fmt;

use serde::Serialize;
use serde::ser::{
    Error, Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, Serializer,
};

/// The JSON of a value whose numbers are whole. A fraction is cut off.
pub(super) fn whole_to_json<T: Serialize>(value: &T) -> String {
    to_json(value, |number| (number as i64).to_string())
}

/// The JSON of a value. `fraction` writes the numbers that may have a fraction and are finite; others are
/// `null`, as in JavaScript.
pub fn to_json<T: Serialize>(value: &T, fraction: fn(f64) -> String) -> String {
    let mut writer = Writer {
        text: String::new(),
        fraction,
    };
    let Ok(()) = value.serialize(&mut writer);
    writer.text
}

/// The text so far. Its last character tells whether a comma is due, so nothing else is remembered.
struct Writer {
    text: String,
    fraction: fn(f64) -> String,
}

/// The error that no value is of.
#[derive(Debug)]
enum Never {}

impl fmt::Display for Never {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for Never {}

impl Error for Never {
    fn custom<T: fmt::Display>(message: T) -> Never {
        unwritten(message)
    }
}

/// Nothing here that is written is of such a shape.
fn unwritten<T>(what: impl fmt::Display) -> T {
    unreachable!("{what} cannot be written as JSON")
}

impl Writer {
    /// What comes next is an item or a field of what was opened by `open`.
    fn separate(&mut self, open: char) {
        if !self.text.ends_with(open) {
            self.text.push(',');
        }
    }

    fn key(&mut self, key: &str) {
        self.separate('{');
        self.string(key);
        self.text.push(':');
    }

    /// RFC 8259, section 7.
    fn string(&mut self, text: &str) {
        self.text.push('"');
        let mut plain = 0;
        for (at, byte) in text.bytes().enumerate() {
            if byte >= b' ' && byte != b'"' && byte != b'\\' {
                continue;
            }
            self.text.push_str(&text[plain..at]);
            plain = at + 1;
            match byte {
                b'\n' => self.text.push_str("\\n"),
                b'"' | b'\\' => {
                    self.text.push('\\');
                    self.text.push(char::from(byte));
                }
                _ => {
                    self.text.push_str("\\u00");
                    for digit in [byte >> 4, byte & 15] {
                        self.text
                            .push(char::from(b"0123456789abcdef"[usize::from(digit)]));
                    }
                }
            }
        }
        self.text.push_str(&text[plain..]);
        self.text.push('"');
    }
}

type Written = Result<(), Never>;

impl<'a> Serializer for &'a mut Writer {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = &'a mut Writer;
    type SerializeTuple = &'a mut Writer;
    type SerializeTupleStruct = Impossible<(), Never>;
    type SerializeTupleVariant = Impossible<(), Never>;
    type SerializeMap = &'a mut Writer;
    type SerializeStruct = &'a mut Writer;
    type SerializeStructVariant = Impossible<(), Never>;

    fn serialize_bool(self, value: bool) -> Written {
        self.text.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i8(self, number: i8) -> Written {
        self.serialize_i64(number.into())
    }

    fn serialize_i16(self, number: i16) -> Written {
        self.serialize_i64(number.into())
    }

    fn serialize_i32(self, number: i32) -> Written {
        self.serialize_i64(number.into())
    }

    fn serialize_i64(self, number: i64) -> Written {
        self.text.push_str(&number.to_string());
        Ok(())
    }

    fn serialize_u8(self, number: u8) -> Written {
        self.serialize_u64(number.into())
    }

    fn serialize_u16(self, number: u16) -> Written {
        self.serialize_u64(number.into())
    }

    fn serialize_u32(self, number: u32) -> Written {
        self.serialize_u64(number.into())
    }

    fn serialize_u64(self, number: u64) -> Written {
        self.text.push_str(&number.to_string());
        Ok(())
    }

    fn serialize_f32(self, number: f32) -> Written {
        self.serialize_f64(number.into())
    }

    fn serialize_f64(self, number: f64) -> Written {
        if !number.is_finite() {
            return self.serialize_unit();
        }
        self.text.push_str(&(self.fraction)(number));
        Ok(())
    }

    fn serialize_char(self, value: char) -> Written {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Written {
        self.string(value);
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Written {
        bytes.serialize(self)
    }

    fn serialize_none(self) -> Written {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        self.text.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        self.text.push('{');
        self.key(variant);
        value.serialize(&mut *self)?;
        SerializeStruct::end(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Never> {
        self.text.push('[');
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Never> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Never> {
        unwritten(name)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Never> {
        unwritten(name)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Never> {
        self.text.push('{');
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Never> {
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Never> {
        unwritten(name)
    }
}

impl SerializeSeq for &mut Writer {
    type Ok = ();
    type Error = Never;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.separate('[');
        value.serialize(&mut **self)
    }

    fn end(self) -> Written {
        self.text.push(']');
        Ok(())
    }
}

impl SerializeTuple for &mut Writer {
    type Ok = ();
    type Error = Never;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.separate('[');
        value.serialize(&mut **self)
    }

    fn end(self) -> Written {
        SerializeSeq::end(self)
    }
}

impl SerializeMap for &mut Writer {
    type Ok = ();
    type Error = Never;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written {
        self.separate('{');
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.text.push(':');
        value.serialize(&mut **self)
    }

    fn end(self) -> Written {
        SerializeStruct::end(self)
    }
}

impl SerializeStruct for &mut Writer {
    type Ok = ();
    type Error = Never;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        self.key(key);
        value.serialize(&mut **self)
    }

    fn end(self) -> Written {
        self.text.push('}');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct All<'a> {
        long_name: &'a str,
        counts: Vec<u32>,
        nothing: Vec<All<'a>>,
        pair: (i8, bool),
        score: f32,
        missing: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        left_out: Option<u32>,
        inner: Option<Box<All<'a>>>,
        event: Event,
    }

    #[derive(Serialize)]
    #[serde(tag = "type", rename_all = "lowercase")]
    enum Event {
        Restart,
        Delta { text: char },
        Count(Count),
    }

    #[derive(Serialize)]
    struct Count {
        n: u64,
    }

    fn all(long_name: &str, event: Event) -> All<'_> {
        All {
            long_name,
            counts: vec![0, 7, u32::MAX],
            nothing: Vec::new(),
            pair: (-3, false),
            score: 0.5,
            missing: None,
            left_out: None,
            inner: None,
            event,
        }
    }

    #[test]
    fn structs_lists_and_events_are_written_as_serde_json_does() {
        let inner = all("", Event::Count(Count { n: u64::MAX }));
        let value = All {
            inner: Some(Box::new(inner)),
            nothing: vec![all("x", Event::Restart), all("y", Event::Restart)],
            ..all("é\u{2028}😀", Event::Delta { text: '"' })
        };
        let written = to_json(&value, |number| number.to_string());
        assert_eq!(written, serde_json::to_string(&value).unwrap());
    }

    #[test]
    fn every_character_can_be_read_back() {
        let text: String = ('\0'..='\u{7ff}').collect();
        let written = whole_to_json(&text);
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    }

    #[test]
    fn a_number_that_json_has_not_is_null() {
        let written = to_json(&[f64::NAN, 1.5], |number| number.to_string());
        assert_eq!(written, "[null,1.5]");
    }
}
