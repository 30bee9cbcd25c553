//! A question becomes weighted terms.

use crate::text::{Analyzer, TokenKind, fold};
use std::ops::Range;

/// Most terms that a query may have, as many as Lucene's Boolean queries have clauses. No question
/// comes near it; a pasted book does, and each of its words is compared with all terms before it.
const MAX_TERMS: usize = 1024;

/// What is searched for: the distinct terms of a question, in the order of their first occurrence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The terms.
    pub terms: Vec<QueryTerm>,
    /// The last word, while it may still be being typed.
    pub prefix: Option<Prefix>,
    /// Where the words are that are too many, in bytes.
    pub left_out: Vec<Range<usize>>,
}

/// A word that may be the beginning of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Prefix {
    /// Folded, not stemmed.
    pub text: String,
    /// Where the question has it, in bytes: up to its end.
    pub at: Range<usize>,
}

impl Prefix {
    /// Whether a term is a form of this word.
    pub fn has(&self, term: &QueryTerm) -> bool {
        self.at.start <= term.at.start && term.at.end == self.at.end
    }

    /// Whether a term of a text begins with this word.
    pub fn begins(&self, term: &str) -> bool {
        term.starts_with(&self.text)
    }
}

/// One term of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryTerm {
    /// As the analyzer writes it.
    pub term: String,
    /// How often the question has it.
    pub count: u32,
    /// A word, or a part of an identifier that stands at the same place.
    pub kind: TokenKind,
    /// Whether it is a stop word, which counts only beside or in lack of other words.
    pub stop: bool,
    /// Where the question has it first, in bytes.
    pub at: Range<usize>,
    /// Number of the word there.
    pub position: u32,
}

impl Query {
    /// Analyses a question with the analyzers of all languages of an index: a question does not
    /// say its language, and a term that another language's analyzer makes of it either finds
    /// chunks of that language or nothing. Terms after the first 1024 are left out.
    pub fn new(question: &str, analyzers: &[Analyzer]) -> Query {
        let mut query = Query::default();
        for analyzer in analyzers {
            let known = query.terms.len();
            analyzer.analyze(question, &mut |token| {
                let same = query.terms.iter().position(|t| t.term == token.term);
                match same {
                    Some(i) if i >= known => query.terms[i].count += 1,
                    // Another analyzer has counted it.
                    Some(_) => {}
                    None if query.terms.len() == MAX_TERMS => {
                        query.left_out.push(token.start_bytes..token.end_bytes);
                    }
                    None => query.terms.push(QueryTerm {
                        term: token.term.to_owned(),
                        count: 1,
                        kind: token.kind,
                        stop: token.kind == TokenKind::Word && analyzer.is_stop_word(token.term),
                        at: token.start_bytes..token.end_bytes,
                        position: token.position,
                    }),
                }
            });
        }
        query
    }

    /// Takes the last word as one that is still being typed, unless something follows it.
    pub fn with_prefix(mut self, question: &str) -> Query {
        let end = question.len();
        let last = self.terms.iter().filter(|term| term.at.end == end);
        // The last part of an identifier: its whole is looked up as it stands.
        if let Some(start) = last.map(|term| term.at.start).max() {
            let text = fold(&question[start..end]);
            let at = start..end;
            self.prefix = (!text.is_empty()).then_some(Prefix { text, at });
        }
        self
    }

    /// Number of words that count: stop words only where there is nothing else.
    pub fn words(&self) -> usize {
        let only_stop_words = self.only_stop_words();
        let counting = self
            .terms
            .iter()
            .filter(|term| only_stop_words || !term.stop);
        let mut starts: Vec<usize> = counting.map(|term| term.at.start).collect();
        starts.dedup();
        starts.len()
    }

    /// Whether every term is a stop word; then they count as words.
    pub fn only_stop_words(&self) -> bool {
        self.terms.iter().all(|term| term.stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Language;

    #[test]
    fn a_question_as_long_as_a_book_has_a_bounded_number_of_terms() {
        let words: Vec<String> = (0..3000).map(|i| format!("w{i}x")).collect();
        let analyzers = [Analyzer::new(Language::from_tag("en"))];
        let query = Query::new(&words.join(" "), &analyzers);
        assert_eq!(query.terms.len(), MAX_TERMS);
    }
}
