//! The index of the site that `npm start` serves: this project's documentation and the lessons.

use groundling::document::parse_config;
use groundling::index::{Index, Site};
use groundling::search::Searcher;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

static INDEX: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let config = fs::read_to_string("scripts/demo-site.json").expect("a configuration");
    let mut site = Site::new(parse_config(&config).expect("a sound configuration"));
    add(&mut site, Path::new("docs"), "docs");
    add(&mut site, Path::new("tests/fixtures/lessons"), "lessons");
    site.finish().expect("the docs have text")
});

pub fn searcher() -> Searcher<&'static [u8]> {
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
