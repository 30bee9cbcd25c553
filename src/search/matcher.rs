//! Where the words of a query stand in a text.

use super::plan::{Clause, Plan};
use super::query::{Prefix, Query};
use crate::text::{Analyzer, Initials, TokenKind};
use std::ops::Range;

/// Finds the words of a query in texts.
#[derive(Clone, Debug)]
pub struct Matcher {
    /// Terms in byte order, each with the number of its clause.
    terms: Vec<(String, usize)>,
    /// The word being typed and the number of its clause.
    prefix: Option<(Prefix, usize)>,
    initials: Initials,
    pub(super) clauses: usize,
}

/// A word of a text that the query has.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Occurrence {
    /// Bytes of the text.
    pub(super) at: Range<usize>,
    /// Number of the word in the text.
    pub(super) position: u32,
    /// Number of the clause that it is a form of.
    pub(super) clause: usize,
}

impl Matcher {
    /// For the words that count, stop words beside others not among them.
    pub fn new(query: &Query, plan: &Plan) -> Matcher {
        let counting = |clause: &&Clause| !clause.optional;
        let clauses = plan.clauses.iter().take_while(counting).count();
        let mut terms = Vec::new();
        let mut prefix = None;
        for (number, clause) in plan.clauses[..clauses].iter().enumerate() {
            let typed = query.prefix.as_ref();
            // What a word being typed may become is told by its letters; it may be a thousand terms.
            let typed =
                typed.filter(|typed| clause.forms.iter().any(|form| typed.begins(&form.text)));
            if let Some(typed) = typed {
                prefix = Some((typed.clone(), number));
            }
            let listed = clause
                .forms
                .iter()
                .filter(|form| !typed.is_some_and(|typed| typed.begins(&form.text)));
            for form in listed {
                terms.push((form.text.clone(), number));
                let also = form.also.iter();
                terms.extend(also.map(|(text, _)| (text.clone(), number)));
            }
        }
        terms.sort_unstable();
        let initials = terms.iter().map(|(term, _)| term.as_str());
        let initials =
            Initials::of(initials.chain(prefix.iter().map(|(prefix, _)| prefix.text.as_str())));
        Matcher {
            terms,
            prefix,
            initials,
            clauses,
        }
    }

    /// For the terms of a question as they are, without an index.
    #[cfg(test)]
    pub(super) fn of(question: &str, analyzers: &[Analyzer]) -> Matcher {
        let query = Query::new(question, analyzers);
        let only_stop_words = query.only_stop_words();
        let counting = query
            .terms
            .iter()
            .filter(|term| only_stop_words || !term.stop);
        let mut terms: Vec<(String, usize)> = counting
            .enumerate()
            .map(|(i, term)| (term.term.clone(), i))
            .collect();
        let clauses = terms.len();
        terms.sort_unstable();
        let initials = Initials::of(terms.iter().map(|(term, _)| term.as_str()));
        Matcher {
            terms,
            prefix: None,
            initials,
            clauses,
        }
    }

    fn clause_of(&self, term: &str) -> Option<usize> {
        match self
            .terms
            .binary_search_by(|(known, _)| known.as_str().cmp(term))
        {
            Ok(i) => Some(self.terms[i].1),
            Err(_) => {
                let prefix = self
                    .prefix
                    .as_ref()
                    .filter(|(prefix, _)| prefix.begins(term));
                prefix.map(|(_, clause)| *clause)
            }
        }
    }

    /// The words of the query in `text`, in order. Of an identifier either the whole is among them, or parts.
    pub(super) fn find(&self, text: &str, analyzer: &Analyzer) -> Vec<Occurrence> {
        let mut found: Vec<Occurrence> = Vec::new();
        analyzer.analyze_only(self.initials, text, &mut |token| {
            let Some(clause) = self.clause_of(token.term) else {
                return;
            };
            let at = token.start_bytes..token.end_bytes;
            let inside = |last: &Occurrence| token.kind == TokenKind::Part && at.end <= last.at.end;
            if !found.last().is_some_and(inside) {
                found.push(Occurrence {
                    at,
                    position: token.position,
                    clause,
                });
            }
        });
        found
    }
}
