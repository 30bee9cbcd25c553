//! Holds the import rules of ARCHITECTURE.md by reading the paths in the sources.
//!
//! Paths are found in `use` lines and in code alike, comments left out. A path counts from
//! `crate::` or `super::`, the only two ways in which the crate names its own modules.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::Path;

/// Rooms in the direction of data. A room uses only rooms of smaller rank; rooms of the same rank
/// do not use each other.
const RANKS: [(&str, usize); 10] = [
    ("text", 0),
    ("document", 1),
    ("index", 2),
    ("search", 3),
    ("prompt", 4),
    ("provider", 5),
    ("answer", 5),
    ("ask", 6),
    ("bundle", 7),
    ("error", 8),
];

/// The edges: they may use every room, and no room uses them.
const EDGES: [&str; 2] = ["wasm", "bin"];

/// Each speaks one wire format and knows no other.
const PROTOCOLS: [&str; 6] = [
    "anthropic",
    "gemini",
    "ollama",
    "openai_chat",
    "openai_responses",
    "ui_message_stream",
];

/// Crates with JavaScript types; those in `tsify` and the like make them.
const JS_CRATES: [&str; 7] = [
    "gloo_net",
    "js_sys",
    "serde_wasm_bindgen",
    "tsify",
    "wasm_bindgen",
    "wasm_bindgen_futures",
    "web_sys",
];

/// The one file that reads bytes which the compiler does not know.
const UNSAFE_FILE: &str = "bundle/slot.rs";

/// What a source file does that the rules forbid. `file` is relative to `src`.
fn violations(file: &str, source: &str) -> Vec<String> {
    let code = without_comments(source);
    let room = file
        .split('/')
        .next()
        .unwrap_or(file)
        .trim_end_matches(".rs");
    let mut found = Vec::new();
    for path in paths(file, &code) {
        let Some(used) = path.first().filter(|used| *used != room) else {
            let (protocol, other) = (protocol_of(file), path.get(1).map(String::as_str));
            if protocol.is_some()
                && protocol != other
                && PROTOCOLS.iter().any(|p| Some(*p) == other)
            {
                found.push(format!("a protocol uses {}", path.join("::")));
            }
            continue;
        };
        let allowed = match (rank(room), rank(used)) {
            _ if EDGES.contains(&used.as_str()) => false,
            (Some(mine), Some(other)) => other < mine,
            (None, Some(_)) => EDGES.contains(&room),
            // A name that is no room, such as a macro of the crate's.
            (_, None) => true,
        };
        if !allowed {
            found.push(format!("{room} uses {}", path.join("::")));
        }
    }
    let words = || code.split(|c: char| !c.is_alphanumeric() && c != '_');
    if room != "wasm" {
        let js = JS_CRATES
            .iter()
            .filter(|name| words().any(|word| word == **name));
        found.extend(js.map(|name| format!("{room} uses {name}")));
    }
    if file != UNSAFE_FILE && words().any(|word| word == "unsafe") {
        found.push("unsafe code".to_owned());
    }
    found
}

fn rank(room: &str) -> Option<usize> {
    let known = RANKS.iter().find(|(name, _)| *name == room);
    known.map(|(_, rank)| *rank)
}

fn protocol_of(file: &str) -> Option<&str> {
    let name = file.strip_prefix("provider/")?.split(['/', '.']).next()?;
    PROTOCOLS.contains(&name).then_some(name)
}

fn without_comments(source: &str) -> String {
    let lines = source.lines().map(|line| match line.find("//") {
        // `://` stands in addresses, which are strings.
        Some(at) if !line[..at].ends_with(':') => &line[..at],
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// All paths into the crate, from its root on: `use crate::a::{b, c::d}` gives `a::b` and `a::c::d`.
fn paths(file: &str, code: &str) -> Vec<Vec<String>> {
    // The unit tests of a file are a module in it, which `super` leaves first.
    let tests = code.find("\nmod tests {").unwrap_or(code.len());
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            let inside_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':');
            if inside_word {
                continue;
            }
            let mut rest = &code[at..];
            let mut base: Vec<String> = Vec::new();
            if let Some(after) = rest.strip_prefix("crate::") {
                rest = after;
            } else {
                base = module(file);
                if at > tests {
                    base.push("tests".to_owned());
                }
                while let Some(after) = rest.strip_prefix("super::") {
                    base.pop();
                    rest = after;
                }
            }
            tree(rest, base, &mut found);
        }
    }
    found
}

/// The module that a file is.
fn module(file: &str) -> Vec<String> {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(str::to_owned).collect()
}

/// Adds the paths of a use tree to `found`; returns what comes after the tree.
fn tree<'a>(code: &'a str, mut base: Vec<String>, found: &mut Vec<Vec<String>>) -> &'a str {
    let mut rest = code.trim_start();
    if let Some(mut list) = rest.strip_prefix('{') {
        while !list.trim_start().starts_with('}') {
            list = tree(list, base.clone(), found).trim_start();
            match list.strip_prefix(',') {
                Some(after) => list = after,
                None if list.starts_with('}') => break,
                None => return list,
            }
        }
        return &list.trim_start()[1..];
    }
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
    rest = after;
    if !name.is_empty() && name != "self" {
        base.push(name.to_owned());
    }
    match rest.strip_prefix("::") {
        Some(after) => tree(after, base, found),
        None => {
            found.push(base);
            rest.strip_prefix('*').unwrap_or(rest)
        }
    }
}

