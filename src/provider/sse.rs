//! Server-sent events, as the HTML standard reads them (section 9.2.6, "Interpreting an event stream"), with
//! two deviations that real servers need:
//! - an event that is still open when the input ends is dispatched, because servers forget the last blank
//!   line; the decoder then sees by its JSON whether it was cut;
//! - a line that starts with `{` is data even without `data:`, because Google and some proxies put an error
//!   object into the stream as it is. To the standard such a line is a field of an unknown name.

/// One event. `name` is empty where the stream gave none.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SseEvent<'a> {
    pub(super) name: &'a str,
    pub(super) data: &'a str,
}

/// An event was longer than the bound.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Splits characters into events. The input must be without a byte order mark.
pub(super) struct SseParser {
    /// Bound on the bytes of one event and of one line.
    max_bytes: usize,
    /// The line that has not ended yet.
    line: String,
    /// The last character was a CR, so an LF right after it belongs to the same line end.
    after_cr: bool,
    name: String,
    /// Each data line with an LF after it.
    data: String,
    /// The open event is a bare JSON object.
    bare: bool,
}

impl SseParser {
    pub(super) fn new(max_bytes: usize) -> SseParser {
        SseParser {
            max_bytes,
            line: String::new(),
            after_cr: false,
            name: String::new(),
            data: String::new(),
            bare: false,
        }
    }

    /// Takes the next characters and gives each event that they end.
    pub(super) fn feed(
        &mut self,
        text: &str,
        sink: &mut dyn FnMut(SseEvent<'_>),
    ) -> Result<(), TooLong> {
        let mut left = text;
        if self.after_cr && !left.is_empty() {
            left = left.strip_prefix('\n').unwrap_or(left);
            self.after_cr = false;
        }
        while let Some(end) = left.find(['\n', '\r']) {
            self.line.push_str(&left[..end]);
            let is_cr = left.as_bytes()[end] == b'\r';
            left = &left[end + 1..];
            if is_cr {
                self.after_cr = left.is_empty();
                left = left.strip_prefix('\n').unwrap_or(left);
            }
            self.end_line(sink)?;
        }
        self.line.push_str(left);
        self.check_bound()
    }

    /// Ends the input: the open line and the open event are taken as they are.
    pub(super) fn finish(&mut self, sink: &mut dyn FnMut(SseEvent<'_>)) {
        if self.end_line(sink).is_ok() {
            self.dispatch(sink);
        }
    }

    fn end_line(&mut self, sink: &mut dyn FnMut(SseEvent<'_>)) -> Result<(), TooLong> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            self.dispatch(sink);
            return Ok(());
        }
        if self.bare || line.starts_with('{') {
            // The inner lines of a JSON object start like this; a field's name never does.
            if line.starts_with([' ', '\t', '"', '{', '}', '[', ']']) {
                if !self.bare {
                    self.dispatch(sink);
                    self.bare = true;
                }
                self.data.push_str(&line);
                self.data.push('\n');
                return self.check_bound();
            }
            self.dispatch(sink);
        }
        // A line that starts with a colon is a comment: here it is a field whose name is empty.
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                self.data.push_str(value);
                self.data.push('\n');
            }
            "event" => value.clone_into(&mut self.name),
            // `id` and `retry` serve reconnection, which a POST does not have.
            _ => {}
        }
        self.check_bound()
    }

    fn dispatch(&mut self, sink: &mut dyn FnMut(SseEvent<'_>)) {
        if let Some(data) = self.data.strip_suffix('\n') {
            sink(SseEvent {
                name: &self.name,
                data,
            });
        }
        self.data.clear();
        self.name.clear();
        self.bare = false;
    }

    fn check_bound(&self) -> Result<(), TooLong> {
        if self.line.len() > self.max_bytes || self.data.len() > self.max_bytes {
            Err(TooLong)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(pieces: &[&str]) -> Vec<(String, String)> {
        let mut parser = SseParser::new(1000);
        let mut events = Vec::new();
        let mut sink =
            |event: SseEvent<'_>| events.push((event.name.to_owned(), event.data.to_owned()));
        for piece in pieces {
            parser.feed(piece, &mut sink).unwrap();
        }
        parser.finish(&mut sink);
        events
    }

    /// Parses whole and cut at every position; all must give the expected events.
    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let expected: Vec<(String, String)> = expected
            .iter()
            .map(|(name, data)| ((*name).to_owned(), (*data).to_owned()))
            .collect();
        assert_eq!(events(&[text]), expected, "whole");
        for (cut, _) in text.char_indices() {
            assert_eq!(
                events(&[&text[..cut], &text[cut..]]),
                expected,
                "cut at {cut}"
            );
        }
        let pieces: Vec<&str> = text.split_inclusive(|_| true).collect();
        assert_eq!(events(&pieces), expected, "character by character");
    }

    #[test]
    fn every_kind_of_line_end_ends_a_line_once() {
        check(
            "data: a\n\ndata: b\r\n\r\ndata: c\r\rdata: d\r\n\n",
            &[("", "a"), ("", "b"), ("", "c"), ("", "d")],
        );
    }

    #[test]
    fn fields_are_read_as_the_standard_says() {
        check("data:a\ndata:  b\ndata\n\n", &[("", "a\n b\n")]);
        check(
            "event: x\nid: 7\nretry: 10\ndata: a\n\ndata: b\n\n",
            &[("x", "a"), ("", "b")],
        );
        check("event: lonely\n\ndata: a\n\n", &[("", "a")]);
        check("Data: no\nunknown: no\ndata : no\n\n", &[]);
    }

    #[test]
    fn comments_are_skipped_inside_and_between_events() {
        check(
            ": keep-alive\n\n:\ndata: a\n: in between\ndata: b\n\n",
            &[("", "a\nb")],
        );
    }

    #[test]
    fn an_event_without_its_blank_line_is_dispatched_at_the_end() {
        check("data: a\n\ndata: b\n", &[("", "a"), ("", "b")]);
        check("data: a\n\nevent: e\ndata: b", &[("", "a"), ("e", "b")]);
    }

    #[test]
    fn a_bare_json_object_is_an_event() {
        check(
            "data: a\n\n{\"error\": {\n  \"code\": 500\n}\n}\n\ndata: b\n\n",
            &[
                ("", "a"),
                ("", "{\"error\": {\n  \"code\": 500\n}\n}"),
                ("", "b"),
            ],
        );
        check(
            "data: a\n{\"error\":1}\ndata: b\n\n",
            &[("", "a"), ("", "{\"error\":1}"), ("", "b")],
        );
    }

    #[test]
    fn a_long_event_or_line_is_refused() {
        let mut parser = SseParser::new(10);
        assert_eq!(
            parser.feed("data: 12345\ndata: 12345\n", &mut |_| {}),
            Err(TooLong)
        );
        let mut parser = SseParser::new(10);
        assert_eq!(parser.feed("data: 123456", &mut |_| {}), Err(TooLong));
    }
}
