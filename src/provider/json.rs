//! Reading JSON of which nothing is certain: a missing field and one of another type are both empty.
//!
//! Protocols read [`Value`]s and not structs of their own: real servers put null, numbers and lists where
//! strings belong, and a struct would lose the whole event over a field that nobody needs.

/// How deep lists and objects may stand in each other, so that no input exhausts the stack.
const MAX_DEPTH: usize = 128;

/// Any JSON value. Read here and not by `serde_json`, which is three times as much to download: it knows
/// where a mistake is, and the value of every number.
#[derive(Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Count(u64),
    /// Any other number. No protocol has a field for one.
    OtherNumber,
    String(String),
    Array(Vec<Value>),
    /// The fields as they came. Of two with the same name the last one counts.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The value of a whole JSON text (RFC 8259), or `None` where it is none.
    pub(super) fn parse(text: &str) -> Option<Value> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(MAX_DEPTH)?;
        reader.peek().is_none().then_some(value)
    }

    /// The object's field with that name.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        let Value::Object(fields) = self else {
            return None;
        };
        let mut fields = fields.iter().rev();
        fields.find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub(super) fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// A number that is whole and not negative.
    pub(super) fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Count(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(values) => Some(values),
            _ => None,
        }
    }

    pub(super) fn is_array(&self) -> bool {
        self.as_array().is_some()
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self, Value::Object(_))
    }
}

/// The string under that key, or an empty one.
pub(super) fn string<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The list under that key, or an empty one.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).unwrap_or_default()
}

/// Reads values from a text, from the front to the back.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// The byte at hand, as it is.
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is no white space; it stays at hand.
    fn peek(&mut self) -> Option<u8> {
        while matches!(self.byte()?, b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        self.byte()
    }

    /// Passes over that byte if it is the next one that is no white space.
    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        let words = [
            ("null", Value::Null),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
        ];
        match self.peek()? {
            b'"' => self.string().map(Value::String),
            b'[' => {
                let mut values = Vec::new();
                self.items(b']', &mut |reader| {
                    values.push(reader.value(depth.checked_sub(1)?)?);
                    Some(())
                })?;
                Some(Value::Array(values))
            }
            b'{' => {
                let mut fields = Vec::new();
                self.items(b'}', &mut |reader| {
                    reader.peek();
                    let name = reader.string()?;
                    let value = reader
                        .take(b':')
                        .then(|| reader.value(depth.checked_sub(1)?));
                    fields.push((name, value??));
                    Some(())
                })?;
                Some(Value::Object(fields))
            }
            b'-' | b'0'..=b'9' => self.number(),
            _ => {
                let rest = &self.text[self.at..];
                let (word, value) = words.into_iter().find(|(word, _)| rest.starts_with(word))?;
                self.at += word.len();
                Some(value)
            }
        }
    }

    /// What stands between an opening bracket, which is at hand, and its closing one.
    fn items(&mut self, close: u8, item: &mut dyn FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        if self.take(close) {
            return Some(());
        }
        loop {
            item(self)?;
            if !self.take(b',') {
                return self.take(close).then_some(());
            }
        }
    }

    fn number(&mut self) -> Option<Value> {
        let start = self.at;
        self.at += usize::from(self.byte() == Some(b'-'));
        let digits = self.digits()?;
        if digits.len() > 1 && digits.starts_with('0') {
            return None;
        }
        let end = self.at;
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), Some(b'+' | b'-')));
            self.digits()?;
        }
        // Neither with a sign or a fraction, nor too long.
        let count = if end == self.at {
            self.text[start..end].parse().ok()
        } else {
            None
        };
        Some(count.map_or(Value::OtherNumber, Value::Count))
    }

    /// At least one digit.
    fn digits(&mut self) -> Option<&str> {
        let start = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then(|| &self.text[start..self.at])
    }

    /// The string whose opening quotation mark is at hand.
    fn string(&mut self) -> Option<String> {
        if self.byte()? != b'"' {
            return None;
        }
        self.at += 1;
        let mut read = String::new();
        loop {
            let plain = self.at;
            while !matches!(self.byte()?, b'"' | b'\\' | ..=0x1f) {
                self.at += 1;
            }
            read.push_str(&self.text[plain..self.at]);
            let end = self.byte()?;
            self.at += 1;
            match end {
                b'"' => return Some(read),
                b'\\' => read.push(self.escaped()?),
                _ => return None,
            }
        }
    }

    /// The character after a backslash, or for one beyond 16 bits the two escapes of its surrogates.
    fn escaped(&mut self) -> Option<char> {
        let letter = self.byte()?;
        self.at += 1;
        Some(match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.unit()?;
                if !(0xd800..0xdc00).contains(&unit) {
                    return char::from_u32(unit);
                }
                if !self.text[self.at..].starts_with("\\u") {
                    return None;
                }
                self.at += 2;
                let low = self.unit()?;
                if !(0xdc00..0xe000).contains(&low) {
                    return None;
                }
                return char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
            }
            _ => return None,
        })
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Option<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            unit = unit * 16 + char::from(self.byte()?).to_digit(16)?;
            self.at += 1;
        }
        Some(unit)
    }
}

