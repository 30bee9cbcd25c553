//! Questions to this project's own documentation, asked offline: which are refused, and which
//! answers cite a page that answers. The sets and how they were made: `tests/fixtures/questions/`.
//!
//! A failure prints totals alone, so that nobody tunes to a question of the frozen half.

#[path = "support/questions.rs"]
mod support;

use std::path::Path;
use std::sync::LazyLock;
use support::{Outcome, ask, demo_site, open, questions};

/// What came of the questions of a half, by kind.
struct Half {
    name: &'static str,
    outcomes: Vec<(String, Outcome)>,
}

static HALVES: LazyLock<[Half; 2]> = LazyLock::new(|| {
    let index = demo_site();
    let site = open(&index);
    ["tuning", "frozen"].map(|name| {
        let file = format!("tests/fixtures/questions/docs-{name}.jsonl");
        let asked = questions(Path::new(&file)).into_iter();
        let outcomes = asked.map(|question| (question.kind().to_owned(), ask(&site, &question)));
        Half {
            name,
            outcomes: outcomes.collect(),
        }
    })
});

impl Half {
    fn of<'a>(&'a self, kinds: &'a [&str]) -> impl Iterator<Item = &'a Outcome> {
        let is_one = |(kind, _): &&(String, Outcome)| kinds.contains(&kind.as_str());
        self.outcomes
            .iter()
            .filter(is_one)
            .map(|(_, outcome)| outcome)
    }
}

/// How many questions of a kind, of each half and of both, have something.
fn counts(kind: &str, has: impl Fn(&Outcome) -> bool) -> [(usize, usize); 3] {
    let [tuning, frozen] = HALVES.each_ref().map(|half| {
        let all = half.of(&[kind]).count();
        (half.of(&[kind]).filter(|outcome| has(outcome)).count(), all)
    });
    [tuning, frozen, (tuning.0 + frozen.0, tuning.1 + frozen.1)]
}

#[test]
fn the_confidence_tells_what_the_docs_answer() {
    for half in &*HALVES {
        let confidences = |kinds: &[&str]| -> Vec<f32> {
            let of = half.of(kinds);
            of.map(|outcome| outcome.signals.confidence()).collect()
        };
        let answerable = confidences(&["plain", "paraphrase"]);
        let unanswerable = confidences(&["near", "off-topic"]);
        let mut above = 0.0;
        for one in &answerable {
            for other in &unanswerable {
                above += match one.total_cmp(other) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
            }
        }
        let area = above / (answerable.len() * unanswerable.len()) as f32;
        println!("area under the curve, {}: {area:.3}", half.name);
        assert!(area >= 0.85, "{}: {area:.3}", half.name);
    }
}

#[test]
fn hardly_a_plain_question_is_refused_and_nearly_all_that_are_about_something_else() {
    let plain = counts("plain", |outcome| outcome.refused);
    let elsewhere = counts("off-topic", |outcome| outcome.refused);
    let paraphrased = counts("paraphrase", |outcome| outcome.refused);
    let near = counts("near", |outcome| outcome.refused);
    println!(
        "refused: plain {plain:?}, paraphrase {paraphrased:?}, near {near:?}, off-topic {elsewhere:?}"
    );
    let [.., (refused, all)] = plain;
    assert!(refused * 20 <= all, "plain {plain:?}");
    let [.., (refused, all)] = elsewhere;
    assert!(refused * 10 >= all * 9, "off-topic {elsewhere:?}");
}

#[test]
fn the_first_citation_leads_to_a_page_that_answers() {
    let plain = counts("plain", |outcome| outcome.cites_first);
    for (right, all) in plain {
        assert!(right * 5 >= all * 4, "plain {plain:?}");
    }
    let paraphrased = counts("paraphrase", |outcome| outcome.cites_first);
    let found = counts("paraphrase", |outcome| outcome.found_first);
    println!("right pages: plain {plain:?}, paraphrase {paraphrased:?}, found first {found:?}");
    let [.., (right, _)] = paraphrased;
    let [.., (first, _)] = found;
    assert!(
        right * 10 >= first * 9,
        "paraphrase {paraphrased:?} of {found:?}"
    );
}
