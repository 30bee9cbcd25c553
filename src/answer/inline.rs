//! The citation markers of one paragraph, left to right.
//!
//! What a bracket means can depend on what comes later: a backtick hides what follows only if a
//! run of the same length closes it, and `[text` is a link only if `](address)` follows. So a
//! paragraph is read up to the first place that is not decided yet, and read on from there when
//! more of it has arrived, or when it has ended and whatever is open stays literal.

use super::link;
use super::marker::{self, Marker, Parsed, Stop};

/// The state of reading one paragraph. Positions are bytes in the whole reply.
#[derive(Debug)]
pub(super) struct Paragraph {
    start: usize,
    /// Everything before is decided.
    next: usize,
    /// Brackets that may still become links, outermost first.
    openers: Vec<Opener>,
    /// End of the last bracket that was an index, since `a[1][2]` is two of them.
    index_end: usize,
    /// Which of [`HIDING`] have no closing mark in the rest of the paragraph.
    unclosed: [bool; HIDING.len()],
    /// Length and start of the last run of backticks of each length, by length; made when the
    /// paragraph has ended.
    last_runs: Option<Vec<(usize, usize)>>,
}

#[derive(Debug)]
struct Opener {
    /// How many markers came before it.
    markers: usize,
    image: bool,
    /// False inside of a link, since links do not nest.
    active: bool,
}

/// Marks around formulas, and the elements of HTML that are code, a link or a comment. All may go
/// over several lines.
const HIDING: [(&str, &str); 7] = [
    ("\\(", "\\)"),
    ("\\[", "\\]"),
    ("$$", "$$"),
    ("<!--", "-->"),
    ("<code>", "</code>"),
    ("<pre>", "</pre>"),
    ("<a ", "</a>"),
];

/// The reply as far as it is known to belong to the paragraph.
#[derive(Clone, Copy)]
struct Known<'a> {
    text: &'a str,
    /// Whether the paragraph ends where the text does.
    ended: bool,
}

impl<'a> Known<'a> {
    fn from(&self, at: usize) -> &'a str {
        self.text.get(at..).unwrap_or_default()
    }

    /// Makes a match that ran into the end final: `Ok(None)` is no match, `Err` is undecided.
    fn settle<T>(&self, matched: Result<T, Stop>) -> Result<Option<T>, Undecided> {
        match matched {
            Ok(value) => Ok(Some(value)),
            Err(Stop::More) if !self.ended => Err(Undecided),
            Err(_) => Ok(None),
        }
    }

    /// What stands at `at`: `Ok(None)` is the paragraph's end.
    fn char_at(&self, at: usize) -> Result<Option<char>, Undecided> {
        self.settle(self.from(at).chars().next().ok_or(Stop::More))
    }

    /// The end of the first `closing` from `at` on.
    fn find(&self, closing: &str, at: usize) -> Result<Option<usize>, Undecided> {
        let found = self.from(at).find(closing).ok_or(Stop::More);
        Ok(self
            .settle(found)?
            .map(|offset| at + offset + closing.len()))
    }
}

/// More of the reply is needed.
struct Undecided;

impl Paragraph {
    pub(super) fn new(start: usize) -> Paragraph {
        Paragraph {
            start,
            next: start,
            openers: Vec::new(),
            index_end: start,
            unclosed: [false; HIDING.len()],
            last_runs: None,
        }
    }

    /// Up to where the paragraph is read.
    pub(super) fn next(&self) -> usize {
        self.next
    }

    /// How many of `markers` no longer depend on what follows.
    pub(super) fn settled(&self, markers: &[Marker]) -> usize {
        self.openers
            .first()
            .map_or(markers.len(), |opener| opener.markers)
    }

    /// Reads on in `text`, the reply up to the known end of the paragraph, and appends to
    /// `markers`, which are those of the whole reply. `ended` tells that nothing follows.
    pub(super) fn read(&mut self, text: &str, ended: bool, markers: &mut Vec<Marker>) {
        let known = Known { text, ended };
        while self.next < text.len() {
            match self.step(known, markers) {
                Ok(next) => self.next = next,
                Err(Undecided) => return,
            }
        }
    }

