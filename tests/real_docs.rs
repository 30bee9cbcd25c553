//! The Rust Book and the Reference as the toolchain ships them, from their pages to ranked sections.
//!
//! Where a machine lacks the book, each test says so with a line that `scripts/test.mjs` counts
//! as skipped: `cargo test` itself has no way to skip a test while it runs.

#[path = "support/toolchain_docs.rs"]
mod toolchain_docs;

use groundling::document::Options;
use groundling::index::format::{BLOCK_LEN, HEADER_LEN};
use groundling::index::{Error, Index, IndexBuilder};
use groundling::search::{SearchOptions, Searcher};
use scraper::{ElementRef, Html, Node, Selector};
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::LazyLock;
use toolchain_docs::Page;

/// Pages of the current edition in Rust 1.95, without redirects and the print page.
const PAGES: usize = 112;

/// Questions in other words than the chapters' own, with the page that answers them.
const QUESTIONS: [(&str, &str); 20] = [
    (
        "why can I not change a variable after I assigned it",
        "ch03-01-variables-and-mutability",
    ),
    (
        "repeat some code until a condition is false",
        "ch03-05-control-flow",
    ),
    (
        "who frees the memory of a string when it goes out of scope",
        "ch04-01-what-is-ownership",
    ),
    (
        "view into part of an array without copying it",
        "ch04-03-slices",
    ),
    (
        "define a function that belongs to a type and takes self",
        "ch05-03-method-syntax",
    ),
    (
        "what replaces null when a value may be absent",
        "ch06-01-defining-an-enum",
    ),
    (
        "shorter way to write a match with only one arm",
        "ch06-03-if-let",
    ),
    (
        "make a module's function visible outside it",
        "ch07-03-paths-for-referring-to-an-item-in-the-module-tree",
    ),
    ("grow a list of numbers at run time", "ch08-01-vectors"),
    ("why can't I index into text by position", "ch08-02-strings"),
    (
        "count how often each word occurs in a text",
        "ch08-03-hash-maps",
    ),
    (
        "pass an error on to the caller with the question mark",
        "ch09-02-recoverable-errors-with-result",
    ),
    (
        "share behaviour between different types with a default implementation",
        "ch10-02-traits",
    ),
    (
        "how long must a reference stay valid in a function signature",
        "ch10-03-lifetime-syntax",
    ),
    (
        "run only a single test by its name",
        "ch11-02-running-tests",
    ),
    (
        "anonymous functions that capture their environment",
        "ch13-01-closures",
    ),
    (
        "several owners of the same heap data with a counter",
        "ch15-04-rc",
    ),
    (
        "memory leak when two values point at each other",
        "ch15-06-reference-cycles",
    ),
    (
        "protect data with a lock across threads",
        "ch16-03-shared-state",
    ),
    (
        "call a C function and dereference a raw pointer",
        "ch20-01-unsafe-rust",
    ),
];
/// How many of them find their page among the first three. Raise it when the ranking improves.
const QUESTIONS_ANSWERED: usize = 17;

static DOCS: LazyLock<Result<PathBuf, String>> = LazyLock::new(toolchain_docs::folder);

static BOOK: LazyLock<Result<Vec<Page>, String>> = LazyLock::new(|| {
    let options = Options {
        exclude: vec!["book/*-edition/**".to_owned()],
        ..Options::default()
    };
    let pages = toolchain_docs::pages(DOCS.as_ref()?, &["book".to_owned()], &options);
    pages.map_err(|error| error.to_string())
});

static REFERENCE: LazyLock<Result<Vec<Page>, String>> = LazyLock::new(|| {
    let names = ["reference".to_owned()];
    let pages = toolchain_docs::pages(DOCS.as_ref()?, &names, &Options::default());
    pages.map_err(|error| error.to_string())
});

static INDEX: LazyLock<Vec<u8>> =
    LazyLock::new(|| build(BOOK.as_deref().unwrap_or_default().iter()));

/// The pages of the book, or nothing after a line that tells why `test` is skipped.
fn book(test: &str) -> Option<&'static [Page]> {
    pages_of(&BOOK, test)
}

/// The pages of the book and those of the Reference.
fn both(test: &str) -> Option<[&'static [Page]; 2]> {
    Some([pages_of(&BOOK, test)?, pages_of(&REFERENCE, test)?])
}

fn pages_of(pages: &'static Result<Vec<Page>, String>, test: &str) -> Option<&'static [Page]> {
    match pages {
        Ok(pages) => Some(pages),
        Err(reason) => {
            // Not `println!`, which the test runner keeps to itself when a test passes. The line
            // begins with a line feed because the runner may be in the middle of one.
            let line = format!("\nskipped: {test}: {reason}\n");
            let written = std::io::stdout().write_all(line.as_bytes());
            written.expect("the test runner reads standard output");
            None
        }
    }
}

/// What the page's file holds.
fn html(page: &Page) -> String {
    let docs = DOCS.as_ref().expect("the page was read from there");
    std::fs::read_to_string(docs.join(&page.document.path)).expect("a file in UTF-8")
}

fn build<'a>(pages: impl Iterator<Item = &'a Page>) -> Vec<u8> {
    let mut builder = IndexBuilder::new();
    for page in pages {
        builder.add(page.document.clone(), page.chunks.clone());
    }
    builder.finish().expect("the book has text")
}

