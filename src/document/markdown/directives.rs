//! Block syntaxes of the generators that CommonMark does not know.
//!
//! - `:::note Title` … `:::` of Docusaurus, VitePress and Starlight
//! - `!!! note "Title"`, `??? note` and `=== "Tab"` of MkDocs, with an indented body
//! - `[[toc]]` and `[TOC]`, which a generator replaces by a list of headings
//! - `{: .class }`, which kramdown reads as attributes

use std::fmt::Write;

use super::fence::Fences;

/// The indentation of the body below an MkDocs mark.
const BODY_INDENT: usize = 4;

/// Rewrites the syntaxes to plain Markdown: titles become paragraphs, bodies lose the
/// indentation that would make code of them, marks go.
pub(super) fn to_markdown(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 64);
    let mut fences = Fences::default();
    // The indentation of each MkDocs mark whose body is open, outermost first.
    let mut open: Vec<usize> = Vec::new();
    for line in text.lines() {
        let indent = indent_of(line);
        if !line.trim().is_empty() {
            open.retain(|&mark| indent >= mark + BODY_INDENT);
        }
        // Every open mark shifted its body once.
        let line = dedent(line, open.len() * BODY_INDENT);
        if fences.is_code(line) {
            result.push_str(line);
        } else if let Some(title) = colon_mark(line.trim()) {
            // An empty line on both sides ends the paragraph before and the title itself.
            let _ = write!(result, "\n{}{title}\n", &line[..indent_of(line).min(3)]);
        } else if let Some(title) = indented_mark(line.trim()) {
            open.push(indent);
            let _ = write!(result, "\n{}{title}\n", &line[..indent_of(line)]);
        } else if !is_placeholder(line.trim()) {
            result.push_str(line);
        }
        result.push('\n');
    }
    result
}

/// The title of a `:::name` line, in words; empty for one without a title and for a closing mark.
fn colon_mark(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix(":::")?
        .trim_start_matches(':')
        .trim_start();
    let name = rest.len()
        - rest
            .trim_start_matches(|c: char| c.is_alphanumeric() || c == '-' || c == '_')
            .len();
    if name == 0 && !rest.is_empty() && !rest.starts_with('{') {
        return None;
    }
    let title = rest[name..].trim();
    let title = match title
        .strip_prefix('[')
        .and_then(|title| title.split_once(']'))
    {
        Some((title, _attributes)) => title,
        None => title
            .split_once('{')
            .map_or(title, |(title, _attributes)| title),
    };
    Some(title.trim())
}

/// The title of a line that opens an indented body.
fn indented_mark(line: &str) -> Option<&str> {
    let rest = ["!!!", "???+", "???", "===+", "===!", "==="]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))?;
    let rest = rest.strip_prefix(' ')?.trim();
    match rest.split_once('"') {
        Some((kind, title)) => {
            let is_kind = kind
                .chars()
                .all(|c| c.is_alphanumeric() || " -_".contains(c));
            is_kind.then(|| title.trim_end_matches('"'))
        }
        // Without a title the kind stands alone; a tab always has a title.
        None => (!line.starts_with('=')
            && !rest.is_empty()
            && rest
                .chars()
                .all(|c| c.is_alphanumeric() || " -_".contains(c)))
        .then_some(""),
    }
}

fn is_placeholder(line: &str) -> bool {
    line.eq_ignore_ascii_case("[[toc]]")
        || line.eq_ignore_ascii_case("[[_toc_]]")
        || line == "[TOC]"
        || (line.starts_with("{:") && line.ends_with('}'))
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn dedent(line: &str, spaces: usize) -> &str {
    &line[indent_of(line).min(spaces)..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let result = to_markdown(text);
        let lines: Vec<&str> = result.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn colon_marks_leave_their_title_and_body() {
        check(":::note\nbody\n:::\nafter", &["body", "after"]);
        check("::: tip Mind the gap\nbody\n:::", &["Mind the gap", "body"]);
        check(
            ":::warning[Mind *this*]{.x}\nbody\n:::",
            &["Mind *this*", "body"],
        );
        check("::::tabs\n:::tab{title=x}\na\n:::\n::::", &["a"]);
    }

    #[test]
    fn an_indented_body_is_no_code() {
        check(
            "!!! note \"Mind\"\n    body\n\n    ```\n      x\n    ```\nafter",
            &["Mind", "body", "```", "  x", "```", "after"],
        );
        check(
            "??? tip\n    a\n    !!! note \"N\"\n        b\n    c",
            &["a", "N", "b", "c"],
        );
        check(
            "=== \"Linux\"\n\n    apt\n\n=== \"Mac\"\n\n    brew",
            &["Linux", "apt", "Mac", "brew"],
        );
    }

    #[test]
    fn code_and_prose_are_left_alone() {
        check(
            "```\n:::note\n!!! x\n```",
            &["```", ":::note", "!!! x", "```"],
        );
        check("    indented code", &["    indented code"]);
        check("!!! Really, stop.", &["!!! Really, stop."]);
        check("title\n===", &["title", "==="]);
    }

    #[test]
    fn placeholders_go() {
        check("[[toc]]\n[TOC]\n{: .lead }\nx", &["x"]);
    }
}
