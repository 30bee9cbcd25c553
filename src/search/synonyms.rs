//! Words that mean the same on a site, as its index lists them.

use super::bm25::idf;
use super::plan::{Form, FormKind};
use super::query::Query;
use super::together::{chunks_with, keep_common};
use crate::index::{Error, Index, Term};
use crate::text::TokenKind;

/// A phrase of the question and another one that stands for it.
pub(super) struct Synonym {
    /// Numbers of the terms of the query.
    pub(super) terms: Vec<usize>,
    /// Weighs its inverse document frequency.
    pub(super) form: Form,
}

/// What stands for phrases of the question. Linear in the number of the site's synonyms.
pub(super) fn synonyms<B: AsRef<[u8]>>(
    index: &Index<B>,
    query: &Query,
) -> Result<Vec<Synonym>, Error> {
    let mut found = Vec::new();
    for line in index.synonyms()?.lines() {
        let Some((from, to)) = line.split_once('\t') else {
            continue;
        };
        if let Some(terms) = place_of(from, query) {
            if let Some(form) = form(index, to)? {
                found.push(Synonym { terms, form });
            }
        }
    }
    Ok(found)
}

/// Where the question has a phrase: the numbers of its terms.
fn place_of(phrase: &str, query: &Query) -> Option<Vec<usize>> {
    let mut wanted = phrase.split(' ');
    let is = |i: &usize, term: &str| {
        query.terms[*i].kind == TokenKind::Word && query.terms[*i].term == term
    };
    let first = wanted.next()?;
    let first = (0..query.terms.len()).find(|i| is(i, first))?;
    let mut place = vec![first];
    for (position, term) in (query.terms[first].position + 1..).zip(wanted) {
        let next =
            (0..query.terms.len()).find(|i| is(i, term) && query.terms[*i].position == position)?;
        place.push(next);
    }
    Some(place)
}

/// A phrase as a form: its rarest term, in the chunks that have the others too. None if no chunk has all.
fn form<B: AsRef<[u8]>>(index: &Index<B>, phrase: &str) -> Result<Option<Form>, Error> {
    let mut terms: Vec<(String, Term)> = Vec::new();
    for text in phrase.split(' ') {
        match index.find(text)? {
            Some(term) => terms.push((text.to_owned(), term)),
            None => return Ok(None),
        }
    }
    terms.sort_by_key(|(_, term)| term.doc_freq);
    let mut terms = terms.into_iter();
    let Some((text, term)) = terms.next() else {
        return Ok(None);
    };
    let also: Vec<(String, Term)> = terms.collect();
    let mut doc_freq = term.doc_freq;
    if !also.is_empty() {
        let mut chunks = chunks_with(index, &term)?;
        for (_, term) in &also {
            keep_common(&mut chunks, &chunks_with(index, term)?);
        }
        doc_freq = chunks.len() as u32;
    }
    let idf = idf(index.meta().chunks, doc_freq);
    Ok((doc_freq > 0).then_some(Form {
        text,
        kind: FormKind::Synonym,
        idf,
        weight: idf,
        term,
        also,
    }))
}
