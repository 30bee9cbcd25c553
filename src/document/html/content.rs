//! Where the main content of a page is.

use scraper::{ElementRef, Html, Selector};

/// How many ways there are to mark the main content, best first; see [`rank`].
const RANKS: usize = 5;

/// The places that may hold the main content, best first; each is a list of elements in
/// reading order, none within another. The last one is the whole body.
pub(super) fn candidates<'a>(
    html: &'a Html,
    selector: Option<&Selector>,
) -> Vec<Vec<ElementRef<'a>>> {
    let mut candidates = Vec::with_capacity(RANKS + 2);
    if let Some(selector) = selector {
        candidates.push(outermost(html.select(selector)));
    }
    let mut ranked: [Vec<ElementRef<'a>>; RANKS] = Default::default();
    let mut body = html.root_element();
    for element in html.root_element().descendent_elements() {
        if let Some(rank) = rank(element) {
            ranked[rank].push(element);
        }
        if element.value().name() == "body" {
            body = element;
        }
    }
    candidates.extend(ranked.map(outermost));
    candidates.push(vec![body]);
    candidates.retain(|elements| !elements.is_empty());
    candidates
}

/// How well an element is marked as main content; 0 is best.
fn rank(element: ElementRef<'_>) -> Option<usize> {
    let value = element.value();
    if value.attr("data-groundling-body").is_some() {
        return Some(0);
    }
    // Pagefind's own mark, so that a site can move over unchanged.
    if value.attr("data-pagefind-body").is_some() {
        return Some(1);
    }
    let generator = value.classes().any(|class| {
        // Docusaurus, VitePress, MkDocs Material and Zensical, TypeDoc, GitHub, Docsy for Hugo.
        matches!(
            class,
            "theme-doc-markdown"
                | "vp-doc"
                | "md-content__inner"
                | "col-content"
                | "markdown-body"
                | "td-content"
        )
    });
    // rustdoc; others use this id as well, on an element that holds the content too.
    if generator || value.id() == Some("main-content") {
        return Some(2);
    }
    match (value.name(), value.attr("role")) {
        ("main", _) | (_, Some("main")) => Some(3),
        ("article", _) => Some(4),
        _ => None,
    }
}

/// Leaves out what lies within another element of the list.
///
/// In reading order the descendants of an element follow it, so only the one kept last can
/// hold the next.
fn outermost<'a>(elements: impl IntoIterator<Item = ElementRef<'a>>) -> Vec<ElementRef<'a>> {
    let mut kept: Vec<ElementRef<'a>> = Vec::new();
    for element in elements {
        let within = kept
            .last()
            .is_some_and(|last| element.ancestors().any(|node| node.id() == last.id()));
        if !within {
            kept.push(element);
        }
    }
    kept
}
