//! Which sentences of the sources answer a question best.
//!
//! Extractive question answering by the words of the question, weighed by their rarity on the
//! site: the sentence that has the most of them, then what makes it readable on its own.

use super::question_kind::{Kind, has_two_parts, lists};
use super::quotable::{
    Block, as_markdown, block_after, is_prose, is_row, line_around, opens_alone, row,
};
use crate::prompt::Source;
use crate::search::{Passage, TermWeights, WeightedTerm, cover, covered};
use std::ops::Range;

/// A part of an answer: text of one source, word for word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quotation {
    /// Number of the source.
    pub(super) n: u32,
    /// One to three sentences, or a row of a table.
    pub(super) text: String,
    /// Lines of a list or of code that the sentences lead to.
    pub(super) block: Option<Block>,
}

/// What titles say counts for each sentence below them, but less than the sentence's own words.
const TITLE: f32 = 0.7;
/// The sentence before has often named what this one speaks about.
const CONTEXT: f32 = 0.4;
/// What a source gets for its score beside that of the best: search has looked at whole chunks
/// and is mostly right.
const PRIOR: f32 = 1.5;
/// What fits the kind of the question, such as a reason where it asks why.
const FITS: f32 = 0.1;
/// A passage most often opens with what it is about: the more so, the more of the question its
/// heading has.
const OPENING: f32 = 0.05;
const OPENING_BELOW_HEADING: f32 = 0.2;
/// A row of a table says less for itself than a sentence.
const ROW_COST: f32 = 0.1;
/// Words at the beginning of a sentence that name what it is about.
const SUBJECT_WORDS: usize = 4;
/// So much more of the question must a further sentence have to be added, and so much more one of
/// another source, which most often speaks of something else with the same words.
const WORTH_ADDING: f32 = 0.15;
const WORTH_ANOTHER_SOURCE: f32 = 0.35;
/// Most sentences of an answer.
const MAX_SENTENCES: usize = 3;

/// The quotations from `sources`, best first, that answer `question`; none where no sentence has a
/// word of it.
pub(super) fn quotations(
    question: &str,
    sources: &[Source],
    weights: &TermWeights<'_>,
) -> Vec<Quotation> {
    let asked = Asked {
        wanted: weights.terms(question),
        kind: Kind::of(question),
    };
    let best_score = sources.first().map_or(0.0, |source| source.passage.score);
    let passages: Vec<Read<'_>> = sources
        .iter()
        .map(|source| {
            let passage = &source.passage;
            let titles = [&passage.page_title, " ", &passage.title].concat();
            let prior = if best_score > 0.0 {
                passage.score / best_score
            } else {
                0.0
            };
            let mut heading = vec![0.0; asked.wanted.len()];
            cover(&mut heading, &asked.wanted, &weights.terms(&passage.title));
            Read {
                n: source.n,
                prior,
                heading: covered(&heading, &asked.wanted),
                passage: Passage::new(&titles, &passage.text, weights),
            }
        })
        .collect();
    let mut best: Option<Candidate<'_>> = None;
    for read in &passages {
        for candidate in asked.candidates(read) {
            // Of equals the first wins, which is of the better source.
            if best
                .as_ref()
                .is_none_or(|best| candidate.score > best.score)
            {
                best = Some(candidate);
            }
        }
    }
    let Some(first) = best else {
        return Vec::new();
    };
    let mut has = first.has;
    let sentences = asked.extend(first.read, first.sentence, &mut has);
    let is_full = sentences.len() == MAX_SENTENCES;
    let for_code = asked.kind == Kind::Steps;
    let quotation = first.read.quote(sentences, for_code);
    let others = passages.iter().filter(|other| other.n != quotation.n);
    let more = if is_full || quotation.block.is_some() || !has_two_parts(question) {
        None
    } else {
        // What the first source leaves open another one may answer; what its titles say is not open.
        cover(&mut has, &asked.wanted, &first.read.passage.title);
        asked.addition(others, &has)
    };
    std::iter::once(quotation).chain(more).collect()
}

/// A question, read.
struct Asked {
    wanted: Vec<WeightedTerm>,
    kind: Kind,
}

/// A source, read.
struct Read<'a> {
    /// Its number.
    n: u32,
    /// Its score beside that of the best.
    prior: f32,
    /// How much of the question its heading has.
    heading: f32,
    passage: Passage<'a>,
}

/// A sentence that may answer.
struct Candidate<'a> {
    read: &'a Read<'a>,
    /// Its index in the passage.
    sentence: usize,
    score: f32,
    /// How far it and its titles have each wanted term.
    has: Vec<f32>,
}

