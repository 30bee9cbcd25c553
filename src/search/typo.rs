//! Mistyped words: which terms of the index they may stand for.
//!
//! The index has stems and no words, so a word is compared in two ways: its stem with the terms, which finds
//! `borrow` for `borowing`; and its beginnings with the terms, which finds `configur` for `configuraiton`,
//! whose ending no stemmer knows. What the second way proposes counts only if a chunk really has a word that
//! near. The words of the chunks also tell how the correction is written.

use super::edit_distance::{EditDistance, FAR};
use crate::index::{Error, Index, Term};
use crate::text::{Analyzer, Initials, fold};
use std::cmp::Ordering;
use std::ops::Range;

/// Letters from which on a word may have one edit, and two. Shorter words have too many neighbours.
const LETTERS_FOR_EDITS: [usize; 2] = [4, 8];
/// Letters that an ending may have that stemming would have taken off.
const MAX_ENDING: u32 = 7;
/// The least that stemming may leave of such a word, in bytes.
const MIN_STEM_BYTES: usize = 4;
/// Candidates whose chunks are read.
const MAX_READ: usize = 8;
/// Chunks that are read of a candidate.
const MAX_CHUNKS: usize = 3;

/// A word and what was taken for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// As typed.
    pub from: String,
    /// As a chunk has it.
    pub to: String,
    /// Where the question has it, in bytes.
    pub at: Range<usize>,
}

/// A word that no chunk has.
pub(super) struct Typed<'a> {
    /// Folded.
    pub(super) word: &'a str,
    /// Folded and stemmed.
    pub(super) stem: &'a str,
    /// Whether it may be the beginning of a longer one.
    pub(super) is_prefix: bool,
}

/// Edits that a word may have.
fn most_edits(word: &str) -> u32 {
    let letters = word.chars().count();
    LETTERS_FOR_EDITS
        .iter()
        .map(|&from| u32::from(letters >= from))
        .sum()
}

/// How a term may stand for a mistyped word, the likeliest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// The two are near.
    Whole,
    /// The term is near a beginning of the word; a chunk must have a word as near, to count.
    Stem,
    /// The word is near a beginning of the term.
    Prefix,
}

struct Candidate {
    text: String,
    likeness: Likeness,
    edits: u32,
}

/// A candidate with its term and the word that a chunk has for it.
struct Choice {
    text: String,
    term: Term,
    likeness: Likeness,
    edits: u32,
    word: Option<String>,
}

impl Choice {
    fn order(&self, other: &Choice) -> Ordering {
        let likelier = (self.likeness == Likeness::Prefix, self.edits, self.likeness);
        let other_likelier = (
            other.likeness == Likeness::Prefix,
            other.edits,
            other.likeness,
        );
        likelier
            .cmp(&other_likelier)
            .then(other.term.doc_freq.cmp(&self.term.doc_freq))
    }
}

/// The word that is written in a mistyped one's stead, and the terms that it stands for, the likeliest
/// first.
pub(super) type Corrected = (String, Vec<(String, Term)>);

