//! Sites with questions about them, and what came of a question that was answered offline.

use groundling::ask::confidence::Signals;
use groundling::ask::{Retrieval, Site as _, retrieve};
use groundling::document::parse_config;
use groundling::index::{Index, Site};
use groundling::prompt::{self, preset};
use groundling::search::{Searcher, TermWeights};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// A line of a file of questions; `docs/command-line.md` tells what its fields mean.
#[derive(Deserialize)]
pub struct Question {
    pub question: String,
    pub answers: Vec<String>,
    pub answerable: bool,
    pub style: String,
    #[serde(default)]
    pub near: bool,
}

impl Question {
    /// `plain` or `paraphrase`; of the questions that no page answers, `near` those about a subject
    /// of the site and `off-topic` the others.
    pub fn kind(&self) -> &str {
        match (self.answerable, self.near) {
            (true, _) => &self.style,
            (false, true) => "near",
            (false, false) => "off-topic",
        }
    }
}

/// Reads a file of questions.
pub fn questions(file: &Path) -> Vec<Question> {
    let text = fs::read_to_string(file).expect("a file of questions");
    let read = |line: &str| serde_json::from_str(line).expect("a question");
    text.lines().map(read).collect()
}

/// The index of the site that `npm start` serves: this project's docs and the lessons.
pub fn demo_site() -> Vec<u8> {
    let config = fs::read_to_string("scripts/demo-site.json").expect("a configuration");
    let mut site = Site::new(parse_config(&config).expect("a sound configuration"));
    add(&mut site, Path::new("docs"), "docs/");
    add(&mut site, Path::new("tests/fixtures/lessons"), "lessons/");
    site.finish().expect("the docs have text")
}

/// Adds the documents below a folder.
pub fn add(site: &mut Site, folder: &Path, prefix: &str) {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().expect("a name").to_string_lossy();
        let relative = format!("{prefix}{name}");
        if path.is_dir() {
            add(site, &path, &format!("{relative}/"));
        } else if relative.ends_with(".md") || relative.ends_with(".html") {
            let bytes = fs::read(&path).expect("a file");
            site.add(&relative, &bytes).expect("a readable file");
        }
    }
}

/// What came of a question.
pub struct Outcome {
    pub signals: Signals,
    pub refused: bool,
    /// Whether the first page found answers.
    pub found_first: bool,
    /// Whether the first page cited answers.
    pub cites_first: bool,
}

/// Asks a site offline, with the options that `ask` has by default.
pub fn ask(site: &Searcher<&[u8]>, question: &Question) -> Outcome {
    let retrieval = Retrieval::default();
    let sources = retrieve(site, &question.question, &retrieval).expect("a sound index");
    let weights = TermWeights {
        analyzer: site.analyzer(0),
        idf: site,
    };
    let signals = Signals::new(&question.question, &sources, &weights);
    let template = preset("cited").expect("a preset");
    let prompt = prompt::build(&template, sources, &question.question);
    let refused = !site.covers(&prompt);
    let reply = site.answer(&prompt);
    let answers: Vec<&str> = question.answers.iter().map(|page| name(page)).collect();
    let is_right = |n: usize| {
        let source = prompt.sources.get(n.wrapping_sub(1));
        source.is_some_and(|source| answers.contains(&name(&source.passage.path)))
    };
    Outcome {
        signals,
        refused: refused || reply == prompt.refusal,
        found_first: is_right(1),
        cites_first: !refused && first_citation(&reply).is_some_and(is_right),
    }
}

/// A page's path without ending and fragment.
fn name(page: &str) -> &str {
    let path = page.split('#').next().unwrap_or_default();
    path.trim_end_matches(".html").trim_end_matches(".md")
}

fn first_citation(reply: &str) -> Option<usize> {
    let inside = |after: &str| after.split(']').next().and_then(|n| n.parse().ok());
    reply.split('[').skip(1).find_map(inside)
}

/// Opens an index.
pub fn open(index: &[u8]) -> Searcher<&[u8]> {
    Searcher::new(Index::open(index).expect("a sound index"))
}
