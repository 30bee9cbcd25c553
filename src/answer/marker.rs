//! The inside of one citation marker, in the forms that models write.
//!
//! ```text
//! marker    = "[" items "]" | "［" items "］" | "【" items [ "†" any ] "】"
//! items     = item { separator item }
//! item      = [ label ] number [ dash [ label ] number ]
//! label     = "^" | "source" | "ref" | "doc" | "document" | "passage" | "citation", each with or
//!             without "s" | "cite" | "источник" | "источники" | "документ" | "документы"
//! separator = "," | ";" | "&" | "and" | "и" | "，" | "；" | "、" | white space
//! ```
//!
//! Numbers may be full-width, or in the digits of another script. Everything else in brackets
//! (`[x]`, `[OPTIONS]`, `[1.2]`, `[page 3]`) is text. So is a month such as `[2024-05]`; a year
//! `[2024]` is a number and therefore a made-up one.

/// A citation marker with the numbers it holds, whether or not there are such sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Where the opening bracket starts in the reply, in bytes of UTF-8.
    pub start_bytes: usize,
    /// Where the closing bracket ends.
    pub end_bytes: usize,
    /// The numbers in the order written; a single number is a range of one.
    pub numbers: Vec<NumberRange>,
}

/// The numbers from `first` to `last`, both included, as written in a marker.
///
/// A range is kept as its ends, so that `[1-4000000000]` costs no more than `[1-2]`. A number
/// that is too long for 32 bits is kept as [`u32::MAX`], which is never a given source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberRange {
    /// The smaller end; `[3-1]` is read as `[1-3]`.
    pub first: u32,
    /// The larger end.
    pub last: u32,
}

/// What [`parse`] found at the start of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    /// Bytes from the opening bracket through the closing one.
    pub len_bytes: usize,
    pub numbers: Vec<NumberRange>,
    /// Begins with `^`, as a footnote does.
    pub footnote: bool,
    /// ASCII brackets and numbers without a label: the one form that code writes too.
    pub like_an_index: bool,
}

/// Why there is no match at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Whatever follows, it does not match.
    No,
    /// The text ended before this could be decided.
    More,
}

/// Matches a marker at the start of `text`. Time is linear in what was matched.
pub(super) fn parse(text: &str) -> Result<Parsed, Stop> {
    let mut cursor = Cursor { text, at: 0 };
    let opening = cursor.bump()?;
    let closing = match opening {
        '[' => ']',
        '［' => '］',
        '【' => '】',
        _ => return Err(Stop::No),
    };
    let mut numbers = Vec::new();
    let mut labelled = false;
    cursor.skip_space();
    let footnote = cursor.peek()? == '^';
    loop {
        labelled |= cursor.skip_label()?;
        let first = cursor.number()?;
        numbers.push(cursor.range_from(first, &mut labelled)?);
        let spaced = cursor.skip_space();
        let next = cursor.peek()?;
        if next == closing {
            cursor.bump()?;
            break;
        }
        if next == '†' && closing == '】' {
            cursor.skip_annotation(closing)?;
            break;
        }
        let separated = matches!(next, ',' | ';' | '&' | '，' | '；' | '、');
        if separated {
            cursor.bump()?;
            cursor.skip_space();
        }
        if !cursor.skip_and()? && !separated && !spaced {
            return Err(Stop::No);
        }
    }
    Ok(Parsed {
        len_bytes: cursor.at,
        numbers,
        footnote,
        like_an_index: opening == '[' && !labelled,
    })
}

struct Number {
    value: u32,
    digits: usize,
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Result<char, Stop> {
        self.text[self.at..].chars().next().ok_or(Stop::More)
    }

