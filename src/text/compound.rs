//! Cuts a compound into its words, and a word into its parts.
//!
//! A compound such as `std::vec::myVec.push_all` is words joined by signs that belong to the name; a word such
//! as `push_all` or `myVec` is parts that may as well be written together.

use super::chars::{CharClass, narrow};
use super::language::Language;
use super::segment::Span;

/// Articles and pronouns that French and Italian (and their neighbours) write joined to the next word.
const ELIDED: &[&str] = &[
    "l", "d", "j", "m", "t", "s", "n", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu", "un",
    "dell", "all", "nell", "sull", "dall", "gl", "quell", "quest", "sant",
];

/// English endings that are not part of the noun or pronoun before them.
const CLITICS: &[&str] = &["s", "d", "m", "ll", "re", "ve"];

/// A compound without an elided article before it and without a possessive or a shortened verb behind it.
pub(super) fn without_clitics(text: &str, compound: Span, language: Language) -> Span {
    let Span { mut start, mut end } = compound;
    let apostrophe = |&(_, c): &(usize, char)| CharClass::of(c) == CharClass::Apostrophe;
    if let Some((offset, c)) = text[start..end].char_indices().find(apostrophe) {
        if holds(ELIDED, &text[start..start + offset]) {
            start += offset + c.len_utf8();
        } else if language == Language::Turkish {
            // Turkish puts the endings of a name behind an apostrophe: İzmir’de.
            end = start + offset;
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

/// A version without the letter before it: `v1.2` is `1.2`.
pub(super) fn without_version_letter(text: &str, compound: Span) -> Span {
    let Span { start, end } = compound;
    let Some(version) = text[start..end].strip_prefix(['v', 'V']) else {
        return compound;
    };
    let minor = version.trim_start_matches(|c: char| c.is_ascii_digit());
    if minor.len() < version.len() && minor.starts_with('.') {
        return Span {
            start: start + 1,
            end,
        };
    }
    compound
}

/// A word without the dot of `.NET` and the signs of `C++` and `C#`.
pub(super) fn without_affixes(text: &str, word: Span) -> Span {
    let Span { start, end } = word;
    let bare = text[start..end].trim_start_matches('.');
    let start = end - bare.len();
    let bare = bare.trim_end_matches(|c| matches!(narrow(c), '+' | '#'));
    Span {
        start,
        end: start + bare.len(),
    }
}

/// The words of a compound, in order, without the signs that join them.
pub(super) struct Words<'a> {
    text: &'a str,
    rest: Span,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str, compound: Span) -> Words<'a> {
        Words {
            text,
            rest: compound,
        }
    }
}

impl Iterator for Words<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let Span { start, end } = self.rest;
        let rest = &self.text[start..end];
        // A sign that starts or ends the compound belongs to the word beside it.
        let mut signs = rest.char_indices().skip(1);
        let sign = signs.find(|&(_, c)| CharClass::of(c) == CharClass::Joiner);
        let word_end = match sign {
            Some((offset, c)) if offset + c.len_utf8() < rest.len() => start + offset,
            _ => end,
        };
        let after =
            self.text[word_end..end].trim_start_matches(|c| CharClass::of(c) == CharClass::Joiner);
        self.rest.start = end - after.len();
        (start < end).then_some(Span {
            start,
            end: word_end,
        })
    }
}

/// The parts of a word, in order, without the hyphens between them.
///
/// A part ends at a hyphen or underscore; before an upper-case letter (`maxIdle`, `HTTPServer`); and before a
/// digit that follows two or more letters (`utf8` is also written `utf-8`, but `E0502` and `u32` are one).
pub(super) struct Parts<'a> {
    text: &'a str,
    rest: Span,
}

impl<'a> Parts<'a> {
    pub(super) fn new(text: &'a str, word: Span) -> Parts<'a> {
        Parts { text, rest: word }
    }
}

impl Iterator for Parts<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let Span { start, end } = self.rest;
        let mut first = None;
        let mut before = CharClass::Break;
        let mut letters = 0;
        let mut chars = self.text[start..end].char_indices();
        while let Some((offset, c)) = chars.next() {
            let class = CharClass::of(c);
            let at = start + offset;
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
            match first {
                None if class != CharClass::Hyphen => first = Some(at),
                Some(first) if divides => {
                    self.rest.start = at;
                    return Some(Span {
                        start: first,
                        end: at,
                    });
                }
                _ => {}
            }
            // A mark belongs to the letter before it.
            if class != CharClass::Mark {
                before = class;
            }
            match class {
                CharClass::Upper | CharClass::Letter => letters += 1,
                // A part that has digits in it stays whole from there on.
                CharClass::Digit => letters = 0,
                _ => {}
            }
        }
        self.rest.start = end;
        first.map(|first| Span { start: first, end })
    }
}
