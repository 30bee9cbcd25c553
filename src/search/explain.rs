//! Why a hit stands where it does.

use super::plan::{Form, FormKind};
use super::ranking::Hit;
use super::searcher::{Results, Searcher};
use super::title::TitleMatch;
use crate::index::{Error, TermFreqs, length_of_class};

/// The parts of a hit's score: that of each word, of their nearness and of how they are written, which add up to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The words that the chunk has, in the order in which they were looked up.
    pub words: Vec<WordExplanation>,
    /// What words add that stand together as in the question.
    pub proximity: f32,
    /// What words add that are written as in the question.
    pub written: f32,
    /// Whether the question is a title, which puts the hit before all others whatever its score.
    pub title: Option<TitleMatch>,
}

/// What one word of the question adds to a score: `weight * saturation`.
///
/// `saturation` is `f / (k1 + f)` with `k1` = 1.2 and `f` the sum of `frequencies * field_weights`.
#[derive(Clone, Debug, PartialEq)]
pub struct WordExplanation {
    /// As typed.
    pub word: String,
    /// The term of the index that counted for it: of several the one that adds most.
    pub term: String,
    /// How the term stands for the word.
    pub kind: FormKind,
    /// Number of chunks that have the term.
    pub doc_freq: u32,
    /// Inverse document frequency.
    pub idf: f32,
    /// `idf`, times how often the question has the word and how much the kind counts.
    pub weight: f32,
    /// How often title, heading path and text have the term; at most 3, 3 and 15.
    pub frequencies: [u32; 3],
    /// Words of title, heading path and text, about.
    pub lengths: [f32; 3],
    /// What one occurrence in title, heading path and text counts: the field's weight over its length norm.
    pub field_weights: [f32; 3],
    /// Between 0 and 1: how much of `weight` the frequencies earn.
    pub saturation: f32,
    /// What the word adds to the score.
    pub score: f32,
}

impl<B: AsRef<[u8]>> Searcher<B> {
    /// Tells the parts of a hit's score. `results` are those of the question that found it. As much work as
    /// the search was.
    ///
    /// # Errors
    ///
    /// Where the index is damaged.
    pub fn explain(
        &self,
        question: &str,
        results: &Results,
        hit: &Hit,
    ) -> Result<Explanation, Error> {
        let mut words = Vec::new();
        for clause in &results.plan.clauses {
            let mut best: Option<WordExplanation> = None;
            for form in &clause.forms {
                if let Some(freqs) = self.freqs(form, hit.chunk)? {
                    let word = question.get(clause.at.clone()).unwrap_or_default();
                    let explained = self.explain_form(word, form, freqs, hit.chunk)?;
                    if best
                        .as_ref()
                        .is_none_or(|best| explained.score > best.score)
                    {
                        best = Some(explained);
                    }
                }
            }
            words.extend(best);
        }
        Ok(Explanation {
            words,
            proximity: hit.proximity,
            written: hit.written,
            title: hit.title,
        })
    }

    /// The frequencies of a form in a chunk that it finds.
    fn freqs(&self, form: &Form, wanted: u32) -> Result<Option<TermFreqs>, Error> {
        let mut found = None;
        self.postings(form, &mut |chunk, freqs| {
            if chunk == wanted {
                found = Some(freqs);
            }
        })?;
        Ok(found)
    }

    fn explain_form(
        &self,
        word: &str,
        form: &Form,
        freqs: TermFreqs,
        chunk: u32,
    ) -> Result<WordExplanation, Error> {
        let lengths = self.index().lengths()?;
        let chunk = chunk as usize;
        let saturation = self.weights().of(freqs, chunk, &lengths);
        Ok(WordExplanation {
            word: word.to_owned(),
            term: form.text.clone(),
            kind: form.kind,
            doc_freq: form.term.doc_freq,
            idf: form.idf,
            weight: form.weight,
            frequencies: [freqs.title(), freqs.heading(), freqs.body()].map(u32::from),
            lengths: [lengths.title, lengths.heading, lengths.body]
                .map(|classes| length_of_class(classes[chunk])),
            field_weights: self.weights().per_occurrence(chunk, &lengths),
            saturation,
            score: form.weight * saturation,
        })
    }
}