    /// Decides what stands at `next` and gives the position after it.
    fn step(&mut self, known: Known, markers: &mut Vec<Marker>) -> Result<usize, Undecided> {
        let at = self.next;
        match known.text.as_bytes()[at] {
            b'\\' => self.escape(known, at),
            b'`' => self.code_span(known, at),
            b'$' => self.dollar(known, at),
            b'<' => self.angle(known, at),
            b'[' => self.bracket(known, at, markers),
            b']' => self.closing_bracket(known, at, markers),
            // The first bytes of 【 and ［. A marker begins with a whole character, so no other
            // byte of a longer character is ever taken for one.
            0xe3 | 0xef => {
                let Some(parsed) = known.settle(marker::parse(known.from(at)))? else {
                    return Ok(at + 1);
                };
                let end = at + parsed.len_bytes;
                push(markers, at, parsed);
                Ok(end)
            }
            _ => Ok(at + 1),
        }
    }

    /// A backslash: the start of a formula, or it takes the next character's meaning away.
    fn escape(&mut self, known: Known, at: usize) -> Result<usize, Undecided> {
        match known.char_at(at + 1)? {
            Some('(') => self.hidden(known, at, 0),
            Some('[') => self.hidden(known, at, 1),
            Some(c) if c.is_ascii_punctuation() => Ok(at + 2),
            _ => Ok(at + 1),
        }
    }

    /// Passes over what one of [`HIDING`] hides, or over its opening mark where nothing closes it.
    fn hidden(&mut self, known: Known, at: usize, which: usize) -> Result<usize, Undecided> {
        let literal = at + HIDING[which].0.len();
        if self.unclosed[which] {
            return Ok(literal);
        }
        let end = known.find(HIDING[which].1, literal)?;
        self.unclosed[which] = end.is_none();
        Ok(end.unwrap_or(literal))
    }

    /// A formula in single dollar signs stands on one line, with no white space inside of the
    /// signs (as in pandoc's `tex_math_dollars`). Prices and shell variables are to stay prose,
    /// so the opening sign is not glued to a word before it or a digit after it, the very next
    /// sign is the closing one and no letter or digit follows it, and there is no code inside.
    fn dollar(&mut self, known: Known, at: usize) -> Result<usize, Undecided> {
        let inside = at + 1;
        let first = known.char_at(inside)?;
        if first == Some('$') {
            return self.hidden(known, at, 2);
        }
        let opens = first.is_some_and(|c| !c.is_whitespace() && !c.is_ascii_digit())
            && !known.text[..at].ends_with(char::is_alphanumeric);
        if !opens {
            return Ok(inside);
        }
        let stop = known.from(inside).find(['$', '`', '\n']).ok_or(Stop::More);
        let Some(stop) = known.settle(stop)?.map(|offset| inside + offset) else {
            return Ok(inside);
        };
        let closes = known.text[stop..].starts_with('$')
            && !known.text[..stop].ends_with(|c: char| c.is_whitespace() || c == '\\')
            && !known
                .char_at(stop + 1)?
                .is_some_and(|c| c.is_alphanumeric() || c == '$');
        Ok(if closes { stop + 1 } else { inside })
    }

    /// A run of backticks hides what follows up to the next run of the same length; without
    /// one it is literal (CommonMark 0.31, section 6.1).
    fn code_span(&mut self, known: Known, at: usize) -> Result<usize, Undecided> {
        let len = run_len(known.from(at));
        let after = at + len;
        known.char_at(after)?;
        if known.ended {
            // Made once, so that many runs without a partner do not each search to the end.
            let last_runs = self
                .last_runs
                .get_or_insert_with(|| last_runs(known.text, at));
            let found = last_runs.binary_search_by_key(&len, |(len, _)| *len);
            if !found.is_ok_and(|found| last_runs[found].1 >= after) {
                return Ok(after);
            }
        }
        match runs(known.text, after).find(|(run, _)| *run == len) {
            Some((_, start)) => {
                known.char_at(start + len)?;
                Ok(start + len)
            }
            None if known.ended => Ok(after),
            None => Err(Undecided),
        }
    }

