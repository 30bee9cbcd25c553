//! Cuts a compound into its words, and a word into its parts.
//!
//! A compound such as `std::vec::myVec.push_all` is words joined by signs that belong to the name; a word such
//! as `push_all` or `myVec` is parts that may as well be written together.

use super::chars::{CharClass, narrow};

/// A stretch of the original text, as UTF-8 byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Articles and pronouns that French and Italian (and their neighbours) write joined to the next word.
const ELIDED: &[&str] = &[
    "l", "d", "j", "m", "t", "s", "n", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu", "un",
    "dell", "all", "nell", "sull", "dall", "gl", "quell", "quest", "sant",
];

/// English endings that are not part of the noun or pronoun before them.
const CLITICS: &[&str] = &["s", "d", "m", "ll", "re", "ve"];

/// The words of a compound, in order, without the signs that join them.
pub(super) struct Words<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str, compound: Span) -> Words<'a> {
        Words {
            text,
            at: compound.start,
            end: compound.end,
        }
    }
}

impl Iterator for Words<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let mut start = None;
        let mut before = CharClass::Break;
        let mut chars = self.text[self.at..self.end].char_indices();
        while let Some((offset, c)) = chars.next() {
            let class = CharClass::of(c);
            let at = self.at + offset;
            let after = || chars.clone().next().map(|(_, c)| CharClass::of(c));
            // A hyphen between digits is no spelling matter: 1-2 is not 12.
            let divides = class == CharClass::Joiner
                || class == CharClass::Hyphen
                    && before == CharClass::Digit
                    && narrow(c) != '_'
                    && after() == Some(CharClass::Digit);
            match (divides, start) {
                (false, None) => start = Some(at),
                (true, Some(start)) => {
                    self.at = at;
                    return Some(Span { start, end: at });
                }
                _ => {}
            }
            before = class;
        }
        let end = self.end;
        self.at = end;
        start.map(|start| Span { start, end })
    }
}

/// A word without an elided article before it and without a possessive or a shortened verb behind it.
pub(super) fn without_clitics(text: &str, word: Span) -> Span {
    let Span { mut start, mut end } = word;
    let apostrophe = |&(_, c): &(usize, char)| CharClass::of(c) == CharClass::Apostrophe;
    if let Some((offset, c)) = text[start..end].char_indices().find(apostrophe) {
        if holds(ELIDED, &text[start..start + offset]) {
            start += offset + c.len_utf8();
        }
    }
    if let Some((offset, c)) = text[start..end].char_indices().rfind(apostrophe) {
        if holds(CLITICS, &text[start + offset + c.len_utf8()..end]) {
            end = start + offset;
        }
    }
    Span { start, end }
}

fn holds(list: &[&str], word: &str) -> bool {
    list.iter().any(|entry| entry.eq_ignore_ascii_case(word))
}

/// The parts of a word, in order, without the hyphens between them.
///
/// A part ends at a hyphen or underscore; before an upper-case letter (`maxIdle`, `HTTPServer`); and before a
/// digit that follows two or more letters (`utf8` is also written `utf-8`, but `E0502` and `u32` are one).
pub(super) struct Parts<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Parts<'a> {
    pub(super) fn new(text: &'a str, word: Span) -> Parts<'a> {
        Parts {
            text,
            at: word.start,
            end: word.end,
        }
    }
}

impl Iterator for Parts<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let mut start = None;
        let mut before = CharClass::Break;
        let mut letters = 0;
        let mut chars = self.text[self.at..self.end].char_indices();
        while let Some((offset, c)) = chars.next() {
            let class = CharClass::of(c);
            let at = self.at + offset;
            let mut after = chars.clone().map(|(_, c)| CharClass::of(c));
            let mut lower_case_follows =
                |count| (0..count).all(|_| after.next() == Some(CharClass::Letter));
            let divides = match (before, class) {
                (_, CharClass::Hyphen) => true,
                (CharClass::Letter, CharClass::Upper) => true,
                // Two, so that a plural keeps together: PDFs, APIs.
                (CharClass::Upper, CharClass::Upper) => lower_case_follows(2),
                // One, so that 3D and 2FA keep together.
                (CharClass::Digit, CharClass::Upper) => lower_case_follows(1),
                (CharClass::Letter | CharClass::Upper, CharClass::Digit) => letters >= 2,
                _ => false,
            };
            match start {
                None if class != CharClass::Hyphen => start = Some(at),
                Some(start) if divides => {
                    self.at = at;
                    return Some(Span { start, end: at });
                }
                _ => {}
            }
            match class {
                CharClass::Mark => {}
                CharClass::Letter | CharClass::Upper => {
                    letters += 1;
                    before = class;
                }
                // A part that has digits in it stays whole from there on.
                CharClass::Digit => {
                    letters = 0;
                    before = class;
                }
                _ => before = class,
            }
        }
        let end = self.end;
        self.at = end;
        start.map(|start| Span { start, end })
    }
}
