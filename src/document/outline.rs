//! Writes the text of a page into sections, with white space as a reader sees it.

use std::ops::Range;

use super::{Part, Section, clean::clean};

/// What stands between the text written last and the text that comes next.
///
/// The strongest gap asked for wins, so that two blocks that end together still make one
/// newline and a cell at the start of a row makes no tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Space,
    /// A tab and not a bar or another mark: what a page shows must be found in it again.
    Cell,
    Block,
}

/// Collects sections from the events of a page in reading order.
#[derive(Debug, Default)]
pub(super) struct Outline {
    sections: Vec<Section>,
    current: Section,
    gap: Gap,
    /// The heading being read; its text goes here and not into the section before it.
    heading: Option<Section>,
    /// The code block being read.
    code: Option<String>,
    /// The defined term being read: where it starts and its anchor.
    term: Option<((usize, usize), Option<String>)>,
}

impl Outline {
    /// Adds text, its white space collapsed outside code.
    pub(super) fn text(&mut self, text: &str) {
        let text = clean(text);
        if let Some(code) = &mut self.code {
            code.push_str(&text);
            return;
        }
        if text.starts_with(char::is_whitespace) {
            self.gap = self.gap.max(Gap::Space);
        }
        for word in text.split_whitespace() {
            match &mut self.heading {
                // A heading is one line, whatever its markup.
                Some(heading) => push(&mut heading.heading, self.gap.min(Gap::Space), word),
                None => push(&mut self.current.text, self.gap, word),
            }
            self.gap = Gap::Space;
        }
        if !text.ends_with(char::is_whitespace) && !text.is_empty() {
            self.gap = Gap::None;
        }
    }

    /// Divides words without ending the block.
    pub(super) fn space(&mut self) {
        self.gap = self.gap.max(Gap::Space);
    }

    /// Divides two cells of a table row.
    pub(super) fn cell(&mut self) {
        self.gap = self.gap.max(Gap::Cell);
    }

    /// Ends the block, or the line within code.
    pub(super) fn block(&mut self) {
        match &mut self.code {
            Some(code) if !code.is_empty() && !code.ends_with('\n') => code.push('\n'),
            Some(_) => {}
            None => self.gap = Gap::Block,
        }
    }

    /// Starts a code block: from here text is kept exactly.
    pub(super) fn start_code(&mut self) {
        if self.heading.is_some() {
            return;
        }
        self.code = Some(String::new());
    }

    /// Adds a line break of the markup to code.
    pub(super) fn code_newline(&mut self) {
        if let Some(code) = &mut self.code {
            code.push('\n');
        }
    }