// Not in a browser, where proptest finds no randomness.
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What `serde_json` reads, as the values of this file.
    fn judge(text: &str) -> Option<Value> {
        fn convert(value: serde_json::Value) -> Value {
            match value {
                serde_json::Value::Null => Value::Null,
                serde_json::Value::Bool(value) => Value::Bool(value),
                serde_json::Value::Number(number) => {
                    number.as_u64().map_or(Value::OtherNumber, Value::Count)
                }
                serde_json::Value::String(text) => Value::String(text),
                serde_json::Value::Array(values) => {
                    Value::Array(values.into_iter().map(convert).collect())
                }
                serde_json::Value::Object(fields) => Value::Object(
                    fields
                        .into_iter()
                        .map(|(name, value)| (name, convert(value)))
                        .collect(),
                ),
            }
        }
        serde_json::from_str(text).ok().map(convert)
    }

    #[track_caller]
    fn check(text: &str) {
        assert_eq!(Value::parse(text), judge(text), "{text}");
    }

    #[test]
    fn values_are_read_as_serde_json_reads_them() {
        for text in [
            r#" { "a" : [ 1 , -2 , 3.5e-7, true, false, null, "x" ] , "b" : { } } "#,
            "[]",
            "[[[]]]",
            "0",
            "-0",
            "18446744073709551615",
            "18446744073709551616",
            "1E+2",
            r#""\"\\\/\b\f\n\r\t\u00e9\ud83d\uDE00é😀""#,
        ] {
            assert!(Value::parse(text).is_some(), "{text}");
            check(text);
        }
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "",
            " ",
            "{",
            "[1",
            "[1,]",
            "[,]",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "01",
            "-",
            "1.",
            ".5",
            "1e",
            "+1",
            "tru",
            "nulll",
            "1 2",
            "\"",
            "\"\\",
            "\"\\x\"",
            "\"\n\"",
            "\"\\u12\"",
            "\"\\ud800\"",
            "\"\\udc00\"",
            "\"\\ud800\\ud800\"",
            "[1]x",
            "]",
            "\u{a0}1",
            "{1:2}",
        ] {
            assert_eq!(Value::parse(text), None, "{text}");
            check(text);
        }
    }

    #[test]
    fn deep_nesting_is_refused_before_the_stack_ends() {
        let deep = |depth| ["[".repeat(depth), "]".repeat(depth)].concat();
        assert!(Value::parse(&deep(MAX_DEPTH)).is_some());
        assert_eq!(Value::parse(&"[".repeat(1_000_000)), None);
        assert_eq!(Value::parse(&"{\"a\":".repeat(1_000_000)), None);
    }

    #[test]
    fn of_two_fields_with_one_name_the_last_counts() {
        let value = Value::parse(r#"{"a":1,"a":2}"#).unwrap();
        assert_eq!(value.get("a"), Some(&Value::Count(2)));
    }

    proptest! {
        #[test]
        fn scrambled_json_is_read_or_refused_as_by_serde_json(
            text in r#"([\[\]{},:0-9.eE+\- ]|"a"|"b"|null|true|"\\u[0-9a-f]{4}"){0,24}"#
        ) {
            let judged = judge(&text);
            // Two fields of one name, which the judge joins.
            prop_assume!(text.matches("\"a\"").count() < 2 && text.matches("\"b\"").count() < 2);
            prop_assert_eq!(Value::parse(&text), judged);
        }
    }
}
