//! What a question is looked up as: its words, each with the terms of the index that stand for it.

use super::bm25::idf;
use super::passage::WeightedTerm;
use super::query::{Query, QueryTerm};
use super::synonyms::{Synonym, synonyms};
use super::typo::{self, Correction};
use crate::index::{Error, Index, Term};
use crate::text::{Analyzer, TokenKind, fold, small_letter};
use std::ops::Range;

/// How much a stop word counts beside other words. Near zero: on collections with verbose
/// questions full weight loses 0.07 nDCG.
const STOP_WEIGHT: f32 = 0.1;
/// How much a part of an identifier in the question counts: its whole and its other parts count
/// too, and all together stand for one word.
const PART_WEIGHT: f32 = 0.5;
/// How much a completion of the last word counts against the word as it stands.
const COMPLETION_WEIGHT: f32 = 0.6;
/// How much a word counts that was taken for a mistyped one.
const TYPO_WEIGHT: f32 = 0.7;
/// How much a synonym counts against the word as it stands: less than one occurrence of the word in a chunk of twice
/// the mean length against any number of the synonym's. Where no chunk has the word, it counts in full.
const SYNONYM_WEIGHT: f32 = 0.3;
/// Characters that the end of a typed word may go beyond an indexed stem: `borrowi` finds `borrow`.
const MAX_TYPED_SUFFIX: usize = 4;
/// Most words of one question that are compared with the whole dictionary. Each costs about a millisecond
/// for 20 thousand terms.
const MAX_CORRECTED: usize = 5;

/// How a term of the index stands for a word of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormKind {
    /// It is the word as typed, folded.
    Exact,
    /// It is the word's stem.
    Stem,
    /// It is a part of the identifier that the word is.
    Part,
    /// The word is its beginning.
    Prefix,
    /// The word is in no chunk, and a typo away from it.
    Typo,
    /// The site says that it means the same.
    Synonym,
    /// The question does not have it, and what was asked before does.
    Context,
}

impl FormKind {
    /// The name that JavaScript sees.
    pub fn as_str(self) -> &'static str {
        match self {
            FormKind::Exact => "exact",
            FormKind::Stem => "stem",
            FormKind::Part => "part",
            FormKind::Prefix => "prefix",
            FormKind::Typo => "typo",
            FormKind::Synonym => "synonym",
            FormKind::Context => "context",
        }
    }
}

/// A term that stands for a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// As the index has it.
    pub text: String,
    /// How it stands for the word.
    pub kind: FormKind,
    /// Inverse document frequency.
    pub idf: f32,
    /// What a saturated frequency of 1 adds to a score.
    pub weight: f32,
    pub(super) term: Term,
    /// Further terms that a chunk must have: those of a synonym of several words.
    pub(super) also: Vec<(String, Term)>,
}

/// A word of the question with its forms, of which the best in a chunk counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// One at least.
    pub forms: Vec<Form>,
    /// Whether it adds only to chunks that another word found: a stop word beside others.
    pub optional: bool,
    /// Where the question has the word, in bytes.
    pub(super) at: Range<usize>,
    /// Number of the word in the question; a part of an identifier has none.
    pub(super) position: Option<u32>,
}

/// A question as it is looked up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// In the order of the question, optional ones last.
    pub clauses: Vec<Clause>,
    /// Words that no chunk has and for which none was taken, as the analyzer writes them.
    pub missing: Vec<String>,
    /// Words that no chunk has and what was taken for them.
    pub corrections: Vec<Correction>,
    /// Words that did not count, as typed.
    pub dropped: Vec<String>,
    /// Whether the last word stands for terms that begin with it.
    pub(super) is_completed: bool,
}

