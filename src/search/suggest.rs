//! What a query may become that is being typed: words and titles of the documentation.

use super::best::Best;
use super::plan::{in_case_of, is_found_otherwise};
use super::query::{Prefix, Query, QueryTerm};
use super::searcher::Searcher;
use super::title::TitleWords;
use super::together::{chunks_with, keep_common};
use super::typo::words_of;
use crate::index::{Error, Term};
use crate::text::fold;
use std::collections::HashSet;

/// Terms that are looked at for the word being typed, those in most chunks first.
const MAX_TERMS: usize = 64;
/// Titles that are read. A single letter begins a word of nearly each.
const MAX_TITLES: usize = 400;
/// Letters that the end of a typed word may go beyond an indexed stem: `borrowi` is on the way from `borrow`.
const MAX_TYPED_SUFFIX: usize = 4;
/// The least bytes of such a stem.
const MIN_STEM_BYTES: usize = 3;

/// A way to go on with a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The whole query to search for instead, or a title.
    pub text: String,
    /// The chunk of that title.
    pub chunk: Option<u32>,
}

impl<B: AsRef<[u8]>> Searcher<B> {
    /// What the query may become: with its last word completed by words of the documentation, the most frequent
    /// first, at most half of `limit` where there are titles; then titles that have all of its words. What is suggested is
    /// in the documentation: some chunk has all words of it.
    ///
    /// # Errors
    ///
    /// Where the index is damaged.
    pub fn suggest(&self, typed: &str, limit: usize) -> Result<Vec<Suggestion>, Error> {
        let query = Query::new(typed, self.analyzers()).with_prefix(typed);
        let Some(prefix) = &query.prefix else {
            return Ok(Vec::new());
        };
        let Some(among) = self.chunks_with_others(&query, prefix)? else {
            return Ok(Vec::new());
        };
        let terms = self.terms_of(prefix)?;
        let titles = self.titles_with(&query, typed, &terms, among.as_deref())?;
        let room = limit.saturating_sub(titles.len()).max(limit.div_ceil(2));
        let mut words = self.words_with(typed, prefix, &terms, among.as_deref(), room)?;
        // A title leads somewhere; the same words do not.
        let known: HashSet<String> = titles.iter().map(|title| fold(&title.text)).collect();
        words.retain(|word| !known.contains(&fold(&word.text)));
        words.extend(titles);
        words.truncate(limit);
        Ok(words)
    }

    /// The chunks that have all words but the one being typed: `Some(None)` for all chunks, where there is no other
    /// word, and `None` where no chunk has them.
    fn chunks_with_others(
        &self,
        query: &Query,
        prefix: &Prefix,
    ) -> Result<Option<Option<Vec<u32>>>, Error> {
        let index = self.index();
        let mut found = Vec::new();
        for term in &query.terms {
            found.push(index.find(&term.term)?);
        }
        let mut common: Option<Vec<u32>> = None;
        for (i, term) in query.terms.iter().enumerate() {
            if prefix.has(term) || term.stop || term.at.end > prefix.at.start {
                continue;
            }
            // Several analyzers may have made several terms of one word; one is enough.
            let same_word = |(other, _): &(&QueryTerm, _)| other.at == term.at;
            let mut chunks = Vec::new();
            for (_, found) in query.terms.iter().zip(&found).filter(same_word) {
                if let Some(found) = found {
                    chunks.append(&mut chunks_with(index, found)?);
                }
            }
            chunks.sort_unstable();
            match &mut common {
                _ if chunks.is_empty() && is_found_otherwise(&query.terms, &found, i) => {}
                Some(common) => keep_common(common, &chunks),
                None => common = Some(chunks),
            }
        }
        Ok((common.as_ref().is_none_or(|common| !common.is_empty())).then_some(common))
    }

