//! Bytes to text, as a browser reads them.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// How far a browser looks for a declaration (HTML standard, 13.2.3.2).
const PRESCAN_BYTES: usize = 1024;

/// Decodes an HTML page: byte order mark, else the `meta` declaration, else [`sniffed`].
///
/// The second value is the name of the encoding where text was damaged: it holds U+FFFD then.
pub(super) fn decode_html(bytes: &[u8]) -> (Cow<'_, str>, Option<&'static str>) {
    let declared = || bom(bytes).or_else(|| declared(&bytes[..bytes.len().min(PRESCAN_BYTES)]));
    decode_as(declared().unwrap_or_else(|| sniffed(bytes)), bytes)
}

/// Decodes Markdown and plain text, which can name no encoding: byte order mark, else [`sniffed`].
pub(super) fn decode_text(bytes: &[u8]) -> (Cow<'_, str>, Option<&'static str>) {
    decode_as(bom(bytes).unwrap_or_else(|| sniffed(bytes)), bytes)
}

/// Decodes JSON, which is UTF-8 (RFC 8259, section 8.1), or UTF-16 with a byte order mark.
pub(super) fn decode_json(bytes: &[u8]) -> (Cow<'_, str>, Option<&'static str>) {
    decode_as(bom(bytes).unwrap_or(UTF_8), bytes)
}

/// UTF-8 where the bytes can be read as it, else the legacy encoding that they look like.
///
/// A few damaged bytes among well-formed characters of several bytes are still UTF-8: in no
/// legacy encoding do letters follow each other in that pattern by chance.
fn sniffed(bytes: &[u8]) -> &'static Encoding {
    let (mut multibyte, mut damaged) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        multibyte += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        damaged += usize::from(!chunk.invalid().is_empty());
    }
    if damaged == 0 || multibyte > damaged {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Deny)
}

fn bom(bytes: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(bytes).map(|(encoding, _)| encoding)
}

/// Whether the bytes are no text in any encoding that documentation is written in.
///
/// Text has no NUL but in UTF-16, which a byte order mark announces. A single stray NUL in a
/// long page is damage and not a picture, so a share of 1 in 1000 is allowed.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    if bom(bytes).is_some() {
        return false;
    }
    let head = &bytes[..bytes.len().min(8192)];
    let controls = head
        .iter()
        .filter(|&&byte| byte < 0x20 && !b"\t\n\x0c\r\x1b".contains(&byte))
        .count();
    controls > 1 + head.len() / 1000
}

fn decode_as<'a>(
    encoding: &'static Encoding,
    bytes: &'a [u8],
) -> (Cow<'a, str>, Option<&'static str>) {
    let (text, used, damaged) = encoding.decode(bytes);
    (text, damaged.then(|| used.name()))
}

/// The encoding that a `meta` element in the first bytes names.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let mut rest = head;
    loop {
        let start = find(rest, b"<")?;
        rest = &rest[start..];
        if let Some(comment) = rest.strip_prefix(b"<!--") {
            rest = &comment[find(comment, b"-->")?..];
        } else if rest.len() > 5
            && rest[1..5].eq_ignore_ascii_case(b"meta")
            && !rest[5].is_ascii_alphanumeric()
        {
            let end = find(rest, b">").unwrap_or(rest.len());
            if let Some(encoding) = charset_of(&rest[..end]) {
                return Some(encoding);
            }
            rest = &rest[end..];
        } else {
            rest = &rest[1..];
        }
    }
}

/// Reads `charset=NAME` in a tag, be it an attribute or within `content="text/html; charset=NAME"`.
fn charset_of(tag: &[u8]) -> Option<&'static Encoding> {
    let tag = tag.to_ascii_lowercase();
    let mut rest = tag.as_slice();
    loop {
        rest = &rest[find(rest, b"charset")? + b"charset".len()..];
        let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") else {
            continue;
        };
        let value = value.trim_ascii_start();
        let value = value
            .strip_prefix(b"\"")
            .or_else(|| value.strip_prefix(b"'"))
            .unwrap_or(value);
        let end = value
            .iter()
            .position(|byte| b"\"' ;\t\r\n/>".contains(byte))
            .unwrap_or(value.len());
        let encoding = Encoding::for_label(&value[..end])?;
        // A page whose declaration could be read byte by byte is not UTF-16; the standard says UTF-8.
        return Some(if encoding == UTF_16LE || encoding == UTF_16BE {
            UTF_8
        } else {
            encoding
        });
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(decode_html(bytes), (Cow::Borrowed(expected), None));
    }

    #[test]
    fn a_declaration_names_the_encoding() {
        check(
            b"<meta charset=windows-1252>\x97",
            "<meta charset=windows-1252>\u{2014}",
        );
        check(
            b"<META CHARSET='ISO-8859-1'>\x80",
            "<META CHARSET='ISO-8859-1'>\u{20ac}",
        );
        check(
            b"<meta http-equiv=Content-Type content=\"text/html; charset=koi8-r\">\xc1",
            "<meta http-equiv=Content-Type content=\"text/html; charset=koi8-r\">\u{430}",
        );
        check(
            b"<!-- <meta charset=koi8-r> -->\xc3\xa9",
            "<!-- <meta charset=koi8-r> -->\u{e9}",
        );
        check(
            b"<meta charset=utf-16>\xc3\xa9",
            "<meta charset=utf-16>\u{e9}",
        );
    }

    #[test]
    fn a_byte_order_mark_wins_and_is_no_text() {
        check(
            b"\xef\xbb\xbf<meta charset=koi8-r>\xc3\xa9",
            "<meta charset=koi8-r>\u{e9}",
        );
        check(b"\xff\xfea\0b\0", "ab");
    }

    #[test]
    fn an_undeclared_encoding_is_told_by_its_letters() {
        check("é".as_bytes(), "é");
        check(b"caf\xe9", "café");
        check(
            b"na\xefve \x93quotes\x94 \x96 l\x92\xe9t\xe9",
            "naïve \u{201c}quotes\u{201d} \u{2013} l\u{2019}été",
        );
        let russian = "Справочник по языку запросов";
        let (cyrillic, _, _) = encoding_rs::WINDOWS_1251.encode(russian);
        assert_eq!(decode_text(&cyrillic), (Cow::Borrowed(russian), None));
        let japanese = "検索エンジンの使い方について";
        let (shift_jis, _, _) = encoding_rs::SHIFT_JIS.encode(japanese);
        assert_eq!(decode_text(&shift_jis), (Cow::Borrowed(japanese), None));
    }

    #[test]
    fn damage_names_the_encoding() {
        assert_eq!(
            decode_text(b"\xc3\xa9\xc3\xa8 a\xffb"),
            (Cow::Borrowed("éè a\u{fffd}b"), Some("UTF-8"))
        );
        assert_eq!(
            decode_json(b"a\xffb"),
            (Cow::Borrowed("a\u{fffd}b"), Some("UTF-8"))
        );
    }

    #[test]
    fn pictures_are_binary_and_text_is_not() {
        assert!(is_binary(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01"));
        assert!(!is_binary("Привет\r\n\tмир".as_bytes()));
        assert!(!is_binary(b"\xff\xfea\0b\0"));
        assert!(!is_binary(b""));
    }
}
