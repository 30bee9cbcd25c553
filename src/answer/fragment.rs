//! Links that select the quoted text on its page.
//!
//! A text fragment (WICG "URL Fragment Text Directives") stands behind the anchor:
//! `#ports:~:text=The%20default%20port,is%208080.` A browser that knows none, or finds no such
//! text, scrolls to the anchor. One that does takes the first such text of the page, so where the
//! words stand on the page more than once, the words before them are named too, and those after.

use crate::text::small_letter;
use std::ops::Range;

/// From so many words on, a quote is named by its first and last words: the text of a single name
/// must lie within one block of the page, which a long quote may not.
const RANGE_WORDS: usize = 12;
/// How many words name either end.
const END_WORDS: usize = 5;
/// How many words before and after tell a quote from another in the same words.
const CONTEXT_WORDS: usize = 3;

/// `url` with a fragment that selects the bytes `quote` of `passage`, which is a part of the text of its `page`.
/// `url` as it is where the quote has no letter, or where no fragment would select it and nothing else.
///
/// ```
/// use groundling::answer::text_fragment;
///
/// let page = "The port is 8080, or 80. It can be changed.";
/// let url = text_fragment("/setup#ports", 0..24, page, page);
/// assert_eq!(url, "/setup#ports:~:text=The%20port%20is%208080%2C%20or%2080.");
/// ```
pub fn text_fragment(url: &str, quote: Range<usize>, passage: &str, page: &str) -> String {
    let (Some(before), Some(quote)) = (passage.get(..quote.start), passage.get(quote)) else {
        return url.to_owned();
    };
    if !quote.chars().any(char::is_alphanumeric) {
        return url.to_owned();
    }
    let page = Page::new(page);
    // Where the passage itself is not found, as one of the caller's own, it is all that is known of its page.
    let start = page.find(&words(passage)).unwrap_or(0) + before.split_whitespace().count();
    let place = start..start + quote.split_whitespace().count();
    match page.directive(&place) {
        Some(directive) => directive.behind(url),
        None => url.to_owned(),
    }
}

/// What a browser looks for, in words.
struct Directive<'a> {
    prefix: &'a [&'a str],
    start: &'a [&'a str],
    /// Empty where `start` is the whole.
    end: &'a [&'a str],
    suffix: &'a [&'a str],
}

impl Directive<'_> {
    fn behind(&self, url: &str) -> String {
        let mut link = url.to_owned();
        if !url.contains('#') {
            link.push('#');
        }
        link.push_str(":~:text=");
        if !self.prefix.is_empty() {
            push_words(&mut link, self.prefix);
            link.push_str("-,");
        }
        push_words(&mut link, self.start);
        if !self.end.is_empty() {
            link.push(',');
            push_words(&mut link, self.end);
        }
        if !self.suffix.is_empty() {
            link.push_str(",-");
            push_words(&mut link, self.suffix);
        }
        link
    }
}

/// A page's text in words, each with whether it begins a line: between lines the page has markup that the index
/// has not kept.
struct Page<'a> {
    words: Vec<&'a str>,
    begins_line: Vec<bool>,
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

impl<'a> Page<'a> {
    fn new(text: &'a str) -> Page<'a> {
        let mut page = Page {
            words: Vec::new(),
            begins_line: Vec::new(),
        };
        for line in text.lines() {
            for (i, word) in line.split_whitespace().enumerate() {
                page.words.push(word);
                page.begins_line.push(i == 0);
            }
        }
        page
    }

    /// The first place where these words stand as they are.
    fn find(&self, wanted: &[&str]) -> Option<usize> {
        let mut windows = self.words.windows(wanted.len().max(1));
        windows.position(|window| window == wanted)
    }

    /// What selects the words of `place` and no others.
    fn directive(&self, place: &Range<usize>) -> Option<Directive<'_>> {
        let quote = self.words.get(place.clone())?;
        let is_one_line = !self.begins_line[place.start + 1..place.end].contains(&true);
        let (start, end) = if is_one_line && quote.len() < RANGE_WORDS {
            (quote, &[][..])
        } else {
            let first = self.rest_of_line(place.start, place.end).min(END_WORDS);
            let last = self.since_line_began(place.end, place.start).min(END_WORDS);
            (&quote[..first], &quote[quote.len() - last..])
        };
        let before = self.since_line_began(place.start, 0).min(CONTEXT_WORDS);
        let after = self
            .rest_of_line(place.end, self.words.len())
            .min(CONTEXT_WORDS);
        let prefix = &self.words[place.start - before..place.start];
        let suffix = &self.words[place.end..place.end + after];
        let none = &[][..];
        [
            (none, none),
            (prefix, none),
            (none, suffix),
            (prefix, suffix),
        ]
        .into_iter()
        .map(|(prefix, suffix)| Directive {
            prefix,
            start,
            end,
            suffix,
        })
        .find(|directive| self.selected(directive).as_ref() == Some(place))
    }

    /// Words from `at` to the end of its line, at most to `limit`.
    fn rest_of_line(&self, at: usize, limit: usize) -> usize {
        if at >= limit {
            return 0;
        }
        let rest = &self.begins_line[at + 1..limit];
        1 + rest.iter().take_while(|begins| !**begins).count()
    }

    /// Words before `at` in the line of the word before it, at most from `limit` on.
    fn since_line_began(&self, at: usize, limit: usize) -> usize {
        let before = &self.begins_line[limit..at];
        let begin = before.iter().rposition(|begins| *begins).unwrap_or(0);
        before.len() - begin
    }

