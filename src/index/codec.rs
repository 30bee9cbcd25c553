//! Varints and strings: the small parts that the sections are made of.

use super::Error;

/// Reads from the front of a byte slice; every step checks what is left.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
    section: &'static str,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(rest: &'a [u8], section: &'static str) -> Self {
        Cursor { rest, section }
    }

    fn corrupt(&self) -> Error {
        Error::Corrupt {
            section: self.section,
        }
    }

    pub(crate) fn varint(&mut self) -> Result<u32, Error> {
        let mut value = 0u32;
        for (i, &byte) in self.rest.iter().take(5).enumerate() {
            let bits = u32::from(byte & 0x7f);
            // The fifth byte may hold only the last four of 32 bits.
            if i == 4 && bits > 0xf {
                break;
            }
            value |= bits << (7 * i);
            if byte & 0x80 == 0 {
                self.rest = &self.rest[i + 1..];
                return Ok(value);
            }
        }
        Err(self.corrupt())
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self
            .rest
            .split_at_checked(len)
            .ok_or_else(|| self.corrupt())?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn string(&mut self) -> Result<&'a str, Error> {
        let len = self.varint()? as usize;
        let bytes = self.take(len)?;
        std::str::from_utf8(bytes).map_err(|_| self.corrupt())
    }

    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(self.corrupt())
        }
    }
}

/// The `index`-th u32 of a packed little-endian array.
pub(crate) fn u32_at(bytes: &[u8], index: usize) -> Option<u32> {
    let at = index.checked_mul(4)?;
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

#[cfg(feature = "build")]
pub(crate) fn push_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(feature = "build")]
pub(crate) fn push_string(out: &mut Vec<u8>, string: &str) {
    push_varint(out, string.len() as u32);
    out.extend_from_slice(string.as_bytes());
}

#[cfg(all(test, feature = "build"))]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: u32, bytes: &[u8]) {
        let mut out = Vec::new();
        push_varint(&mut out, value);
        assert_eq!(out, bytes);
        let mut cursor = Cursor::new(&out, "test");
        assert_eq!(cursor.varint(), Ok(value));
        assert_eq!(cursor.finish(), Ok(()));
    }

    #[test]
    fn varints_come_back() {
        check(0, &[0]);
        check(127, &[0x7f]);
        check(128, &[0x80, 1]);
        check(300, &[0xac, 2]);
        check(u32::MAX, &[0xff, 0xff, 0xff, 0xff, 0xf]);
    }

    #[test]
    fn a_varint_that_does_not_end_or_does_not_fit_is_refused() {
        for bytes in [
            &[0x80][..],
            &[],
            &[0xff; 5],
            &[0xff, 0xff, 0xff, 0xff, 0x1f],
        ] {
            assert!(Cursor::new(bytes, "test").varint().is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn a_string_longer_than_the_bytes_is_refused() {
        assert!(Cursor::new(&[3, b'a', b'b'], "test").string().is_err());
        assert!(Cursor::new(&[2, 0xff, 0xff], "test").string().is_err());
    }
}
