//! Offsets in UTF-8 bytes become offsets in UTF-16 code units, as JavaScript counts.

use std::ops::Range;

/// Converts byte ranges of one text; ranges in rising order cost one pass together.
pub(super) struct Utf16<'a> {
    text: &'a str,
    bytes: usize,
    units: u32,
}

impl<'a> Utf16<'a> {
    pub(super) fn new(text: &'a str) -> Self {
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
            *self = Utf16::new(self.text);
        }
        for character in self.text[self.bytes..].chars() {
            if self.bytes + character.len_utf8() > byte {
                break;
            }
            self.bytes += character.len_utf8();
            self.units += character.len_utf16() as u32;
        }
        self.units
    }
}