/// What a mistyped word stands for, if anything. Linear in the number of terms.
pub(super) fn correct<B: AsRef<[u8]>>(
    index: &Index<B>,
    analyzers: &[Analyzer],
    typed: &Typed<'_>,
) -> Result<Option<Corrected>, Error> {
    let mut choices = Vec::new();
    for Candidate {
        text,
        likeness,
        edits,
    } in candidates(index, typed)?
    {
        if let Some(term) = index.find(&text)? {
            choices.push(Choice {
                text,
                term,
                likeness,
                edits,
                word: None,
            });
        }
    }
    choices.sort_by(Choice::order);
    choices.truncate(MAX_READ);
    let most = most_edits(typed.word);
    let mut distance = EditDistance::new(typed.word, most);
    for choice in &mut choices {
        let mut nearest = FAR;
        words_of(
            index,
            analyzers,
            (&choice.text, &choice.term),
            None,
            &mut |at, field| {
                let word = &field[at];
                let edits = distance.edits_to(&fold(word));
                if choice.word.is_none() || edits < nearest {
                    nearest = edits;
                    choice.word = Some(word.to_owned());
                }
            },
        )?;
        match choice.likeness {
            Likeness::Whole => choice.edits = choice.edits.min(nearest),
            Likeness::Stem => choice.edits = nearest,
            Likeness::Prefix => {}
        }
    }
    choices.retain(|choice| choice.edits <= most);
    choices.sort_by(Choice::order);
    let Some(best) = choices.first() else {
        return Ok(None);
    };
    let to = best.word.clone().unwrap_or_else(|| best.text.clone());
    let (edits, is_prefix) = (best.edits, best.likeness == Likeness::Prefix);
    choices.retain(|choice| {
        choice.edits == edits && (choice.likeness == Likeness::Prefix) == is_prefix
    });
    let terms = choices.into_iter().map(|choice| (choice.text, choice.term));
    Ok(Some((to, terms.collect())))
}

/// Terms near the word, in byte order.
fn candidates<B: AsRef<[u8]>>(
    index: &Index<B>,
    typed: &Typed<'_>,
) -> Result<Vec<Candidate>, Error> {
    let most = most_edits(typed.word);
    let mut found = Vec::new();
    if most == 0 {
        return Ok(found);
    }
    let mut word = EditDistance::new(typed.word, most);
    // Two edits would change most of what is left of a word.
    let mut stem = (typed.stem != typed.word).then(|| EditDistance::new(typed.stem, 1));
    index.walk_terms(&mut |shared, term| {
        let mut likeness = Likeness::Whole;
        let mut edits = word.to(shared, term);
        if let Some(stem) = &mut stem {
            edits = edits.min(stem.to(shared, term));
        }
        if edits > most && term.len() >= MIN_STEM_BYTES {
            likeness = Likeness::Stem;
            edits = word.of_beginning(MAX_ENDING);
        }
        if edits > most && typed.is_prefix {
            likeness = Likeness::Prefix;
            edits = word.to_beginning();
        }
        if edits <= most {
            if let Ok(text) = std::str::from_utf8(term) {
                let text = text.to_owned();
                found.push(Candidate {
                    text,
                    likeness,
                    edits,
                });
            }
        }
    })?;
    Ok(found)
}

/// Whether one of the first chunks of a term has a word of it that begins as the one being typed.
pub(super) fn is_written<B: AsRef<[u8]>>(
    index: &Index<B>,
    analyzers: &[Analyzer],
    (text, term): &(String, Term),
    typed: &str,
) -> Result<bool, Error> {
    let mut is_written = false;
    words_of(index, analyzers, (text, term), None, &mut |at, field| {
        is_written |= fold(&field[at]).starts_with(typed)
    })?;
    Ok(is_written)
}

/// Calls `visit` with the words of a term as its first chunks have them, `among` certain ones if given: where
/// the word is, and in what.
pub(super) fn words_of<B: AsRef<[u8]>>(
    index: &Index<B>,
    analyzers: &[Analyzer],
    (text, term): (&str, &Term),
    among: Option<&[u32]>,
    visit: &mut dyn FnMut(Range<usize>, &str),
) -> Result<(), Error> {
    let mut chunks = Vec::new();
    index.postings(term)?.for_each(|chunk, _| {
        let is_allowed = || among.is_none_or(|among| among.binary_search(&chunk).is_ok());
        if chunks.len() < MAX_CHUNKS && is_allowed() {
            chunks.push(chunk);
        }
    })?;
    let initials = Initials::of(std::iter::once(text));
    for id in chunks {
        let chunk = index.chunk(id)?;
        for field in [chunk.title, chunk.headings, chunk.page.title, chunk.text] {
            analyzers[chunk.page.language].analyze_only(initials, field, &mut |token| {
                if token.term == text {
                    visit(token.start_bytes..token.end_bytes, field);
                }
            });
        }
    }
    Ok(())
}