impl Plan {
    /// Looks up the terms of a query. Terms that were mistyped are put right in `query`.
    pub(super) fn new<B: AsRef<[u8]>>(
        index: &Index<B>,
        analyzers: &[Analyzer],
        question: &str,
        query: &mut Query,
        fuzzy: bool,
    ) -> Result<Plan, Error> {
        let found: Vec<Option<Term>> = query
            .terms
            .iter()
            .map(|wanted| index.find(&wanted.term))
            .collect::<Result<_, _>>()?;
        let mut planner = Planner {
            index,
            analyzers,
            question,
            chunks: index.meta().chunks,
            corrected: 0,
            plan: Plan::default(),
        };
        let mut completions = planner.completions(query, &found)?;
        let synonyms = synonyms(index, query)?;
        let mut optional = Vec::new();
        let only_stop_words = query.only_stop_words();
        for i in 0..query.terms.len() {
            let wanted = &query.terms[i];
            let is_typed = query
                .prefix
                .as_ref()
                .is_some_and(|prefix| prefix.has(wanted));
            let dropped = wanted.stop && !only_stop_words;
            if dropped {
                planner.drop_word(&wanted.at);
            }
            if let Some(term) = &found[i] {
                let mut clause = planner.clause(wanted, term.clone());
                if dropped {
                    clause.forms[0].weight *= STOP_WEIGHT;
                    clause.optional = true;
                    optional.push(clause);
                    continue;
                }
                if is_typed {
                    // The word may not be whole yet, and as a whole one it may be far rarer.
                    if let Some(completion) = completions.first() {
                        let most = clause.forms[0]
                            .weight
                            .min(completion.weight / COMPLETION_WEIGHT);
                        clause.forms[0].weight = most;
                    }
                    clause.forms.append(&mut completions);
                }
                add_synonyms(&mut clause, &synonyms, i);
                planner.plan.clauses.push(clause);
            } else if is_typed && !completions.is_empty() {
                let mut clause = planner.clause_of(wanted, std::mem::take(&mut completions));
                add_synonyms(&mut clause, &synonyms, i);
                planner.plan.clauses.push(clause);
                planner.plan.is_completed = true;
            } else if !dropped && synonyms.iter().any(|synonym| synonym.terms.contains(&i)) {
                let mut clause = planner.clause_of(wanted, Vec::new());
                add_synonyms(&mut clause, &synonyms, i);
                planner.plan.clauses.push(clause);
            } else if !(dropped || is_typed && planner.plan.is_completed) {
                let elsewhere = is_found_otherwise(&query.terms, &found, i);
                if !elsewhere {
                    planner.correct(query, i, is_typed, fuzzy)?;
                }
            }
        }
        for at in &query.left_out {
            planner.drop_word(at);
        }
        let Planner { mut plan, .. } = planner;
        plan.clauses.append(&mut optional);
        Ok(plan)
    }

    /// Adds terms that the question does not have, before its stop words.
    pub(super) fn add_context<B: AsRef<[u8]>>(
        &mut self,
        index: &Index<B>,
        query: &Query,
        context: &[WeightedTerm],
    ) -> Result<(), Error> {
        if context.is_empty() {
            return Ok(());
        }
        if query.only_stop_words() {
            for form in self.clauses.iter_mut().flat_map(|clause| &mut clause.forms) {
                form.weight *= STOP_WEIGHT;
            }
        }
        for wanted in context {
            let is_known = query.terms.iter().any(|term| term.term == wanted.text);
            let Some(term) = index.find(&wanted.text)?.filter(|_| !is_known) else {
                continue;
            };
            let counting = self.clauses.iter().take_while(|clause| !clause.optional);
            let clause = Clause {
                forms: vec![Form {
                    text: wanted.text.clone(),
                    kind: FormKind::Context,
                    idf: idf(index.meta().chunks, term.doc_freq),
                    weight: wanted.weight,
                    term,
                    also: Vec::new(),
                }],
                optional: false,
                at: 0..0,
                position: None,
            };
            self.clauses.insert(counting.count(), clause);
        }
        Ok(())
    }

