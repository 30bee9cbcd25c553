//! Turns text into tokens.

use super::chars::CharClass;
use super::compound::{Parts, Span, Words, without_clitics};
use super::fold::fold_into;
use super::language::Language;
use super::segment::{SegmentKind, Segments};
use super::stem::Stemmers;
use super::stop_words::stop_words;
use super::token::{Token, TokenKind};

/// The longest term in UTF-8 bytes. A longer word is cut there; a longer compound is found by its parts alone.
pub const MAX_TERM_BYTES: usize = 64;

/// Turns text of one language into tokens, alike at build time and for a query.
pub struct Analyzer {
    stemmers: Stemmers,
    /// Analyzed like any text, sorted, for binary search.
    stop_words: Vec<Box<str>>,
}

impl Analyzer {
    /// Names the rules of analysis. An index stores it, and a reader refuses an index made by another.
    pub const ID: &'static str = "groundling-1";

    /// An analyzer for text in `language`.
    pub fn new(language: Language) -> Analyzer {
        let mut analyzer = Analyzer {
            stemmers: Stemmers::new(language),
            stop_words: Vec::new(),
        };
        let mut terms = Vec::new();
        analyzer.analyze(stop_words(language), &mut |token| {
            terms.push(token.term.into())
        });
        terms.sort_unstable();
        terms.dedup();
        analyzer.stop_words = terms;
        analyzer
    }

    /// Hands every token of `text` to `sink`, in the order of their start; a compound comes before its parts.
    pub fn analyze(&self, text: &str, sink: &mut dyn FnMut(Token<'_>)) {
        let mut pass = Pass {
            stemmers: &self.stemmers,
            text,
            sink,
            position: 0,
            term: String::new(),
        };
        for segment in Segments::new(text) {
            let span = Span {
                start: segment.start,
                end: segment.end,
            };
            match segment.kind {
                SegmentKind::Compound => pass.compound(span),
                SegmentKind::Unspaced => pass.bigrams(span, TokenKind::Word),
                SegmentKind::Hangul => pass.hangul(span),
            }
        }
    }

    /// Whether a term, in the form that [`Analyzer::analyze`] gives it, is a stop word of the language.
    ///
    /// Stop words stay in the token stream: they are names too, and a query may consist of nothing else.
    pub fn is_stop_word(&self, term: &str) -> bool {
        self.stop_words
            .binary_search_by(|word| (**word).cmp(term))
            .is_ok()
    }
}

/// What one call of [`Analyzer::analyze`] keeps between tokens.
struct Pass<'a> {
    stemmers: &'a Stemmers,
    text: &'a str,
    sink: &'a mut dyn FnMut(Token<'_>),
    position: u32,
    /// The term being made; reused, so that a token costs no allocation.
    term: String,
}

impl Pass<'_> {
    fn compound(&mut self, span: Span) {
        let mut words = Words::new(self.text, span);
        let (Some(first), second) = (words.next(), words.next()) else {
            return;
        };
        let _ = (first, second);
        for word in Words::new(self.text, span) {
            self.word(without_clitics(self.text, word), TokenKind::Word);
        }
    }

    fn word(&mut self, span: Span, kind: TokenKind) {
        let parts = Parts::new(self.text, span).take(2).count();
        if parts > 1 {
            self.term.clear();
            for part in Parts::new(self.text, span) {
                fold_into(
                    &self.text[part.start..part.end],
                    &mut self.term,
                    MAX_TERM_BYTES,
                );
            }
            self.stemmers.stem(&mut self.term, MAX_TERM_BYTES);
            self.emit(span, kind);
        }
        for part in Parts::new(self.text, span) {
            self.term.clear();
            fold_into(
                &self.text[part.start..part.end],
                &mut self.term,
                MAX_TERM_BYTES,
            );
            self.stemmers.stem(&mut self.term, MAX_TERM_BYTES);
            self.emit(part, if parts > 1 { TokenKind::Part } else { kind });
            self.position = self.position.saturating_add(1);
        }
    }

    fn hangul(&mut self, span: Span) {
        self.bigrams(span, TokenKind::Part);
    }

    fn bigrams(&mut self, span: Span, kind: TokenKind) {
        let mut starts = self.text[span.start..span.end]
            .char_indices()
            .filter(|&(_, c)| CharClass::of(c) != CharClass::Mark)
            .map(|(offset, _)| span.start + offset)
            .skip(1);
        let mut start = span.start;
        let mut middle = starts.next();
        loop {
            let next = starts.next();
            let end = next.unwrap_or(span.end);
            self.term.clear();
            fold_into(&self.text[start..end], &mut self.term, MAX_TERM_BYTES);
            let bigram = Span { start, end };
            if !self.term.is_empty() {
                let token = Token {
                    term: &self.term,
                    start_bytes: bigram.start,
                    end_bytes: bigram.end,
                    position: self.position,
                    kind,
                };
                (self.sink)(token);
            }
            self.position = self.position.saturating_add(1);
            let (Some(second), Some(_)) = (middle, next) else {
                break;
            };
            start = second;
            middle = next;
        }
    }

    /// Hands over the term that has been made for a stretch of the text.
    fn emit(&mut self, span: Span, kind: TokenKind) {
        if !self.term.is_empty() {
            (self.sink)(Token {
                term: &self.term,
                start_bytes: span.start,
                end_bytes: span.end,
                position: self.position,
                kind,
            });
        }
    }
}
