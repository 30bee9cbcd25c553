//! The part of a chunk that shows why it was found, with the matching words marked.

use super::query::Query;
use crate::text::{Analyzer, TokenKind};
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

/// One word of the text.
struct Word {
    at: Range<usize>,
    /// Index of the query term that it matches.
    matched: Option<usize>,
}

impl Snippet {
    /// The best window of `text` for `query`: the one with the most different query terms, stop
    /// words last, and of those the one with the most matches, and of those the first.
    pub fn new(
        text: &str,
        query: &Query,
        analyzer: &Analyzer,
        options: &SnippetOptions,
    ) -> Snippet {
        let words = words(text, query, analyzer);
        let Some(window) = best_window(&words, query, options.words.max(1)) else {
            return Snippet::default();
        };
        let first = words[window.start].at.start;
        let last = words[window.end - 1].at.end;
        let slack = options.words / 3 * 6;
        let start = bound_before(text, first, slack);
        let end = bound_after(text, last, slack);
        let first_match = words[window].iter().find(|word| word.matched.is_some());
        let mut snippet = Snippet {
            at: first_match.map_or(first, |word| word.at.start),
            ..Snippet::default()
        };
        if start.is_none() {
            snippet.text.push('…');
        }
        let (from, to) = (start.unwrap_or(first), end.unwrap_or(last));
        let shift = snippet.text.len();
        snippet.text.push_str(text[from..to].trim_end());
        if end.is_none() {
            snippet.text.push('…');
        }
        for word in &words {
            if word.matched.is_some() && word.at.start >= from && word.at.end <= to {
                let mark = word.at.start - from + shift..word.at.end - from + shift;
                match snippet.marks.last_mut() {
                    // Neighbouring n-grams of one word without spaces make one mark.
                    Some(previous) if previous.end >= mark.start => previous.end = mark.end,
                    _ => snippet.marks.push(mark),
                }
            }
        }
        snippet
    }
}

fn words(text: &str, query: &Query, analyzer: &Analyzer) -> Vec<Word> {
    let only_stop_words = query.only_stop_words();
    let mut words: Vec<Word> = Vec::new();
    analyzer.analyze(text, &mut |token| {
        let matched = query
            .terms
            .iter()
            .position(|term| term.term == token.term && (only_stop_words || !term.stop));
        let completes = query
            .prefix
            .as_ref()
            .is_some_and(|prefix| prefix.begins(token.term));
        let matched = matched.or(completes.then_some(query.terms.len()));
        let at = token.start_bytes..token.end_bytes;
        match words.last_mut() {
            // A part of the identifier before: if the whole did not match, the part is marked.
            Some(last) if token.kind == TokenKind::Part && at.end <= last.at.end => {
                if last.matched.is_none() && matched.is_some() {
                    words.push(Word { at, matched });
                }
            }
            _ => words.push(Word { at, matched }),
        }
    });
    words
}

fn best_window(words: &[Word], query: &Query, len: usize) -> Option<Range<usize>> {
    if words.is_empty() {
        return None;
    }
    let len = len.min(words.len());
    let mut best = 0..len;
    let mut best_rank = (0, 0);
    let mut inside = vec![0usize; query.terms.len() + 1];
    let (mut different, mut matches) = (0, 0);
    for end in 0..words.len() {
        if let Some(term) = words[end].matched {
            inside[term] += 1;
            different += usize::from(inside[term] == 1);
            matches += 1;
        }
        let left = end.checked_sub(len).and_then(|i| words[i].matched);
        if let Some(term) = left {
            inside[term] -= 1;
            different -= usize::from(inside[term] == 0);
            matches -= 1;
        }
        if end + 1 >= len && (different, matches) > best_rank {
            best_rank = (different, matches);
            best = end + 1 - len..end + 1;
        }
    }
    centre(&mut best, words);
    Some(best)
}

/// Moves a window forward so that its matches stand near its middle, not at its end.
fn centre(window: &mut Range<usize>, words: &[Word]) {
    let matched = |word: &Word| word.matched.is_some();
    let Some(first) = words[window.clone()].iter().position(matched) else {
        return;
    };
    let last = words[window.clone()]
        .iter()
        .rposition(matched)
        .unwrap_or(first);
    let after = window.len() - 1 - last;
    if first > after {
        let by = ((first - after) / 2).min(words.len() - window.end);
        *window = window.start + by..window.end + by;
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

/// The nearest start of a sentence or line at or before `at`, if it is within `slack` bytes.
fn bound_before(text: &str, at: usize, slack: usize) -> Option<usize> {
    let starts = text[..at]
        .char_indices()
        .rev()
        .map(|(i, c)| i + c.len_utf8());
    let start = starts
        .take_while(|&i| at - i <= slack)
        .find(|&i| ends_sentence(&text[..i], &text[i..]));
    start
        .or((at <= slack).then_some(0))
        .map(|start| start + text[start..at].len() - text[start..at].trim_start().len())
}

/// The nearest end of a sentence or line at or after `at`, if it is within `slack` bytes.
fn bound_after(text: &str, at: usize, slack: usize) -> Option<usize> {
    let mut ends = text[at..]
        .char_indices()
        .map(|(i, c)| at + i + c.len_utf8());
    let end = ends
        .by_ref()
        .take_while(|&i| i - at <= slack)
        .find(|&i| ends_sentence(&text[..i], &text[i..]));
    end.or((text.len() - at <= slack).then_some(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Language;

    fn snippet(text: &str, question: &str, words: usize) -> Snippet {
        let analyzer = Analyzer::new(Language::English);
        let query = Query::new(question, std::slice::from_ref(&analyzer));
        Snippet::new(text, &query, &analyzer, &SnippetOptions { words })
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
