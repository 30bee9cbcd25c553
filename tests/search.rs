//! What a search finds on small sites, and what it tells of it.
#![cfg(feature = "build")]

use groundling::document::Options;
use groundling::index::{Index, Site};
use groundling::search::{FormKind, Results, SearchOptions, Searcher};

type Docs = Searcher<Vec<u8>>;

/// A site of Markdown pages: path and text.
fn site(pages: &[(&str, &str)], synonyms: &str) -> Docs {
    let mut site = Site::new(Options::default());
    site.set_synonyms(synonyms).expect("rules");
    for (path, text) in pages {
        site.add(path, text.as_bytes()).expect("valid options");
    }
    let index = site.finish().expect("pages with text");
    Searcher::new(Index::open(index).expect("a valid index"))
}

fn options() -> SearchOptions {
    SearchOptions {
        limit: 10,
        prefix: true,
        fuzzy: true,
        ..SearchOptions::default()
    }
}

fn find(docs: &Docs, query: &str) -> Results {
    docs.search(query, &options()).expect("a valid index")
}

/// The paths of what is found, best first.
fn paths(docs: &Docs, query: &str) -> Vec<String> {
    let hits = find(docs, query).hits;
    let path = |chunk| {
        docs.index()
            .chunk(chunk)
            .expect("a hit")
            .page
            .path
            .to_owned()
    };
    hits.iter().map(|hit| path(hit.chunk)).collect()
}

const MANUAL: &[(&str, &str)] = &[
    (
        "coverage.md",
        "# Code coverage\n\nMeasure the coverage of your tests. Each covered line counts.\n",
    ),
    (
        "index.md",
        "# Covering index\n\nA covering index holds all columns of a query.\n",
    ),
    (
        "deploy.md",
        "# Deployment\n\nCopy the files to a server. Automobiles are not involved.\n",
    ),
    (
        "garage.md",
        "# Garage\n\nPut the car into the garage. A car needs oil.\n",
    ),
    (
        "login.md",
        "# Accounts\n\nSign in with your password before you change it.\n",
    ),
    (
        "zh.md",
        "---\nlang: zh\n---\n# 所有权规则\n\n每个值都有一个所有者。所有权可以转移。\n",
    ),
];

#[track_caller]
fn check_suggestions(docs: &Docs, typed: &str, expected: &[&str]) {
    let suggestions = docs.suggest(typed, 8).expect("a valid index");
    let texts: Vec<&str> = suggestions.iter().map(|each| each.text.as_str()).collect();
    assert_eq!(texts, expected, "{typed}");
}

#[test]
fn a_word_being_typed_is_completed_by_words_and_titles_of_the_docs() {
    let docs = site(MANUAL, "");
    check_suggestions(
        &docs,
        "cov",
        &["covering", "coverage", "Covering index", "Code coverage"],
    );
    check_suggestions(&docs, "passw", &["password"]);
    check_suggestions(&docs, "deplo", &["Deployment"]);
    check_suggestions(&docs, "所有", &["所有权规则"]);
    check_suggestions(&docs, "所有权规", &["所有权规则"]);
}

#[test]
fn words_are_suggested_only_where_the_words_before_them_are() {
    let docs = site(MANUAL, "");
    check_suggestions(&docs, "code cov", &["code covered", "Code coverage"]);
    check_suggestions(&docs, "garage cov", &[]);
    check_suggestions(&docs, "xyzzy cov", &[]);
    check_suggestions(&docs, "xyz", &[]);
    check_suggestions(&docs, "", &[]);
    check_suggestions(&docs, "th", &[]);
}

#[test]
fn a_suggestion_finds_something() {
    let docs = site(MANUAL, "");
    for typed in ["c", "co", "s", "in", "the c", "a car n", "所"] {
        for suggestion in docs.suggest(typed, 8).expect("a valid index") {
            let found = find(&docs, &suggestion.text);
            assert!(
                found.total > 0 && found.plan.missing.is_empty(),
                "{suggestion:?}"
            );
            assert!(found.plan.corrections.is_empty(), "{suggestion:?}");
        }
    }
}

