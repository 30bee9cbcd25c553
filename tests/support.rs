//! How well each sentence of an answer is compared with its sources, by the labelled sentences
//! in `tests/fixtures/support/`. The table in `docs/citations.md` is the outcome;
//! `PUBLISH=1 cargo test --test support` writes it anew.

use groundling::answer::{Sentence, Support, support};
use groundling::document::Options;
use groundling::index::{Index, Site};
use groundling::prompt::{Passage, Source};
use groundling::search::{Searcher, TermWeights};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;

#[derive(Deserialize)]
struct Labelled {
    id: String,
    kind: String,
    sentence: String,
    sources: Vec<Section>,
    label: String,
    correction: Option<u32>,
}

#[derive(Clone, Deserialize)]
struct Section {
    path: String,
    heading: String,
    text: String,
}

/// Both halves by name.
fn halves() -> [(&'static str, Vec<Labelled>); 2] {
    ["tuning", "frozen"].map(|half| {
        let path = format!("tests/fixtures/support/{half}.jsonl");
        let text = fs::read_to_string(path).expect("a set");
        let read = |line: &str| serde_json::from_str(line).expect("a labelled sentence");
        (half, text.lines().map(read).collect())
    })
}

/// A site of all the passages, so that words weigh what their rarity there makes them weigh.
fn site(halves: &[(&str, Vec<Labelled>)]) -> Vec<u8> {
    let mut pages: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for labelled in halves.iter().flat_map(|(_, set)| set) {
        for Section {
            path,
            heading,
            text,
        } in &labelled.sources
        {
            pages.entry(path).or_default().insert(heading, text);
        }
    }
    let mut site = Site::new(Options::default());
    for (path, sections) in pages {
        let sections = sections.iter();
        let text: String = sections
            .map(|(heading, text)| format!("## {heading}\n\n{text}\n\n"))
            .collect();
        site.add(path, text.as_bytes()).expect("a readable page");
    }
    site.finish().expect("the passages have text")
}

fn judge(labelled: &Labelled, weights: &TermWeights<'_>) -> Sentence {
    let sources: Vec<Source> = labelled
        .sources
        .iter()
        .zip(1..)
        .map(|(section, n)| Source {
            n,
            passage: Passage {
                title: section.heading.clone(),
                text: section.text.clone(),
                ..Passage::default()
            },
        })
        .collect();
    let mut judged = support(&labelled.sentence, &sources, weights);
    assert_eq!(judged.len(), 1, "{}", labelled.id);
    judged.remove(0)
}

/// What became of the sentences of a half, by kind.
struct Outcome {
    /// How many came out supported, weak and unsupported.
    kinds: BTreeMap<String, (bool, [usize; 3])>,
    /// How many truly other sources there are, how many of them were named, and how many others.
    corrections: [usize; 3],
}

impl Outcome {
    fn of(set: &[Labelled], weights: &TermWeights<'_>) -> Outcome {
        let mut kinds = BTreeMap::new();
        let mut corrections = [0; 3];
        for labelled in set {
            let judged = judge(labelled, weights);
            let is_true = labelled.label == "supported";
            let (_, counts) = kinds
                .entry(labelled.kind.clone())
                .or_insert((is_true, [0; 3]));
            counts[match judged.support {
                Support::Supported => 0,
                Support::Weak => 1,
                Support::Unsupported => 2,
                Support::Uncited => panic!("{} cites a source", labelled.id),
            }] += 1;
            let is_named = judged.correction.is_some();
            let is_right = judged.correction == labelled.correction;
            corrections[0] += usize::from(labelled.correction.is_some());
            corrections[1] += usize::from(is_named && is_right);
            corrections[2] += usize::from(is_named && !is_right);
        }
        Outcome { kinds, corrections }
    }

    /// How many of the sentences found unsupported are, and how many of those that are were found.
    fn precision_and_recall(&self) -> (f64, f64) {
        let (mut found, mut missed, mut wrongly) = (0, 0, 0);
        for (is_true, [supported, weak, unsupported]) in self.kinds.values() {
            if *is_true {
                wrongly += unsupported;
            } else {
                found += unsupported;
                missed += supported + weak;
            }
        }
        let part = |of: usize| found as f64 / (found + of) as f64;
        (part(wrongly), part(missed))
    }

    /// The rows of the published table.
    fn rows(&self, half: &str) -> String {
        let mut rows = String::new();
        for (kind, (is_true, [supported, weak, unsupported])) in &self.kinds {
            let label = if *is_true { "supported" } else { "unsupported" };
            rows +=
                &format!("| {half} | {kind} | {label} | {supported} | {weak} | {unsupported} |\n");
        }
        rows
    }

    fn summary(&self, half: &str) -> String {
        let (precision, recall) = self.precision_and_recall();
        let [all, named, wrongly] = self.corrections;
        format!(
            "On the {half} half unsupported sentences are found with precision {precision:.2} and \
             recall {recall:.2}; of {all} swapped sources {named} are named as the correction, and \
             {wrongly} other corrections are offered.\n"
        )
    }
}

fn outcomes() -> [(&'static str, Outcome); 2] {
    let halves = halves();
    let bytes = site(&halves);
    let searcher = Searcher::new(Index::open(bytes.as_slice()).expect("a sound index"));
    let weights = TermWeights {
        analyzer: searcher.analyzer(0),
        idf: &searcher,
    };
    halves.map(|(half, set)| (half, Outcome::of(&set, &weights)))
}

#[test]
fn each_kind_of_sentence_comes_out_as_it_is_labelled() {
    let outcomes = outcomes();
    for (half, outcome) in &outcomes {
        let (precision, recall) = outcome.precision_and_recall();
        assert!(precision >= 0.9, "{half}: precision {precision}");
        assert!(recall >= 0.75, "{half}: recall {recall}");
        for (kind, (is_true, counts)) in &outcome.kinds {
            let right = if *is_true { counts[0] } else { counts[2] };
            let all: usize = counts.iter().sum();
            assert!(2 * right >= all, "{half}, {kind}: {right} of {all}");
        }
    }
    publish(&outcomes);
}

const START: &str = "<!-- measured -->\n";
const END: &str = "<!-- /measured -->\n";

/// Holds the table in the documentation to what was measured, or writes it anew.
fn publish(outcomes: &[(&str, Outcome)]) {
    let mut measured = String::from(
        "| half | kind | labelled | found supported | weak | unsupported |\n|---|---|---|--:|--:|--:|\n",
    );
    for (half, outcome) in outcomes {
        measured += &outcome.rows(half);
    }
    measured += "\n";
    for (half, outcome) in outcomes {
        measured += &outcome.summary(half);
    }
    let path = "docs/citations.md";
    let page = fs::read_to_string(path).expect("the page");
    let (before, rest) = page.split_once(START).expect("where the table starts");
    let (published, after) = rest.split_once(END).expect("where the table ends");
    if std::env::var_os("PUBLISH").is_some() {
        let page = format!("{before}{START}{measured}{END}{after}");
        fs::write(path, page).expect("the page is writable");
    } else {
        assert_eq!(
            published, measured,
            "{path} is out of date: PUBLISH=1 cargo test --test support"
        );
    }
}
