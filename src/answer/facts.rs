//! What must stand in a source to the letter: numbers, versions and code identifiers.

use super::word_list::WordList;
use crate::text::fold;
use std::ops::Range;
use std::sync::LazyLock;

/// A kind of detail that a model gets wrong while the sentence around it sounds right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// A number that no cited source has.
    Number,
    /// A version that no cited source has.
    Version,
    /// A sentence that says no where its source says yes, or the other way round.
    Negation,
    /// A name of code that no cited source has.
    Identifier,
}

impl Detail {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Detail::Number => "number",
            Detail::Version => "version",
            Detail::Negation => "negation",
            Detail::Identifier => "identifier",
        }
    }
}

/// A number of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// In digits, without separators of thousands and without a version's `v`.
    pub value: String,
    /// As the text writes it.
    pub written: String,
    pub is_version: bool,
}

/// The numbers of `text`, in digits or in English and Russian words: `30`, `1,000`, `twenty-five`,
/// `10 million`, `сто тысяч`. "One" alone is left out, because it is more often a pronoun.
pub(super) fn numbers(text: &str) -> Vec<Number> {
    let mut numbers = Vec::new();
    let mut spelled: Option<Spelled> = None;
    let mut before = "";
    let mut after_digits = false;
    for (at, word) in words(text) {
        let end = at + word.len();
        let digits_at = word.find(|c: char| c.is_ascii_digit());
        let numeral = numeral(word);
        let went_on = match (numeral, &mut spelled) {
            (Some(value), Some(spelled)) if matches!(&text[spelled.at.end..at], " " | "-") => {
                spelled.go_on(value, end)
            }
            _ => false,
        };
        if !went_on {
            numbers.extend(spelled.take().and_then(|spelled| spelled.number(text)));
        }
        match (digits_at, numeral) {
            // E0502 and utf8 are names; v1.2 is a version.
            (Some(at), _) if at == 0 || word[..at].eq_ignore_ascii_case("v") => {
                numbers.push(number(word, at, before));
            }
            (None, Some(scale)) if after_digits && scale >= 1000 => {
                if let Some(number) = numbers.last_mut() {
                    number.value = scaled(&number.value, scale);
                }
            }
            (None, Some(value)) if !went_on => spelled = Some(Spelled::new(value, at..end)),
            _ => {}
        }
        after_digits = digits_at == Some(0);
        before = word;
    }
    numbers.extend(spelled.and_then(|spelled| spelled.number(text)));
    numbers
}

/// A number in words, of which more may follow.
struct Spelled {
    /// What stands before the last scale word, such as the 5000 of "five thousand two".
    before: u64,
    /// What stands after it.
    value: u64,
    at: Range<usize>,
}

impl Spelled {
    fn new(value: u64, at: Range<usize>) -> Spelled {
        let is_scale = value >= 1000;
        Spelled {
            before: if is_scale { value } else { 0 },
            value: if is_scale { 0 } else { value },
            at,
        }
    }

    /// Takes the next word if it belongs to the same number.
    fn go_on(&mut self, next: u64, end: usize) -> bool {
        let joins = match next {
            1000.. => {
                let fits = self.value > 0 && self.before % (next * 1000) == 0;
                if fits {
                    self.before += self.value * next;
                    self.value = 0;
                }
                fits
            }
            100 if (1..100).contains(&self.value) => {
                self.value *= 100;
                true
            }
            _ => {
                let room = match self.value {
                    0 if self.before > 0 => 1000,
                    value if value % 100 == 0 && value > 0 => 100,
                    value if value % 10 == 0 && value >= 20 => 10,
                    _ => 0,
                };
                let fits = next < room;
                self.value += if fits { next } else { 0 };
                fits
            }
        };
        self.at.end = if joins { end } else { self.at.end };
        joins
    }

    fn number(self, text: &str) -> Option<Number> {
        let value = self.before + self.value;
        (value > 1).then(|| Number {
            value: value.to_string(),
            written: text[self.at].to_owned(),
            is_version: false,
        })
    }
}

/// The words for numbers: each line begins with the value.
const NUMERALS: &str = "1 one один одна одну одного одной
2 two twice два две двух двум дважды
3 three thrice три трех трем трижды
4 four четыре четырех
5 five пять пяти
6 six шесть шести
7 seven семь семи
8 eight восемь восьми
9 nine девять девяти
10 ten десять десяти
11 eleven одиннадцать
12 twelve двенадцать двенадцати
13 thirteen тринадцать
14 fourteen четырнадцать
15 fifteen пятнадцать пятнадцати
16 sixteen шестнадцать шестнадцати
17 seventeen семнадцать
18 eighteen восемнадцать
19 nineteen девятнадцать
20 twenty двадцать двадцати
30 thirty тридцать тридцати
40 forty сорок сорока
50 fifty пятьдесят пятидесяти
60 sixty шестьдесят шестидесяти
70 seventy семьдесят
80 eighty восемьдесят
90 ninety девяносто
100 hundred сто ста
200 двести двухсот
300 триста трехсот
400 четыреста
500 пятьсот пятисот
1000 thousand тысяча тысячу тысячи тысяч
1000000 million миллион миллиона миллионов
1000000000 billion миллиард миллиарда миллиардов";

