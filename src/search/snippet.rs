//! The part of a chunk that shows why it was found, with the matching words marked.

use super::matcher::{Matcher, Occurrence};
use crate::text::Analyzer;
use std::ops::Range;

/// How a snippet is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnippetOptions {
    /// Length in words, about: a snippet is extended to a sentence's or line's bound where one
    /// is near. Default 30.
    pub words: usize,
}

impl Default for SnippetOptions {
    fn default() -> Self {
        SnippetOptions { words: 30 }
    }
}

/// Characters of a word with the space behind it, about.
const WORD_CHARS: usize = 6;
/// Farthest that a cut is moved to the next space, in characters: longer than nearly all words.
const MAX_WORD_CHARS: usize = 40;

/// A part of a text with marks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snippet {
    /// The words, with `…` where the text goes on in the middle of a sentence.
    pub text: String,
    /// Byte ranges of the matching words in `text`, in order, without overlap.
    pub marks: Vec<Range<usize>>,
    /// Where the first marked word is in the whole text, in bytes; the snippet's start where no
    /// word is marked.
    pub at: usize,
}

impl Snippet {
    /// The best window of `text`: the one with the most different words of the query, stop words apart,
    /// and of those the one with the most matches, and of those the first.
    pub fn new(
        text: &str,
        matcher: &Matcher,
        analyzer: &Analyzer,
        options: &SnippetOptions,
    ) -> Snippet {
        if !text.contains(char::is_alphanumeric) {
            return Snippet::default();
        }
        let found = matcher.find(text, analyzer);
        let best = &found[best_window(&found, matcher.clauses, options.words)];
        let cut = Cut::new(text, best, options.words * WORD_CHARS);
        let mut snippet = Snippet {
            at: best.first().map_or(cut.at.start, |word| word.at.start),
            ..Snippet::default()
        };
        if !cut.starts_at_bound {
            snippet.text.push('…');
        }
        let shift = snippet.text.len();
        snippet.text.push_str(&text[cut.at.clone()]);
        if !cut.ends_at_bound {
            snippet.text.push('…');
        }
        let inside =
            |word: &&Occurrence| cut.at.start <= word.at.start && word.at.end <= cut.at.end;
        for word in found.iter().filter(inside) {
            let mark = word.at.start - cut.at.start + shift..word.at.end - cut.at.start + shift;
            match snippet.marks.last_mut() {
                // Neighbouring n-grams of one word without spaces make one mark.
                Some(previous) if previous.end >= mark.start => previous.end = mark.end,
                _ => snippet.marks.push(mark),
            }
        }
        snippet
    }
}

/// Which of the occurrences the window holds; none where there are none.
fn best_window(found: &[Occurrence], clauses: usize, words: usize) -> Range<usize> {
    let mut best = 0..0;
    let mut best_rank = (0, 0);
    let mut inside = vec![0_u32; clauses];
    let (mut first, mut different) = (0, 0);
    for (last, word) in found.iter().enumerate() {
        inside[word.clause] += 1;
        different += usize::from(inside[word.clause] == 1);
        while first < last && (word.position - found[first].position) as usize >= words {
            let left = &mut inside[found[first].clause];
            *left -= 1;
            different -= usize::from(*left == 0);
            first += 1;
        }
        let rank = (different, last + 1 - first);
        if rank > best_rank {
            best_rank = rank;
            best = first..last + 1;
        }
    }
    best
}

/// Where a snippet is cut out.
struct Cut {
    at: Range<usize>,
    starts_at_bound: bool,
    ends_at_bound: bool,
}

impl Cut {
    /// About `chars` characters around the matches, from and to bounds of sentences or lines where such are near.
    fn new(text: &str, matches: &[Occurrence], chars: usize) -> Cut {
        let first = matches.first().map_or(0, |word| word.at.start);
        let last = matches.last().map_or(0, |word| word.at.end);
        let room = chars.saturating_sub(text[first..last].chars().count());
        let slack = chars / 3;
        let bound = start_before(text, first, room / 2);
        let start = bound.unwrap_or_else(|| word_before(text, first, room / 3));
        let start = start + (text[start..].len() - text[start..].trim_start().len());
        let full = after(text, start, chars.saturating_sub(slack / 2)).max(last);
        let bound = end_after(text, full, slack);
        let end = bound.unwrap_or_else(|| word_after(text, full.max(after(text, start, chars))));
        Cut {
            at: start..start + text[start..end].trim_end().len(),
            starts_at_bound: bound_at(text, start),
            ends_at_bound: bound.is_some() || end == text.len(),
        }
    }
}

