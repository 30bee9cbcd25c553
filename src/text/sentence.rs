//! Where sentences begin and end.
//!
//! The rules of Unicode Standard Annex 29, section 5, cut down to what documentation needs and
//! stretched where it writes otherwise: a full stop inside `v1.2.3` or `docs.search` ends
//! nothing, and a citation marker behind a full stop belongs to the sentence that it stands after.

use super::fold::fold;
use std::ops::Range;

/// What a line feed means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// Each line stands alone, as in the text of a chunk.
    Apart,
    /// A line that begins in lower case goes on with the sentence of the line before, as in a
    /// reply whose lines were wrapped.
    Wrapped,
}

/// The sentences of `text` as byte ranges, in order, without overlap and without the white space
/// around them. What is no sentence, such as a heading or a line of code, is a range of its own.
/// Time is linear in the text.
pub fn sentences(text: &str, lines: Lines) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let after = at + c.len_utf8();
        let end = match c {
            '\n' => {
                let next = text[after..].chars().next();
                let goes_on = lines == Lines::Wrapped && next.is_some_and(char::is_lowercase);
                (!goes_on).then_some(after)
            }
            '。' | '！' | '？' => Some(after_closers(text, after)),
            '.' | '!' | '?' | '…' => {
                let closed = after_closers(text, after);
                let ends = closed > after || ends_here(&text[start..at], &text[after..], c);
                (ends && !is_gap(&text[start..closed])).then_some(closed)
            }
            _ => None,
        };
        if let Some(end) = end {
            push(&mut found, text, start..end);
            start = end;
        }
        at = end.unwrap_or(after);
    }
    push(&mut found, text, start..text.len());
    found
}

fn push(found: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let inside = &text[range.clone()];
    let trimmed = inside.trim();
    if !trimmed.is_empty() {
        let start = range.start + inside.len() - inside.trim_start().len();
        found.push(start..start + trimmed.len());
    }
}

/// Whether a stop with no bracket or quotation mark behind it ends the sentence `before` it.
fn ends_here(before: &str, after: &str, stop: char) -> bool {
    let rest = after.trim_start_matches([' ', '\t', '\u{a0}']);
    if rest.len() == after.len() && !rest.is_empty() && !rest.starts_with('\n') {
        return false;
    }
    if rest.chars().next().is_some_and(char::is_lowercase) {
        return false;
    }
    stop != '.' || !is_abbreviated(before)
}

/// Whether a text ends with stops for words left out, as in `SELECT ... FOR UPDATE`.
fn is_gap(text: &str) -> bool {
    matches!(text.rsplit(' ').next(), Some("..." | "…"))
}

/// Whether what stands before a full stop is an abbreviation or the number of a list's item.
fn is_abbreviated(before: &str) -> bool {
    const ABBREVIATIONS: [&str; 14] = [
        "e.g", "i.e", "vs", "cf", "fig", "approx", "mr", "mrs", "dr", "z.b", "bzw", "т.е", "см",
        "напр",
    ];
    let word = before
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    let word = word.trim_start_matches(['(', '[', '"', '«']);
    let is_item =
        word.len() == before.trim_start().len() && word.chars().all(|c| c.is_ascii_digit());
    let mut chars = word.chars();
    let is_initial = chars.next().is_some_and(char::is_uppercase) && chars.next().is_none();
    is_item || is_initial || ABBREVIATIONS.contains(&fold(word).as_str())
}

/// Passes over further stops, closing quotation marks and brackets, and citation markers.
fn after_closers(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let Some(c) = rest.chars().next() else {
            return at;
        };
        let is_closer = matches!(
            c,
            '.' | '!' | '?' | '…' | '。' | '！' | '？' | ')' | '”' | '’' | '»' | '」' | '』' | '）'
        );
        if is_closer {
            at += c.len_utf8();
        } else if let Some(len) = marker_len(rest) {
            at += len;
        } else {
            return at;
        }
    }
}

/// The length of a bracket with a number in it, with the blank before it.
fn marker_len(text: &str) -> Option<usize> {
    // Far more than a marker takes; without a bound, many stops would each read to the end.
    const MOST_CHARS: usize = 40;
    let marker = text.strip_prefix(' ').unwrap_or(text);
    let closing = match marker.chars().next()? {
        '[' => ']',
        '【' => '】',
        '［' => '］',
        _ => return None,
    };
    let (end, _) = marker
        .char_indices()
        .take(MOST_CHARS)
        .find(|&(_, c)| c == closing)?;
    let has_number = marker[..end].chars().any(char::is_numeric);
    has_number.then_some(text.len() - marker.len() + end + closing.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let cut = |lines| -> Vec<&str> {
            let ranges = sentences(text, lines);
            ranges.into_iter().map(|range| &text[range]).collect()
        };
        assert_eq!(cut(Lines::Wrapped), expected);
    }

    #[test]
    fn a_sentence_ends_at_a_stop_before_white_space() {
        check(
            "One is so. Two is not! Is three? Yes…",
            &["One is so.", "Two is not!", "Is three?", "Yes…"],
        );
        check("Раз. Два.", &["Раз.", "Два."]);
        check("一个。两个！", &["一个。", "两个！"]);
        check("", &[]);
        check(" . ", &["."]);
    }

    #[test]
    fn a_stop_inside_of_a_name_a_number_or_an_abbreviation_ends_nothing() {
        check(
            "Use v1.2.3 of docs.search, e.g. Node. Then stop.",
            &["Use v1.2.3 of docs.search, e.g. Node.", "Then stop."],
        );
        check(
            "It costs 1.5 s. by default.",
            &["It costs 1.5 s. by default."],
        );
        check("1. Open it. 2. Close it.", &["1. Open it.", "2. Close it."]);
        check("J. Smith wrote it. So.", &["J. Smith wrote it.", "So."]);
        check(
            "Lock it with `SELECT ... FOR UPDATE`. So… Yes.",
            &["Lock it with `SELECT ... FOR UPDATE`.", "So…", "Yes."],
        );
    }

    #[test]
    fn quotes_and_citations_behind_a_stop_belong_to_its_sentence() {
        check(
            "It “stops.” Then [1]. So. [2] And so.[3][4] End 【5】",
            &[
                "It “stops.”",
                "Then [1].",
                "So. [2]",
                "And so.[3][4]",
                "End 【5】",
            ],
        );
    }

    #[test]
    fn lines_are_apart_or_wrapped() {
        check(
            "The port\nis 8080.\n- Open it\n- Close it",
            &["The port\nis 8080.", "- Open it", "- Close it"],
        );
        let apart = sentences("let a\nlet b", Lines::Apart);
        assert_eq!(apart, [0..5, 6..11]);
    }
}
