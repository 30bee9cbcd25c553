//! Questions to this project's own documentation, asked offline: which are refused, and which
//! answers cite a page that answers. The sets and how they were made: `tests/fixtures/questions/`.

use groundling::ask::{Retrieval, Site as _, confidence::Signals, retrieve};
use groundling::document::parse_config;
use groundling::index::{Index, Site};
use groundling::prompt::{self, preset};
use groundling::search::{Searcher, TermWeights};
use serde::Deserialize;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

#[derive(Deserialize)]
struct Question {
    question: String,
    answers: Vec<String>,
    answerable: bool,
    style: String,
}

/// The site that `npm start` serves.
static INDEX: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let config = fs::read_to_string("scripts/demo-site.json").expect("a configuration");
    let mut site = Site::new(parse_config(&config).expect("a sound configuration"));
    add(&mut site, Path::new("docs"), "docs");
    add(&mut site, Path::new("tests/fixtures/lessons"), "lessons");
    site.finish().expect("the docs have text")
});

fn searcher() -> Searcher<&'static [u8]> {
    Searcher::new(Index::open(INDEX.as_slice()).expect("a sound index"))
}

fn add(site: &mut Site, folder: &Path, prefix: &str) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for entry in entries {
        let name = entry.file_name().expect("a name").to_string_lossy();
        let path = format!("{prefix}/{name}");
        if entry.is_dir() {
            add(site, &entry, &path);
        } else if path.ends_with(".md") {
            let bytes = fs::read(&entry).expect("a file");
            site.add(&path, &bytes).expect("a readable file");
        }
    }
}

fn questions(file: &str) -> Vec<Question> {
    let path = format!("tests/fixtures/questions/{file}.jsonl");
    let text = fs::read_to_string(path).expect("a set");
    let read = |line: &str| serde_json::from_str(line).expect("a question");
    text.lines().map(read).collect()
}

#[test]
fn lab() {
    let site = searcher();
    for question in questions("lessons") {
        let sources = retrieve(&site, &question.question, &Retrieval::default()).unwrap();
        let weights = TermWeights {
            analyzer: site.analyzer(0),
            idf: &site,
        };
        let s = Signals::new(&question.question, &sources, &weights);
        let prompt = prompt::build(&preset("cited").unwrap(), sources, &question.question);
        let reply = site.answer(&prompt);
        println!(
            "{} {} {:.2} {:.2} {:.2} {:.2} {:.2} {} {:.2} => {:.2} | {} | {:?} | {}",
            question.answerable,
            question.style,
            s.passage,
            s.place,
            s.mass,
            s.union,
            s.miss,
            s.unknown_name,
            s.gap,
            s.confidence(),
            question.question,
            question.answers,
            reply.replace('\n', "⏎")
        );
    }
}