    /// The start of an element or comment that hides what it holds, or of an address.
    fn angle(&mut self, known: Known, at: usize) -> Result<usize, Undecided> {
        let rest = known.from(at);
        for (which, (opening, _)) in HIDING.iter().enumerate() {
            if rest.starts_with(opening) {
                return self.hidden(known, at, which);
            }
            if opening.starts_with(rest) && !known.ended {
                return Err(Undecided);
            }
        }
        autolink(known, at)
    }

    fn bracket(
        &mut self,
        known: Known,
        at: usize,
        markers: &mut Vec<Marker>,
    ) -> Result<usize, Undecided> {
        let Some(parsed) = known.settle(marker::parse(known.from(at)))? else {
            self.openers.push(Opener {
                markers: markers.len(),
                image: known.text[..at].ends_with('!'),
                active: true,
            });
            return Ok(at + 1);
        };
        let end = at + parsed.len_bytes;
        match known.char_at(end)? {
            Some('(') => {
                if let Some(len) = known.settle(link::tail(known.from(end)))? {
                    if !known.text[..at].ends_with('!') {
                        self.deactivate_openers();
                    }
                    return Ok(end + len);
                }
            }
            Some(':') if self.starts_line(known, at) => {
                if parsed.footnote {
                    return Ok(end + 1);
                }
                let definition = link::definition(known.from(end + 1), known.ended);
                if let Some(len) = known.settle(definition)? {
                    return Ok(end + 1 + len);
                }
            }
            _ => {}
        }
        if parsed.like_an_index && self.is_index(known, at, &parsed)? {
            self.index_end = end;
        } else {
            push(markers, at, parsed);
        }
        Ok(end)
    }

    fn closing_bracket(
        &mut self,
        known: Known,
        at: usize,
        markers: &mut Vec<Marker>,
    ) -> Result<usize, Undecided> {
        let after = at + 1;
        let Some(opener) = self.openers.last() else {
            return Ok(after);
        };
        let mut end = after;
        if known.char_at(after)? == Some('(') && (opener.active || opener.image) {
            if let Some(len) = known.settle(link::tail(known.from(after)))? {
                end = after + len;
                markers.truncate(opener.markers);
            }
        }
        let link = end > after && !opener.image;
        self.openers.pop();
        if link {
            self.deactivate_openers();
        }
        Ok(end)
    }

    /// A link was found, so what encloses it can be none. Stops at the first that knows already,
    /// which keeps the sum of the work linear.
    fn deactivate_openers(&mut self) {
        let outer = self.openers.iter_mut().rev().filter(|opener| !opener.image);
        for opener in outer.take_while(|opener| opener.active) {
            opener.active = false;
        }
    }

    fn starts_line(&self, known: Known, at: usize) -> bool {
        let before = known.text[self.start..at].trim_end_matches([' ', '>']);
        before.is_empty() || before.ends_with('\n')
    }