fn ends_sentence(before: &str, after: &str) -> bool {
    let mut last = before.chars().rev();
    match last.next() {
        Some('\n') => true,
        Some(' ') => matches!(last.next(), Some('.' | '!' | '?' | '…' | ':')),
        Some('。' | '！' | '？') => true,
        Some('.' | '!' | '?') => after.starts_with([' ', '\n']),
        _ => false,
    }
}

/// Whether a sentence or line starts at `at`, white space apart.
fn bound_at(text: &str, at: usize) -> bool {
    let before = &text[..at];
    let gap = before.len() - before.trim_end().len();
    at == gap || before[before.len() - gap..].contains('\n') || ends_sentence(before, &text[at..])
}

/// The offset that many characters behind `at`, or the end.
fn after(text: &str, at: usize, chars: usize) -> usize {
    let mut rest = text[at..].char_indices();
    rest.nth(chars)
        .map_or(text.len(), |(offset, _)| at + offset)
}

/// The nearest start of a sentence or line at or before `at`, if it is within so many characters.
fn start_before(text: &str, at: usize, chars: usize) -> Option<usize> {
    let starts = text[..at]
        .char_indices()
        .rev()
        .map(|(i, c)| i + c.len_utf8());
    let mut starts = starts.chain([0]).take(chars + 1);
    starts.find(|&i| i == 0 || ends_sentence(&text[..i], &text[i..]))
}

/// The nearest end of a sentence or line at or after `at`, if it is within so many characters.
fn end_after(text: &str, at: usize, chars: usize) -> Option<usize> {
    let ends = text[at..].char_indices().map(|(i, _)| at + i);
    let mut ends = ends.chain([text.len()]).take(chars + 1);
    ends.find(|&i| i == text.len() || ends_sentence(&text[..i], &text[i..]))
}

/// The start of a word about that many characters before `at`.
fn word_before(text: &str, at: usize, chars: usize) -> usize {
    let mut starts = text[..at].char_indices().rev().map(|(i, _)| i);
    let start = starts.nth(chars).unwrap_or(0);
    let mut words = text[start..at].char_indices().take(MAX_WORD_CHARS);
    let space = words.find(|(_, c)| c.is_whitespace());
    space.map_or(start, |(offset, _)| start + offset)
}

/// The end of the word at `at`.
fn word_after(text: &str, at: usize) -> usize {
    let mut rest = text[at..].char_indices().take(MAX_WORD_CHARS);
    let space = rest.find(|(_, c)| c.is_whitespace());
    space.map_or(at, |(offset, _)| at + offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Language;

    fn snippet(text: &str, question: &str, words: usize) -> Snippet {
        let analyzer = Analyzer::new(Language::English);
        let matcher = Matcher::of(question, std::slice::from_ref(&analyzer));
        Snippet::new(text, &matcher, &analyzer, &SnippetOptions { words })
    }

    #[track_caller]
    fn check(text: &str, question: &str, marked: &[&str]) {
        let snippet = snippet(text, question, 30);
        let cut: Vec<&str> = snippet
            .marks
            .iter()
            .map(|m| &snippet.text[m.clone()])
            .collect();
        assert_eq!(cut, marked, "in {:?}", snippet.text);
    }

    #[test]
    fn marks_cut_the_words_themselves() {
        check("Here’s the plan — the linker stops.", "linker", &["linker"]);
        check(
            "Borrowing a value: it is borrowed.",
            "borrow",
            &["Borrowing", "borrowed"],
        );
        check("Set `max_idle_time` first.", "idle", &["idle"]);
        check("Nothing of the kind.", "linker", &[]);
    }

    #[test]
    fn stop_words_are_not_marked_beside_others() {
        check("What is the plan?", "what is a plan", &["plan"]);
    }

    #[test]
    fn the_window_with_the_most_different_terms_wins() {
        let filler = "Other words stand here. ".repeat(30);
        let text = format!(
            "{filler}The index is old. The index is. {filler}A covering index holds all. {filler}"
        );
        let snippet = snippet(&text, "covering index", 8);
        assert!(
            snippet.text.contains("A covering index holds all."),
            "{}",
            snippet.text
        );
        assert!(snippet.text.len() < 200);
    }

    #[test]
    fn a_text_without_matches_gives_its_beginning() {
        let text = "First sentence here. ".to_owned() + &"And more words follow here. ".repeat(50);
        let snippet = snippet(&text, "absent", 10);
        assert!(snippet.text.starts_with("First sentence here."));
        assert!(snippet.marks.is_empty());
    }

    #[test]
    fn an_empty_text_gives_an_empty_snippet() {
        assert_eq!(snippet("", "word", 10), Snippet::default());
        assert_eq!(snippet("—", "word", 10), Snippet::default());
    }
}