/// The value of a word for a number.
fn numeral(word: &str) -> Option<u64> {
    static LIST: LazyLock<WordList> = LazyLock::new(|| WordList::new(NUMERALS));
    LIST.value(&fold(word)).map(u64::from)
}

/// A number in digits times a power of ten.
fn scaled(digits: &str, scale: u64) -> String {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let zeros = scale.ilog10() as usize;
    let (moved, left) = fraction.split_at(fraction.len().min(zeros));
    let point = if left.is_empty() { "" } else { "." };
    let scaled = format!(
        "{whole}{moved}{}{point}{left}",
        "0".repeat(zeros - moved.len())
    );
    scaled.trim_start_matches('0').to_owned()
}

fn number(word: &str, at: usize, before: &str) -> Number {
    let rest = &word[at..];
    let end = rest
        .find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
        .unwrap_or(rest.len());
    let written = rest[..end].trim_end_matches(['.', ',']);
    let dots = written.matches('.').count();
    let before = fold(before);
    let names_version = |name: &str| before.starts_with(name);
    Number {
        value: without_separators(written),
        written: written.to_owned(),
        is_version: at > 0 || dots > 1 || names_version("version") || names_version("верси"),
    }
}

/// `8,080` and `1,000,000` lose their commas; a decimal comma becomes a point.
fn without_separators(written: &str) -> String {
    let mut groups = written.split(',');
    let first = groups.next().unwrap_or_default();
    let is_grouped = written.contains(',')
        && (1..=3).contains(&first.len())
        && groups.all(|group| {
            group
                .split('.')
                .next()
                .is_some_and(|whole| whole.len() == 3)
        });
    written.replace(',', if is_grouped { "" } else { "." })
}

/// Whether a source's number bears out a claim's. A version may be told less exactly than the
/// source does: `1.85` for `1.85.1`.
pub(super) fn is_same_number(claimed: &Number, given: &Number) -> bool {
    let more = given.value.strip_prefix(&claimed.value);
    match more {
        Some("") => true,
        Some(more) => more.starts_with('.') && given.value.matches('.').count() > 1,
        None => {
            claimed.value.trim_end_matches('0').trim_end_matches('.') == given.value
                && claimed.value.contains('.')
        }
    }
}

/// The names of code in `text`: what stands in backticks, piece by piece, and words that are
/// spelled as only code is: `snake_case`, `camelCase`, `Vec::push`, `--flag`, `docs.search`.
pub(super) fn identifiers(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for (i, piece) in text.split('`').enumerate() {
        for word in piece.split(|c: char| c.is_whitespace() || is_separator(c)) {
            let mut word = word.trim_end_matches(['.', ':', '!', '?', '…']);
            while let Some(name) = word.strip_suffix("()") {
                word = name;
            }
            let is_code = i % 2 == 1 || is_spelled_as_code(word);
            let is_name = word.chars().any(char::is_alphabetic) && !word.contains("...");
            if is_code && is_name && !found.contains(&word) {
                found.push(word);
            }
        }
    }
    found
}

fn is_separator(c: char) -> bool {
    matches!(
        c,
        '(' | ')'
            | '{'
            | '}'
            | '['
            | ']'
            | '<'
            | '>'
            | '"'
            | '\''
            | ','
            | ';'
            | '='
            | '“'
            | '”'
            | '«'
            | '»'
            | '’'
            | '|'
    )
}

fn is_spelled_as_code(word: &str) -> bool {
    let is_ascii = word.is_ascii() && word.len() > 2;
    let mut pairs = word.as_bytes().windows(2);
    let bends = pairs
        .clone()
        .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let has_dot_inside = pairs.any(|pair| pair[0] == b'.' && pair[1].is_ascii_lowercase());
    // A number with a unit (1.5s) and an abbreviation (e.g.) have dots too.
    let is_dotted = has_dot_inside
        && word.split('.').all(|part| part.len() > 1)
        && !word.starts_with(|c: char| c.is_ascii_digit());
    is_ascii
        && (bends
            || is_dotted
            || word.contains('_')
            || word.contains("::")
            || word.starts_with("--"))
}

