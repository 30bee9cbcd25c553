//! Bytes to characters, however the network cut them.

/// A streaming UTF-8 decoder: a character cut between two pieces comes out whole, each invalid sequence
/// becomes one U+FFFD, and one byte order mark at the start is dropped (WHATWG Encoding, "UTF-8 decode").
#[derive(Default)]
pub struct Utf8Decoder {
    /// The first bytes of a character whose rest has not arrived: at most three.
    rest: Vec<u8>,
    /// Whether a first character has been decoded, so that a later U+FEFF is text.
    started: bool,
}

impl Utf8Decoder {
    /// Decodes the next bytes.
    pub fn feed(&mut self, bytes: &[u8]) -> String {
        let mut joined = std::mem::take(&mut self.rest);
        joined.extend_from_slice(bytes);
        let mut text = String::with_capacity(joined.len());
        let mut left = joined.as_slice();
        loop {
            let error = match std::str::from_utf8(left) {
                Ok(valid) => {
                    self.push(&mut text, valid);
                    return text;
                }
                Err(error) => error,
            };
            let (valid, tail) = left.split_at(error.valid_up_to());
            self.push(&mut text, std::str::from_utf8(valid).unwrap_or_default());
            let Some(invalid) = error.error_len() else {
                self.rest = tail.to_vec();
                return text;
            };
            self.push(&mut text, "\u{FFFD}");
            left = &tail[invalid..];
        }
    }

    /// Ends the input. A character that was cut by it becomes one U+FFFD.
    pub fn finish(&mut self) -> &'static str {
        let cut = !self.rest.is_empty();
        self.rest.clear();
        if cut { "\u{FFFD}" } else { "" }
    }

    fn push(&mut self, text: &mut String, decoded: &str) {
        let is_first = !self.started && !decoded.is_empty();
        self.started |= is_first;
        let rest = if is_first {
            decoded.strip_prefix('\u{FEFF}')
        } else {
            None
        };
        text.push_str(rest.unwrap_or(decoded));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes whole and cut at every position; both must give the expected text.
    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        for cut in 0..=bytes.len() {
            let mut decoder = Utf8Decoder::default();
            let mut text = decoder.feed(&bytes[..cut]);
            text += &decoder.feed(&bytes[cut..]);
            text += decoder.finish();
            assert_eq!(text, expected, "cut at {cut}");
        }
        let mut decoder = Utf8Decoder::default();
        let mut text: String = bytes.iter().map(|byte| decoder.feed(&[*byte])).collect();
        text += decoder.finish();
        assert_eq!(text, expected, "byte by byte");
    }

    #[test]
    fn characters_of_every_length_survive_any_cut() {
        check("aé—🚀 порт".as_bytes(), "aé—🚀 порт");
    }

    #[test]
    fn only_the_first_byte_order_mark_is_dropped() {
        check(b"\xEF\xBB\xBFa\xEF\xBB\xBFb", "a\u{FEFF}b");
        check(b"\xEF\xBB\xBF\xEF\xBB\xBF", "\u{FEFF}");
    }

    #[test]
    fn each_invalid_sequence_becomes_one_replacement_character() {
        check(b"a\xFFb", "a\u{FFFD}b");
        check(b"\xE2\x82 x", "\u{FFFD} x");
        check(b"x\xF0\x9F\x9A", "x\u{FFFD}");
    }
}