#[test]
fn the_parts_of_an_explanation_add_up_to_the_score() {
    let docs = site(MANUAL, "auto => car");
    for question in [
        "covering index",
        "what is the car",
        "car auto oil",
        "covr",
        "tests cov",
        "所有权",
    ] {
        let results = find(&docs, question);
        assert!(!results.hits.is_empty(), "{question}");
        for hit in &results.hits {
            let explanation = docs
                .explain(question, &results, hit)
                .expect("a valid index");
            let sum: f32 = explanation.words.iter().map(|word| word.score).sum();
            let sum = sum + explanation.proximity;
            assert!(
                (sum - hit.score).abs() < 1e-5,
                "{question}: {explanation:?} {hit:?}"
            );
            for word in &explanation.words {
                let f: f32 = (0..3)
                    .map(|field| word.frequencies[field] as f32 * word.field_weights[field])
                    .sum();
                assert!((word.saturation - f / (1.2 + f)).abs() < 1e-5, "{word:?}");
                assert!((word.score - word.weight * word.saturation).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn an_explanation_names_each_word_with_its_term() {
    let docs = site(MANUAL, "");
    let results = find(&docs, "tests coverage");
    let explanation = docs.explain("tests coverage", &results, &results.hits[0]);
    let words = explanation.expect("a valid index").words;
    let words: Vec<_> = words
        .iter()
        .map(|word| (&*word.word, word.kind, word.frequencies))
        .collect();
    assert_eq!(
        words,
        [
            ("tests", FormKind::Stem, [0, 0, 1]),
            ("coverage", FormKind::Stem, [1, 0, 1])
        ]
    );
}

#[test]
fn a_synonym_finds_and_never_comes_before_the_word_itself() {
    let pages = &[
        (
            "car.md",
            "# Far away\n\nSome long text about other things, and one car among very many other words in it.\n",
        ),
        ("auto.md", "# Auto\n\nAuto auto auto. Auto auto.\n"),
    ];
    let plain = site(pages, "");
    assert_eq!(paths(&plain, "car"), ["car.md"]);
    let group = site(pages, "car, auto");
    assert_eq!(paths(&group, "car"), ["car.md", "auto.md"]);
    assert_eq!(paths(&group, "cars"), ["car.md", "auto.md"]);
    assert_eq!(paths(&group, "auto"), ["auto.md", "car.md"]);
    let one_way = site(pages, "car => auto");
    assert_eq!(paths(&one_way, "car"), ["car.md", "auto.md"]);
    assert_eq!(paths(&one_way, "auto"), ["auto.md"]);
}

#[test]
fn a_synonym_may_have_several_words_on_either_side() {
    let docs = site(
        MANUAL,
        "log in, sign in\nkfz => car oil\nvehicle pool => garage",
    );
    assert_eq!(paths(&docs, "log in"), ["login.md"]);
    assert_eq!(paths(&docs, "how do I log in?"), ["login.md"]);
    assert_eq!(paths(&docs, "kfz"), ["garage.md"]);
    assert_eq!(paths(&docs, "vehicle pool"), ["garage.md"]);
    // Only the whole phrase means something else.
    assert!(find(&docs, "pool").hits.is_empty());
    let found = find(&docs, "log in");
    assert!(found.plan.missing.is_empty() && found.plan.corrections.is_empty());
}

#[test]
fn synonyms_cost_nothing_where_there_are_none() {
    let with = |synonyms: &str| {
        let mut site = Site::new(Options::default());
        site.set_synonyms(synonyms).expect("rules");
        site.add("a.md", b"# A\n\nSome text.\n")
            .expect("valid options");
        site.finish().expect("text")
    };
    assert_eq!(with(""), with("# nothing\n"));
    assert!(with("text => words").len() > with("").len());
}

#[test]
fn a_page_that_names_no_language_is_read_in_that_of_its_text() {
    let docs = site(
        &[
            (
                "de.md",
                "# Sicherung\n\nDie Sicherungen der Datenbank werden jeden Tag gemacht, und man kann sie mit einem Befehl zurückspielen.\n",
            ),
            (
                "en.md",
                "# Backups\n\nThe backups of the database are made every day, and you can restore them with one command.\n",
            ),
            (
                "named.md",
                "---\nlang: fr\n---\n# Note\n\nThe backups of the database are made every day, and you can restore them.\n",
            ),
            (
                "code.md",
                "# API\n\n```rust\nfn main() { let die = der(das); }\n```\n",
            ),
        ],
        "",
    );
    let index = docs.index();
    let language = |id: u32| {
        let page = index.page(id).expect("a page");
        (page.path, index.meta().languages[page.language].as_str())
    };
    let languages: Vec<_> = (0..index.meta().pages).map(language).collect();
    assert_eq!(
        languages,
        [
            ("code.md", "en"),
            ("de.md", "de"),
            ("en.md", "en"),
            ("named.md", "fr")
        ]
    );
    assert_eq!(
        paths(&docs, "Datenbanken sichern")
            .first()
            .map(String::as_str),
        Some("de.md")
    );
}
