//! HTML pages, as generators make them and authors write them.
//!
//! Parsing is html5ever's, so that a page is read as a browser reads it, however broken.
//! Main content is found by `content`, what is no content within it by `rules`, and `walk`
//! writes the rest into sections.

mod content;
mod facts;
mod marks;
mod rules;
mod script;
mod walk;

use scraper::{Html, Selector};

use super::{Error, Options, Section, Skipped, outline::Outline};

/// What was found on a page.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// What a `meta` mark names, else the first `h1`, else the `title` element, else the first
    /// heading; empty where there is none.
    pub(super) title: String,
    /// The language that the page names.
    pub(super) lang: Option<String>,
    /// Id of the collection that the page names.
    pub(super) collection: Option<String>,
    /// The version that the page names.
    pub(super) version: Option<String>,
    /// Labels that the page gives itself.
    pub(super) tags: Vec<String>,
    /// The address that the page names as its own.
    pub(super) canonical: Option<String>,
    pub(super) sections: Vec<Section>,
    /// Why the page is to be left out.
    pub(super) skipped: Option<Skipped>,
    /// Whether the main content was not marked, so that the whole body was read.
    pub(super) whole_body: bool,
}

/// Checks and compiles a configured selector.
pub(super) fn parse_selector(selector: &str) -> Result<Selector, Error> {
    Selector::parse(selector).map_err(|_| Error::Selector {
        selector: selector.to_owned(),
    })
}

/// Reads a whole page.
pub(super) fn read_page(text: &str, options: &Options) -> Result<Page, Error> {
    let selector = options
        .selector
        .as_deref()
        .map(parse_selector)
        .transpose()?;
    let html = Html::parse_document(text);
    let facts = facts::facts(&html);
    let marks = marks::marks(&html);
    let candidates = content::candidates(&html, selector.as_ref());
    let last = candidates.len().saturating_sub(1);
    let mut whole_body = false;
    let mut sections = Vec::new();
    for (i, elements) in candidates.into_iter().enumerate() {
        whole_body = i == last;
        let mut outline = Outline::default();
        for element in elements {
            outline.block();
            walk::walk(element, whole_body, &mut outline);
        }
        sections = outline.finish();
        if !sections.is_empty() {
            break;
        }
    }
    Ok(Page {
        title: marks
            .title
            .or_else(|| first_h1(&sections).map(str::to_owned))
            .or(facts.title)
            .unwrap_or_else(|| first_heading(&sections)),
        lang: marks.lang.or(facts.lang),
        collection: marks.collection,
        version: marks.version,
        tags: marks.tags,
        canonical: facts.canonical,
        sections,
        skipped: facts.skipped,
        whole_body,
    })
}

/// Reads HTML that has no page around it, as Markdown gives it.
pub(super) fn read_fragment(text: &str) -> Page {
    let html = Html::parse_document(text);
    let mut outline = Outline::default();
    walk::walk(html.root_element(), false, &mut outline);
    let sections = outline.finish();
    let title = first_h1(&sections).map_or_else(|| first_heading(&sections), str::to_owned);
    Page {
        title,
        sections,
        ..Page::default()
    }
}

fn first_h1(sections: &[Section]) -> Option<&str> {
    sections
        .iter()
        .find(|section| section.level == 1)
        .map(|section| section.heading.as_str())
}

fn first_heading(sections: &[Section]) -> String {
    sections
        .iter()
        .find(|section| section.level > 0)
        .map_or_else(String::new, |section| section.heading.clone())
}

#[cfg(test)]
mod tests;
