//! From the elements of the main content to the outline of the page.

use ego_tree::NodeId;
use scraper::{ElementRef, Node, node::Element};

use super::marks::is_emphasized;
use super::rules::{is_dropped, is_heading_mark, is_sign_link, wraps_heading};
use super::script::marks_of;
use crate::document::outline::Outline;

/// Writes the text of an element and its descendants.
///
/// The walk goes from node to node and never calls itself, so the depth of a page costs no
/// stack: builders run in JavaScript engines, whose stack is small. Time is linear in the
/// number of nodes.
pub(super) fn walk(root: ElementRef<'_>, whole_body: bool, outline: &mut Outline) {
    let mut walk = Walk {
        outline,
        whole_body,
        heading: None,
        pre: None,
        cells: 0,
        anchor: None,
        sections: Vec::new(),
        emphasis: None,
        script: None,
    };
    let mut node = *root;
    loop {
        let opened = match node.value() {
            Node::Text(text) => {
                walk.text(text);
                false
            }
            Node::Element(_) => ElementRef::wrap(node)
                .is_some_and(|element| walk.open(element, node.id() == root.id())),
            _ => false,
        };
        if opened {
            if let Some(child) = node.first_child() {
                node = child;
                continue;
            }
            walk.close(node.id(), node.value());
        }
        loop {
            if node.id() == root.id() {
                return;
            }
            if let Some(next) = node.next_sibling() {
                node = next;
                break;
            }
            let Some(parent) = node.parent() else { return };
            node = parent;
            walk.close(node.id(), node.value());
        }
    }
}

struct Walk<'a> {
    outline: &'a mut Outline,
    whole_body: bool,
    /// The heading that is open. Headings within it are part of its text.
    heading: Option<NodeId>,
    /// The `pre` that is open. Those within it are part of its code.
    pre: Option<NodeId>,
    /// How many table cells are open, tables in tables included.
    cells: usize,
    /// The last id that was passed with no text after it: where a link to it lands, the
    /// next heading is. Covers `<a name>` before a heading and a `section` around it.
    anchor: Option<String>,
    /// The `section` elements with an id that are open, outermost first.
    sections: Vec<(NodeId, String)>,
    /// The outermost element that is emphasized, and where its text began.
    emphasis: Option<(NodeId, (usize, usize))>,
    /// The raised or lowered element that is open, and what is to be written at its end.
    script: Option<(NodeId, &'static str)>,
}