    /// Whether a bracket with plain numbers is an index into an array, as in `a[1]`, and no
    /// citation. It is if an identifier, `()`, `=` or another index stands directly before it.
    ///
    /// Many models glue citations to the last word of a sentence ("the covering index[1]."), so
    /// a bracket after a plain word at the end of a clause counts as a citation, unless it holds
    /// a zero, where arrays start and sources do not. Identifiers are ASCII here: letters of
    /// other scripts are words, and some of these scripts write no spaces.
    fn is_index(&self, known: Known, at: usize, parsed: &Parsed) -> Result<bool, Undecided> {
        let before = &known.text[..at];
        if at == self.index_end && at > self.start {
            return Ok(true);
        }
        if before.ends_with("()") || before.ends_with('=') {
            return Ok(true);
        }
        let rest = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let word = &before[rest.len()..];
        // An underscore right before the bracket closes or opens emphasis.
        let is_emphasis = word.ends_with('_');
        let word = if is_emphasis {
            word.trim_matches('_')
        } else {
            word
        };
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(false);
        }
        if rest.ends_with(char::is_alphabetic) {
            return Ok(false);
        }
        let in_prose = rest.is_empty()
            || rest.ends_with(char::is_whitespace)
            || rest.ends_with(['(', '"', '\'', '“', '‘', '’', '«', '-', '*']);
        let has_zero = parsed.numbers.iter().any(|range| range.first == 0);
        if !in_prose || !(is_emphasis || is_plain_word(word)) || has_zero {
            return Ok(true);
        }
        let mut end = at + parsed.len_bytes;
        while known.char_at(end)? == Some('[') {
            match known.settle(marker::parse(known.from(end)))? {
                Some(next) => end += next.len_bytes,
                None => break,
            }
        }
        Ok(!ends_clause(known, end)?)
    }
}

fn push(markers: &mut Vec<Marker>, at: usize, parsed: Parsed) {
    markers.push(Marker {
        start_bytes: at,
        end_bytes: at + parsed.len_bytes,
        numbers: parsed.numbers,
    });
}

/// At least three letters, all small; or a name with a capital at its start, such as `PostgreSQL`
/// or `HTTP2`.
fn is_plain_word(word: &str) -> bool {
    let is_name = word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    word.len() >= 3 && (is_name || word.bytes().all(|byte| byte.is_ascii_lowercase()))
}

/// Whether nothing but closing punctuation and spaces follows on the line, or punctuation and
/// then a space.
fn ends_clause(known: Known, end: usize) -> Result<bool, Undecided> {
    let mut at = end;
    let mut punctuated = false;
    loop {
        match known.char_at(at)? {
            None | Some('\n') => return Ok(true),
            Some(c) if c.is_whitespace() && punctuated => return Ok(true),
            Some(c) if c.is_whitespace() => at += c.len_utf8(),
            Some(c) if ".,;:!?)\"'”’»|*_".contains(c) && (punctuated || at == end) => {
                punctuated = true;
                at += c.len_utf8();
            }
            Some(_) => return Ok(false),
        }
    }
}

/// `<scheme:address>` and `<name@host>` (CommonMark 0.31, section 6.5).
fn autolink(known: Known, at: usize) -> Result<usize, Undecided> {
    let after = at + 1;
    if !known
        .char_at(after)?
        .is_some_and(|c| c.is_ascii_alphabetic())
    {
        return Ok(after);
    }
    let inside = known.from(after);
    let end = inside.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>'));
    let Some(end) = known.settle(end.ok_or(Stop::More))? else {
        return Ok(after);
    };
    let is_link = inside[end..].starts_with('>') && inside[..end].contains([':', '@']);
    Ok(if is_link { after + end + 1 } else { after })
}

fn run_len(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'`').count()
}

/// The last of the [`runs`] of each length, by length. A text has few lengths, because each
/// takes its own number of characters.
fn last_runs(text: &str, at: usize) -> Vec<(usize, usize)> {
    let mut last: Vec<(usize, usize)> = Vec::new();
    for (len, start) in runs(text, at) {
        match last.binary_search_by_key(&len, |(len, _)| *len) {
            Ok(known) => last[known].1 = start,
            Err(place) => last.insert(place, (len, start)),
        }
    }
    last
}

/// Length and start of each run of backticks from `at` on.
fn runs(text: &str, at: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut from = at;
    std::iter::from_fn(move || {
        let start = from + text[from..].find('`')?;
        let len = run_len(&text[start..]);
        from = start + len;
        Some((len, start))
    })
}
