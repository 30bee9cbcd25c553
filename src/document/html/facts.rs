//! What a page says about itself outside its main content.

use scraper::{ElementRef, Html};

use crate::document::Skipped;

/// What the head of a page, and its `html` element, say.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The `title` element without the site's name.
    pub(super) title: Option<String>,
    pub(super) lang: Option<String>,
    /// The address that the page names as its own.
    pub(super) canonical: Option<String>,
    /// Why the page asks not to be found.
    pub(super) skipped: Option<Skipped>,
}

/// Collects the facts in one pass over the elements.
pub(super) fn facts(html: &Html) -> Facts {
    let mut facts = Facts::default();
    let mut site_name = None;
    for element in html.root_element().descendent_elements() {
        match element.value().name() {
            "html" => {
                facts.lang = non_empty(element.attr("lang").or_else(|| element.attr("xml:lang")))
            }
            // An SVG drawing has `title` elements too, but none of them comes before the page's.
            "title" if facts.title.is_none() => facts.title = non_empty(Some(&text_of(element))),
            "meta" => {
                let content = element.attr("content").unwrap_or_default();
                let name = element
                    .attr("name")
                    .or_else(|| element.attr("property"))
                    .unwrap_or_default();
                if name.eq_ignore_ascii_case("robots") && forbids_index(content) {
                    facts.skipped = Some(Skipped::NoIndex);
                } else if name.eq_ignore_ascii_case("og:site_name") {
                    site_name = non_empty(Some(content));
                } else if element
                    .attr("http-equiv")
                    .is_some_and(|value| value.eq_ignore_ascii_case("refresh"))
                    && content.to_ascii_lowercase().contains("url")
                {
                    facts.skipped = Some(Skipped::Redirect);
                }
            }
            "link"
                if element
                    .attr("rel")
                    .is_some_and(|rel| rel.eq_ignore_ascii_case("canonical")) =>
            {
                facts.canonical = non_empty(element.attr("href"));
            }
            // mdBook names the book in its menu bar and nowhere in the head.
            "h1" if site_name.is_none()
                && element.value().classes().any(|class| class == "menu-title") =>
            {
                site_name = non_empty(Some(&text_of(element)));
            }
            _ => {}
        }
    }
    if let (Some(title), Some(site_name)) = (&mut facts.title, &site_name) {
        cut_site_name(title, site_name);
    }
    facts
}

fn forbids_index(content: &str) -> bool {
    content
        .split(|c: char| c == ',' || c.is_whitespace())
        .any(|rule| rule.eq_ignore_ascii_case("noindex") || rule.eq_ignore_ascii_case("none"))
}

/// Cuts ` - Site name` at the end of a title, whatever mark divides the two.
fn cut_site_name(title: &mut String, site_name: &str) {
    let Some(rest) = title.strip_suffix(site_name) else {
        return;
    };
    let page = rest
        .trim_end()
        .trim_end_matches(['-', '|', '–', '—', '·', '•', ':', '»', '/', '<'])
        .trim_end();
    if !page.is_empty() && page.len() < rest.trim_end().len() {
        title.truncate(page.len());
    }
}

/// The text of an element in one line.
pub(super) fn text_of(element: ElementRef<'_>) -> String {
    let text: String = element.text().collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    crate::document::clean::clean(&words.join(" ")).into_owned()
}

fn non_empty(text: Option<&str>) -> Option<String> {
    text.map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_title(head: &str, expected: &str) {
        assert_eq!(
            facts(&Html::parse_document(head)).title.as_deref(),
            Some(expected),
            "{head}"
        );
    }

    #[track_caller]
    fn check_skipped(head: &str, expected: Option<Skipped>) {
        assert_eq!(
            facts(&Html::parse_document(head)).skipped,
            expected,
            "{head}"
        );
    }

    #[test]
    fn the_title_loses_the_name_of_the_site_only_where_the_page_tells_it() {
        check_title(
            "<title>Limits | Acme</title><meta property=og:site_name content=Acme>",
            "Limits",
        );
        check_title(
            "<title>Limits - Book</title><h1 class=menu-title>Book</h1>",
            "Limits",
        );
        check_title(
            "<title>Acme</title><meta property=og:site_name content=Acme>",
            "Acme",
        );
        check_title("<title>Limits | Acme</title>", "Limits | Acme");
        check_title(
            "<title>The Acme</title><meta property=og:site_name content=Acme>",
            "The Acme",
        );
    }

    #[test]
    fn pages_that_ask_not_to_be_found_are_known() {
        check_skipped(
            "<meta name=robots content='follow, noindex'>",
            Some(Skipped::NoIndex),
        );
        check_skipped("<meta name=ROBOTS content=none>", Some(Skipped::NoIndex));
        check_skipped(
            "<meta http-equiv=Refresh content='0; URL=/new'>",
            Some(Skipped::Redirect),
        );
        check_skipped("<meta http-equiv=refresh content=300>", None);
        check_skipped("<meta name=robots content='index'>", None);
    }
}
