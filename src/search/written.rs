//! Words that a text writes as the question does count more than their other forms.
//!
//! The index has folded stems, so "naïve" and "naive", "STRASSE" and "Straße", "running" and "runs" find each other; which
//! of them a chunk has is seen in its text.

use super::matcher::Occurrence;
use super::plan::Plan;

/// What a word adds that is written as in the question, against its weight: enough to settle what is else alike.
const WRITTEN_WEIGHT: f32 = 0.02;

/// The words of a question as they were typed.
pub(super) struct Written<'a> {
    /// By the number of the clause, with what the word adds.
    words: Vec<(&'a str, f32)>,
}

impl<'a> Written<'a> {
    pub(super) fn new(question: &'a str, plan: &Plan) -> Written<'a> {
        let clauses = plan.clauses.iter();
        let word = clauses.map(|clause| {
            let word = question.get(clause.at.clone()).unwrap_or_default();
            (word, WRITTEN_WEIGHT * clause.forms[0].weight)
        });
        Written {
            words: word.collect(),
        }
    }

    /// What the words add to the score of a text that has them so.
    pub(super) fn score(&self, fields: &[(&str, Vec<Occurrence>)]) -> f32 {
        let mut score = 0.0;
        for (clause, (word, weight)) in self.words.iter().enumerate() {
            let is_so = |text: &str, found: &Occurrence| {
                found.clause == clause && is_same(word, &text[found.at.clone()])
            };
            let mut fields = fields.iter();
            if fields.any(|(text, found)| found.iter().any(|found| is_so(text, found))) {
                score += weight;
            }
        }
        score
    }
}

/// Whether a word is written as typed. Case counts where a capital was typed.
fn is_same(typed: &str, written: &str) -> bool {
    let mut lower = written.chars().flat_map(char::to_lowercase);
    typed == written
        || typed.chars().all(|letter| lower.next() == Some(letter)) && lower.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, written: &str, expected: bool) {
        assert_eq!(is_same(typed, written), expected, "{typed} {written}");
    }

    #[test]
    fn marks_and_endings_count_and_case_where_a_capital_was_typed() {
        check("naïve", "Naïve", true);
        check("naïve", "naive", false);
        check("index", "indexes", false);
        check("US", "US", true);
        check("US", "us", false);
        check("straße", "STRASSE", false);
        check("ёлка", "Ёлка", true);
        check("ёлка", "елка", false);
    }
}