/// Calls `visit` with every Rust file below `src`, by its path relative to it.
fn each_source(folder: &Path, prefix: &str, visit: &mut dyn FnMut(&str, &str)) {
    for entry in fs::read_dir(folder).expect("a folder of the crate") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            each_source(&entry.path(), &format!("{name}/"), visit);
        } else if name.ends_with(".rs") {
            visit(
                &name,
                &fs::read_to_string(entry.path()).expect("a source file"),
            );
        }
    }
}

#[test]
fn the_sources_keep_the_import_rules() {
    let (mut files, mut imports, mut broken) = (0, 0, Vec::new());
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    each_source(&src, "", &mut |file, source| {
        files += 1;
        imports += paths(file, &without_comments(source)).len();
        let found = violations(file, source).into_iter();
        broken.extend(found.map(|what| format!("src/{file}: {what}")));
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    // A reader that finds nothing would keep every rule.
    assert!(
        files > 50 && imports > 200,
        "{files} files, {imports} imports"
    );
}

#[test]
fn every_room_of_the_crate_has_a_rank() {
    let lib = include_str!("../src/lib.rs");
    let rooms = lib.lines().filter_map(|line| line.strip_prefix("pub mod "));
    for room in rooms.map(|room| room.trim_end_matches(';')) {
        assert!(
            rank(room).is_some() || EDGES.contains(&room),
            "{room} has no rank"
        );
    }
}

#[track_caller]
fn check(file: &str, source: &str, expected: &[&str]) {
    assert_eq!(violations(file, source), expected);
}

#[test]
fn a_room_uses_rooms_above_it_only() {
    check("search/bm25.rs", "use crate::index::Index;", &[]);
    check("search/bm25.rs", "use crate::search::Query;", &[]);
    check(
        "search/bm25.rs",
        "use crate::prompt::{self, Source};",
        &["search uses prompt", "search uses prompt::Source"],
    );
    check(
        "index/reader.rs",
        "fn f() -> crate::ask::Flow {}",
        &["index uses ask::Flow"],
    );
    check(
        "index/mod.rs",
        "use crate::{\n    text::Term,\n    search::{Hit, Query},\n};",
        &["index uses search::Hit", "index uses search::Query"],
    );
    check(
        "answer/verify.rs",
        "use crate::provider::Failure;",
        &["answer uses provider::Failure"],
    );
    check(
        "provider/sse.rs",
        "use crate::answer::Reason;",
        &["provider uses answer::Reason"],
    );
}

#[test]
fn super_leads_out_of_a_room_as_well() {
    check(
        "search/bm25.rs",
        "use super::super::prompt::Source;",
        &["search uses prompt::Source"],
    );
    check(
        "search/mod.rs",
        "use super::prompt::Source;",
        &["search uses prompt::Source"],
    );
    check("search/bm25.rs", "use super::query::Query;", &[]);
    check(
        "document/html/walk.rs",
        "use super::super::index::Meta;",
        &[],
    );
    check(
        "search/bm25.rs",
        "\nmod tests {\n    use super::super::prompt::Source;\n}",
        &[],
    );
}

#[test]
fn nothing_uses_the_edges_and_only_they_use_the_crate_error() {
    check(
        "ask/flow.rs",
        "use crate::wasm::Docs;",
        &["ask uses wasm::Docs"],
    );
    check(
        "ask/flow.rs",
        "use crate::error::Error;",
        &["ask uses error::Error"],
    );
    check("wasm/api.rs", "use crate::error::Error;", &[]);
    check("error.rs", "use crate::provider::Failure;", &[]);
}

#[test]
fn no_protocol_uses_the_file_of_another() {
    check(
        "provider/openai_chat.rs",
        "use super::openai_responses::Body;",
        &["a protocol uses provider::openai_responses::Body"],
    );
    check(
        "provider/ollama.rs",
        "use crate::provider::{json, anthropic};",
        &["a protocol uses provider::anthropic"],
    );
    check("provider/ollama.rs", "use super::json::read;", &[]);
    check(
        "provider/protocol.rs",
        "use super::{anthropic, ollama};",
        &[],
    );
}

#[test]
fn javascript_and_unsafe_code_have_their_places() {
    check(
        "search/bm25.rs",
        "use js_sys::Promise;",
        &["search uses js_sys"],
    );
    check("wasm/fetch.rs", "use js_sys::Promise;", &[]);
    check("search/bm25.rs", "let x = unsafe { *p };", &["unsafe code"]);
    check(
        "search/bm25.rs",
        "// unsafe and js_sys are only named here\n#![deny(unsafe_code)]",
        &[],
    );
    check("bundle/slot.rs", "let x = unsafe { *p };", &[]);
}
