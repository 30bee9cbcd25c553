//! Raised and lowered text in a line of plain text.
//!
//! Without a mark 2⁷ would read 27. Ordinals (1st), marks (™) and formulas of chemistry (H2O) are
//! written without one, as people write and search them.

use scraper::ElementRef;

/// More characters than any exponent that is to be read as one.
const MOST_CHARS: usize = 24;

/// What is written around a `sup` or `sub` element for it to read right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

/// The marks of an element that follows a character without a gap.
pub(super) fn marks_of(element: ElementRef<'_>, previous: Option<char>) -> Marks {
    let text: String = element
        .text()
        .flat_map(str::chars)
        .take(MOST_CHARS)
        .collect();
    match (element.value().name(), previous) {
        ("sup", Some(previous)) if previous.is_alphanumeric() || previous == ')' => {
            raised(&text, previous)
        }
        ("sub", Some(previous)) if previous.is_numeric() => lowered(&text),
        _ => NONE,
    }
}

const NONE: Marks = Marks {
    before: "",
    after: "",
};

fn raised(text: &str, previous: char) -> Marks {
    let is_sign = |c: char| matches!(c, '+' | '-' | '−' | '–');
    let mut chars = text.chars();
    let (Some(first), second) = (chars.next(), chars.next()) else {
        return NONE;
    };
    // A single letter after a digit may be an ordinal of French, Spanish or Italian.
    let is_ordinal = previous.is_numeric() && matches!(first, 'a' | 'e' | 'o' | 'º' | 'ª');
    let is_exponent = first.is_ascii_digit()
        || (is_sign(first) && second.is_some_and(char::is_alphanumeric))
        || (second.is_none() && first.is_alphabetic() && !is_ordinal)
        || text.chars().skip(1).any(is_sign);
    let is_one = text
        .chars()
        .enumerate()
        .all(|(i, c)| c.is_alphanumeric() || c == '.' || (i == 0 && is_sign(c)));
    match (is_exponent, is_one) {
        (false, _) => NONE,
        (true, true) => Marks {
            before: "^",
            after: "",
        },
        (true, false) => Marks {
            before: "^(",
            after: ")",
        },
    }
}

fn lowered(text: &str) -> Marks {
    if text.starts_with(|c: char| c.is_alphanumeric()) {
        Marks {
            before: "_",
            after: "",
        }
    } else {
        NONE
    }
}

#[cfg(test)]
mod tests {
    use crate::document::{Options, html::read_page};

    #[track_caller]
    fn check(line: &str, expected: &str) {
        let page = read_page(&format!("<main><p>{line}</p></main>"), &Options::default());
        assert_eq!(
            page.expect("no selector").sections[0].text,
            expected,
            "{line}"
        );
    }

    #[test]
    fn an_exponent_is_no_part_of_its_number() {
        check("2<sup>7</sup> cups", "2^7 cups");
        check(
            "10<sup>-3</sup> m and x<sup>n+1</sup>",
            "10^-3 m and x^(n+1)",
        );
        check("(a+b)<sup>2</sup>, mc<sup><b>2</b></sup>", "(a+b)^2, mc^2");
        check("O(n<sup>k</sup>)", "O(n^k)");
        check("101<sub>2</sub> is 5", "101_2 is 5");
    }

    #[test]
    fn ordinals_marks_and_chemistry_are_written_as_people_search_them() {
        check("the 1<sup>st</sup>, le 2<sup>e</sup>", "the 1st, le 2e");
        check("Java<sup>TM</sup> or Java<sup>™</sup>", "JavaTM or Java™");
        check("H<sub>2</sub>O and x<sub>i</sub>", "H2O and xi");
        check("alone <sup>2</sup>", "alone 2");
    }
}
