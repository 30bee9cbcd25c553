//! Pages as the generators that people use make them, from the same words.
//!
//! `npm run test:generators` builds them anew; `tests/generators/pages.mjs` has their source.

use groundling::document::{Chunk, DEFAULT_CHUNK_WORDS, Document, Options, chunks, read};
use scraper::{Html, Selector};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/generators");

/// The headings of the page with all that is hard to read.
const HEADINGS: [&str; 8] = [
    "Brewing tea",
    "Water & heat",
    "Install",
    "Code",
    "Leaves",
    "Formula",
    "Details",
    "Details",
];

const CODE: &str = "def steep(minutes):
    \"\"\"Wait for the leaves.\"\"\"

    if minutes > 3:
        return \"bitter\"
    return \"fine\"  # <ok> & done";

/// What must be in the text of the page, each in one piece.
const TEXT: [&str; 13] = [
    "Tea is simple: run kettle --boil for 2^7 cups of H2O.",
    "Mind the steam\nKettles whistle at ninety-six degrees.",
    "Homebrew",
    "brew install teapot",
    "Debian",
    "apt install teapot",
    CODE,
    "Leaf\tMinutes\nSencha\t2\nAssam\t4",
    "warmed pot",
    "a blue teapot",
    "Why so hot?\nTannins dissolve late.",
    "bowl with a lid.",
    "Distilled water tastes flat.",
];

/// What themes put around and into the content.
const BOILERPLATE: [&str; 22] = [
    "Teahouse",
    "Edit",
    "edit",
    "Skip to",
    "Previous",
    "Next",
    "On this page",
    "Table of contents",
    "Contents",
    "Powered",
    "Built with",
    "Made with",
    "Poured by",
    "Copy",
    "Search",
    "Theme",
    "View page source",
    "¶",
    "↩",
    "🔗",
    "#",
    "min read",
];

struct Page {
    file: PathBuf,
    html: String,
    document: Document,
    chunks: Vec<Chunk>,
}

/// All fixtures, with what is read from them.
fn pages() -> Vec<Page> {
    let mut files = Vec::new();
    walk(Path::new(FIXTURES), &mut files);
    files.sort();
    let page = |file: PathBuf| {
        let html = fs::read_to_string(&file).expect("a page in UTF-8");
        let path = file.strip_prefix(FIXTURES).expect("a fixture");
        let path = path.to_string_lossy().replace('\\', "/");
        let read = read(&path, html.as_bytes(), &Options::default()).expect("default options");
        assert_eq!(read.warnings, [], "{path}");
        let document = read.documents.into_iter().next();
        let document = document.unwrap_or_else(|| panic!("{path}: {:?}", read.skipped));
        Page {
            chunks: chunks(&document, DEFAULT_CHUNK_WORDS),
            document,
            html,
            file,
        }
    };
    files.into_iter().map(page).collect()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the fixtures") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            walk(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "html")
        {
            files.push(path);
        }
    }
}

/// Those pages that have all that is hard to read.
fn hard_pages() -> Vec<Page> {
    let mut pages = pages();
    pages.retain(|page| page.document.path.contains("brewing"));
    assert!(pages.len() >= 10, "only {} generators", pages.len());
    pages
}

#[test]
fn headings_are_those_that_the_author_wrote() {
    for page in hard_pages() {
        let headings: Vec<&str> = page
            .document
            .sections
            .iter()
            .map(|section| section.heading.as_str())
            .filter(|heading| !heading.is_empty())
            .collect();
        // Some themes write the page's title outside its main content.
        let below = headings.strip_prefix(&HEADINGS[..1]).unwrap_or(&headings);
        assert_eq!(below, &HEADINGS[1..], "{}", page.file.display());
        assert_eq!(page.document.title, HEADINGS[0], "{}", page.file.display());
    }
}

#[test]
fn text_and_code_are_whole_and_there_once() {
    for page in hard_pages() {
        let texts = page
            .document
            .sections
            .iter()
            .map(|section| section.text.as_str());
        let text = texts.collect::<Vec<_>>().join("\n");
        for expected in TEXT {
            let count = text.matches(expected).count();
            assert_eq!(count, 1, "{}: {expected:?} in {text}", page.file.display());
        }
        let formula = page
            .document
            .sections
            .iter()
            .find(|section| section.heading == "Formula");
        let formula = &formula.expect("the section").text;
        let written = [
            "The rate is k = \\frac{m}{c} per cup.",
            "The rate is \\(k = \\frac{m}{c}\\) per cup.",
            "The rate is k=m/c per cup.",
        ];
        assert!(
            written.contains(&formula.as_str()),
            "{}: {formula}",
            page.file.display()
        );
    }
}

#[test]
fn what_the_theme_adds_is_no_text() {
    for page in hard_pages() {
        for chunk in &page.chunks {
            let words = [chunk.title.as_str(), &chunk.text]
                .join("\n")
                .replace(CODE, "");
            for boilerplate in BOILERPLATE {
                assert!(
                    !words.contains(boilerplate),
                    "{}: {boilerplate:?} in {words}",
                    page.file.display()
                );
            }
        }
    }
}

#[test]
fn every_anchor_is_an_id_of_its_page_and_every_heading_has_one() {
    let named = Selector::parse("[id], [name]").expect("a selector");
    for page in pages() {
        let html = Html::parse_document(&page.html);
        let ids: HashSet<&str> = html
            .select(&named)
            .flat_map(|element| [element.attr("id"), element.attr("name")])
            .flatten()
            .collect();
        for section in &page.document.sections {
            // The title of a page is reached without one.
            assert!(
                section.level <= 1 || section.anchor.is_some(),
                "{}: {}",
                page.file.display(),
                section.heading
            );
        }
        for chunk in &page.chunks {
            let parts = chunk.parts.iter().map(|part| part.anchor.as_str());
            for anchor in chunk.anchor.as_deref().into_iter().chain(parts) {
                assert!(ids.contains(anchor), "{}#{anchor}", page.file.display());
            }
        }
    }
}
