//! The index format does not change within a version: an index that was written once stays readable.
//!
//! `tests/fixtures/index-v1.bin` was made by `groundling build tests/fixtures/index-v1 --out DIR` of
//! version 0.1.0. It is never made anew. A version 2 gets a file of its own, and this one must
//! then open as before, or fail with the error for an old version.
#![cfg(not(target_arch = "wasm32"))]

use groundling::index::{Collection, Index};
use groundling::search::{SearchOptions, Searcher};

const FROZEN: &[u8] = include_bytes!("fixtures/index-v1.bin");

/// Checks the addresses of the chunks that a question finds, best first.
#[track_caller]
fn check(question: &str, expected: &[&str]) {
    let searcher = Searcher::new(Index::open(FROZEN).expect("a good index"));
    let options = SearchOptions {
        limit: 10,
        ..SearchOptions::default()
    };
    let found = searcher.search(question, &options).expect("a good index");
    let url = |id| searcher.index().chunk(id).expect("a chunk").url();
    let urls: Vec<String> = found.hits.iter().map(|hit| url(hit.chunk)).collect();
    assert_eq!(urls, expected, "{question}");
}

#[test]
fn an_index_of_version_1_opens_and_is_whole() {
    let index = Index::open(FROZEN).expect("a good index");
    index.verify().expect("every block has its checksum");
    let meta = index.meta();
    assert_eq!((meta.pages, meta.chunks), (3, 4));
    assert_eq!(meta.languages, ["en", "ru"]);
    let tea = Collection {
        id: "tea".to_owned(),
        name: "Tea & more".to_owned(),
    };
    assert_eq!(meta.collections, [tea]);
}

#[test]
fn its_chunks_are_read_back() {
    let index = Index::open(FROZEN).expect("a good index");
    let chunks = (0..4).map(|id| index.chunk(id).expect("a chunk"));
    let chunks: Vec<_> = chunks
        .map(|chunk| (chunk.url(), chunk.page.path, chunk.title, chunk.text))
        .collect();
    let expected = [
        (
            "/chai.html",
            "chai.md",
            "Чайники",
            "Чайник кипятит воду для чая.",
        ),
        (
            "/faq#cups",
            "/faq#cups",
            "Cups",
            "A cup holds a quarter of a litre.",
        ),
        (
            "/tea/kettles.html#kettles",
            "tea/kettles.md",
            "Kettles",
            "A kettle boils the water for tea. The word kettle_size is an identifier.",
        ),
        (
            "/tea/kettles.html#whistles",
            "tea/kettles.md",
            "Whistles",
            "The whistle tells that the water boils.",
        ),
    ];
    assert_eq!(
        chunks,
        expected.map(|(url, path, title, text)| (url.to_owned(), path, title, text))
    );
    let tags: Vec<&str> = index.tags(1).expect("a page").collect();
    assert_eq!(tags, ["faq", "size"]);
}

#[test]
fn it_answers_as_it_did() {
    check(
        "Which kettle boils?",
        &["/tea/kettles.html#kettles", "/tea/kettles.html#whistles"],
    );
    check("whistles", &["/tea/kettles.html#whistles"]);
    check(
        "kettle_size",
        &["/tea/kettles.html#kettles", "/tea/kettles.html#whistles"],
    );
    check("чайники", &["/chai.html"]);
    check("litre cup", &["/faq#cups"]);
    check("chicken", &[]);
}
