//! Cuts text into stretches that are analyzed by themselves.

use super::chars::{CharClass, narrow};

/// How a stretch of text is turned into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SegmentKind {
    /// Lower-case ASCII letters, but for a capital at their start: a word without parts, as nearly all are.
    Plain,
    /// A word, or words joined without a space: an identifier, a path, a version.
    Compound,
    /// Text of a script without spaces.
    Unspaced,
    /// A Korean word.
    Hangul,
}

/// A stretch of the original text, as UTF-8 byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A stretch of text that is analyzed in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) span: Span,
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

    /// The end of a plain word, if one starts with the letter at an offset. Tells a word in a few steps a letter, where
    /// the rules of compounds look at each several times.
    fn end_of_plain(&self, start: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let is_break = |at: usize| match bytes.get(at) {
            Some(byte) => byte.is_ascii() && CharClass::of(char::from(*byte)) == CharClass::Break,
            None => true,
        };
        let mut end = start + 1;
        while bytes.get(end).is_some_and(u8::is_ascii_lowercase) {
            end += 1;
        }
        let is_stop = || matches!(bytes.get(end), Some(b'.' | b':')) && is_break(end + 1);
        (bytes[start].is_ascii_alphabetic() && (is_break(end) || is_stop())).then_some(end)
    }

    fn end_of_compound(&self, start: usize) -> usize {
        let mut at = start;
        let mut before = CharClass::Break;
        while let Some((class, next)) = self.look(at) {
            let joined = match class {
                CharClass::Upper | CharClass::Letter | CharClass::Digit | CharClass::Mark => {
                    Some(next)
                }
                CharClass::Apostrophe => self.letter_at(next),
                CharClass::Hyphen => self.after_hyphen(before, at, next),
                CharClass::Joiner => match self.after_joiner(at, next) {
                    None if self.is_sharp(start, at) => return next,
                    joined => joined,
                },
                CharClass::Plus => match self.look(next) {
                    Some((CharClass::Plus, end)) if self.class(end) != CharClass::Plus => {
                        return end;
                    }
                    _ => None,
                },
                CharClass::Unspaced | CharClass::Hangul | CharClass::Break => None,
            };
            let Some(joined) = joined else {
                break;
            };
            before = class;
            at = joined;
        }
        at
    }

    /// The offset itself if a letter stands there: an apostrophe joins letters, and quotes what it stands before.
    fn letter_at(&self, at: usize) -> Option<usize> {
        matches!(self.class(at), CharClass::Upper | CharClass::Letter).then_some(at)
    }

    /// The offset of the part behind one hyphen or any number of underscores.
    fn after_hyphen(&self, before: CharClass, hyphen: usize, mut next: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        if bytes[hyphen] == b'_' {
            while bytes.get(next) == Some(&b'_') {
                next += 1;
            }
        } else if before == CharClass::Digit && self.class(next) == CharClass::Digit {
            // 1-2 is a range or a date, and not another spelling of 12.
            return None;
        }
        self.class(next).starts_word().then_some(next)
    }

    /// The offset of the word behind a joiner; `::` counts as one.
    fn after_joiner(&self, joiner: usize, mut next: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        if bytes[joiner] == b':' && bytes.get(next) == Some(&b':') {
            next += 1;
        }
        self.class(next).starts_word().then_some(next)
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

    /// The end of a name such as `.NET` or `.gitignore`, where the `.` at an offset starts one: it follows no
    /// word, and no call follows it, as in the method chains of code.
    fn end_of_dotted_name(&self, dot: usize, next: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        if bytes[dot] != b'.' || self.letter_at(next).is_none() {
            return None;
        }
        let before = self.text[..dot].chars().next_back();
        let opens = |c: char| c.is_whitespace() || matches!(c, '(' | '"' | '`' | '\'' | '/');
        if !before.is_none_or(opens) {
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
                    match self.end_of_plain(start) {
                        Some(end) => (end, SegmentKind::Plain),
                        None => (self.end_of_compound(start), SegmentKind::Compound),
                    }
                }
                CharClass::Unspaced => (self.end_of_run(next, class), SegmentKind::Unspaced),
                CharClass::Hangul => (self.end_of_run(next, class), SegmentKind::Hangul),
                CharClass::Joiner => match self.end_of_dotted_name(start, next) {
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
            let span = Span { start, end };
            return Some(Segment { span, kind });
        }
        None
    }
}

/// The characters of a stretch as a reader counts them, each with its marks.
pub(super) struct Clusters<'a> {
    text: &'a str,
    rest: Span,
}

impl<'a> Clusters<'a> {
    pub(super) fn new(text: &'a str, span: Span) -> Clusters<'a> {
        Clusters { text, rest: span }
    }
}

impl Iterator for Clusters<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let Span { start, end } = self.rest;
        let mut chars = self.text[start..end].char_indices().skip(1);
        let next = chars.find(|&(_, c)| CharClass::of(c) != CharClass::Mark);
        self.rest.start = next.map_or(end, |(offset, _)| start + offset);
        (start < end).then_some(Span {
            start,
            end: self.rest.start,
        })
    }
}
