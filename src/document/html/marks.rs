//! The attributes by which a template tells a search how to read its page.
//!
//! `data-groundling-*` and Pagefind's `data-pagefind-*` mean the same, so that a site can move
//! over unchanged (<https://pagefind.app/docs/indexing/>, `/metadata/`, `/filtering/`, `/weighting/`):
//!
//! | attribute | meaning here |
//! |---|---|
//! | `body` | the main content; see `content` |
//! | `ignore`, `ignore="index"` | the element's text is left out |
//! | `ignore="all"` | its `meta` and `filter` are left out too |
//! | `meta="title"` | the title of the page |
//! | `filter="KEY"` | `collection`, `version` and `lang` of the page, `tag` and `tags` its labels; any other key becomes the label `KEY:VALUE` |
//! | `weight="N"` | 2 and more: the words count as words of a heading too; 0: as `ignore`; others change nothing |

use scraper::{ElementRef, Html, node::Element};

/// The weight from which on words count as a heading's. Pagefind gives `h6`, the least of the
/// headings, 2, and text 1.
const HEADING_WEIGHT: f32 = 2.0;

/// What the attributes of a page say about it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Marks {
    pub(super) title: Option<String>,
    pub(super) lang: Option<String>,
    pub(super) collection: Option<String>,
    pub(super) version: Option<String>,
    pub(super) tags: Vec<String>,
}

/// Collects what all elements of a page say, those outside its main content included.
pub(super) fn marks(html: &Html) -> Marks {
    let mut marks = Marks::default();
    for element in html.root_element().descendent_elements() {
        let value = element.value();
        let (meta, filter) = (attribute(value, "meta"), attribute(value, "filter"));
        if (meta.is_none() && filter.is_none()) || is_ignored_by_all(element) {
            continue;
        }
        for (key, value) in meta.map(|meta| pairs(meta, element)).unwrap_or_default() {
            if key == "title" {
                marks.title = Some(value);
            }
        }
        for (key, value) in filter
            .map(|filter| pairs(filter, element))
            .unwrap_or_default()
        {
            match key {
                "collection" => marks.collection = Some(value),
                "version" => marks.version = Some(value),
                "lang" | "language" => marks.lang = Some(value),
                "tag" | "tags" => marks.tags.push(value),
                _ => marks.tags.push(format!("{key}:{value}")),
            }
        }
    }
    marks
}

/// Whether the element's text is left out.
pub(super) fn is_ignored(value: &Element) -> bool {
    // `="false"` is how Pagefind lets a template switch it off.
    attribute(value, "ignore").is_some_and(|ignore| ignore != "false") || weight(value) == Some(0.0)
}

/// Whether the element's words count as words of a heading too.
pub(super) fn is_emphasized(value: &Element) -> bool {
    weight(value).is_some_and(|weight| weight >= HEADING_WEIGHT)
}

fn weight(value: &Element) -> Option<f32> {
    attribute(value, "weight")?.trim().parse().ok()
}

fn is_ignored_by_all(element: ElementRef<'_>) -> bool {
    let ignores = |element: ElementRef<'_>| attribute(element.value(), "ignore") == Some("all");
    ignores(element)
        || element
            .ancestors()
            .filter_map(ElementRef::wrap)
            .any(ignores)
}

/// An attribute under either name, ours first.
fn attribute<'a>(value: &'a Element, name: &str) -> Option<&'a str> {
    ["data-groundling-", "data-pagefind-"]
        .iter()
        .find_map(|prefix| value.attr(&format!("{prefix}{name}")))
}

/// Reads `key`, whose value is the element's text, `key[attribute]` and `key:value`, several of
/// them divided by commas; an inline value goes to the end and may hold commas itself.
fn pairs<'a>(list: &'a str, element: ElementRef<'_>) -> Vec<(&'a str, String)> {
    let mut pairs = Vec::new();
    let mut rest = list;
    while !rest.trim().is_empty() {
        let end = rest.find([',', ':']).unwrap_or(rest.len());
        let key = rest[..end].trim();
        let value;
        if rest[end..].starts_with(':') {
            value = rest[end + 1..].trim().to_owned();
            pairs.push((key, value));
            break;
        }
        match key.split_once('[') {
            Some((key, attribute)) => {
                value = element
                    .attr(attribute.trim_end_matches(']'))
                    .unwrap_or_default()
                    .trim()
                    .to_owned();
                pairs.push((key, value));
            }
            None => pairs.push((key, super::facts::text_of(element))),
        }
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    pairs.retain(|(key, value)| !key.is_empty() && !value.is_empty());
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: Marks) {
        assert_eq!(marks(&Html::parse_document(body)), expected, "{body}");
    }

    #[test]
    fn a_value_is_the_text_an_attribute_or_stands_inline() {
        let titled = |title: &str| Marks {
            title: Some(title.to_owned()),
            ..Marks::default()
        };
        check(
            "<h2 data-pagefind-meta=title>A  <b>b</b></h2>",
            titled("A b"),
        );
        check("<p data-groundling-meta='title:A, b'>x</p>", titled("A, b"));
        check(
            "<img alt=A data-pagefind-meta='image[src], title[alt]'>",
            titled("A"),
        );
        check(
            "<p data-pagefind-meta='title[data-none]'>x</p>",
            Marks::default(),
        );
    }

    #[test]
    fn filters_become_the_fields_of_the_page() {
        check(
            "<p data-pagefind-filter='version:2.1'></p><p data-pagefind-filter=collection>sql</p>\
             <i data-pagefind-filter=tag>a</i><i data-pagefind-filter='author'>Kim</i>",
            Marks {
                version: Some("2.1".to_owned()),
                collection: Some("sql".to_owned()),
                tags: vec!["a".to_owned(), "author:Kim".to_owned()],
                ..Marks::default()
            },
        );
    }

    #[test]
    fn only_ignore_all_hides_marks() {
        check(
            "<div data-pagefind-ignore=all><i data-pagefind-filter=tag>a</i></div>\
             <div data-pagefind-ignore><i data-pagefind-filter=tag>b</i></div>",
            Marks {
                tags: vec!["b".to_owned()],
                ..Marks::default()
            },
        );
    }
}
