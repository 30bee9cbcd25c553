//! Which lines of a reply are prose and which are code (CommonMark 0.31, sections 4 and 5).
//!
//! Only as much of Markdown's block structure is kept as decides that: fences, indented code,
//! and the quotes and lists that move the left edge. Two things differ on purpose. A closing
//! fence may be indented less than its list item, because models write that and mean the end of
//! the code. And a line of a table is a block of its own, since code does not cross rows.

/// What one line is to the search for citations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Blank, code or a fence: no prose, and the end of the paragraph above.
    NoProse,
    /// Prose.
    Prose {
        /// Where its text starts in the line, after the markers of quotes and lists.
        start: usize,
        /// Whether it goes on with the paragraph above.
        joins: bool,
        /// Whether the paragraph ends with this line, as a heading does.
        ends: bool,
    },
}

/// The open blocks above the next line.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    fence: Option<Fence>,
    in_paragraph: bool,
    quotes: usize,
    /// Columns at which the content of the open list items starts, outermost first.
    items: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Fence {
    mark: u8,
    len: usize,
    quotes: usize,
    /// The largest indentation of a closing fence.
    max_column: usize,
}

/// Quotes and items that are followed on one line, and items that are kept open. Real text
/// has a handful; the limit keeps the work for each line constant.
const MAX_DEPTH: usize = 32;

impl Blocks {
    /// Judges `line`, which is without its newline. `complete` tells whether the newline was
    /// seen; until then the answer may be `None`: not decided yet.
    pub(super) fn next_line(&mut self, line: &str, complete: bool) -> Option<Line> {
        if let Some(fence) = self.fence {
            match fence.next_line(line, complete)? {
                InFence::Code => return Some(Line::NoProse),
                InFence::Closed => {
                    self.fence = None;
                    return Some(Line::NoProse);
                }
                InFence::QuoteEnded => self.fence = None,
            }
        }
        self.next_plain_line(line, complete)
    }

    fn next_plain_line(&mut self, line: &str, complete: bool) -> Option<Line> {
        let edge = self.left_edge(line, complete)?;
        let content = &line[edge.at..];
        if content.is_empty() || edge.is_code {
            self.in_paragraph = false;
            self.items = edge.items;
            return Some(Line::NoProse);
        }
        let whole_block = content.starts_with('|')
            || is_heading(content, complete)?
            || is_rule(content, complete)?;
        let fence = fence_start(content, complete)?;
        let joins = edge.joins && !whole_block;
        self.quotes = edge.quotes;
        self.items = edge.items;
        self.in_paragraph = fence.is_none() && !whole_block;
        if let Some((mark, len)) = fence {
            self.fence = Some(Fence {
                mark,
                len,
                quotes: edge.quotes,
                max_column: edge.column + 3,
            });
            return Some(Line::NoProse);
        }
        Some(Line::Prose {
            start: edge.at,
            joins,
            ends: whole_block,
        })
    }

    /// Passes the markers of quotes and list items at the start of a line.
    fn left_edge(&self, line: &str, complete: bool) -> Option<LeftEdge> {
        let mut edge = LeftEdge {
            items: self.items.clone(),
            ..LeftEdge::default()
        };
        let mut item = false;
        for depth in 0.. {
            let (len, width) = indentation(&line[edge.at..], edge.column);
            edge.at += len;
            edge.column += width;
            let content = &line[edge.at..];
            if content.is_empty() {
                return complete.then_some(edge);
            }
            edge.joins = self.in_paragraph && !item && edge.quotes == self.quotes;
            if !item && edge.quotes < self.quotes && !content.starts_with('>') {
                edge.items.clear();
            }
            if !item && edge.quotes == self.quotes && !self.in_paragraph {
                edge.close_items();
            }
            // Four columns are code, but a paragraph may go on at any column.
            let indented = !item && edge.column >= edge.text_column() + 4;
            edge.is_code = indented && !edge.joins;
            if indented || depth == MAX_DEPTH {
                break;
            }
            if content.starts_with('>') {
                edge.quotes += 1;
                edge.at += quote_marker(content);
                edge.column = 0;
                if edge.quotes > self.quotes {
                    edge.items.clear();
                }
                continue;
            }
            if is_rule(content, complete)? {
                break;
            }
            let Some(marker) = list_marker(content, complete)? else {
                break;
            };
            item = true;
            edge.close_items();
            edge.column += marker;
            edge.at += marker;
            let (_, spaces) = indentation(&line[edge.at..], edge.column);
            // After five or more spaces the item's text starts one column after the marker.
            let text = edge.column + if (1..=4).contains(&spaces) { spaces } else { 1 };
            if edge.items.len() < MAX_DEPTH {
                edge.items.push(text);
            }
        }
        Some(edge)
    }
}