    /// The question with its corrections, where it has any.
    pub fn did_you_mean(&self, question: &str) -> Option<String> {
        let mut text = String::new();
        let mut end = 0;
        for correction in &self.corrections {
            text.push_str(question.get(end..correction.at.start)?);
            text.push_str(&correction.to);
            end = correction.at.end;
        }
        text.push_str(question.get(end..)?);
        (!self.corrections.is_empty()).then_some(text)
    }
}

/// Adds what stands for a term of the query beside its own forms.
fn add_synonyms(clause: &mut Clause, synonyms: &[Synonym], term: usize) {
    let most = clause.forms.first().map(|form| form.weight);
    for synonym in synonyms {
        if synonym.terms.contains(&term) {
            let mut form = synonym.form.clone();
            if let Some(most) = most {
                form.weight = SYNONYM_WEIGHT * form.idf.min(most);
            }
            clause.forms.push(form);
        }
    }
}

/// Whether the word of a missing term is found by another term: that of another language, the identifier
/// that it is a part of, or each part of the identifier that it is.
pub(super) fn is_found_otherwise(
    terms: &[QueryTerm],
    found: &[Option<Term>],
    missing: usize,
) -> bool {
    let wanted = &terms[missing];
    let mut parts_found = None;
    for (other, found) in terms.iter().zip(found) {
        if found.is_some() && other.at.start <= wanted.at.start && wanted.at.end <= other.at.end {
            return true;
        }
        let inside = wanted.at.start <= other.at.start && other.at.end <= wanted.at.end;
        if inside && other.kind == TokenKind::Part {
            parts_found = Some(parts_found.unwrap_or(true) && found.is_some());
        }
    }
    wanted.kind == TokenKind::Word && parts_found == Some(true)
}

/// A word that a sentence may begin with, as it is written elsewhere, if the typed one is in lower case.
pub(super) fn in_case_of(typed: &str, word: String) -> String {
    let is_upper = |c: char| c.is_uppercase();
    if typed.contains(is_upper) || word.chars().skip(1).any(is_upper) {
        return word;
    }
    let mut chars = word.chars();
    let first = chars.next().map(small_letter);
    first.into_iter().chain(chars).collect()
}

struct Planner<'a, B> {
    index: &'a Index<B>,
    analyzers: &'a [Analyzer],
    question: &'a str,
    chunks: u32,
    /// Words that were compared with the dictionary so far.
    corrected: usize,
    plan: Plan,
}