/// Whether `text` has `name` as a whole, that is with no letter, digit or underscore right before
/// and after it. Capitals count, except in a plain lower-case word such as `true`.
pub(super) fn has_identifier(text: &str, name: &str) -> bool {
    if name.chars().all(char::is_lowercase) {
        let name = fold(name);
        return words(text).any(|(_, word)| fold(word) == name);
    }
    let goes_on = |c: char| c.is_alphanumeric() || c == '_';
    let is_flag = name.starts_with('-');
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + name.len()..].chars();
        let next = after.next();
        let is_longer_flag = is_flag && next == Some('-') && after.next().is_some_and(goes_on);
        let begins = !name.starts_with(goes_on) || !before.is_some_and(goes_on);
        let ends = !name.ends_with(goes_on) || !next.is_some_and(goes_on);
        begins && ends && !is_longer_flag
    })
}

/// Runs of letters, digits and what joins them inside a word or number, with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_joined = |c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '_');
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find(char::is_alphanumeric)?;
            let len = text[start..].find(|c| !is_joined(c));
            at = len.map_or(text.len(), |len| start + len);
            let word = text[start..at].trim_end_matches(['.', ',']);
            if !word.is_empty() {
                return Some((start, word));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_numbers(text: &str, expected: &[&str]) {
        let numbers = numbers(text);
        let values: Vec<&str> = numbers.iter().map(|number| number.value.as_str()).collect();
        assert_eq!(values, expected, "{text}");
    }

    #[test]
    fn numbers_are_read_however_they_are_written() {
        check_numbers(
            "It takes 30 seconds, 1.5 MB or 8,080.",
            &["30", "1.5", "8080"],
        );
        check_numbers(
            "128kB, 50%, 1,000,000 and 0,5",
            &["128", "50", "1000000", "0.5"],
        );
        check_numbers("It tries three times, twice at once.", &["3", "2"]);
        check_numbers("Пять минут", &["5"]);
        check_numbers(
            "Twenty-five, one hundred and sixteen bits, ten thousand rows",
            &["25", "100", "16", "10000"],
        );
        check_numbers(
            "10 million, 1.5 thousand, some hundred thousand, two or three",
            &["10000000", "1500", "100000", "2", "3"],
        );
        check_numbers("сто двадцать пять и две тысячи", &["125", "2000"]);
        check_numbers(
            "a thousand five hundred, million thousand",
            &["1500", "1000000", "1000"],
        );
        check_numbers("two million three hundred thousand four", &["2300004"]);
        check_numbers("one of them, thousands of rows", &[]);
        check_numbers("E0502 and utf8 are names", &[]);
    }

    #[test]
    fn versions_are_told_from_numbers() {
        let is_version = |text: &str| {
            numbers(text)
                .iter()
                .map(|number| number.is_version)
                .collect::<Vec<_>>()
        };
        assert_eq!(is_version("v1.2, 1.2.3 and version 4"), [true, true, true]);
        assert_eq!(is_version("1.5 seconds"), [false]);
    }

    #[track_caller]
    fn check_same(claimed: &str, given: &str, expected: bool) {
        let (claimed, given) = (numbers(claimed), numbers(given));
        assert_eq!(is_same_number(&claimed[0], &given[0]), expected);
    }

    #[test]
    fn a_version_may_be_told_less_exactly() {
        check_same("1.85", "1.85.1", true);
        check_same("v1.85", "1.85.0", true);
        check_same("1.8", "1.85.1", false);
        check_same("1", "1.85", false);
        check_same("30", "300", false);
        check_same("2.0", "2", true);
        check_same("three", "3", true);
    }

    #[track_caller]
    fn check_identifiers(text: &str, expected: &[&str]) {
        assert_eq!(identifiers(text), expected, "{text}");
    }

    #[test]
    fn names_of_code_stand_in_backticks_or_are_spelled_as_code_is() {
        check_identifiers(
            "Call `docs.search(query)` first.",
            &["docs.search", "query"],
        );
        check_identifiers(
            "Set maxIdleTime or max_idle or --strict.",
            &["maxIdleTime", "max_idle", "--strict"],
        );
        check_identifiers("Run `npm start -- --once`", &["npm", "start", "--once"]);
        check_identifiers(
            "Read groundling.json, e.g. twice. It takes 1.5s.",
            &["groundling.json"],
        );
        check_identifiers("Plain words stay.", &[]);
    }

    #[track_caller]
    fn check_has(text: &str, name: &str, expected: bool) {
        assert_eq!(has_identifier(text, name), expected, "{name} in {text}");
    }

    #[test]
    fn a_name_is_found_only_as_a_whole() {
        check_has("set maxIdleTime to 3", "maxIdleTime", true);
        check_has("set maxIdleTime to 3", "maxIdle", false);
        check_has("set maxIdleTime to 3", "MaxIdleTime", false);
        check_has("use --strict-mode here", "--strict", false);
        check_has("use --strict, or not", "--strict", true);
        check_has("True or false", "true", true);
        check_has("call docs.search(q)", "docs.search", true);
    }
}
