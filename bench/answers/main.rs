//! Asks sites their questions offline and prints what came of each, for `run.mjs` to add up.
//!
//! Arguments: the folder of the toolchain's documentation and a file of questions about it; without
//! them only the project's own sets are asked. Prints one JSON object a question. It holds no word of question or
//! reply, so that the frozen half stays unread.

#[path = "../../tests/support/questions.rs"]
mod questions;

use groundling::document::{Options, parse_config};
use groundling::index::Site;
use questions::{add, ask, demo_site, open, questions};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[derive(Deserialize)]
struct CorpusRule {
    folders: Vec<String>,
    exclude: Vec<String>,
}

fn main() -> Result<(), serde_json::Error> {
    let sets = Path::new("tests/fixtures/questions");
    let demo = demo_site();
    measure("tuning", &demo, &sets.join("docs-tuning.jsonl"));
    measure("frozen", &demo, &sets.join("docs-frozen.jsonl"));
    measure("lessons", &lessons(), &sets.join("lessons.jsonl"));
    let mut args = env::args_os().skip(1).map(PathBuf::from);
    if let (Some(docs), Some(file)) = (args.next(), args.next()) {
        let mut rules: BTreeMap<String, CorpusRule> =
            serde_json::from_str(include_str!("../corpora.json"))?;
        if let Some(CorpusRule { folders, exclude }) = rules.remove("mdbooks") {
            measure("rust-docs", &books(&docs, &folders, exclude), &file);
        }
    }
    Ok(())
}

fn measure(set: &str, index: &[u8], file: &Path) {
    let site = open(index);
    for question in questions(file) {
        let outcome = ask(&site, &question);
        let line = serde_json::json!({
            "set": set,
            "kind": question.kind(),
            "coverage": outcome.signals.coverage,
            "mass": outcome.signals.mass,
            "missingName": outcome.signals.missing_name,
            "confidence": outcome.signals.confidence(),
            "refused": outcome.refused,
            "foundFirst": outcome.found_first,
            "citesFirst": outcome.cites_first,
        });
        println!("{line}");
    }
}

/// The index of the lessons alone.
fn lessons() -> Vec<u8> {
    let root = Path::new("tests/fixtures/lessons");
    let config = fs::read_to_string(root.join("groundling.json")).expect("a configuration");
    let mut site = Site::new(parse_config(&config).expect("a sound configuration"));
    add(&mut site, root, "");
    site.finish().expect("the lessons have text")
}

/// The index of some folders of the toolchain's documentation.
fn books(root: &Path, folders: &[String], exclude: Vec<String>) -> Vec<u8> {
    let mut site = Site::new(Options {
        exclude,
        ..Options::default()
    });
    for folder in folders {
        add(&mut site, &root.join(folder), &format!("{folder}/"));
    }
    site.finish().expect("the books have text")
}