/// What stands before the content of a line.
#[derive(Debug, Default)]
struct LeftEdge {
    /// Where the content starts, in bytes; the end of the line where it is blank.
    at: usize,
    /// Where the content starts, in columns from the innermost quote.
    column: usize,
    quotes: usize,
    items: Vec<usize>,
    /// Whether the content may go on with the paragraph above.
    joins: bool,
    /// Whether the indentation makes the content code.
    is_code: bool,
}

impl LeftEdge {
    /// Closes the items whose text starts further right.
    fn close_items(&mut self) {
        self.items.retain(|item| *item <= self.column);
    }

    /// Where the text of the innermost item starts that holds the content.
    fn text_column(&self) -> usize {
        let holding = self.items.iter().rev().find(|item| **item <= self.column);
        holding.copied().unwrap_or(0)
    }
}

enum InFence {
    Code,
    Closed,
    QuoteEnded,
}

impl Fence {
    fn next_line(&self, line: &str, complete: bool) -> Option<InFence> {
        let mut content = line;
        for _ in 0..self.quotes {
            let inner = content.trim_start_matches(' ');
            if inner.is_empty() && !complete {
                return None;
            }
            if !inner.starts_with('>') {
                return Some(InFence::QuoteEnded);
            }
            content = &inner[quote_marker(inner)..];
        }
        let (len, column) = indentation(content, 0);
        let content = &content[len..];
        let run = run_of(content, self.mark);
        if !content[run..].trim().is_empty() {
            return Some(InFence::Code);
        }
        if !complete {
            return None;
        }
        Some(if run >= self.len && column <= self.max_column {
            InFence::Closed
        } else {
            InFence::Code
        })
    }
}

/// Spaces and tabs at the start of `text`: their bytes, and their width from `column` with tab
/// stops four columns apart.
fn indentation(text: &str, column: usize) -> (usize, usize) {
    let mut width = 0;
    let mut len = 0;
    for byte in text.bytes() {
        match byte {
            b' ' => width += 1,
            b'\t' => width += 4 - (column + width) % 4,
            b'\r' => {}
            _ => break,
        }
        len += 1;
    }
    (len, width)
}

/// The bytes of the `>` that starts `content` and of the one space that belongs to it.
fn quote_marker(content: &str) -> usize {
    if content.starts_with("> ") { 2 } else { 1 }
}

fn run_of(text: &str, mark: u8) -> usize {
    text.bytes().take_while(|byte| *byte == mark).count()
}

/// The mark and length of a fence that opens, or `None` within for any other line.
fn fence_start(content: &str, complete: bool) -> Option<Option<(u8, usize)>> {
    let mark = match content.bytes().next() {
        Some(mark @ (b'`' | b'~')) => mark,
        _ => return Some(None),
    };
    let len = run_of(content, mark);
    let info = &content[len..];
    if info.is_empty() && !complete {
        return None;
    }
    if len < 3 || (mark == b'`' && info.contains('`')) {
        return Some(None);
    }
    // A backtick further on would still make this a code span.
    if mark == b'`' && !complete {
        return None;
    }
    Some(Some((mark, len)))
}

/// Whether the line is a thematic break, or the underline of a heading.
fn is_rule(content: &str, complete: bool) -> Option<bool> {
    let mark = match content.bytes().next() {
        Some(mark @ (b'-' | b'*' | b'_' | b'=')) => mark,
        _ => return Some(false),
    };
    let mut marks = 0;
    for byte in content.bytes() {
        match byte {
            b' ' | b'\t' | b'\r' => {}
            byte if byte == mark => marks += 1,
            _ => return Some(false),
        }
    }
    complete.then_some(marks >= 3)
}

fn is_heading(content: &str, complete: bool) -> Option<bool> {
    let level = run_of(content, b'#');
    match content.as_bytes().get(level) {
        None if level > 0 && !complete => None,
        next => Some((1..=6).contains(&level) && matches!(next, None | Some(b' ' | b'\t'))),
    }
}

