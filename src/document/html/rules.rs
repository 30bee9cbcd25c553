//! What is no content, although it stands within the main content.

use scraper::{ElementRef, node::Element};

use super::marks;

/// Whether an element is decoration, a control, navigation or hidden.
pub(super) fn is_dropped(element: ElementRef<'_>, whole_body: bool) -> bool {
    let value = element.value();
    match value.name() {
        "script" => return !is_math_script(value),
        "style" | "template" | "noscript" | "head" | "svg" | "canvas" | "iframe" | "object"
        | "embed" | "audio" | "video" | "map" | "input" | "select" | "textarea" | "datalist"
        | "progress" | "meter" | "nav" => {
            return true;
        }
        "button" if value.attr("role") != Some("tab") => return true,
        // A footer within a quotation or a figure names its source; any other one is the page's.
        "footer" if !has_parent(element, &["blockquote", "figure"]) => return true,
        "header" | "aside" if whole_body && !in_article(element) && !holds_title(element) => {
            return true;
        }
        "a" if is_mark_link(element) => return true,
        // VitePress writes the language of a code block into its corner.
        "span" if has_class(value, "lang") && is_code_frame(element) => return true,
        // mdBook shows a picture a second time, large, when it is clicked.
        "span" if has_class(value, "img-wrapper") && is_zoomable(element) => return true,
        "td" | "th" if is_line_numbers(element) => return true,
        "sup" if is_note_mark(element) => return true,
        _ => {}
    }
    is_hidden(value)
        || has_dropped_role(value)
        || marks::is_ignored(value)
        || value.classes().any(is_dropped_class)
}

/// Whether a link within a heading is the theme's mark for linking to it.
///
/// A mark shows a sign or an icon (`#`, `¶`, `🔗`); a link that wraps the heading, as mdBook
/// makes it, shows the heading's words. A few themes write a word, and a class tells them.
pub(super) fn is_heading_mark(link: ElementRef<'_>) -> bool {
    let value = link.value();
    if value.name() != "a" {
        return false;
    }
    let to_fragment = value
        .attr("href")
        .is_none_or(|href| href.is_empty() || href.contains('#'));
    let has_words = link
        .text()
        .any(|text| text.chars().any(char::is_alphanumeric));
    let by_class = value.classes().any(|class| {
        matches!(
            class,
            "headerlink"
                | "header-anchor"
                | "hash-link"
                | "anchorjs-link"
                | "heading-anchor"
                | "permalink"
        )
    });
    to_fragment && (!has_words || (by_class && !wraps_heading(link)))
}

/// Whether the link's parent, a heading, has no words outside this link.
pub(super) fn wraps_heading(link: ElementRef<'_>) -> bool {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let parent = link.parent().and_then(ElementRef::wrap);
    parent.is_some_and(|parent| {
        parent.text().map(letters).sum::<usize>() == link.text().map(letters).sum::<usize>()
    })
}

/// Links that lead to the source of the page, to its neighbours or back from a footnote.
fn is_mark_link(link: ElementRef<'_>) -> bool {
    let value = link.value();
    let role = value.attr("role").unwrap_or_default();
    let rel = value.attr("rel").unwrap_or_default();
    rel.split_whitespace()
        .any(|rel| matches!(rel, "prev" | "next" | "edit"))
        || matches!(role, "doc-noteref" | "doc-backlink")
        || value.classes().any(|class| {
            matches!(
                class,
                "headerlink"
                    | "header-anchor"
                    | "hash-link"
                    | "sl-anchor-link"
                    | "doc-anchor"
                    | "viewcode-link"
                    | "footnote-reference"
                    | "footnote-ref"
                    | "footnote-backref"
                    | "footnote-back"
            ) && !(class == "header-anchor" && wraps_heading(link))
        })
}

/// Whether an element is a link that shows a sign (`↩`, `¶`) and no words or picture, and leads
/// to a place of the page.
pub(super) fn is_sign_link(link: ElementRef<'_>) -> bool {
    let value = link.value();
    if value.name() != "a" || value.attr("href").is_none_or(|href| !href.starts_with('#')) {
        return false;
    }
    let mut shows_something = false;
    for text in link.text() {
        if text.chars().any(char::is_alphanumeric) {
            return false;
        }
        shows_something |= !text.trim().is_empty();
    }
    shows_something
        && !link
            .descendent_elements()
            .any(|element| element.value().name() == "img")
}

/// Whether an element stands in the label that a click on a picture ticks.
fn is_zoomable(element: ElementRef<'_>) -> bool {
    let parent = element.parent().and_then(ElementRef::wrap);
    parent.is_some_and(|parent| has_class(parent.value(), "checkbox-label"))
}

fn is_code_frame(element: ElementRef<'_>) -> bool {
    let parent = element.parent().and_then(ElementRef::wrap);
    parent.is_some_and(|parent| {
        parent
            .value()
            .classes()
            .any(|class| class.starts_with("language-"))
    })
}

fn has_class(value: &Element, name: &str) -> bool {
    value.classes().any(|class| class == name)
}

/// A raised number that leads to a footnote. Glued to its word it would hide the word.
fn is_note_mark(sup: ElementRef<'_>) -> bool {
    let mut links = sup
        .child_elements()
        .filter(|child| child.value().name() == "a");
    let leads_down = links.any(|link| link.attr("href").is_some_and(|href| href.starts_with('#')));
    leads_down && !sup.text().any(|text| text.chars().any(char::is_alphabetic))
}