    /// The terms that the word being typed may become, or comes from, those in most chunks first.
    fn terms_of(&self, prefix: &Prefix) -> Result<Vec<(String, Term)>, Error> {
        let index = self.index();
        let more = |a: &(String, Term), b: &(String, Term)| a.1.doc_freq > b.1.doc_freq;
        let mut best = Best::new(MAX_TERMS, more);
        let typed = prefix.text.as_str();
        let ends = typed.char_indices().map(|(at, _)| at).rev();
        for end in ends
            .take(MAX_TYPED_SUFFIX)
            .filter(|&end| end >= MIN_STEM_BYTES)
        {
            if let Some(term) = index.find(&typed[..end])? {
                best.offer((typed[..end].to_owned(), term));
            }
        }
        index.scan_terms(typed, &mut |term, info| {
            let begins = prefix.begins(term);
            if begins {
                best.offer((term.to_owned(), info));
            }
            begins
        })?;
        Ok(best.into_vec())
    }

    /// The query with its last word completed.
    fn words_with(
        &self,
        typed: &str,
        prefix: &Prefix,
        terms: &[(String, Term)],
        among: Option<&[u32]>,
        limit: usize,
    ) -> Result<Vec<Suggestion>, Error> {
        let before = &typed[..prefix.at.start];
        let last = &typed[prefix.at.clone()];
        let mut known = HashSet::new();
        let mut suggestions = Vec::new();
        for (text, term) in terms {
            if suggestions.len() >= limit {
                break;
            }
            if self
                .analyzers()
                .iter()
                .any(|analyzer| analyzer.is_stop_word(text))
            {
                continue;
            }
            // The form of the word that the first chunks have most, of equal ones the first.
            let mut forms: Vec<(String, usize)> = Vec::new();
            words_of(
                self.index(),
                self.analyzers(),
                (text, term),
                among,
                &mut |token, field| {
                    let word = &field[token.clone()];
                    let folded = fold(word);
                    let is_longer = folded.len() > prefix.text.len() && prefix.begins(&folded);
                    if !is_longer || !stands_alone(field, &token) {
                        return;
                    }
                    match forms.iter_mut().find(|(form, _)| fold(form) == folded) {
                        Some((_, count)) => *count += 1,
                        None => forms.push((word.to_owned(), 1)),
                    }
                },
            )?;
            let most = forms.iter().map(|(_, count)| *count).max();
            if let Some((word, _)) = forms.into_iter().find(|(_, count)| Some(*count) == most) {
                let word = in_case_of(last, word);
                if known.insert(fold(&word)) {
                    let text = [before, &word].concat();
                    suggestions.push(Suggestion { text, chunk: None });
                }
            }
        }
        Ok(suggestions)
    }

    /// Titles that have all words typed: first those that begin so, then those of pages, then the shorter ones.
    fn titles_with(
        &self,
        query: &Query,
        typed: &str,
        terms: &[(String, Term)],
        among: Option<&[u32]>,
    ) -> Result<Vec<Suggestion>, Error> {
        let mut chunks: Vec<u32> = Vec::new();
        for (_, term) in terms {
            self.index().postings(term)?.for_each(|chunk, freqs| {
                let is_allowed = among.is_none_or(|among| among.binary_search(&chunk).is_ok());
                if freqs.title() > 0 && is_allowed && chunks.len() < MAX_TITLES {
                    chunks.push(chunk);
                }
            })?;
        }
        chunks.sort_unstable();
        chunks.dedup();
        let typed = fold(typed.trim_start());
        let mut titles = Vec::new();
        let mut known = HashSet::new();
        for id in chunks {
            let (title, language) = self.index().chunk_title(id)?;
            let words = TitleWords::new(query, title, self.analyzer(language));
            if words.are_begun && known.insert(fold(title)) {
                let begins = fold(title).starts_with(&typed);
                let page = self.index().page(self.index().page_of(id)?)?;
                titles.push(((!begins, title != page.title, title.len(), id), title));
            }
        }
        titles.sort_unstable();
        let suggestion = |((_, _, _, id), title): ((bool, bool, usize, u32), &str)| Suggestion {
            text: title.to_owned(),
            chunk: Some(id),
        };
        Ok(titles.into_iter().map(suggestion).collect())
    }
}

/// Whether a stretch of a text is no part of a longer word.
fn stands_alone(text: &str, at: &std::ops::Range<usize>) -> bool {
    let before = text[..at.start].chars().next_back();
    let after = text[at.end..].chars().next();
    !before.into_iter().chain(after).any(char::is_alphanumeric)
}
