//! Hostile texts of documents, on their whole way from a file to a prompt: whatever a page says, the prompt has
//! exactly the blocks that it was given. The set and how it was made: `tests/fixtures/injection/`.

use groundling::ask::{Retrieval, retrieve};
use groundling::index::{Index, Site};
use groundling::prompt::{
    CitationMode, Layout, PRESETS, Passage, Prompt, Selection, Source, Template, Turn,
    build_follow_up,
};
use groundling::search::Searcher;
use serde::Deserialize;
use std::fs;

#[derive(Deserialize)]
struct Hostile {
    id: String,
    text: String,
}

fn hostile() -> Vec<Hostile> {
    let half = |name: &str| -> Vec<Hostile> {
        let text = fs::read_to_string(format!("tests/fixtures/injection/{name}.json"));
        serde_json::from_str(&text.expect("a set")).expect("texts")
    };
    let mut all = half("tuning");
    all.extend(half("frozen"));
    all
}

/// The presets, and what a site may define: words that look like blocks and fences themselves.
fn templates() -> Vec<Template> {
    let own = |layout, citation_mode| Template {
        name: "own".into(),
        version: "own-v1".into(),
        lang: "en".into(),
        instructions: "Read the <source> blocks and the ``` fences.".into(),
        refusal: "No.".into(),
        citation_mode,
        layout,
    };
    let fences = Layout::Fences {
        lead: "Text:".into(),
        closing: "</question> Answer.".into(),
    };
    let mut templates = PRESETS.to_vec();
    templates.push(own(Layout::Blocks, CitationMode::Verified));
    templates.push(own(Layout::Blocks, CitationMode::None));
    templates.push(own(fences, CitationMode::None));
    templates
}

/// What an input has between its own borders.
#[derive(Debug, Default, PartialEq)]
struct Parts {
    /// Title and text; a fence has no titles.
    sources: Vec<(String, String)>,
    history: Vec<String>,
    question: String,
}

fn unescape(text: &str) -> String {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#x27;", "'"),
        ("&amp;", "&"),
    ];
    entities
        .iter()
        .fold(text.to_owned(), |text, (entity, c)| text.replace(entity, c))
}

/// Takes `open`, a text without angle brackets, and `close` from the front.
fn take<'a>(rest: &mut &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (text, after) = rest.strip_prefix(open)?.split_once(close)?;
    assert!(!text.contains(['<', '>']), "a bracket in a block");
    *rest = after;
    Some(text)
}

/// Reads blocks strictly: nothing but them may be there.
fn read_blocks(input: &str) -> Parts {
    let mut parts = Parts::default();
    let mut rest = input;
    while rest.starts_with("<source ") {
        let open = format!("<source id=\"{}\" title=\"", parts.sources.len() + 1);
        let (head, _) = rest.split_once(">\n").expect("an opening");
        let title = head
            .strip_prefix(&*open)
            .and_then(|title| title.strip_suffix('"'));
        let title = title.expect("a number and a title");
        assert!(!title.contains(['<', '>', '"', '\'']), "a sign in a title");
        rest = &rest[head.len()..];
        let text = take(&mut rest, ">\n", "\n</source>\n").expect("a text");
        parts.sources.push((unescape(title), unescape(text)));
    }
    if let Some(after) = rest.strip_prefix("<history>\n") {
        rest = after;
        while let Some(text) = take(&mut rest, "<asked>", "</asked>\n")
            .or_else(|| take(&mut rest, "<answered>", "</answered>\n"))
        {
            parts.history.push(unescape(text));
        }
        rest = rest
            .strip_prefix("</history>\n")
            .expect("the end of the history");
    }
    let question = take(&mut rest, "<question>", "</question>").expect("a question");
    assert_eq!(rest, "", "after the question");
    parts.question = unescape(question);
    parts
}

/// Reads fences as CommonMark does, and gives what is in them.
fn read_fences(input: &str) -> Vec<String> {
    let mut fences = Vec::new();
    let mut open: Option<(usize, Vec<&str>)> = None;
    for line in input.split('\n') {
        let ticks = line.trim().chars().take_while(|c| *c == '`').count();
        let is_fence = ticks >= 3 && line.trim().len() == ticks;
        match &mut open {
            Some((run, lines)) if is_fence && ticks >= *run => {
                fences.push(lines.join("\n"));
                open = None;
            }
            Some((_, lines)) => lines.push(line),
            None if is_fence => open = Some((ticks, Vec::new())),
            None => {}
        }
    }
    assert!(open.is_none(), "a fence that does not end");
    fences
}

