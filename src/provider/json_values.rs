//! Splits a JSON body into its top-level objects while it arrives.
//!
//! One scan serves every JSON body there is: one object, indented or not; a line per object (NDJSON); a
//! streamed array, whose brackets and commas are skipped; an object followed by a stray `data: [DONE]`.

/// An object was longer than the bound.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

const DONE: &str = "[DONE]";

/// The splitter. It counts braces outside strings; whether a piece is JSON is for the parser to say.
pub(super) struct JsonValues {
    max_bytes: usize,
    /// The open object, or while none is open the last characters between two objects.
    piece: String,
    /// Open braces.
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl JsonValues {
    pub(super) fn new(max_bytes: usize) -> JsonValues {
        JsonValues {
            max_bytes,
            piece: String::new(),
            depth: 0,
            in_string: false,
            escaped: false,
        }
    }

    /// Takes the next characters and gives each object that they end, and each `[DONE]`.
    pub(super) fn feed(&mut self, text: &str, sink: &mut dyn FnMut(&str)) -> Result<(), TooLong> {
        for c in text.chars() {
            if self.depth == 0 {
                self.between(c, sink);
            } else {
                self.piece.push(c);
                if self.inside(c) {
                    sink(&self.piece);
                    self.piece.clear();
                } else if self.piece.len() > self.max_bytes {
                    return Err(TooLong);
                }
            }
        }
        Ok(())
    }

    /// Ends the input and gives the object that it cut, if any.
    pub(super) fn finish(&mut self) -> Option<String> {
        let cut = self.depth > 0;
        self.depth = 0;
        let piece = std::mem::take(&mut self.piece);
        if cut { Some(piece) } else { None }
    }

    fn between(&mut self, c: char, sink: &mut dyn FnMut(&str)) {
        if c == '{' {
            self.piece.clear();
            self.depth = 1;
        } else if DONE.starts_with(self.piece.as_str()) && DONE[self.piece.len()..].starts_with(c) {
            // falls through to the push below
        } else {
            self.piece.clear();
            if c != '[' {
                return;
            }
        }
        self.piece.push(c);
        if self.piece == DONE {
            sink(DONE);
            self.piece.clear();
        }
    }

    /// Follows the open object; true if `c` ended it.
    fn inside(&mut self, c: char) -> bool {
        if self.in_string {
            match c {
                _ if self.escaped => self.escaped = false,
                '\\' => self.escaped = true,
                '"' => self.in_string = false,
                // JSON has no line end inside a string: the line was cut, and the next one starts afresh.
                '\n' => {
                    self.in_string = false;
                    self.depth = 0;
                    return true;
                }
                _ => {}
            }
            return false;
        }
        match c {
            '"' => self.in_string = true,
            '{' => self.depth += 1,
            '}' => self.depth -= 1,
            _ => {}
        }
        self.depth == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str], cut: Option<&str>) {
        for at in text.char_indices().map(|(at, _)| at) {
            let mut values = JsonValues::new(1000);
            let mut pieces = Vec::new();
            values
                .feed(&text[..at], &mut |piece| pieces.push(piece.to_owned()))
                .unwrap();
            values
                .feed(&text[at..], &mut |piece| pieces.push(piece.to_owned()))
                .unwrap();
            assert_eq!(pieces, expected, "cut at {at}");
            assert_eq!(values.finish().as_deref(), cut);
        }
    }

    #[test]
    fn one_object_lines_and_arrays_are_split_into_objects() {
        check(
            " {\n \"a\": {\"b\": 1}\n}\n",
            &["{\n \"a\": {\"b\": 1}\n}"],
            None,
        );
        check(
            "{\"a\":1}\n{\"a\":2}\r\n{\"a\":3}",
            &["{\"a\":1}", "{\"a\":2}", "{\"a\":3}"],
            None,
        );
        check(
            "[{\"a\":1}\n,\n{\"a\":[2]}]",
            &["{\"a\":1}", "{\"a\":[2]}"],
            None,
        );
    }

    #[test]
    fn braces_and_quotes_inside_strings_are_text() {
        check(
            r#"{"a":"}{\"}\\"}{"b":"é{"}"#,
            &[r#"{"a":"}{\"}\\"}"#, r#"{"b":"é{"}"#],
            None,
        );
    }

    #[test]
    fn a_done_marker_between_objects_is_given() {
        check(
            "{\"a\":1}\n\ndata: [DONE]\n",
            &["{\"a\":1}", "[DONE]"],
            None,
        );
        check("[[DONE]", &["[DONE]"], None);
    }

    #[test]
    fn a_cut_object_is_given_at_the_end() {
        check("{\"a\":1}\n{\"a\":\"x", &["{\"a\":1}"], Some("{\"a\":\"x"));
    }

    #[test]
    fn a_line_that_ends_inside_a_string_does_not_swallow_the_next() {
        check(
            "{\"a\":\"x\n{\"a\":2}\n",
            &["{\"a\":\"x\n", "{\"a\":2}"],
            None,
        );
    }

    #[test]
    fn a_long_object_is_refused() {
        assert_eq!(
            JsonValues::new(5).feed("{\"a\":\"long\"}", &mut |_| {}),
            Err(TooLong)
        );
    }
}