impl<B: AsRef<[u8]>> Planner<'_, B> {
    fn clause_of(&self, wanted: &QueryTerm, forms: Vec<Form>) -> Clause {
        Clause {
            forms,
            optional: false,
            at: wanted.at.clone(),
            position: (wanted.kind == TokenKind::Word).then_some(wanted.position),
        }
    }

    fn clause(&self, wanted: &QueryTerm, term: Term) -> Clause {
        let idf = idf(self.chunks, term.doc_freq);
        let mut weight = idf * wanted.count as f32;
        let kind = if wanted.kind == TokenKind::Part {
            weight *= PART_WEIGHT;
            FormKind::Part
        } else if fold(&self.question[wanted.at.clone()]) == wanted.term {
            FormKind::Exact
        } else {
            FormKind::Stem
        };
        let text = wanted.term.clone();
        self.clause_of(
            wanted,
            vec![Form {
                text,
                kind,
                idf,
                weight,
                term,
                also: Vec::new(),
            }],
        )
    }

    fn drop_word(&mut self, at: &Range<usize>) {
        let word = &self.question[at.clone()];
        if !self.plan.dropped.iter().any(|known| known == word) {
            self.plan.dropped.push(word.to_owned());
        }
    }

    /// Forms of one kind. All weigh as the most frequent of them: a rare one is no better guess.
    fn guesses(&self, terms: Vec<(String, Term)>, kind: FormKind, weight: f32) -> Vec<Form> {
        let most = terms.iter().map(|(_, term)| term.doc_freq).max();
        let idf = idf(self.chunks, most.unwrap_or_default());
        let form = |(text, term)| Form {
            text,
            kind,
            idf,
            weight: idf * weight,
            term,
            also: Vec::new(),
        };
        terms.into_iter().map(form).collect()
    }

    /// The terms that the word being typed may become, or is a form of.
    fn completions(&self, query: &Query, found: &[Option<Term>]) -> Result<Vec<Form>, Error> {
        let Some(prefix) = &query.prefix else {
            return Ok(Vec::new());
        };
        let mut terms = Vec::new();
        self.index.scan_terms(&prefix.text, &mut |term, info| {
            let completes = prefix.begins(term);
            // The word itself counts as it stands.
            let is_itself = || {
                query.terms.iter().zip(found).any(|(known, found)| {
                    found.is_some() && prefix.has(known) && known.term == term
                })
            };
            if completes && !is_itself() {
                terms.push((term.to_owned(), info));
            }
            completes
        })?;
        Ok(self.guesses(terms, FormKind::Prefix, COMPLETION_WEIGHT))
    }

    /// The term that the end of a word being typed may have been taken from by stemming.
    fn stem_of_typed(&self, typed: &str) -> Result<Option<(String, Term)>, Error> {
        let ends = typed.char_indices().map(|(at, _)| at).rev();
        for end in ends.take(MAX_TYPED_SUFFIX).filter(|&end| end >= 3) {
            if let Some(term) = self.index.find(&typed[..end])? {
                return Ok(Some((typed[..end].to_owned(), term)));
            }
        }
        Ok(None)
    }

    /// Takes other terms for a word that is in no chunk.
    fn correct(
        &mut self,
        query: &mut Query,
        i: usize,
        is_typed: bool,
        fuzzy: bool,
    ) -> Result<(), Error> {
        let wanted = query.terms[i].clone();
        let at = wanted.at.clone();
        let word = fold(&self.question[at.clone()]);
        let stem = if is_typed {
            self.stem_of_typed(&word)?
        } else {
            None
        };
        let completed = |planner: &mut Self, stem| {
            let forms = planner.guesses(vec![stem], FormKind::Prefix, COMPLETION_WEIGHT);
            let clause = planner.clause_of(&wanted, forms);
            planner.plan.clauses.push(clause);
            planner.plan.is_completed = true;
        };
        if let Some(stem) = &stem {
            if typo::is_written(self.index, self.analyzers, stem, &word)? {
                completed(self, stem.clone());
                return Ok(());
            }
        }
        let known = self
            .plan
            .corrections
            .iter()
            .any(|known| known.at.start <= at.start && at.end <= known.at.end);
        if fuzzy && !known && self.corrected < MAX_CORRECTED {
            self.corrected += 1;
            let typed = typo::Typed {
                word: &word,
                stem: &wanted.term,
                is_prefix: is_typed,
            };
            if let Some((to, terms)) = typo::correct(self.index, self.analyzers, &typed)? {
                query.terms[i].term = terms[0].0.clone();
                let from = self.question[at.clone()].to_owned();
                let to = in_case_of(&from, to);
                self.plan.corrections.push(Correction { from, to, at });
                let forms = self.guesses(terms, FormKind::Typo, TYPO_WEIGHT);
                let clause = self.clause_of(&wanted, forms);
                self.plan.clauses.push(clause);
                return Ok(());
            }
        }
        match stem {
            Some(stem) => completed(self, stem),
            None if known => {}
            None => self.plan.missing.push(wanted.term.clone()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_is_written_like_the_typed_word() {
        #[track_caller]
        fn check(typed: &str, word: &str, expected: &str) {
            assert_eq!(in_case_of(typed, word.to_owned()), expected);
        }
        check("écoel", "École", "école");
        check("Ecoel", "École", "École");
        check("идекс", "Индекс", "индекс");
        check("javascrpt", "JavaScript", "JavaScript");
        check("x", "", "");
    }
}
