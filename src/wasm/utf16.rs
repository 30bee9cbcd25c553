//! Offsets in UTF-8 bytes become offsets in UTF-16 code units, as JavaScript counts.

use std::ops::Range;

/// Converts byte ranges of one text; ranges in rising order cost one pass together.
pub(super) struct Utf16<T> {
    text: T,
    bytes: usize,
    units: u32,
}

impl<T: AsRef<str>> Utf16<T> {
    pub(super) fn new(text: T) -> Self {
        Utf16 {
            text,
            bytes: 0,
            units: 0,
        }
    }

    /// The range in code units. A bound inside a character counts as the character's start.
    pub(super) fn range(&mut self, range: &Range<usize>) -> (u32, u32) {
        (self.offset(range.start), self.offset(range.end))
    }

    fn offset(&mut self, byte: usize) -> u32 {
        if byte < self.bytes {
            (self.bytes, self.units) = (0, 0);
        }
        for character in self.text.as_ref()[self.bytes..].chars() {
            if self.bytes + character.len_utf8() > byte {
                break;
            }
            self.bytes += character.len_utf8();
            self.units += character.len_utf16() as u32;
        }
        self.units
    }
}

impl Utf16<String> {
    /// Goes on with the text; what was counted so far stays counted.
    pub(super) fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }
}