impl Walk<'_> {
    fn text(&mut self, text: &str) {
        if self.heading.is_none() && !text.trim().is_empty() {
            self.anchor = None;
            if let Some((_, section)) = self.sections.last() {
                self.outline.anchor_lead(section);
            }
        }
        self.outline.text(text);
    }

    /// Starts an element; false where its descendants are not to be walked.
    fn open(&mut self, element: ElementRef<'_>, is_root: bool) -> bool {
        let value = element.value();
        let is_dropped = is_dropped(element, self.whole_body)
            || (self.heading.is_none() && is_sign_link(element));
        if !is_root && is_dropped {
            self.separate_if_block(value);
            return false;
        }
        if matches!(value.name(), "sup" | "sub") && self.script.is_none() {
            let marks = marks_of(element, self.outline.last_char());
            self.outline.text(marks.before);
            self.script = Some((element.id(), marks.after));
        }
        if self.heading.is_some() {
            return self.open_in_heading(element);
        }
        match value.name() {
            "section" if !is_root => {
                if let Some(id) = value.id().filter(|id| !id.is_empty()) {
                    self.sections.push((element.id(), id.to_owned()));
                }
            }
            // An empty link may stand before the term that it names.
            "dt" => self.outline.start_term(self.anchor.take()),
            _ => {}
        }
        if self.emphasis.is_none() && is_emphasized(value) {
            self.emphasis = Some((element.id(), self.outline.position()));
        }
        if let Some(level) = heading_level(value) {
            let anchor = value
                .id()
                .filter(|id| !id.is_empty())
                .map(str::to_owned)
                .or_else(|| self.anchor.take());
            self.anchor = None;
            self.heading = Some(element.id());
            self.outline.start_heading(level, anchor);
            return true;
        }
        match value.name() {
            "pre" if self.pre.is_none() => {
                self.pre = Some(element.id());
                self.outline.start_code();
            }
            "br" if self.pre.is_some() => self.outline.code_newline(),
            "br" if self.cells > 0 => self.outline.space(),
            "br" | "hr" => self.outline.block(),
            "td" | "th" => {
                self.outline.cell();
                self.cells += 1;
            }
            "tr" | "table" => self.outline.block(),
            "img" => self.image(value),
            "math" => return !self.math_source(element),
            name if name.starts_with('m') && self.math_mark(element) => {}
            _ => self.separate_if_block(value),
        }
        if let Some(id) = value.id().filter(|id| !id.is_empty()) {
            self.outline.anchor_term(id);
        }
        if !is_root && carries_anchor(value) {
            let id = value.id().or_else(|| value.attr("name"));
            if let Some(id) = id.filter(|id| !id.is_empty()) {
                self.anchor = Some(id.to_owned());
            }
        }
        true
    }

    fn open_in_heading(&mut self, element: ElementRef<'_>) -> bool {
        let value = element.value();
        if let Some(id) = value
            .id()
            .or_else(|| value.attr("name"))
            .filter(|id| !id.is_empty())
        {
            self.outline.anchor_heading(id);
        }
        let is_mark = is_heading_mark(element);
        // The theme's own link to the heading tells its anchor too. An escaped one may be
        // written differently in the id that it leads to.
        let fragment = value.attr("href").and_then(|href| href.strip_prefix('#'));
        if let Some(fragment) =
            fragment.filter(|fragment| !fragment.is_empty() && !fragment.contains('%'))
        {
            if is_mark || wraps_heading(element) {
                self.outline.anchor_heading(fragment);
            }
        }
        if is_mark {
            return false;
        }
        match value.name() {
            "br" => self.outline.space(),
            "img" => self.image(value),
            "math" => return !self.math_source(element),
            _ => self.separate_if_block(value),
        }
        true
    }

    fn close(&mut self, id: NodeId, node: &Node) {
        let Node::Element(value) = node else { return };
        if let Some((_, mark)) = self.script.take_if(|(script, _)| *script == id) {
            self.outline.text(mark);
        }
        if let Some((_, start)) = self.emphasis.take_if(|(emphasis, _)| *emphasis == id) {
            self.outline.emphasize_since(start);
        }
        if self
            .sections
            .last()
            .is_some_and(|(section, _)| *section == id)
        {
            self.sections.pop();
        }
        if self.heading == Some(id) {
            self.heading = None;
            if let Some((_, section)) = self.sections.last() {
                self.outline.anchor_heading(section);
            }
            self.outline.end_heading();
            return;
        }
        if self.pre == Some(id) {
            self.pre = None;
            self.outline.end_code();
            return;
        }
        match value.name() {
            _ if self.heading.is_some() => self.separate_if_block(value),
            "td" | "th" => {
                self.cells = self.cells.saturating_sub(1);
                self.outline.space();
            }
            "tr" | "table" => self.outline.block(),
            "dt" => {
                self.outline.end_term();
                self.separate_if_block(value);
            }
            _ => self.separate_if_block(value),
        }
    }

    fn separate_if_block(&mut self, value: &Element) {
        if !is_block(value) {
            return;
        }
        // A paragraph within a cell must not break its row; code in a cell does.
        if self.cells > 0 && self.pre.is_none() {
            self.outline.space();
        } else {
            self.outline.block();
        }
    }

    fn image(&mut self, value: &Element) {
        if let Some(alt) = value
            .attr("alt")
            .filter(|_| value.attr("role") != Some("presentation"))
        {
            self.outline.space();
            self.text(alt);
            self.outline.space();
        }
    }

    /// Writes what MathML without a source says by its layout: the second child of a fraction is
    /// below a line, that of a power raised. False where the element is no such child.
    fn math_mark(&mut self, element: ElementRef<'_>) -> bool {
        let parent = element.parent().and_then(ElementRef::wrap);
        let mark = match parent.map(|parent| parent.value().name()) {
            Some("mfrac") => "/",
            Some("msup") => "^",
            Some("msub") => "_",
            _ => return false,
        };
        let before = element.prev_siblings().filter_map(ElementRef::wrap);
        if before.count() == 1 {
            self.outline.text(mark);
        }
        true
    }

    /// Writes a formula as its TeX source where the page has it; its layout says little as text.
    fn math_source(&mut self, math: ElementRef<'_>) -> bool {
        let annotation = math.descendent_elements().find(|element| {
            element.value().name() == "annotation"
                && element
                    .attr("encoding")
                    .is_some_and(|encoding| encoding.to_ascii_lowercase().contains("tex"))
        });
        let source = match annotation {
            Some(annotation) => annotation.text().collect(),
            None => math.attr("alttext").unwrap_or_default().to_owned(),
        };
        self.outline.text(&source);
        !source.is_empty()
    }
}

fn heading_level(value: &Element) -> Option<u8> {
    match value.name() {
        "h1" => Some(1),
        "h2" => Some(2),
        "h3" => Some(3),
        "h4" => Some(4),
        "h5" => Some(5),
        "h6" => Some(6),
        _ if value.attr("role") == Some("heading") => {
            // WAI-ARIA: a heading role without a level is level 2.
            Some(
                value
                    .attr("aria-level")
                    .and_then(|level| level.parse().ok())
                    .unwrap_or(2)
                    .clamp(1, 6),
            )
        }
        _ => None,
    }
}

/// Elements that authors and generators use to give a heading its anchor from outside.
fn carries_anchor(value: &Element) -> bool {
    matches!(
        value.name(),
        "a" | "span" | "section" | "div" | "article" | "p"
    )
}

/// Elements that start on a line of their own (HTML standard, section 15.3), and labels and
/// buttons, which stand apart without any space between them.
fn is_block(value: &Element) -> bool {
    matches!(
        value.name(),
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "button"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "dir"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "label"
            | "legend"
            | "li"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "p"
            | "pre"
            | "search"
            | "section"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
    )
}