    /// Ends the code block. Empty lines around the code are no part of it.
    pub(super) fn end_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        let mut code = code.trim_end();
        while let Some((line, rest)) = code.split_once('\n') {
            if !line.trim().is_empty() {
                break;
            }
            code = rest;
        }
        if !code.is_empty() {
            let text = &mut self.current.text;
            push(text, Gap::Block, code);
            let end = text.len();
            self.current.code.push(end - code.len()..end);
        }
        self.gap = Gap::Block;
    }

    /// Starts a heading of a level from 1 to 6.
    pub(super) fn start_heading(&mut self, level: u8, anchor: Option<String>) {
        self.end_code();
        self.gap = Gap::None;
        self.heading = Some(Section {
            level,
            anchor,
            ..Section::default()
        });
    }

    /// Gives the heading being read an anchor if it has none.
    pub(super) fn anchor_heading(&mut self, anchor: &str) {
        if let Some(heading) = &mut self.heading {
            heading.anchor.get_or_insert_with(|| anchor.to_owned());
        }
    }

    /// Ends the heading. One without any text divides nothing.
    pub(super) fn end_heading(&mut self) {
        self.gap = Gap::Block;
        let Some(heading) = self.heading.take() else {
            return;
        };
        if !heading.heading.is_empty() {
            let ended = std::mem::replace(&mut self.current, heading);
            self.keep(ended);
        }
    }

    /// Starts a term that is defined.
    pub(super) fn start_term(&mut self, anchor: Option<String>) {
        self.term = Some((self.position(), anchor));
    }

    /// Gives the term being read an anchor if it has none.
    pub(super) fn anchor_term(&mut self, anchor: &str) {
        if let Some((_, own)) = &mut self.term {
            own.get_or_insert_with(|| anchor.to_owned());
        }
    }

    /// Ends the term. One with an anchor is a part of the section.
    pub(super) fn end_term(&mut self) {
        let Some((start, Some(anchor))) = self.term.take() else {
            return;
        };
        if let Some(range) = self.written_since(start) {
            self.current.parts.push(Part {
                at: range.start,
                anchor,
                title: self.current.text[range].replace('\n', " "),
                is_heading: false,
            });
        }
    }

    /// A place in what is written, for [`Outline::emphasize_since`].
    pub(super) fn position(&self) -> (usize, usize) {
        (self.sections.len(), self.current.text.len())
    }

    /// Marks what was written since as emphasized; of what has a heading in it, the last section.
    pub(super) fn emphasize_since(&mut self, position: (usize, usize)) {
        if let Some(range) = self.written_since(position) {
            self.current.emphasis.push(range);
        }
    }

    /// Gives the text before the first heading an anchor if it has none.
    pub(super) fn anchor_lead(&mut self, anchor: &str) {
        if self.current.level == 0 && self.current.text.is_empty() {
            self.current.anchor.get_or_insert_with(|| anchor.to_owned());
        }
    }

    /// The text of the section from a place on, without white space around it.
    fn written_since(&self, (section, start): (usize, usize)) -> Option<Range<usize>> {
        let start = if section == self.sections.len() {
            start
        } else {
            0
        };
        let text = self.current.text.get(start..)?;
        let lead = text.len() - text.trim_start().len();
        (lead < text.len()).then(|| start + lead..self.current.text.len())
    }

    /// The character that the next text follows without a gap.
    pub(super) fn last_char(&self) -> Option<char> {
        let target = match (&self.code, &self.heading) {
            (Some(code), _) => code,
            (None, Some(heading)) => &heading.heading,
            (None, None) => &self.current.text,
        };
        target.chars().next_back().filter(|_| self.gap == Gap::None)
    }

    /// The sections in reading order. Text before the first heading has level 0.
    pub(super) fn finish(mut self) -> Vec<Section> {
        self.end_heading();
        self.end_code();
        let last = std::mem::take(&mut self.current);
        self.keep(last);
        self.sections
    }

    fn keep(&mut self, section: Section) {
        if section.level > 0 || !section.text.is_empty() {
            self.sections.push(section);
        }
    }
}

fn push(target: &mut String, gap: Gap, text: &str) {
    if !target.is_empty() {
        target.push_str(match gap {
            Gap::None => "",
            Gap::Space => " ",
            Gap::Cell => "\t",
            Gap::Block => "\n",
        });
    }
    target.push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(write: impl FnOnce(&mut Outline), expected: &str) {
        let mut outline = Outline::default();
        write(&mut outline);
        let texts: Vec<String> = outline
            .finish()
            .into_iter()
            .map(|section| section.text)
            .collect();
        assert_eq!(texts, [expected]);
    }

    #[test]
    fn only_blocks_and_white_space_divide_words() {
        check(
            |outline| {
                outline.text(" un");
                outline.text("break");
                outline.text("able\n  text ");
                outline.text("");
                outline.text("here");
                outline.block();
                outline.text("next");
            },
            "unbreakable text here\nnext",
        );
    }

    #[test]
    fn rows_are_lines_and_cells_are_divided_by_a_tab() {
        check(
            |outline| {
                for row in [["a", "b"], ["c", "d"]] {
                    outline.block();
                    for cell in row {
                        outline.cell();
                        outline.text(cell);
                    }
                }
            },
            "a\tb\nc\td",
        );
    }

    #[test]
    fn code_keeps_its_lines_and_indentation() {
        check(
            |outline| {
                outline.text("See:");
                outline.start_code();
                outline.text("\n  if x:\n");
                outline.text("      y\n\n");
                outline.end_code();
                outline.text("after");
            },
            "See:\n  if x:\n      y\nafter",
        );
    }

    #[test]
    fn a_heading_without_text_divides_nothing() {
        check(
            |outline| {
                outline.text("a");
                outline.start_heading(2, None);
                outline.end_heading();
                outline.text("b");
            },
            "a\nb",
        );
    }
}
