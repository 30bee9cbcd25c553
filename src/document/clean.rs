//! Characters that no reader sees are taken out before anything is indexed.
//!
//! They split words (`data\u{200b}base` is not found as `database`) and can hide text from
//! the reader that a model would still read, as the tag characters do.

use std::borrow::Cow;

const ZERO_WIDTH_NON_JOINER: char = '\u{200c}';
const ZERO_WIDTH_JOINER: char = '\u{200d}';
const BLACK_FLAG: char = '\u{1f3f4}';

/// Takes out control characters, zero-width marks, bidirectional controls and tag characters.
///
/// The two joiners stay where they change how the text reads: between letters (Persian,
/// Indic scripts) and within an emoji sequence. Tag characters stay within a flag.
/// White space is left as it is. Borrows when there is nothing to do.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_suspect) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut in_flag = false;
    while let Some(c) = chars.next() {
        in_flag = c == BLACK_FLAG || (in_flag && is_tag(c));
        let stays = match c {
            ZERO_WIDTH_NON_JOINER | ZERO_WIDTH_JOINER => {
                let joins = |c: char| c.is_alphabetic() || is_emoji_part(c) || is_mark(c);
                cleaned.chars().next_back().is_some_and(joins)
                    && chars.peek().is_some_and(|&next| joins(next))
            }
            c if is_tag(c) => in_flag,
            c => !is_suspect(c),
        };
        if stays {
            cleaned.push(c);
        }
    }
    Cow::Owned(cleaned)
}

/// Whether the character may have to go.
fn is_suspect(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{c}' => false,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' => true,
        // Soft hyphen, combining grapheme joiner, Arabic letter mark, Mongolian vowel separator.
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' => true,
        // Zero-width characters and directional marks, embeddings, invisible operators, isolates.
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{feff}' | '\u{fff9}'..='\u{fffb}' => true,
        c => is_tag(c),
    }
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// Symbols, dingbats, skin tones and the variation selector: the parts of an emoji sequence.
fn is_emoji_part(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

/// Viramas and vowel signs of the Indic scripts, after which a joiner shapes the letter.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{dff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(clean(text), expected, "{text:?}");
    }

    #[test]
    fn invisible_characters_go() {
        check("data\u{200b}base\u{ad}s", "databases");
        check("a\u{202e}b\u{2066}c\0\u{feff}", "abc");
        check("hi\u{e0069}\u{e0067}", "hi");
        check("a\t b\nc\u{a0}d", "a\t b\nc\u{a0}d");
    }

    #[test]
    fn joiners_stay_where_they_shape_the_text() {
        check("می\u{200c}خواهم", "می\u{200c}خواهم");
        check("क्\u{200d}ष", "क्\u{200d}ष");
        check("👩\u{200d}💻", "👩\u{200d}💻");
        check("a \u{200d} b\u{200c}", "a  b");
    }

    #[test]
    fn a_flag_keeps_its_tags() {
        check(
            "🏴\u{e0067}\u{e0062}\u{e007f}x\u{e0067}",
            "🏴\u{e0067}\u{e0062}\u{e007f}x",
        );
    }
}