impl Asked {
    /// The sentences of a passage that can be quoted and have something of what is wanted.
    fn candidates<'a>(&'a self, read: &'a Read<'a>) -> impl Iterator<Item = Candidate<'a>> {
        let mut title = vec![0.0; self.wanted.len()];
        cover(&mut title, &self.wanted, &read.passage.title);
        let count = read.passage.sentences.len();
        let opening = (0..count).find(|&i| is_prose(read.text(i)));
        (0..count).filter_map(move |sentence| {
            let is_row = read.row(sentence).is_some();
            if !is_row && !is_prose(read.text(sentence)) {
                return None;
            }
            let mut has = vec![0.0; self.wanted.len()];
            if let Some((_, before)) = sentence
                .checked_sub(1)
                .map(|i| &read.passage.sentences[i])
                .filter(|_| !is_row)
            {
                cover(&mut has, &self.wanted, before);
                has.iter_mut().for_each(|has| *has *= CONTEXT);
            }
            for (has, title) in has.iter_mut().zip(&title) {
                *has = has.max(title * TITLE);
            }
            let (at, terms) = &read.passage.sentences[sentence];
            cover(&mut has, &self.wanted, terms);
            let text = &read.passage.text[at.clone()];
            let mut score = covered(&has, &self.wanted);
            if score <= 0.0 {
                return None;
            }
            if self.kind.fits(text, self.opens_with_subject(text, terms)) {
                score += FITS;
            }
            if opening == Some(sentence) {
                score += OPENING + OPENING_BELOW_HEADING * read.heading;
            }
            if is_row {
                score -= ROW_COST;
            }
            Some(Candidate {
                read,
                sentence,
                score: score + PRIOR * read.prior,
                has,
            })
        })
    }

    /// Whether the first words of a sentence have the rarest wanted term that it has at all.
    fn opens_with_subject(&self, text: &str, terms: &[WeightedTerm]) -> bool {
        let is_wanted = |term: &&WeightedTerm| self.wanted.iter().any(|w| w.text == term.text);
        let rarest = terms
            .iter()
            .filter(is_wanted)
            .max_by(|one, other| one.weight.total_cmp(&other.weight));
        rarest.is_some_and(|term| {
            let before = &text[..term.at.start];
            before.split_whitespace().count() < SUBJECT_WORDS
        })
    }

    /// The sentence with the ones around it that it needs, or that have more of what is wanted.
    fn extend(&self, read: &Read<'_>, sentence: usize, has: &mut Vec<f32>) -> Range<usize> {
        let mut range = sentence..sentence + 1;
        if read.row(sentence).is_some() {
            return range;
        }
        while range.start > 0
            && range.len() < MAX_SENTENCES
            && !opens_alone(read.text(range.start))
            && read.goes_on(range.start - 1)
        {
            range.start -= 1;
        }
        // The names of several things are often spread over several sentences.
        let is_list = self.kind == Kind::List && !lists(read.text(sentence));
        let mut more = has.clone();
        for end in range.end..range.start + MAX_SENTENCES {
            if end >= read.passage.sentences.len() || !read.goes_on(end - 1) {
                break;
            }
            cover(&mut more, &self.wanted, &read.passage.sentences[end].1);
            let gain = covered(&more, &self.wanted) - covered(has, &self.wanted);
            if is_list || gain >= WORTH_ADDING {
                has.clone_from(&more);
                range.end = end + 1;
            }
        }
        range
    }

    /// The sentence of another source that has most of what is still open, if that is much.
    fn addition<'a>(
        &self,
        others: impl Iterator<Item = &'a Read<'a>>,
        has: &[f32],
    ) -> Option<Quotation> {
        let mut best: Option<(f32, &Read<'_>, usize)> = None;
        for read in others {
            for i in 0..read.passage.sentences.len() {
                let mut both = has.to_vec();
                cover(&mut both, &self.wanted, &read.passage.sentences[i].1);
                let more = covered(&both, &self.wanted) - covered(has, &self.wanted);
                let is_better = best.is_none_or(|(best, ..)| more > best);
                let text = read.text(i);
                if more >= WORTH_ANOTHER_SOURCE && is_better && is_prose(text) && opens_alone(text)
                {
                    best = Some((more, read, i));
                }
            }
        }
        best.map(|(_, read, i)| read.quote(i..i + 1, false))
    }
}

impl Read<'_> {
    fn text(&self, sentence: usize) -> &str {
        &self.passage.text[self.passage.sentences[sentence].0.clone()]
    }

    /// The row of a table that a sentence is the beginning of.
    fn row(&self, sentence: usize) -> Option<&str> {
        let at = self.passage.sentences[sentence].0.start;
        let line = line_around(self.passage.text, at);
        let line = (line.start == at).then_some(&self.passage.text[line])?;
        is_row(line).then_some(line)
    }

    /// Whether a sentence and the next one are prose of one paragraph.
    fn goes_on(&self, sentence: usize) -> bool {
        let [this, next] = [sentence, sentence + 1].map(|i| &self.passage.sentences[i].0);
        let is_one = !self.passage.text[this.end..next.start].contains('\n');
        is_one && is_prose(self.text(sentence)) && is_prose(self.text(sentence + 1))
    }

    /// The words of a range of sentences, with the lines that they lead to.
    fn quote(&self, sentences: Range<usize>, for_code: bool) -> Quotation {
        let at = self.passage.span(&sentences);
        let text = &self.passage.text[at.clone()];
        let (text, block) = match self.row(sentences.start) {
            Some(line) if line.ends_with(['.', '!', '?']) => (row(line), None),
            Some(line) => (row(line) + ".", None),
            None => (
                text.to_owned(),
                block_after(text, &self.passage.text[at.end..], for_code),
            ),
        };
        Quotation {
            n: self.n,
            text: as_markdown(&text),
            block,
        }
    }
}