/// The bytes of a bullet or of a number with its delimiter, if one starts `content`.
fn list_marker(content: &str, complete: bool) -> Option<Option<usize>> {
    let bytes = content.as_bytes();
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    // CommonMark allows nine digits, so that no browser's integers overflow.
    if digits > 9 {
        return Some(None);
    }
    let marker = match bytes.get(digits) {
        Some(b'-' | b'+' | b'*') if digits == 0 => 1,
        Some(b'.' | b')') if digits > 0 => digits + 1,
        None if !complete => return None,
        _ => return Some(None),
    };
    match bytes.get(marker) {
        Some(b' ' | b'\t' | b'\r') => Some(Some(marker)),
        Some(_) => Some(None),
        None => complete.then_some(Some(marker)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which lines of `text` are prose; shown are the parts that are.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut blocks = Blocks::default();
        let mut prose = Vec::new();
        for line in text.split('\n') {
            if let Line::Prose { start, .. } = blocks.next_line(line, true).expect("a whole line") {
                prose.push(&line[start..]);
            }
        }
        assert_eq!(prose, expected, "{text}");
    }

    #[test]
    fn fences_hold_code_and_close_only_with_their_own_mark_and_length() {
        check("a\n```js\nb\n```\nc", &["a", "c"]);
        check("~~~\nb\n```\n~~~\nc", &["c"]);
        check("````\n```\nb\n```\n````\nc", &["c"]);
        check("```\nb\n``` x\nc\n`````\nd", &["d"]);
    }

    #[test]
    fn an_unclosed_fence_runs_to_the_end() {
        check("a\n```\nb\n\nc", &["a"]);
    }

    #[test]
    fn a_line_with_a_backtick_after_the_marks_is_a_code_span_and_no_fence() {
        check("``` a ``` b\nc", &["``` a ``` b", "c"]);
        check("~~~ a ` b\nc", &[]);
    }

    #[test]
    fn four_spaces_are_code_except_in_a_paragraph() {
        check("    a\n\tb\nc\n    d\n\n    e", &["c", "d"]);
        check("# a\n    b", &["# a"]);
    }

    #[test]
    fn a_list_item_moves_the_edge() {
        check("1. a\n\n    b\n\n       c\n\nd\n\n    e", &["a", "b", "d"]);
        check("- a\n  - b\n\n    c\n\n        d", &["a", "b", "c"]);
        check("10) a\n\n    b", &["a", "b"]);
    }

    #[test]
    fn fences_in_items_and_quotes() {
        check("1. a\n   ```\n   b\n   ```\n   c", &["a", "c"]);
        check("1. a\n   ```\nb\n```\nc", &["a", "c"]);
        check("- ```\n  a\n  ```\n- b", &["b"]);
        check("> ```\n> a\n> ```\n> b", &["b"]);
        check("> ```\n> a\nb", &["b"]);
        check("> a\n>     b\n\n>     c", &["a", "b"]);
    }

    #[test]
    fn rules_and_headings_are_no_list_items() {
        check("- - -\n    a", &["- - -"]);
        check("**a** b", &["**a** b"]);
        check("2024. a", &["a"]);
    }

    #[track_caller]
    fn check_paragraphs(text: &str, expected: &[(bool, bool)]) {
        let mut blocks = Blocks::default();
        let mut found = Vec::new();
        for line in text.split('\n') {
            if let Some(Line::Prose { joins, ends, .. }) = blocks.next_line(line, true) {
                found.push((joins, ends));
            }
        }
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn paragraphs_go_on_until_a_block_begins() {
        check_paragraphs(
            "a\nb\n\nc",
            &[(false, false), (true, false), (false, false)],
        );
        check_paragraphs("a\n- b\n- c", &[(false, false); 3]);
        check_paragraphs(
            "a\n# b\nc",
            &[(false, false), (false, true), (false, false)],
        );
        check_paragraphs("| a |\n| b |", &[(false, true), (false, true)]);
        check_paragraphs(
            "> a\n> b\nc",
            &[(false, false), (true, false), (false, false)],
        );
    }

    #[test]
    fn a_line_is_judged_early_only_where_its_rest_cannot_change_it() {
        let lines = [
            "text",
            "``` a",
            "``` a ` b",
            "~~~ a",
            "- a",
            "-a",
            "12. a",
            "12",
            "# a",
            "#a",
            "---",
            "- - a",
            "> a",
            "    a",
            "  a",
            "| a",
            "** a",
            "> ```x",
            "",
            "   ",
            "1) ```",
            "\ta",
        ];
        for before in ["", "a", "- a\n", "```", "> ~~~~", "1. a\n\n"] {
            for line in lines {
                for cut in 0..=line.len() {
                    let state = || {
                        let mut blocks = Blocks::default();
                        for line in before.split('\n').filter(|_| !before.is_empty()) {
                            blocks.next_line(line, true);
                        }
                        blocks
                    };
                    let early = state().next_line(&line[..cut], false);
                    if early.is_some() {
                        let whole = state().next_line(line, true);
                        assert_eq!(early, whole, "{before:?} then {line:?} cut at {cut}");
                    }
                }
            }
        }
    }
}