    /// The words that a browser selects: the first place that has all parts of the directive.
    fn selected(&self, directive: &Directive<'_>) -> Option<Range<usize>> {
        let opening = [directive.prefix, directive.start].concat();
        (0..self.words.len()).find_map(|at| {
            self.has(&opening, at).then_some(())?;
            let start = at + directive.prefix.len();
            let first_end = start + directive.start.len();
            let has_suffix = |end: &usize| self.has(directive.suffix, *end);
            let end = if directive.end.is_empty() {
                Some(first_end).filter(has_suffix)
            } else {
                (first_end..self.words.len())
                    .filter(|&at| self.has(directive.end, at))
                    .map(|at| at + directive.end.len())
                    .find(has_suffix)
            };
            end.map(|end| start..end)
        })
    }

    /// Whether `wanted` stands at `at`. As a browser compares: in any case of letters, and from and to the edge of
    /// a word, beside which there may be signs.
    fn has(&self, wanted: &[&str], at: usize) -> bool {
        let Some(words) = self.words.get(at..at + wanted.len()) else {
            return false;
        };
        let last = wanted.len().saturating_sub(1);
        words
            .iter()
            .zip(wanted)
            .enumerate()
            .all(|(i, (word, wanted))| {
                let [word, wanted] = [word, wanted].map(|text| small_letters(text));
                match (i == 0, i == last) {
                    (true, true) => word.contains(&wanted),
                    (true, false) => word.ends_with(&wanted),
                    (false, true) => word.starts_with(&wanted),
                    (false, false) => word == wanted,
                }
            })
    }
}

fn small_letters(text: &str) -> String {
    text.chars().map(small_letter).collect()
}

/// Percent-encodes all but what is unreserved everywhere; a dash too, since it means context.
fn push_words(link: &mut String, words: &[&str]) {
    for (i, word) in words.iter().enumerate() {
        if i > 0 {
            link.push_str("%20");
        }
        for byte in word.bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'~') {
                link.push(char::from(byte));
            } else {
                const HEX: &[u8; 16] = b"0123456789ABCDEF";
                link.push('%');
                link.push(char::from(HEX[usize::from(byte >> 4)]));
                link.push(char::from(HEX[usize::from(byte & 15)]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the fragment of the place that is marked with guillemets in the page.
    #[track_caller]
    fn check(url: &str, page: &str, expected: &str) {
        let start = page.find('«').expect("a start");
        let text = page.replace('«', "");
        let end = text.find('»').expect("an end");
        let text = text.replace('»', "");
        assert_eq!(text_fragment(url, start..end, &text, &text), expected);
    }

    #[test]
    fn a_short_quote_is_named_whole_behind_the_anchor() {
        check("/a#b", "«So it is.» Yes.", "/a#b:~:text=So%20it%20is.");
        check("/a", "Yes. «So it is.»", "/a#:~:text=So%20it%20is.");
        check("/a", "«Так»", "/a#:~:text=%D0%A2%D0%B0%D0%BA");
    }

    #[test]
    fn a_long_quote_and_one_of_several_lines_are_named_by_their_ends() {
        check(
            "/a#b",
            "«one two three four five six seven eight nine ten eleven twelve»",
            "/a#b:~:text=one%20two%20three%20four%20five,eight%20nine%20ten%20eleven%20twelve",
        );
        check(
            "/a#b",
            "«Run it:\nnpm start»",
            "/a#b:~:text=Run%20it%3A,npm%20start",
        );
    }

    #[test]
    fn signs_of_the_directive_are_encoded() {
        check("/a#b", "«a-b, c & d»", "/a#b:~:text=a%2Db%2C%20c%20%26%20d");
    }

    #[test]
    fn a_quote_without_words_changes_nothing() {
        check("/a#b", "«»", "/a#b");
        check("/a#b", "« \n—»", "/a#b");
    }

    #[test]
    fn words_that_stand_on_the_page_before_are_told_apart_by_their_neighbours() {
        check(
            "/a",
            "Set it. Run it. «Set it.»",
            "/a#:~:text=it.%20Run%20it.-,Set%20it.",
        );
        check(
            "/a",
            "Set it.\nThen run.\n«Set it.» Then stop.",
            "/a#:~:text=Then%20run.-,Set%20it.",
        );
        check(
            "/a",
            "To do: set it.\n«Set it.» Then stop.",
            "/a#:~:text=do%3A%20set%20it.-,Set%20it.",
        );
        check(
            "/a",
            "To be safe, set it. Go on. To be safe, «set it.» Then stop.",
            "/a#:~:text=set%20it.,-Then%20stop.",
        );
        check("/a", "Set it. Go. Set it.\nGo. «Set it.»", "/a");
    }

    #[test]
    fn a_range_ends_where_its_quote_does() {
        let long = "one two three four five six a b c d e f";
        check(
            "/a",
            &["«", long, "» and a b c d e f"].concat(),
            "/a#:~:text=one%20two%20three%20four%20five,b%20c%20d%20e%20f",
        );
        let inner = "one two three four five a b c d e and a b c d e";
        check(
            "/a",
            &["«", inner, "» so"].concat(),
            "/a#:~:text=one%20two%20three%20four%20five,a%20b%20c%20d%20e,-so",
        );
        check("/a", &["«", inner, "»"].concat(), "/a");
    }

    #[test]
    fn a_passage_is_found_on_its_page() {
        let page = "Set it. Off.\n\nNow this. Set it. On.";
        let passage = "Now this. Set it. On.";
        let link = text_fragment("/a", 10..17, passage, page);
        assert_eq!(link, "/a#:~:text=Now%20this.-,Set%20it.");
        // Of a page that lacks the passage nothing is known.
        assert_eq!(
            text_fragment("/a", 10..17, passage, passage),
            "/a#:~:text=Set%20it."
        );
    }
}
