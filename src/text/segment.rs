//! Cuts text into stretches that are analyzed by themselves.

use super::chars::{CharClass, narrow};

/// How a stretch of text is turned into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SegmentKind {
    /// A word, or words joined without a space: an identifier, a path, a version.
    Compound,
    /// Text of a script without spaces.
    Unspaced,
    /// A Korean word.
    Hangul,
}

/// A stretch of text, as UTF-8 byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: SegmentKind,
}

/// The segments of a text, in order. Every character is looked at a fixed number of times.
pub(super) struct Segments<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Segments<'a> {
    pub(super) fn new(text: &'a str) -> Segments<'a> {
        Segments { text, at: 0 }
    }

    /// The class of the character at a byte offset and the offset behind it.
    fn look(&self, at: usize) -> Option<(CharClass, usize)> {
        let byte = *self.text.as_bytes().get(at)?;
        if byte.is_ascii() {
            return Some((CharClass::of(char::from(byte)), at + 1));
        }
        let c = self.text[at..].chars().next()?;
        Some((CharClass::of(c), at + c.len_utf8()))
    }

    fn class(&self, at: usize) -> CharClass {
        self.look(at).map_or(CharClass::Break, |(class, _)| class)
    }

    /// The end of the characters of one class, with their marks.
    fn end_of_run(&self, mut at: usize, run: CharClass) -> usize {
        while let Some((class, next)) = self.look(at) {
            if class != run && class != CharClass::Mark {
                break;
            }
            at = next;
        }
        at
    }

    fn end_of_compound(&self, mut at: usize) -> usize {
        let start = at;
        while let Some((class, next)) = self.look(at) {
            let joined = match class {
                CharClass::Upper | CharClass::Letter | CharClass::Digit | CharClass::Mark => next,
                CharClass::Apostrophe => self.after_letter_sign(next),
                CharClass::Hyphen => self.after_hyphens(next),
                CharClass::Joiner => match self.after_joiner(at, next) {
                    0 if self.is_sharp(start, at) => return next,
                    joined => joined,
                },
                CharClass::Plus => match self.look(next) {
                    Some((CharClass::Plus, end)) if self.class(end) != CharClass::Plus => {
                        return end;
                    }
                    _ => 0,
                },
                _ => 0,
            };
            if joined == 0 {
                break;
            }
            at = joined;
        }
        at
    }

    /// The offset itself if a letter stands there, else 0: an apostrophe joins letters, and quotes digits.
    fn after_letter_sign(&self, at: usize) -> usize {
        match self.class(at) {
            CharClass::Upper | CharClass::Letter => at,
            _ => 0,
        }
    }

    /// The word behind one hyphen or any number of underscores, or 0.
    fn after_hyphens(&self, mut at: usize) -> usize {
        while self.text.as_bytes().get(at) == Some(&b'_') {
            at += 1;
        }
        if self.class(at).starts_word() { at } else { 0 }
    }

    /// The word behind a joiner (`::` counts as one), or 0.
    fn after_joiner(&self, joiner: usize, mut next: usize) -> usize {
        let bytes = self.text.as_bytes();
        if bytes[joiner] == b':' && bytes.get(next) == Some(&b':') {
            next += 1;
        }
        if self.class(next).starts_word() {
            next
        } else {
            0
        }
    }

    /// Whether the `#` at an offset belongs to a name such as `C#`. Only a single letter has it: behind
    /// longer words it is the sign that documentation generators put beside a heading.
    fn is_sharp(&self, start: usize, at: usize) -> bool {
        let is_sharp = self.text[at..].chars().next().map(narrow) == Some('#');
        let mut before = self.text[start..at].chars().rev().map(narrow);
        is_sharp
            && before.next().is_some_and(|c| c.is_ascii_alphabetic())
            && before.next().is_none_or(|c| c == '/')
    }

    /// Whether the `.` at an offset starts a name such as `.NET` or `.gitignore`, as far as one can tell:
    /// it follows no word, and no call follows it, as in the method chains of code.
    fn dotted_name_end(&self, dot: usize, next: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        if bytes[dot] != b'.' || !bytes.get(next)?.is_ascii_alphabetic() {
            return None;
        }
        let before = self.text[..dot].chars().next_back();
        if before.is_some_and(|c| !c.is_whitespace() && !matches!(c, '(' | '"' | '`' | '\'' | '/'))
        {
            return None;
        }
        let end = self.end_of_compound(next);
        (bytes.get(end) != Some(&b'(')).then_some(end)
    }
}

impl Iterator for Segments<'_> {
    type Item = Segment;

    fn next(&mut self) -> Option<Segment> {
        while let Some((class, next)) = self.look(self.at) {
            let start = self.at;
            let (end, kind) = match class {
                CharClass::Upper | CharClass::Letter | CharClass::Digit => {
                    (self.end_of_compound(start), SegmentKind::Compound)
                }
                CharClass::Unspaced => (
                    self.end_of_run(next, CharClass::Unspaced),
                    SegmentKind::Unspaced,
                ),
                CharClass::Hangul => (
                    self.end_of_run(next, CharClass::Hangul),
                    SegmentKind::Hangul,
                ),
                CharClass::Joiner => match self.dotted_name_end(start, next) {
                    Some(end) => (end, SegmentKind::Compound),
                    None => {
                        self.at = next;
                        continue;
                    }
                },
                _ => {
                    self.at = next;
                    continue;
                }
            };
            self.at = end;
            return Some(Segment { start, end, kind });
        }
        None
    }
}
