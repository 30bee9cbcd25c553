//! The native command in folders of its own: what it reads, what it writes, what it says.
#![cfg(not(target_arch = "wasm32"))]

use groundling::index::Index;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A page; `PATH` is written as its path, because a page that says the same as another is left out.
const PAGE: &str = "# Kettles\n\nA kettle boils water for tea in PATH.\n";

/// A folder that is removed with this value.
struct Folder(PathBuf);

impl Folder {
    /// A folder named after its test, with these files.
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let name = format!("groundling-{name}-{}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.0.join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a new folder");
        fs::write(file, text.replace("PATH", path)).expect("a new file");
    }

    fn run(&self, arguments: &[&str]) -> Run {
        let output = Command::new(env!("CARGO_BIN_EXE_groundling"))
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .expect("the command starts");
        Run {
            code: output.status.code().expect("it ends by itself"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// The paths of the pages in the index that was written to `out`.
    fn pages(&self, out: &str) -> Vec<String> {
        let bytes = fs::read(self.0.join(out).join("docs.index")).expect("an index");
        let index = Index::open(bytes).expect("a good index");
        let page = |id| index.page(id).expect("a page").path.to_owned();
        (0..index.meta().pages).map(page).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

/// Checks that the command refuses with exit code 2 and says so.
#[track_caller]
fn check_refused(folder: &Folder, arguments: &[&str], message: &str) {
    let run = folder.run(arguments);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
    assert!(run.stderr.contains(message), "{}", run.stderr);
}

#[test]
fn it_writes_the_index_and_a_summary() {
    let folder = Folder::new(
        "summary",
        &[
            ("docs/a.md", PAGE),
            ("docs/logo.png", "x"),
            ("docs/.git/b.md", PAGE),
        ],
    );
    let run = folder.run(&["build", "docs", "--out", "deep/out"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout
            .starts_with("1 pages · 1 chunks · 8 words · en\n"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("no documentation format: logo.png\n"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("hidden folder: .git\n"),
        "{}",
        run.stdout
    );
    assert_eq!(folder.pages("deep/out"), ["a.md"]);
    let written = fs::read_dir(folder.0.join("deep/out")).expect("a folder");
    assert_eq!(written.count(), 1, "nothing temporary is left");
}

#[test]
fn what_gitignore_leaves_out_is_not_read_unless_the_folder_itself_is() {
    let folder = Folder::new(
        "gitignore",
        &[
            (".git/HEAD", ""),
            (".gitignore", "/site/\n*.draft.md\n"),
            ("docs/a.md", PAGE),
            ("docs/b.draft.md", PAGE),
            ("docs/deep/.gitignore", "/c.md\nbuild/\n"),
            ("docs/deep/c.md", PAGE),
            ("docs/deep/build/d.md", PAGE),
            ("site/b.draft.md", PAGE),
        ],
    );
    let run = folder.run(&["build", "docs", "--out", "out"]);
    assert!(
        run.stdout.contains("left out by .gitignore: "),
        "{}",
        run.stdout
    );
    assert_eq!(folder.pages("out"), ["a.md"]);
    folder.run(&["build", "site", "--out", "out"]);
    assert_eq!(folder.pages("out"), ["b.draft.md"]);
    folder.run(&["build", "docs", "--out", "out", "--no-gitignore"]);
    assert_eq!(folder.pages("out").len(), 4);
    folder.run(&["build", "docs", "site", "--out", "out"]);
    assert_eq!(folder.pages("out"), ["docs/a.md", "site/b.draft.md"]);
}

#[test]
fn a_warning_names_the_file_and_the_line() {
    let records = "{\"url\": \"/a\", \"text\": \"A kettle boils.\"}\n{\"url\": \n";
    let folder = Folder::new("warning", &[("records.jsonl", records)]);
    let run = folder.run(&["build", "records.jsonl", "--out", "out"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stderr.starts_with("warning: records.jsonl:2: "),
        "{}",
        run.stderr
    );
}

#[test]
fn with_several_folders_each_path_begins_with_the_name_of_its_folder() {
    let folder = Folder::new(
        "several",
        &[("one/a.md", PAGE), (".two/a.md", PAGE), ("b.md", PAGE)],
    );
    folder.run(&["build", "one", ".two", "b.md", "--out", "out"]);
    assert_eq!(folder.pages("out"), ["b.md", "one/a.md", "two/a.md"]);
}

#[test]
fn the_folder_that_is_written_is_not_read() {
    let folder = Folder::new("out", &[("docs/a.md", PAGE), ("docs/out/b.md", PAGE)]);
    folder.run(&["build", "docs", "--out", "docs/out"]);
    assert_eq!(folder.pages("docs/out"), ["a.md"]);
}

#[cfg(unix)]
#[test]
fn links_neither_loop_nor_double_a_page() {
    let folder = Folder::new(
        "links",
        &[("docs/v2/kettles.md", PAGE), ("elsewhere/pots.md", PAGE)],
    );
    let link = |to: &str, name: &str| {
        let place = folder.0.join("docs").join(name);
        std::os::unix::fs::symlink(Path::new(to), place).expect("a link");
    };
    link("v2", "latest");
    link("..", "up");
    link("../../elsewhere", "v2/more");
    link("nowhere.md", "broken.md");
    let run = folder.run(&["build", "docs", "--out", "out"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    // Links are followed in the order of their paths: `up` comes before `v2/more`.
    assert_eq!(
        folder.pages("out"),
        ["up/elsewhere/pots.md", "v2/kettles.md"]
    );
    assert!(run.stdout.contains("broken.md"), "{}", run.stdout);
}

#[test]
fn the_configuration_lies_in_the_folder_or_is_named() {
    let config = r#"{ "baseUrl": "/manual/", "exclude": ["drafts/**"] }"#;
    let folder = Folder::new(
        "config",
        &[
            ("docs/a.md", PAGE),
            ("docs/drafts/b.md", PAGE),
            ("docs/groundling.json", config),
            ("all.json", "{}"),
        ],
    );
    folder.run(&["build", "docs", "--out", "out"]);
    assert_eq!(folder.pages("out"), ["a.md"]);
    folder.run(&["build", "docs", "--config", "all.json", "--out", "all"]);
    assert_eq!(folder.pages("all"), ["a.md", "drafts/b.md"]);
}

#[test]
fn base_and_language_of_the_command_line_win() {
    let folder = Folder::new(
        "overrides",
        &[
            ("docs/a.md", PAGE),
            (
                "docs/groundling.json",
                r#"{ "baseUrl": "/x/", "lang": "de" }"#,
            ),
        ],
    );
    folder.run(&[
        "build", "docs", "--out", "out", "--base", "/manual/", "--lang", "fr",
    ]);
    let index = Index::open(fs::read(folder.0.join("out/docs.index")).expect("an index"))
        .expect("a good index");
    assert_eq!(index.meta().languages, ["fr"]);
    assert!(index.page(0).expect("a page").url.starts_with("/manual/"));
}

#[test]
fn wrong_usage_is_refused() {
    let folder = Folder::new("usage", &[("docs/a.md", PAGE), ("logo.png", "x")]);
    check_refused(&folder, &[], "build DOCS");
    check_refused(&folder, &["ask"], "`ask`");
    check_refused(
        &folder,
        &["build", "--out", "out"],
        "the documents are missing",
    );
    check_refused(&folder, &["build", "docs"], "--out DIR is missing");
    check_refused(
        &folder,
        &["build", "docs", "--out", "out", "--colour"],
        "--colour",
    );
    check_refused(
        &folder,
        &["build", "docs", "docs", "--out", "out"],
        "named twice",
    );
    check_refused(
        &folder,
        &["build", "logo.png", "--out", "out"],
        "no documentation format",
    );
}

#[test]
fn bad_input_is_refused() {
    let folder = Folder::new(
        "input",
        &[
            ("docs/a.md", PAGE),
            ("empty/a.png", "x"),
            ("bad.json", r#"{ "exlude": [] }"#),
        ],
    );
    check_refused(
        &folder,
        &["build", "nowhere", "--out", "out"],
        "nowhere cannot be read",
    );
    check_refused(
        &folder,
        &["build", "empty", "--out", "out"],
        "no page has any text",
    );
    check_refused(
        &folder,
        &["build", "docs", "--out", "out", "--config", "none.json"],
        "none.json",
    );
    check_refused(
        &folder,
        &["build", "docs", "--out", "out", "--config", "bad.json"],
        "exlude",
    );
    check_refused(&folder, &["build", "docs", "--out", "bad.json"], "bad.json");
}

#[test]
fn help_and_version_are_printed() {
    let folder = Folder::new("help", &[("docs/a.md", PAGE)]);
    let help = folder.run(&["build", "--help"]);
    assert_eq!(help.code, 0);
    assert!(help.stdout.contains("--out DIR"));
    let version = folder.run(&["--version"]).stdout;
    assert_eq!(
        version,
        format!("groundling {}\n", env!("CARGO_PKG_VERSION"))
    );
}
