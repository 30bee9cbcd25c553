//! A question that goes on a conversation: "and how do I turn it off?".
//!
//! Such a question has too few words of its own to find anything. It is retrieved with the rare terms of the
//! questions before it and of the titles that their answers cite, which takes no call of a model.

use crate::answer::without_markers;
use crate::index::Error;
use crate::prompt::Turn;
use crate::search::{Idf, SearchOptions, Searcher, TermWeights, WeightedTerm};
use crate::text::fold;

/// Turns that lend their terms, the last ones.
const TURNS: usize = 3;
/// Terms that are lent, the rarest ones.
const TERMS: usize = 12;
/// Of these, so many are read by what takes a question word by word: more would hide the question's own.
const ASKED_TERMS: usize = 4;
/// What a lent term weighs against one of the question's own, and against one of the next turn.
const CONTEXT_WEIGHT: f32 = 0.5;
const OLDER_WEIGHT: f32 = 0.6;
/// A question stands alone from so much weight on, in weights of the rarest word. One rare word and another do.
const ALONE: f32 = 1.5;

/// Words that point at something said before, in English and Russian, folded. Of other languages only the
/// weight of a question's words is known.
const POINTING: &[&str] = &[
    "it",
    "its",
    "this",
    "these",
    "those",
    "they",
    "them",
    "their",
    "then",
    "instead",
    "otherwise",
    "too",
    "also",
    "one",
    "ones",
    "он",
    "она",
    "оно",
    "они",
    "его",
    "ее",
    "ему",
    "ей",
    "их",
    "им",
    "ним",
    "нем",
    "ней",
    "них",
    "нему",
    "этот",
    "эта",
    "это",
    "эти",
    "этого",
    "этой",
    "этих",
    "этом",
    "этим",
    "тогда",
    "там",
    "тоже",
    "также",
];
/// Words that go on what was said before where a question begins with them.
const LEADING: &[&str] = &[
    "and",
    "or",
    "but",
    "so",
    "why",
    "а",
    "и",
    "но",
    "или",
    "так",
    "почему",
];

/// What a question takes from the conversation before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FollowUp {
    /// The conversation as a prompt shows it, oldest turn first: without the citations of its answers, which are
    /// numbers of other sources.
    pub history: Vec<Turn>,
    /// The terms to retrieve with; none where the question stands alone.
    pub context: Vec<WeightedTerm>,
    /// The question, and after it the rarest words of the context.
    pub asked: String,
}

impl FollowUp {
    /// Reads a question after a conversation, oldest turn first.
    ///
    /// # Errors
    ///
    /// Where the index is damaged.
    pub fn new<B: AsRef<[u8]>>(
        searcher: &Searcher<B>,
        question: &str,
        mut history: Vec<Turn>,
    ) -> Result<FollowUp, Error> {
        for turn in &mut history {
            turn.answer = without_markers(&turn.answer);
        }
        let mut words = Vec::new();
        if !history.is_empty() && !stands_alone(searcher, question)? {
            words = context(searcher, &history);
        }
        let mut asked = question.to_owned();
        for word in words.iter().take(ASKED_TERMS) {
            asked.push(' ');
            asked.push_str(word.written);
        }
        let context = words.into_iter().map(|word| word.term).collect();
        Ok(FollowUp {
            context,
            asked,
            history,
        })
    }
}

/// Whether a question can be understood without the turns before it: nothing in it points at them, and it has
/// rare words enough or is the title of a section.
fn stands_alone<B: AsRef<[u8]>>(searcher: &Searcher<B>, question: &str) -> Result<bool, Error> {
    if points_back(question) {
        return Ok(false);
    }
    let rarest = searcher.idf("");
    let weight = |weights: TermWeights<'_>| -> f32 {
        let terms = weights.terms(question);
        terms.iter().map(|term| term.weight).sum()
    };
    // The analyzer of the question's language knows the most of its stop words.
    let weight = languages(searcher).map(weight).fold(f32::MAX, f32::min);
    if weight >= ALONE * rarest {
        return Ok(true);
    }
    let first = SearchOptions {
        limit: 1,
        ..SearchOptions::default()
    };
    let found = searcher.search(question, &first)?;
    Ok(found.hits.iter().any(|hit| hit.title.is_some()))
}

fn points_back(question: &str) -> bool {
    let folded = fold(question);
    let mut words = folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let is_pointing = |word: &str| POINTING.contains(&word);
    words
        .next()
        .is_some_and(|first| LEADING.contains(&first) || is_pointing(first))
        || words.any(is_pointing)
}

/// A term with the word that it was made of.
struct Word<'a> {
    term: WeightedTerm,
    written: &'a str,
}

/// The rare terms of the last turns, the weightiest first.
fn context<'a, B: AsRef<[u8]>>(searcher: &Searcher<B>, history: &'a [Turn]) -> Vec<Word<'a>> {
    let mut words: Vec<Word<'a>> = Vec::new();
    for weights in languages(searcher) {
        let mut factor = CONTEXT_WEIGHT;
        for turn in history.iter().rev().take(TURNS) {
            let texts = std::iter::once(&turn.question).chain(&turn.titles);
            for text in texts {
                for mut term in weights.terms(text) {
                    term.weight *= factor;
                    // The last turn is read first, so a term has its greatest weight already.
                    if !words.iter().any(|word| word.term.text == term.text) {
                        let written = &text[term.at.clone()];
                        words.push(Word { term, written });
                    }
                }
            }
            factor *= OLDER_WEIGHT;
        }
    }
    words.sort_by(|a, b| b.term.weight.total_cmp(&a.term.weight));
    words.truncate(TERMS);
    words
}

fn languages<B: AsRef<[u8]>>(searcher: &Searcher<B>) -> impl Iterator<Item = TermWeights<'_>> {
    let count = searcher.index().meta().languages.len();
    (0..count).map(|language| TermWeights {
        analyzer: searcher.analyzer(language),
        idf: searcher,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, expected: bool) {
        assert_eq!(points_back(question), expected, "{question}");
    }

    #[test]
    fn words_that_point_back_are_known_in_english_and_russian() {
        check("and for HTML pages?", true);
        check("How do I turn it off?", true);
        check("Why?", true);
        check("А как его выключить?", true);
        check("Как её включить?", true);
        check("How do I turn prefixes off?", false);
        check("Item weights and their-", true);
        check("What is an item?", false);
        check("Как выключить префиксы?", false);
        check("", false);
    }
}