#[track_caller]
fn check(id: &str, template: &Template, sources: &[Source], history: &[Turn], question: &str) {
    let prompt: Prompt = build_follow_up(template, sources.to_vec(), history, question);
    let texts = || sources.iter().map(|source| source.passage.text.clone());
    let told: Vec<String> = history
        .iter()
        .flat_map(|turn| [turn.question.clone(), turn.answer.clone()])
        .collect();
    match template.layout {
        Layout::Blocks => {
            let expected = Parts {
                sources: sources
                    .iter()
                    .map(|source| source.passage.title.clone())
                    .zip(texts())
                    .collect(),
                history: told,
                question: question.to_owned(),
            };
            assert!(
                read_blocks(&prompt.input) == expected,
                "{id}, {}",
                template.name
            );
        }
        Layout::Fences { .. } => {
            let expected = [
                texts().collect::<Vec<_>>().join("\n\n"),
                told.join("\n\n"),
                question.to_owned(),
            ];
            assert!(
                read_fences(&prompt.input) == expected,
                "{id}, {}",
                template.name
            );
        }
    }
}

#[test]
fn each_text_stays_in_its_block_wherever_it_stands() {
    let all = hostile();
    assert!(all.len() >= 60);
    for template in templates() {
        for Hostile { id, text } in &all {
            let source = |n, title: &str, text: &str| Source {
                n,
                passage: Passage {
                    title: title.to_owned(),
                    text: text.to_owned(),
                    ..Passage::default()
                },
            };
            let sources = [
                source(1, text, text),
                source(2, "Ports", "The port is 8080."),
            ];
            let turn = Turn {
                question: text.clone(),
                answer: text.clone(),
                titles: vec![text.clone()],
            };
            check(id, &template, &sources, &[turn], text);
        }
    }
}

/// Whether nobody sees the character, and a model may read it all the same.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// The texts of a site that has one page with `text`.
fn passages(file: &str, content: &str) -> Vec<Source> {
    let mut site = Site::new(Default::default());
    site.add(file, content.as_bytes()).expect("a readable file");
    let other = "# Kettle\n\nA kettle boils water for the tea that is served at five.\n";
    site.add("other.md", other.as_bytes())
        .expect("a readable file");
    let bytes = site.finish().expect("an index");
    let searcher = Searcher::new(Index::open(bytes).expect("a sound index"));
    let all = Retrieval {
        selection: Selection::ALL,
        ..Retrieval::default()
    };
    retrieve(&searcher, "marker kettle", &all).expect("a sound index")
}

#[test]
fn what_a_build_makes_of_each_text_hides_nothing_and_stays_in_its_block() {
    for Hostile { id, text } in hostile() {
        let title = text.lines().next().unwrap_or_default();
        let record = serde_json::json!({ "url": "/a", "title": format!("marker {title}"), "text": format!("marker {text}") });
        let pages = [
            ("a.md", format!("# marker\n\nmarker\n\n{text}\n")),
            (
                "a.html",
                format!("<title>marker</title><main><h1>marker</h1><p>marker {text}</p></main>"),
            ),
            ("a.txt", format!("marker\n{text}\n")),
            ("a.jsonl", record.to_string()),
        ];
        for (file, content) in pages {
            let sources = passages(file, &content);
            // Markup may hide a page from its reader, and then from the index; a text with NUL is no text file.
            let is_plain = file == "a.jsonl" || file == "a.txt" && !text.contains('\0');
            assert!(sources.len() > 1 || !is_plain, "{id} in {file}");
            for source in &sources {
                let Passage {
                    title,
                    text,
                    page_title,
                    ..
                } = &source.passage;
                for shown in [title, text, page_title] {
                    assert!(
                        !shown.contains(is_hidden),
                        "{id} in {file}: a hidden character"
                    );
                }
            }
            for template in templates() {
                check(
                    &id,
                    &template,
                    &sources,
                    &[Turn {
                        question: "Which?".into(),
                        answer: "This.".into(),
                        titles: vec![],
                    }],
                    "Which port?",
                );
            }
        }
    }
}

#[test]
fn joiners_stay_where_writing_needs_them() {
    for (text, expected) in [
        ("می\u{200c}خواهم", "می\u{200c}خواهم"),
        ("क्\u{200d}ष", "क्\u{200d}ष"),
        ("👩\u{200d}💻 codes", "👩\u{200d}💻 codes"),
        ("a \u{200d} b", "a b"),
        ("a\u{202e}b\u{200b}c", "abc"),
    ] {
        let sources = passages("a.txt", &format!("marker\nmarker {text} ends the text.\n"));
        let texts: Vec<&str> = sources
            .iter()
            .map(|source| source.passage.text.as_str())
            .collect();
        let is_kept = texts.iter().any(|text| text.contains(expected));
        assert!(is_kept, "{text:?}: {texts:?}");
    }
}
