//! Finds the citation markers of a reply, whole or while it streams in.

use super::blocks::{Blocks, Line};
use super::inline::Paragraph;
use super::marker::Marker;

/// All citation markers of `reply` in their order, whether or not there are such sources.
///
/// Brackets in code spans, fences, indented code, links, images, link definitions, formulas and
/// a leading `<think>` block are none, and neither is an index directly after an identifier.
/// Text in brackets followed by an address is a link even where the text is a number, as in
/// `[1](#s1)`: what a reader would be led to is then the model's word and not a source. Full
/// reference links are not recognized, because `[1][2]` is two citations.
///
/// Time and memory are linear in the reply.
///
/// ```
/// let markers = groundling::answer::citations("Set `a[0]` first [2, 3].");
/// assert_eq!(markers.len(), 1);
/// assert_eq!(markers[0].numbers[1].first, 3);
/// assert_eq!((markers[0].start_bytes, markers[0].end_bytes), (17, 23));
/// ```
pub fn citations(reply: &str) -> Vec<Marker> {
    let mut scanner = CitationScanner::new();
    scanner.feed(reply);
    scanner.finish();
    scanner.markers
}

/// Finds the markers of a reply that arrives in pieces, each as soon as nothing that follows can
/// change it. However the reply is cut, the markers are those of [`citations`].
///
/// A marker after a bracket or backtick that is still open waits for what closes it, at most for
/// the end of its paragraph. Memory is linear in the reply, which is kept.
#[derive(Debug, Default)]
pub struct CitationScanner {
    reply: String,
    blocks: Blocks,
    paragraph: Option<Paragraph>,
    place: Place,
    /// Everything before is given to a paragraph or passed over.
    at: usize,
    markers: Vec<Marker>,
    /// How many of `markers` the caller has.
    given: usize,
    /// The length of the reply at which reading on is worth a new attempt.
    retry_at: usize,
}

/// What `at` stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    ReplyStart,
    Reasoning,
    LineStart,
    /// In a line that goes into the paragraph, which ends with it if so told.
    Prose {
        ends: bool,
    },
    /// In a line that is passed over.
    NoProse,
}

const REASONING_START: &str = "<think>";
const REASONING_END: &str = "</think>";

impl CitationScanner {
    /// A scanner at the start of a reply.
    pub fn new() -> CitationScanner {
        CitationScanner::default()
    }

    /// Takes the next piece and gives the markers that it completed.
    pub fn feed(&mut self, delta: &str) -> &[Marker] {
        self.reply.push_str(delta);
        if self.reply.len() >= self.retry_at {
            self.read(false);
            // An undecided stretch is read again from its start. Waiting until it has grown by an
            // eighth keeps the sum of that linear; short stretches are tried with every piece.
            let decided = self.paragraph.as_ref().map_or(self.at, Paragraph::next);
            self.retry_at = self.reply.len() + (self.reply.len() - decided) / 8;
        }
        let settled = match &self.paragraph {
            Some(paragraph) => paragraph.settled(&self.markers),
            None => self.markers.len(),
        };
        self.give(settled)
    }

    /// Ends the reply and gives the markers that were still waiting.
    pub fn finish(&mut self) -> &[Marker] {
        self.read(true);
        self.end_paragraph(self.reply.len());
        self.give(self.markers.len())
    }

    /// The markers given so far.
    pub fn markers(&self) -> &[Marker] {
        &self.markers[..self.given]
    }

    /// The reply so far.
    pub fn reply(&self) -> &str {
        &self.reply
    }

    fn give(&mut self, settled: usize) -> &[Marker] {
        let from = self.given.min(settled);
        self.given = settled.max(self.given);
        &self.markers[from..self.given]
    }

    fn read(&mut self, ended: bool) {
        while self.at < self.reply.len() {
            let rest = &self.reply[self.at..];
            match self.place {
                Place::ReplyStart => {
                    let text = rest.trim_start();
                    if text.starts_with(REASONING_START) {
                        self.place = Place::Reasoning;
                    } else if ended || !REASONING_START.starts_with(text) {
                        self.place = Place::LineStart;
                    } else {
                        break;
                    }
                }
                Place::Reasoning => match rest.find(REASONING_END) {
                    Some(end) => {
                        self.at += end + REASONING_END.len();
                        self.place = Place::LineStart;
                    }
                    None => break,
                },
                Place::LineStart => {
                    let newline = rest.find('\n');
                    let line = &rest[..newline.unwrap_or(rest.len())];
                    let Some(line) = self.blocks.next_line(line, ended || newline.is_some()) else {
                        break;
                    };
                    self.start_line(line);
                }
                Place::Prose { .. } | Place::NoProse => {
                    let newline = rest.find('\n');
                    self.at += newline.map_or(rest.len(), |at| at + 1);
                    if newline.is_some() {
                        if self.place == (Place::Prose { ends: true }) {
                            self.end_paragraph(self.at);
                        }
                        self.place = Place::LineStart;
                    }
                }
            }
        }
        if let Some(paragraph) = &mut self.paragraph {
            paragraph.read(&self.reply[..self.at], false, &mut self.markers);
        }
    }

    fn start_line(&mut self, line: Line) {
        match line {
            Line::NoProse => {
                self.end_paragraph(self.at);
                self.place = Place::NoProse;
            }
            Line::Prose { start, joins, ends } => {
                if !joins {
                    self.end_paragraph(self.at);
                }
                let start = self.at + start;
                self.paragraph.get_or_insert_with(|| Paragraph::new(start));
                self.place = Place::Prose { ends };
            }
        }
    }

    fn end_paragraph(&mut self, end: usize) {
        if let Some(mut paragraph) = self.paragraph.take() {
            paragraph.read(&self.reply[..end], true, &mut self.markers);
        }
    }
}