    fn bump(&mut self) -> Result<char, Stop> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Ok(c)
    }

    /// Skips white space and tells whether there was any.
    fn skip_space(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_ok_and(char::is_whitespace) {
            self.at += self.peek().map_or(0, char::len_utf8);
        }
        self.at > start
    }

    /// Skips a label before a number and tells whether there was one.
    fn skip_label(&mut self) -> Result<bool, Stop> {
        if self.peek()? == '^' {
            self.bump()?;
            return Ok(true);
        }
        if !self.peek()?.is_alphabetic() {
            return Ok(false);
        }
        const LABELS: [&str; 11] = [
            "source",
            "ref",
            "doc",
            "document",
            "passage",
            "citation",
            "cite",
            "источник",
            "источники",
            "документ",
            "документы",
        ];
        let word = self.word()?;
        let one = word.strip_suffix('s').unwrap_or(&word);
        if !LABELS.contains(&one) {
            return Err(Stop::No);
        }
        self.skip_space();
        if matches!(self.peek()?, ':' | '#' | '№') {
            self.bump()?;
            self.skip_space();
        }
        Ok(true)
    }

    /// Skips the word "and" between two items and tells whether it was there.
    fn skip_and(&mut self) -> Result<bool, Stop> {
        if !self.peek()?.is_alphabetic() {
            return Ok(false);
        }
        let start = self.at;
        let found = matches!(self.word()?.as_str(), "and" | "и");
        if found {
            self.skip_space();
        } else {
            self.at = start;
        }
        Ok(found)
    }

    /// A word in [`lower_case`]. No word of the grammar is longer than nine letters.
    fn word(&mut self) -> Result<String, Stop> {
        const LONGEST: usize = 9;
        let mut word = String::new();
        for _ in 0..=LONGEST {
            let c = self.peek()?;
            if !c.is_alphabetic() {
                return Ok(word);
            }
            word.push(lower_case(c));
            self.bump()?;
        }
        Err(Stop::No)
    }

    fn number(&mut self) -> Result<Number, Stop> {
        let mut number = Number {
            value: 0,
            digits: 0,
        };
        while let Some(digit) = digit(self.peek()?) {
            number.value = number.value.saturating_mul(10).saturating_add(digit);
            number.digits += 1;
            self.bump()?;
        }
        if number.digits == 0 {
            Err(Stop::No)
        } else {
            Ok(number)
        }
    }

    /// The range that begins with `first`, or `first` alone where no dash follows.
    fn range_from(&mut self, first: Number, labelled: &mut bool) -> Result<NumberRange, Stop> {
        let end_of_number = self.at;
        let spaced = self.skip_space();
        if !matches!(
            self.peek()?,
            '-' | '\u{2010}'..='\u{2015}' | '−' | '～' | '~'
        ) {
            self.at = end_of_number;
            return Ok(NumberRange {
                first: first.value,
                last: first.value,
            });
        }
        self.bump()?;
        self.skip_space();
        *labelled |= self.skip_label()?;
        let last = self.number()?;
        let month = (1..=12).contains(&last.value) && last.digits == 2;
        if first.digits == 4 && month && !spaced {
            return Err(Stop::No);
        }
        Ok(NumberRange {
            first: first.value.min(last.value),
            last: first.value.max(last.value),
        })
    }

    /// Skips what some models put after the number, as in `【1†source】`, on the same line.
    fn skip_annotation(&mut self, closing: char) -> Result<(), Stop> {
        loop {
            match self.bump()? {
                c if c == closing => return Ok(()),
                '\n' | '【' | '`' => return Err(Stop::No),
                _ => {}
            }
        }
    }
}

/// The small letter, in the scripts of the grammar's words. The standard library's tables for all
/// scripts would be 12 kB of the download.
fn lower_case(c: char) -> char {
    match c {
        'А'..='Я' => char::from_u32(c as u32 + ('а' as u32 - 'А' as u32)).unwrap_or(c),
        _ => c.to_ascii_lowercase(),
    }
}

