//! Turns text into tokens.

use super::compound::{Parts, Words, without_affixes, without_clitics, without_version_letter};
use super::fold::fold_into;
use super::initials::Initials;
use super::language::Language;
use super::segment::{Clusters, SegmentKind, Segments, Span};
use super::stem::Stemmers;
use super::stop_words::stop_words;
use super::token::{Token, TokenKind};

/// The longest term in UTF-8 bytes. A longer word is cut there; a longer compound is found by its parts alone.
pub const MAX_TERM_BYTES: usize = 64;

/// Turns text of one language into tokens, alike at build time and for a query.
///
/// - Words are folded (case, diacritics, width; see the table in `fold.rs`) and stemmed. Words of another script
///   than the language's own are stemmed as English or Russian.
/// - A compound gives a token for the whole and one for each part. The whole is spelled without hyphens and
///   underscores, so `max_idle_time`, `max-idle-time` and `maxIdleTime` are one term; the signs `. : / @ & #` stay
///   in it, and such a whole is not stemmed. A version loses its `v`.
/// - Chinese, Japanese, Thai and the like give overlapping pairs of characters, one position each, so a phrase is
///   a row of neighbouring terms. A single character gives itself only where it stands alone: a query of one
///   character is answered by the terms that contain it.
/// - A Korean word gives itself and its pairs of syllables, which finds a noun without its particles.
/// - A possessive `'s`, a shortened verb (`we'll`) and an elided article (`l'`) are not part of the word.
///
/// Time is linear in the text, and no text makes it panic.
pub struct Analyzer {
    language: Language,
    stemmers: Stemmers,
    /// Analyzed like any text, sorted, for binary search.
    stop_words: Vec<Box<str>>,
}

impl Analyzer {
    /// Names the rules of analysis. An index stores it, and a reader refuses an index made by another.
    pub const ID: &'static str = "groundling-1";

    /// An analyzer for text in `language`.
    ///
    /// For a language that is not [supported](Language::is_supported) by this build it does not stem.
    /// Costs the analysis of some 200 stop words.
    pub fn new(language: Language) -> Analyzer {
        let mut analyzer = Analyzer {
            language,
            stemmers: Stemmers::new(language),
            stop_words: Vec::new(),
        };
        let mut terms: Vec<Box<str>> = Vec::new();
        analyzer.analyze(stop_words(language), &mut |token| {
            // In order at once: for so few, moving them costs less than a sort would in the download.
            if let Err(at) = terms.binary_search_by(|term| (**term).cmp(token.term)) {
                terms.insert(at, token.term.into());
            }
        });
        analyzer.stop_words = terms;
        analyzer
    }

    /// The language that it was made for.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Hands every token of `text` to `sink`, in the order of their position; a compound comes before its parts.
    pub fn analyze(&self, text: &str, sink: &mut dyn FnMut(Token<'_>)) {
        self.analyze_only(Initials::all(), text, sink);
    }

    /// As [`Analyzer::analyze`], but may pass over tokens whose terms start with none of `initials`. Their
    /// positions are counted. Several times as fast, because most words of a text need not be stemmed.
    pub fn analyze_only(&self, initials: Initials, text: &str, sink: &mut dyn FnMut(Token<'_>)) {
        let mut pass = Pass {
            analyzer: self,
            // A stemmer that takes prefixes off makes terms that start unlike their words.
            initials: match self.language {
                Language::Arabic | Language::Tamil => Initials::all(),
                _ => initials,
            },
            text,
            sink,
            position: 0,
            term: String::new(),
        };
        for segment in Segments::new(text) {
            match segment.kind {
                SegmentKind::Plain => pass.plain_word(segment.span),
                SegmentKind::Compound => pass.compound(segment.span),
                SegmentKind::Unspaced => pass.pairs(segment.span, TokenKind::Word),
                SegmentKind::Hangul => pass.hangul(segment.span),
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

/// One call of [`Analyzer::analyze`].
struct Pass<'a> {
    analyzer: &'a Analyzer,
    initials: Initials,
    text: &'a str,
    sink: &'a mut dyn FnMut(Token<'_>),
    position: u32,
    /// The term being made; reused, so that a token costs no allocation.
    term: String,
}

impl Pass<'_> {
    fn compound(&mut self, span: Span) {
        let span = without_clitics(self.text, span, self.analyzer.language);
        let span = without_version_letter(self.text, span);
        let words = || Words::new(self.text, span);
        let is_whole = words().nth(1).is_some() && self.fold(span);
        let kind = if is_whole {
            self.emit(span, TokenKind::Word);
            TokenKind::Part
        } else {
            TokenKind::Word
        };
        for word in Words::new(self.text, span) {
            self.word(word, kind);
        }
    }

    /// A word that needs no rules of compounds.
    fn plain_word(&mut self, span: Span) {
        if self.initials.has_ascii(self.text.as_bytes()[span.start]) {
            self.fold(span);
            self.stem();
            self.emit(span, TokenKind::Word);
        }
        self.position = self.position.saturating_add(1);
    }

    fn word(&mut self, span: Span, kind: TokenKind) {
        let bare = without_affixes(self.text, span);
        let has_parts = Parts::new(self.text, bare).nth(1).is_some();
        let mut part_kind = TokenKind::Part;
        if bare != span {
            self.fold(span);
            self.emit(span, kind);
            // C is not C++, while a search for libstdc or gitignore means libstdc++ and .gitignore as well.
            if self.text[bare.start..bare.end].chars().nth(2).is_none() {
                return self.advance();
            }
        } else if has_parts {
            self.fold(bare);
            self.stem();
            self.emit(bare, kind);
        } else {
            part_kind = kind;
        }
        for part in Parts::new(self.text, bare) {
            self.fold(part);
            self.stem();
            self.emit(part, part_kind);
            self.advance();
        }
    }

    fn hangul(&mut self, span: Span) {
        // A word of one or two syllables is a pair itself.
        if Clusters::new(self.text, span).nth(2).is_none() {
            return self.pairs(span, TokenKind::Word);
        }
        self.fold(span);
        self.emit(span, TokenKind::Word);
        self.pairs(span, TokenKind::Part);
    }

    /// Emits each character with the next one; a single character by itself.
    fn pairs(&mut self, span: Span, kind: TokenKind) {
        let mut clusters = Clusters::new(self.text, span);
        let Some(mut first) = clusters.next() else {
            return;
        };
        let mut second = clusters.next();
        loop {
            let pair = Span {
                start: first.start,
                end: second.map_or(first.end, |second| second.end),
            };
            self.fold(pair);
            self.emit(pair, kind);
            self.advance();
            let (Some(next), Some(after)) = (second, clusters.next()) else {
                return;
            };
            first = next;
            second = Some(after);
        }
    }

    /// Makes the term of a stretch of text. Whether it holds all of it.
    fn fold(&mut self, span: Span) -> bool {
        self.term.clear();
        fold_into(
            &self.text[span.start..span.end],
            &mut self.term,
            MAX_TERM_BYTES,
        )
    }

    fn stem(&mut self) {
        if !self.initials.has_first_of(&self.term) {
            return;
        }
        self.analyzer.stemmers.stem(&mut self.term, MAX_TERM_BYTES);
    }

    /// Hands over the term that was made for a stretch of text. Nothing is left of a stretch of marks alone.
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

    /// Goes on to the next position, unless the term just made was empty and no token stands at this one.
    fn advance(&mut self) {
        if !self.term.is_empty() {
            self.position = self.position.saturating_add(1);
        }
    }
}
