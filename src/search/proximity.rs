//! Words that stand together in the question and in a text count more.
//!
//! Rasolofo, Savoy: *Term Proximity Scoring for Keyword-Based Retrieval Systems* (2003) add a
//! share of the rarer word of each pair to the score, the more the nearer the two stand. Pairs are those of
//! neighbours in the question here, and the nearest is what the question has: a phrase gets all of it.

use super::matcher::Occurrence;
use super::plan::Plan;

/// What a pair adds that stands in a text as in the question, against its rarer word's weight.
const PROXIMITY_WEIGHT: f32 = 0.1;
/// Words that a pair may be out of place.
const MAX_SLOP: u32 = 7;

/// The pairs of neighbours of a question.
pub(super) struct Proximity {
    /// By the number of the clause.
    words: Vec<Option<Word>>,
}

struct Word {
    /// Clause of the word before it, with the weight of the pair and the distance of the two.
    before: Option<(usize, f32, i64)>,
    after: Option<usize>,
}

impl Proximity {
    /// None for a question of one word.
    pub(super) fn new(plan: &Plan) -> Option<Proximity> {
        let mut order: Vec<(u32, usize)> = Vec::new();
        for (number, clause) in plan.clauses.iter().enumerate() {
            if let Some(position) = clause.position.filter(|_| !clause.optional) {
                order.push((position, number));
            }
        }
        order.sort_unstable();
        order.dedup_by_key(|(position, _)| *position);
        if order.len() < 2 {
            return None;
        }
        let mut words: Vec<Option<Word>> = plan.clauses.iter().map(|_| None).collect();
        for (i, &(position, number)) in order.iter().enumerate() {
            let weight = |clause: usize| plan.clauses[clause].forms[0].weight;
            // Neighbouring n-grams of a text without spaces overlap, and stand together anyway.
            let apart = |a: usize, b: usize| plan.clauses[a].at.end <= plan.clauses[b].at.start;
            let before = i.checked_sub(1).map(|before| order[before]);
            let before = before.filter(|&(_, clause)| apart(clause, number));
            let before = before.map(|(at, clause)| {
                let weight = weight(clause).min(weight(number));
                (clause, weight, i64::from(position - at))
            });
            let after = order.get(i + 1).map(|(_, clause)| *clause);
            let after = after.filter(|&clause| apart(number, clause));
            words[number] = Some(Word { before, after });
        }
        Some(Proximity { words })
    }

    /// What the pairs in a text add to its score.
    pub(super) fn score(&self, fields: &[(&str, Vec<Occurrence>)]) -> f32 {
        // For each word, how near the pair with the word before it stood at best.
        let mut nearest = vec![0.0_f32; self.words.len()];
        for (_, occurrences) in fields {
            let mut last: Vec<Option<u32>> = vec![None; self.words.len()];
            for occurrence in occurrences {
                let Some(Some(word)) = self.words.get(occurrence.clause) else {
                    continue;
                };
                let here = occurrence.position;
                if let Some((before, _, wanted)) = word.before {
                    if let Some(there) = last[before] {
                        let off = (i64::from(here) - i64::from(there)).abs_diff(wanted);
                        offer(&mut nearest[occurrence.clause], off);
                    }
                }
                if let Some(after) = word.after {
                    let wanted = self.words[after].as_ref().and_then(|word| word.before);
                    if let (Some(there), Some((_, _, wanted))) = (last[after], wanted) {
                        let off = (i64::from(there) - i64::from(here)).abs_diff(wanted);
                        offer(&mut nearest[after], off);
                    }
                }
                last[occurrence.clause] = Some(here);
            }
        }
        let pairs = self.words.iter().zip(&nearest);
        let add = |sum: f32, (word, nearest): (&Option<Word>, &f32)| {
            let weight = word
                .as_ref()
                .and_then(|word| word.before)
                .map_or(0.0, |(_, weight, _)| weight);
            sum + weight * nearest
        };
        PROXIMITY_WEIGHT * pairs.fold(0.0, add)
    }
}

fn offer(nearest: &mut f32, off: u64) {
    if off <= u64::from(MAX_SLOP) {
        *nearest = nearest.max(1.0 / (1.0 + off as f32));
    }
}
