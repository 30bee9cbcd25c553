//! Markdown and MDX.
//!
//! Markdown becomes HTML and goes the way of HTML pages. So HTML within Markdown follows the
//! same rules as elsewhere, and there is one writer of text and not two that drift apart.

mod directives;
mod fence;
mod front_matter;
mod mdx;
mod slug;

use pulldown_cmark::{Event, Options as Extensions, Parser, Tag, TagEnd};

use self::{front_matter::FrontMatter, slug::Slugger};
use super::{Document, Format, Options, Read, Warning, WarningKind, html, title_or_name, url};

/// Reads a Markdown file.
pub(super) fn read_markdown(path: &str, text: &str, is_mdx: bool, options: &Options) -> Read {
    let (front, body, problem) = front_matter::split(text);
    let warnings: Vec<Warning> = problem
        .map(|(line, message)| Warning {
            path: path.to_owned(),
            line: Some(line),
            message,
            kind: WarningKind::Content,
        })
        .into_iter()
        .collect();
    if front.skipped.is_some() {
        return Read {
            skipped: front.skipped,
            warnings,
            ..Read::default()
        };
    }
    let body = if is_mdx {
        mdx::to_markdown(body).into()
    } else {
        mdx::without_imports(body)
    };
    let page = html::read_fragment(&to_html(&directives::to_markdown(&body)));
    if page.sections.is_empty() {
        return Read {
            warnings,
            ..Read::default()
        };
    }
    let format = if is_mdx {
        Format::Mdx
    } else {
        Format::Markdown
    };
    let FrontMatter {
        title,
        lang,
        collection,
        version,
        tags,
        permalink,
        ..
    } = front;
    let document = Document {
        path: path.to_owned(),
        url: match &permalink {
            Some(permalink) => url::of_permalink(permalink, path, options),
            None => url::of_file(path, format, options),
        },
        title: title_or_name(title.unwrap_or(page.title), path),
        lang: lang.or_else(|| options.lang.clone()),
        version,
        collection: collection.or_else(|| options.collection_of(path).map(str::to_owned)),
        tags,
        sections: page.sections,
        ..Document::default()
    };
    Read {
        documents: vec![document],
        warnings,
        skipped: None,
    }
}

/// The text of Markdown that stands within other data, such as a description in an API.
pub(super) fn plain_text(markdown: &str) -> String {
    let page = html::read_fragment(&to_html(markdown));
    let lines = page
        .sections
        .iter()
        .flat_map(|section| [&section.heading, &section.text]);
    let lines: Vec<&str> = lines
        .map(|line| line.as_str())
        .filter(|line| !line.is_empty())
        .collect();
    lines.join("\n")
}

fn to_html(markdown: &str) -> String {
    let extensions = Extensions::ENABLE_TABLES
        | Extensions::ENABLE_FOOTNOTES
        | Extensions::ENABLE_STRIKETHROUGH
        | Extensions::ENABLE_TASKLISTS
        | Extensions::ENABLE_HEADING_ATTRIBUTES
        | Extensions::ENABLE_GFM
        | Extensions::ENABLE_DEFINITION_LIST
        | Extensions::ENABLE_MATH;
    let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, extensions)
        .map(math_as_text)
        .collect();
    add_heading_ids(&mut events);
    let mut html = String::with_capacity(markdown.len() * 3 / 2);
    pulldown_cmark::html::push_html(&mut html, events.into_iter());
    html
}

/// A formula is kept as written, dollars included: `$HOME/$USER` is read as one by mistake.
fn math_as_text(event: Event<'_>) -> Event<'_> {
    match event {
        Event::InlineMath(source) => Event::Text(format!("${source}$").into()),
        Event::DisplayMath(source) => Event::Text(format!("$${source}$$").into()),
        event => event,
    }
}

/// Gives each heading the id that the site generators derive from its text.
fn add_heading_ids(events: &mut [Event<'_>]) {
    let mut slugger = Slugger::default();
    let mut start = 0;
    let mut text = String::new();
    let mut in_heading = false;
    for i in 0..events.len() {
        match &events[i] {
            Event::Start(Tag::Heading { .. }) => {
                start = i;
                in_heading = true;
                text.clear();
            }
            Event::Text(part) | Event::Code(part) if in_heading => text.push_str(part),
            Event::SoftBreak | Event::HardBreak if in_heading => text.push(' '),
            Event::End(TagEnd::Heading(_)) => {
                in_heading = false;
                if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
                    match id {
                        Some(id) => slugger.reserve(id),
                        None => *id = Some(slugger.slug(&text).into()),
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the page as its sections, written `heading#anchor: text`.
    #[track_caller]
    fn check(path: &str, text: &str, expected: &[&str]) {
        let read = read_markdown(path, text, path.ends_with("x"), &Options::default());
        let sections = read
            .documents
            .iter()
            .flat_map(|document| &document.sections);
        let found: Vec<String> = sections
            .map(|section| {
                let anchor = section.anchor.as_deref().unwrap_or_default();
                format!("{}#{anchor}: {}", section.heading, section.text)
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn headings_have_anchors_and_code_is_exact() {
        check(
            "a.md",
            "# Deploy *now*\n\n```sh\n# build <x>\n  make\n```\n\n## `Vec<T>` {#vec}\n\na **b**c\nd\n\nOther\n---\n",
            &[
                "Deploy now#deploy-now: # build <x>\n  make",
                "Vec<T>#vec: a bc d",
                "Other#other: ",
            ],
        );
    }

    #[test]
    fn extensions_and_html_are_read() {
        check("a.md", "|a|b|\n|-|-|\n|c|`d`|", &["#: a\tb\nc\td"]);
        check(
            "a.md",
            "- [x] done\n- ~~old~~\n\nTerm\n: means",
            &["#: done\nold\nTerm\nmeans"],
        );
        check(
            "a.md",
            "word[^1]\n\n[^1]: the note",
            &["#: word\n1\nthe note"],
        );
        check("a.md", "> [!NOTE]\n> mind", &["#: mind"]);
        check(
            "a.md",
            "<details><summary>s</summary>\n\n*t* <br> u<!-- x --></details>",
            &["#: s\nt\nu"],
        );
        check(
            "a.md",
            "$a_{1}$ costs $5, see $HOME/$USER",
            &["#: $a_{1}$ costs $5, see $HOME/$USER"],
        );
        check(
            "a.md",
            "::: tip Mind\n- a\n:::\n\n!!! note \"N\"\n    b",
            &["#: Mind\na\nN\nb"],
        );
    }

    #[test]
    fn mdx_keeps_the_text_of_components() {
        check(
            "a.mdx",
            "import T from 't'\n\n<T>\n  <T.Item name=\"x\">\n    Run **it**:\n\n    ```sh\n    make\n    ```\n  </T.Item>\n</T>\n",
            &["#: Run it:\nmake"],
        );
        check(
            "a.mdx",
            "<div className='x'>\n  **a** {b}\n</div>",
            &["#: a"],
        );
    }

    #[test]
    fn the_title_comes_from_the_front_matter_the_heading_or_the_name() {
        let title = |path: &str, text: &str| {
            read_markdown(path, text, false, &Options::default()).documents[0]
                .title
                .clone()
        };
        assert_eq!(title("a.md", "---\ntitle: T\n---\n# H"), "T");
        assert_eq!(title("a.md", "## G\n\n# H"), "H");
        assert_eq!(title("a.md", "## G"), "G");
        assert_eq!(title("x/set-up.md", "text"), "set-up");
    }
}