/// The value of a decimal digit of the scripts whose readers write numbers with digits of
/// their own.
fn digit(c: char) -> Option<u32> {
    // ASCII, Arabic-Indic, Persian, Devanagari, Bengali, Thai, full-width.
    const ZEROS: [char; 7] = ['0', '٠', '۰', '०', '০', '๐', '０'];
    ZEROS
        .iter()
        .filter_map(|zero| (c as u32).checked_sub(*zero as u32))
        .find(|value| *value < 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the numbers of a marker that takes up all of `text`.
    #[track_caller]
    fn check(text: &str, expected: &[(u32, u32)]) {
        let parsed = parse(text).expect("a marker");
        assert_eq!(parsed.len_bytes, text.len());
        let numbers: Vec<(u32, u32)> = parsed
            .numbers
            .iter()
            .map(|range| (range.first, range.last))
            .collect();
        assert_eq!(numbers, expected, "{text}");
    }

    #[track_caller]
    fn check_text(text: &str) {
        assert_eq!(parse(text), Err(Stop::No), "{text}");
    }

    #[test]
    fn single_numbers() {
        for text in ["[1]", "[ 1 ]", "【1】", "［１］", "[１]", "[01]", "[^1]"] {
            check(text, &[(1, 1)]);
        }
        check("[42]", &[(42, 42)]);
        check("[٣]", &[(3, 3)]);
    }

    #[test]
    fn groups() {
        for text in [
            "[1, 2]",
            "[1,2]",
            "[1; 2]",
            "[1 2]",
            "[1 & 2]",
            "[1 and 2]",
            "[1, and 2]",
        ] {
            check(text, &[(1, 1), (2, 2)]);
        }
        check("[1、2，3]", &[(1, 1), (2, 2), (3, 3)]);
        check("[1 и 2]", &[(1, 1), (2, 2)]);
    }

    #[test]
    fn ranges_with_any_dash() {
        for text in [
            "[1-3]", "[1–3]", "[1—3]", "[1 - 3]", "[1‑3]", "[1−3]", "[3-1]",
        ] {
            check(text, &[(1, 3)]);
        }
        check("[1-2, 4]", &[(1, 2), (4, 4)]);
    }

    #[test]
    fn labels() {
        for text in [
            "[source 1]",
            "[Source 1]",
            "[SOURCE: 1]",
            "[Source #1]",
            "[ref 1]",
            "[Источник 1]",
            "[doc 1]",
            "[Document 1]",
            "[cite: 1]",
            "[Passage 1]",
            "[Документ 1]",
        ] {
            check(text, &[(1, 1)]);
        }
        check("[Source 1, 2]", &[(1, 1), (2, 2)]);
        check("[Sources 1 and 2]", &[(1, 1), (2, 2)]);
        check("[source 1, source 2]", &[(1, 1), (2, 2)]);
        check("[^1, ^2]", &[(1, 1), (2, 2)]);
        check("[source 1-source 3]", &[(1, 3)]);
    }

    #[test]
    fn annotations_in_lenticular_brackets() {
        check("【1†source】", &[(1, 1)]);
        check("【2†L3-L9】", &[(2, 2)]);
        check_text("[1†source]");
        check_text("【1†sour\nce】");
        check_text("【1†`source`】");
    }

    #[test]
    fn numbers_too_long_for_an_integer_are_kept_as_the_largest() {
        check("[99999999999999999999]", &[(u32::MAX, u32::MAX)]);
        check("[1-4000000000]", &[(1, 4_000_000_000)]);
        check(
            &format!("[{}]", "9".repeat(100_000)),
            &[(u32::MAX, u32::MAX)],
        );
        check("[0]", &[(0, 0)]);
    }

    #[test]
    fn other_brackets_are_text() {
        for text in [
            "[x]",
            "[ ]",
            "[]",
            "[OPTIONS]",
            "[1.2]",
            "[v1]",
            "[1a]",
            "[1 a]",
            "[-1]",
            "[+1]",
            "[1,]",
            "[,1]",
            "[1/2]",
            "[1:2]",
            "[1, x]",
            "[page 3]",
            "[step 1]",
            "[#12]",
            "[2024-05]",
            "[2024-05-01]",
            "[1..3]",
            "[1-]",
            "[1)",
            "[^x]",
            "[^]",
            "[source]",
            "[sourcecode 1]",
            "[ref#]",
            "[1】",
            "【1]",
        ] {
            check_text(text);
        }
    }

    #[test]
    fn a_year_or_a_range_of_years_is_a_number() {
        check("[2024]", &[(2024, 2024)]);
        check("[2023-2024]", &[(2023, 2024)]);
    }

    #[test]
    fn every_beginning_of_a_marker_asks_for_more() {
        for text in [
            "[1, 2]",
            "[source 1-3]",
            "【1†source】",
            "[^1 and ^2]",
            "［１ ］",
        ] {
            for (cut, _) in text.char_indices() {
                assert_eq!(parse(&text[..cut]), Err(Stop::More), "{}", &text[..cut]);
            }
        }
    }

    #[test]
    fn only_plain_numbers_in_ascii_brackets_are_like_an_index() {
        for (text, expected) in [
            ("[1]", true),
            ("[1, 2]", true),
            ("[^1]", false),
            ("[ref 1]", false),
            ("【1】", false),
        ] {
            assert_eq!(
                parse(text).expect("a marker").like_an_index,
                expected,
                "{text}"
            );
        }
    }
}