/// Whether a table cell beside code holds nothing but the numbers of its lines.
///
/// Highlighters name the cell in many ways; that it counts on beside a `pre` is common to all.
/// One number alone may be a value of the table and stays, unless its class tells.
fn is_line_numbers(cell: ElementRef<'_>) -> bool {
    let mut last = None;
    let mut count = 0usize;
    for word in cell.text().flat_map(str::split_whitespace) {
        let Ok(number) = word.parse::<u32>() else {
            return false;
        };
        if last.is_some_and(|last: u32| last.checked_add(1) != Some(number)) {
            return false;
        }
        last = Some(number);
        count += 1;
    }
    let beside = cell.next_siblings().find_map(ElementRef::wrap);
    count > 1
        && beside.is_some_and(|next| {
            next.descendent_elements()
                .any(|element| element.value().name() == "pre")
        })
}

fn is_hidden(value: &Element) -> bool {
    // The panels of inactive tabs are hidden until they are chosen, and are content. So is the
    // title of a Starlight aside, which its label says once more, and MathML beside a drawing.
    if value.attr("role") == Some("tabpanel")
        || has_class(value, "starlight-aside__title")
        || value.name() == "mjx-assistive-mml"
    {
        return false;
    }
    value
        .attr("hidden")
        .is_some_and(|hidden| hidden != "until-found")
        || value.attr("aria-hidden") == Some("true")
        || value.attr("style").is_some_and(|style| {
            let style: String = style.to_ascii_lowercase().split_whitespace().collect();
            // What cannot be selected within code is a line number or a prompt.
            ["display:none", "visibility:hidden", "user-select:none"]
                .iter()
                .any(|rule| style.contains(rule))
        })
}

fn has_dropped_role(value: &Element) -> bool {
    value.attr("role").is_some_and(|role| {
        matches!(
            role,
            "navigation"
                | "banner"
                | "contentinfo"
                | "search"
                | "dialog"
                | "alertdialog"
                | "menu"
                | "menubar"
                | "toolbar"
                | "tooltip"
                | "progressbar"
        )
    })
}

fn is_math_script(value: &Element) -> bool {
    value
        .attr("type")
        .is_some_and(|kind| kind.starts_with("math/tex"))
}

/// Classes that generators and highlighters give to what readers use and do not read.
fn is_dropped_class(class: &str) -> bool {
    matches!(
        class,
        // Lines that mdBook hides from the reader, kept only so that the example compiles.
        "boring"
            // Line numbers: Pygments, Rouge, Chroma, highlight.js, Prism, GitHub.
            | "linenos" | "linenodiv" | "lineno" | "linenumber" | "line-number" | "line-numbers-rows"
            | "line-numbers-wrapper" | "rouge-gutter" | "gutter" | "ln" | "lnt" | "hljs-ln-numbers" | "blob-num"
            // Buttons on code blocks.
            | "copybtn" | "copy-button" | "copy-code-button" | "clip-button" | "clipboard-copy" | "md-clipboard"
            | "play-button" | "buttons" | "code-copy" | "btn-copy"
            // Edit, print and source links.
            | "edit-this-page" | "theme-edit-this-page" | "edit-link" | "edit-page" | "edit-page-link"
            | "page-edit" | "md-content__button" | "md-source-file"
            // Previous and next page.
            | "nav-wrapper" | "nav-chapters" | "nav-wide-wrapper" | "pagination-nav" | "prev-next-footer"
            | "prev-next-area" | "prev-next" | "pager" | "rst-footer-buttons" | "related-pages" | "page-nav"
            // Where the page is, and what is on it.
            | "breadcrumb" | "breadcrumbs" | "theme-doc-breadcrumbs" | "wy-breadcrumbs" | "toc"
            | "table-of-contents" | "table-of-contents__left-border" | "theme-doc-toc-mobile"
            | "theme-doc-toc-desktop" | "bd-header-article" | "bd-sidebar-secondary" | "sphinxsidebar"
            | "theme-last-updated" | "last-updated" | "contributors" | "post-meta"
            // Brackets around the number of a footnote, and a formula shown until it is drawn.
            | "fn-bracket" | "MathJax_Preview"
            // What rustdoc adds to a page: the module path, version and source, "Expand description".
            | "rustdoc-breadcrumbs" | "sub-heading" | "hideme"
            // Only for screen readers, which means: about the page and not of it.
            | "sr-only" | "visually-hidden" | "screen-reader-text" | "skip-link"
    )
}

fn has_parent(element: ElementRef<'_>, names: &[&str]) -> bool {
    let parent = element.parent().and_then(ElementRef::wrap);
    parent.is_some_and(|parent| names.contains(&parent.value().name()))
}

fn in_article(element: ElementRef<'_>) -> bool {
    element
        .ancestors()
        .filter_map(ElementRef::wrap)
        .any(|ancestor| matches!(ancestor.value().name(), "article" | "section"))
}

/// A page without `main` may keep its only title in its header, as Pandoc's pages do.
fn holds_title(element: ElementRef<'_>) -> bool {
    let is_h1 = |element: &ElementRef<'_>| element.value().name() == "h1";
    let Some(title) = element.descendent_elements().find(is_h1) else {
        return false;
    };
    let Some(root) = element.ancestors().filter_map(ElementRef::wrap).last() else {
        return false;
    };
    root.descendent_elements()
        .filter(is_h1)
        .all(|h1| h1.id() == title.id())
}