/// Names of the first `limit` different pages for a question.
fn pages_found(searcher: &Searcher<Vec<u8>>, question: &str, limit: usize) -> Vec<String> {
    let options = SearchOptions {
        limit: 100,
        ..SearchOptions::default()
    };
    let results = searcher.search(question, &options).expect("index is sound");
    let mut found: Vec<String> = Vec::new();
    for hit in results.hits {
        let chunk = searcher.index().chunk(hit.chunk).expect("index is sound");
        let path = chunk.page.path.trim_start_matches("book/");
        let name = path.trim_end_matches(".html").to_owned();
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found.truncate(limit);
    found
}

fn searcher() -> Searcher<Vec<u8>> {
    Searcher::new(Index::open(INDEX.clone()).expect("a new index opens"))
}

#[test]
fn every_page_of_the_current_edition_is_read() {
    let Some(pages) = book("every_page_of_the_current_edition_is_read") else {
        return;
    };
    // Another toolchain's book may have a chapter more or less.
    let range = PAGES - 5..=PAGES + 10;
    assert!(range.contains(&pages.len()), "{} pages", pages.len());
    let paths = || pages.iter().map(|page| page.document.path.as_str());
    assert!(paths().all(|path| !path.contains("print.html") && !path.contains("-edition/")));
    for page in pages {
        assert!(
            !html(page).contains("http-equiv=\"refresh\""),
            "{}",
            page.document.path
        );
        assert_eq!(
            page.document.lang.as_deref(),
            Some("en"),
            "{}",
            page.document.path
        );
    }
}

#[test]
fn every_anchor_is_an_id_of_its_page() {
    let Some(books) = both("every_anchor_is_an_id_of_its_page") else {
        return;
    };
    let named = Selector::parse("[id], [name]").expect("a selector");
    for pages in books {
        let mut anchors = 0;
        for page in pages {
            let html = Html::parse_document(&html(page));
            let ids: HashSet<&str> = html
                .select(&named)
                .flat_map(|element| [element.attr("id"), element.attr("name")])
                .flatten()
                .collect();
            for chunk in &page.chunks {
                let parts = chunk.parts.iter().map(|part| part.anchor.as_str());
                for anchor in chunk.anchor.as_deref().into_iter().chain(parts) {
                    assert!(ids.contains(anchor), "{}#{anchor}", page.document.path);
                    anchors += 1;
                }
            }
        }
        assert!(anchors > 500, "only {anchors} anchors");
    }
}

#[test]
fn the_words_of_the_content_are_in_the_chunks_in_order_and_nothing_else_is() {
    let Some(books) =
        both("the_words_of_the_content_are_in_the_chunks_in_order_and_nothing_else_is")
    else {
        return;
    };
    for pages in books {
        check_words(pages);
    }
}

#[track_caller]
fn check_words(pages: &[Page]) {
    let (mut visible, mut kept, mut indexed) = (0, 0, 0);
    for page in pages {
        let expected = visible_words(&html(page));
        let got = chunk_words(page);
        visible += expected.len();
        indexed += got.len();
        kept += words_in_order(&expected, &got);
    }
    assert!(visible > 90_000, "only {visible} words");
    let share = |part: usize, all: usize| part as f64 / all as f64;
    let lost = 1.0 - share(kept, visible);
    assert!(lost <= 0.01, "{:.3} % of the words are lost", lost * 100.0);
    let foreign = 1.0 - share(kept, indexed);
    assert!(foreign < 0.005, "{:.3} % is no content", foreign * 100.0);
}

/// The words of `main` that a reader sees: all text but controls and scripts.
fn visible_words(html: &str) -> Vec<String> {
    let html = Html::parse_document(html);
    let main = Selector::parse("main").expect("a selector");
    let mut text = String::new();
    for main in html.select(&main) {
        push_text(main, &mut text);
    }
    words(&text)
}

fn push_text(element: ElementRef<'_>, text: &mut String) {
    const INLINE: [&str; 10] = [
        "a", "b", "code", "em", "i", "span", "strong", "sub", "sup", "u",
    ];
    let is_inline = INLINE.contains(&element.value().name());
    if !is_inline {
        text.push(' ');
    }
    for child in element.children() {
        match child.value() {
            Node::Text(own) => text.push_str(own),
            // What is said in place of an image counts as visible: some readers see only that.
            Node::Element(value) if value.name() == "img" => {
                text.push_str(&format!(" {} ", value.attr("alt").unwrap_or_default()));
            }
            Node::Element(value) if !is_hidden(value) => {
                push_text(ElementRef::wrap(child).expect("an element"), text);
            }
            _ => {}
        }
    }
    if !is_inline {
        text.push(' ');
    }
}

fn is_hidden(element: &scraper::node::Element) -> bool {
    matches!(element.name(), "script" | "style" | "svg" | "button" | "nav")
        // What reading leaves out on purpose: lines of code that the book hides from readers, and
        // raised numbers that lead to a footnote.
        || element
            .classes()
            .any(|class| matches!(class, "boring" | "footnote-reference"))
}

/// The words of a page as its chunks hold them. Each heading counts once, although every chunk
/// below it has it in its path; a page title that is none of the headings is not counted.
fn chunk_words(page: &Page) -> Vec<String> {
    let mut found = Vec::new();
    let title = &page.document.title;
    let mut headings = page
        .document
        .sections
        .iter()
        .map(|section| &section.heading);
    let mut last: Vec<&String> = Vec::new();
    if !headings.any(|heading| heading == title) {
        last.push(title);
    }
    for chunk in &page.chunks {
        let path: Vec<&String> = chunk.heading_path.iter().chain([&chunk.title]).collect();
        let pairs = path.iter().zip(&last);
        let shared = pairs.take_while(|(a, b)| a == b).count();
        for heading in &path[shared..] {
            found.extend(words(heading));
        }
        found.extend(words(&chunk.text));
        last = path;
    }
    found
}

/// Runs of letters and digits.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Length of the longest common subsequence as far as looking ahead by a few hundred words finds
/// it, which for texts this alike is all of it.
fn words_in_order(expected: &[String], got: &[String]) -> usize {
    const AHEAD: usize = 400;
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < expected.len() && j < got.len() {
        if expected[i] == got[j] {
            (i, j, common) = (i + 1, j + 1, common + 1);
            continue;
        }
        // The nearest place where both go on alike with three words.
        let ahead = (1..AHEAD).find_map(|distance| {
            let goes_on = |a: usize, b: usize| {
                let (a, b) = (expected.get(a..a + 3), got.get(b..b + 3));
                a.is_some() && a == b
            };
            (0..=distance).find_map(|other| {
                if goes_on(i + distance, j + other) {
                    Some((distance, other))
                } else if goes_on(i + other, j + distance) {
                    Some((other, distance))
                } else {
                    None
                }
            })
        });
        let Some((over, under)) = ahead else {
            break;
        };
        (i, j) = (i + over, j + under);
    }
    common
}

#[test]
fn known_questions_find_their_page() {
    if book("known_questions_find_their_page").is_none() {
        return;
    }
    let searcher = searcher();
    let found = pages_found(&searcher, "how do I borrow a value mutably", 3);
    let expected = "ch04-02-references-and-borrowing".to_owned();
    assert!(found.contains(&expected), "{found:?}");

    let mut missed = Vec::new();
    for (question, page) in QUESTIONS {
        let found = pages_found(&searcher, question, 3);
        if !found.iter().any(|name| name == page) {
            missed.push((question, found));
        }
    }
    let answered = QUESTIONS.len() - missed.len();
    assert!(
        answered >= QUESTIONS_ANSWERED,
        "{answered} answered; missed: {missed:#?}"
    );
}

#[test]
fn a_page_title_finds_its_page() {
    let Some(pages) = book("a_page_title_finds_its_page") else {
        return;
    };
    let searcher = searcher();
    let titles: Vec<&str> = pages
        .iter()
        .map(|page| page.document.title.as_str())
        .collect();
    let (mut asked, mut missed) = (0, Vec::new());
    for page in pages {
        let title = page.document.title.as_str();
        if titles.iter().filter(|other| **other == title).count() > 1 {
            continue;
        }
        asked += 1;
        let found = pages_found(&searcher, title, 10);
        let path = page.document.path.trim_start_matches("book/");
        if !found
            .iter()
            .any(|name| name == path.trim_end_matches(".html"))
        {
            missed.push(title);
        }
    }
    assert!(asked > 90, "only {asked} titles are unique");
    assert!(
        missed.len() * 100 <= asked,
        "{} of {asked}: {missed:?}",
        missed.len()
    );
}

#[test]
fn the_same_pages_in_any_order_give_the_same_bytes() {
    let Some(pages) = book("the_same_pages_in_any_order_give_the_same_bytes") else {
        return;
    };
    assert!(*INDEX == build(pages.iter().rev()));
}

#[test]
fn opening_reads_the_head_and_the_first_use_finds_the_damage() {
    if book("opening_reads_the_head_and_the_first_use_finds_the_damage").is_none() {
        return;
    }
    let mut bytes = INDEX.clone();
    let payload_start = u64::from_le_bytes(bytes[24..32].try_into().expect("8 bytes")) as usize;
    assert!(payload_start > HEADER_LEN && bytes.len() > payload_start + 2 * BLOCK_LEN);
    // The first block holds META, which opening reads; nothing after it is touched.
    for byte in &mut bytes[payload_start + BLOCK_LEN..] {
        *byte ^= 0xff;
    }
    let searcher = Searcher::new(Index::open(bytes).expect("the head is sound"));
    let result = searcher.search("ownership", &SearchOptions::default());
    assert!(matches!(result, Err(Error::Checksum { .. })), "{result:?}");
    let verified = searcher.index().verify();
    assert!(
        matches!(verified, Err(Error::Checksum { .. })),
        "{verified:?}"
    );
}
