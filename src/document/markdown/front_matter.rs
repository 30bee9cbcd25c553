//! The data block at the start of a Markdown file.

use serde_json::Value;

use crate::document::{Skipped, clean::clean};

/// What the generators' front matter says about a page.
#[derive(Debug, Default, PartialEq)]
pub(super) struct FrontMatter {
    pub(super) title: Option<String>,
    pub(super) lang: Option<String>,
    pub(super) collection: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) version: Option<String>,
    /// The address that the page sets for itself: `permalink` of Jekyll, `url` of Hugo, `slug` of Docusaurus.
    pub(super) permalink: Option<String>,
    /// Why the page asks to be left out.
    pub(super) skipped: Option<Skipped>,
}

/// Splits a file into its front matter, the text below and, where the block cannot be read,
/// the line and the cause. YAML stands between `---` lines, TOML between `+++` lines.
pub(super) fn split(text: &str) -> (FrontMatter, &str, Option<(u32, String)>) {
    let none = (FrontMatter::default(), text, None);
    let Some((block, body, is_toml)) = block(text) else {
        return none;
    };
    let value = if is_toml {
        toml::from_str::<Value>(block).map_err(|error| {
            let line = error.span().map_or(0, |span| {
                block[..span.start.min(block.len())].matches('\n').count()
            });
            (line, error.message().to_owned())
        })
    } else {
        serde_yaml_ng::from_str::<Value>(block).map_err(|error| {
            let line = error
                .location()
                .map_or(0, |location| location.line().saturating_sub(1));
            (line, error.to_string())
        })
    };
    match value {
        Ok(Value::Null) => (FrontMatter::default(), body, None),
        Ok(Value::Object(fields)) => (fields_of(&fields), body, None),
        // A thematic break may open a page: what follows is text and no data.
        Ok(_) => none,
        Err(_) if !has_key(block) => none,
        Err((line, cause)) => {
            // The opening mark is line 1 of the file.
            let line = u32::try_from(line + 2).unwrap_or(u32::MAX);
            (
                FrontMatter::default(),
                body,
                Some((line, format!("front matter was passed over: {cause}"))),
            )
        }
    }
}

/// The block, the text below it, and whether the block is TOML.
fn block(text: &str) -> Option<(&str, &str, bool)> {
    let (first, rest) = text.split_once('\n')?;
    let mark = first.trim_end();
    if mark != "---" && mark != "+++" {
        return None;
    }
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        let closing = line.trim_end();
        if closing == mark || (mark == "---" && closing == "...") {
            return Some((&rest[..end], &rest[end + line.len()..], mark == "+++"));
        }
        end += line.len();
    }
    None
}

/// Whether the first line with anything in it names a key.
fn has_key(block: &str) -> bool {
    let first = block
        .lines()
        .find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    first
        .and_then(|line| line.split_once([':', '=']))
        .is_some_and(|(key, _)| {
            !key.is_empty()
                && key
                    .trim_end()
                    .chars()
                    .all(|c| c.is_alphanumeric() || "_-.\"".contains(c))
        })
}

fn fields_of(fields: &serde_json::Map<String, Value>) -> FrontMatter {
    let text = |names: &[&str]| {
        let scalar = |value: &Value| match value {
            Value::String(text) => Some(clean(text.trim()).into_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        names
            .iter()
            .find_map(|name| fields.get(*name).and_then(scalar))
            .filter(|text| !text.is_empty())
    };
    let is =
        |name: &str, expected: bool| fields.get(name).and_then(Value::as_bool) == Some(expected);
    let robots_forbid =
        text(&["robots"]).is_some_and(|robots| robots.to_lowercase().contains("noindex"));
    let search_excluded = fields
        .get("search")
        .and_then(|search| search.get("exclude"))
        == Some(&Value::Bool(true));
    let skipped = if is("draft", true) || is("published", false) {
        Some(Skipped::Draft)
    } else if is("noindex", true)
        || is("search", false)
        || is("pagefind", false)
        || is("unlisted", true)
        || robots_forbid
        || search_excluded
    {
        Some(Skipped::NoIndex)
    } else {
        None
    };
    FrontMatter {
        title: text(&["title"]),
        lang: text(&["lang", "language", "locale"]),
        collection: text(&["collection"]),
        tags: fields.get("tags").map(tags).unwrap_or_default(),
        version: text(&["version"]),
        // Jekyll allows a pattern such as `/:year/:title/`, which only Jekyll can fill in.
        permalink: text(&["permalink", "url", "slug"])
            .filter(|link| link.contains("://") || !link.contains(':')),
        skipped,
    }
}

/// Tags as a list, or as one text with commas.
fn tags(value: &Value) -> Vec<String> {
    let parts: Vec<&str> = match value {
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        Value::String(text) => text.split(',').collect(),
        _ => Vec::new(),
    };
    parts
        .into_iter()
        .map(str::trim)
        .filter(|tag| !tag.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_and_toml_say_the_same() {
        let expected = FrontMatter {
            title: Some("A: b".to_owned()),
            lang: Some("de".to_owned()),
            tags: vec!["x".to_owned(), "y".to_owned()],
            permalink: Some("/p/".to_owned()),
            ..FrontMatter::default()
        };
        let yaml = "---\r\ntitle: 'A: b'\r\nlang: de\r\ntags: x, y\r\nslug: /p/\r\n---\r\nbody";
        let toml = "+++\ntitle = \"A: b\"\nlang = \"de\"\ntags = [\"x\", \"y\"]\nurl = \"/p/\"\ndate = 2024-01-01\n+++\nbody";
        assert_eq!(split(yaml), (expected, "body", None));
        assert_eq!(split(toml).0, split(yaml).0);
        assert_eq!(split(toml).1, "body");
    }

    #[track_caller]
    fn check_skipped(fields: &str, expected: Option<Skipped>) {
        assert_eq!(
            split(&format!("---\n{fields}\n---\n")).0.skipped,
            expected,
            "{fields}"
        );
    }

    #[test]
    fn pages_can_ask_to_be_left_out() {
        check_skipped("draft: true", Some(Skipped::Draft));
        check_skipped("search: false", Some(Skipped::NoIndex));
        check_skipped("search:\n  exclude: true", Some(Skipped::NoIndex));
        check_skipped("pagefind: false", Some(Skipped::NoIndex));
        check_skipped("draft: false", None);
    }

    #[test]
    fn a_broken_block_is_no_text_and_names_its_line() {
        let (front, body, problem) = split("---\ntitle: A\ntags: [a\nx: }\n---\nbody");
        assert_eq!((front, body), (FrontMatter::default(), "body"));
        assert!(problem.is_some_and(|(line, _)| (3..=5).contains(&line)));
    }

    #[test]
    fn a_thematic_break_opens_no_front_matter() {
        let text = "---\nSome words here.\n\n---\nmore";
        assert_eq!(split(text).1, text);
        assert_eq!(split("--- \n").1, "--- \n");
        assert_eq!(split("---\n---\nbody").1, "body");
    }
}
