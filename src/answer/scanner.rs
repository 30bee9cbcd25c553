//! Finds the citation markers of a reply, whole or while it streams in.

use super::blocks::{Blocks, Line};
use super::inline::Paragraph;
use super::marker::Marker;

/// All citation markers of `reply` in their order, whether or not there are such sources.
///
/// Brackets in code spans, fences, indented code, links, images, link definitions, formulas, HTML's
/// code, links and comments, and a leading `<think>` block are none, and neither is an index directly after an identifier.
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

#[cfg(test)]
mod tests {
    use super::super::verify::{Verdict, verify};
    use super::*;
    use crate::prompt::samples::Samples;

    /// Checks which parts of `reply` are markers, whole and fed a character at a time.
    #[track_caller]
    fn check(reply: &str, expected: &[&str]) {
        let markers = citations(reply);
        let found: Vec<&str> = markers
            .iter()
            .map(|marker| &reply[marker.start_bytes..marker.end_bytes])
            .collect();
        assert_eq!(found, expected, "{reply}");
        let pieces: Vec<String> = reply.chars().map(String::from).collect();
        assert_eq!(
            feed_all(pieces.iter().map(String::as_str)),
            markers,
            "{reply}"
        );
    }

    fn feed_all<'a>(pieces: impl Iterator<Item = &'a str>) -> Vec<Marker> {
        let mut scanner = CitationScanner::new();
        let mut markers = Vec::new();
        for piece in pieces {
            markers.extend_from_slice(scanner.feed(piece));
        }
        markers.extend_from_slice(scanner.finish());
        assert_eq!(markers, scanner.markers());
        markers
    }

    #[test]
    fn all_forms_are_found_in_prose() {
        check("Open it [1]. Close it [2].", &["[1]", "[2]"]);
        check(
            "Open it [1, 2][3] and【4】, [^5] [source 6]",
            &["[1, 2]", "[3]", "【4】", "[^5]", "[source 6]"],
        );
        check("使用端口 8080【1】。", &["【1】"]);
        check("[1] at the start\n[2]", &["[1]", "[2]"]);
        check(
            "([1]), **[2]**, [[3]], <sup>[4]</sup>",
            &["[1]", "[2]", "[3]", "[4]"],
        );
        check(
            "- a [1]\n  - b [2]\n\n> c [3]\n\n| d [4] | e [5] |",
            &["[1]", "[2]", "[3]", "[4]", "[5]"],
        );
    }

    #[test]
    fn code_spans_hide_brackets() {
        check("Use `a [0]` [1]", &["[1]"]);
        check("Use ``a ` [0]`` [1]", &["[1]"]);
        check("Use `a\n[0]` [1]", &["[1]"]);
        check("Use `a\\` [1]", &["[1]"]);
    }

    #[test]
    fn a_backtick_without_a_partner_hides_nothing() {
        check("a ` b [1]", &["[1]"]);
        check("a ` b [1]\n\nc ` d [2]", &["[1]", "[2]"]);
        check("a `` b ` c [1] ` d [2]", &["[2]"]);
        check("a \\` b [1] `", &["[1]"]);
        check("- a ` b [1]\n- c ` d [2]", &["[1]", "[2]"]);
    }

    #[test]
    fn blocks_of_code_hide_brackets() {
        check("a\n\n```js\nx [0]\n```\n\nb [2]", &["[2]"]);
        check("~~~\n[1]\n~~~\n[2]", &["[2]"]);
        check("a [1]\n```\n[2]", &["[1]"]);
        check("a\n\n    x [0]\n\nb [2]", &["[2]"]);
        check("1. Run:\n   ```\n   x [7]\n   ```\n   Then [2]", &["[2]"]);
    }

    #[test]
    fn links_and_images_hide_brackets() {
        check("[guide](/a) [1]", &["[1]"]);
        check("[1](/a) [2](#s) [3]", &["[3]"]);
        check("[see [1]](/a) ![2](/b) ![x [3]](/c) [4]", &["[4]"]);
        check("[a](/b[1]) <https://a.example/[2]> [3]", &["[3]"]);
        check("[1] (/a) [2](not a link) [3]( /c \"t\" )", &["[1]", "[2]"]);
        check("Done![1] [open [2]", &["[1]", "[2]"]);
        check("![a [b](/c) [1]](/d)", &[]);
    }

    #[test]
    fn definitions_hide_their_label() {
        check(
            "a [1]\n\n[1]: /a\n[2]: <b c> \"t\"\n[^3]: A note [4]",
            &["[1]", "[4]"],
        );
        check("[1]: The port is 8080.", &["[1]"]);
        check("See [1]: it is 8080", &["[1]"]);
    }

    #[test]
    fn formulas_hide_brackets_and_prices_do_not() {
        check("$x \\in [0, 1]$ [2]", &["[2]"]);
        check("$$\n[1]\n$$ \\( [2] \\) \\[ [3] \\] [4]", &["[4]"]);
        check("$5 [1] and $6 [2]", &["[1]", "[2]"]);
        check("$HOME [1] and $PATH [2]", &["[1]", "[2]"]);
        check("US$ [1], 5$ [2] or A$", &["[1]", "[2]"]);
        check("$HOME [1] and `x$` [2]", &["[1]", "[2]"]);
        check("$$ [1] \\( [2]", &["[1]", "[2]"]);
    }

    #[test]
    fn escaped_brackets_are_text() {
        check("\\[1] \\\\[2] \\a[^3]", &["[2]", "[^3]"]);
        check("\\[1\\] [2]", &["[2]"]);
    }

    #[test]
    fn an_index_is_no_citation() {
        check("a[1] and x[0] and f()[2] and _y9[1] and x=[3]", &[]);
        check(
            "a[1][2] rows[1].name self.rows[1]. rowList[2]. rows[0]. rows[1] = 2",
            &[],
        );
        check("a/rows[1]. https://a.example/page[2].", &[]);
    }

    #[test]
    fn a_marker_glued_to_prose_is_a_citation() {
        check("Port 8080[1] is open.", &["[1]"]);
        check("the covering index[1].", &["[1]"]);
        check(
            "the index[1][2], the GIL[3]\nIndex[4]",
            &["[1]", "[2]", "[3]", "[4]"],
        );
        check(
            "Порт[1] открыт, 端口[2]是, le café[3] est",
            &["[1]", "[2]", "[3]"],
        );
        check(
            "the index[^1] is (so)[2] \"so\"[3]",
            &["[^1]", "[2]", "[3]"],
        );
    }

    #[test]
    fn a_marker_glued_to_a_name_or_to_emphasis_is_a_citation() {
        check(
            "It runs on PostgreSQL[1]. In JavaScript[2], over HTTP2[3].",
            &["[1]", "[2]", "[3]"],
        );
        check("So _[1]_ and __[2]__.", &["[1]", "[2]"]);
        check("It is _so_[1]. It is __so__[2].", &["[1]", "[2]"]);
        check("_private[1]. my_rows[2]. self.rows_[3].", &[]);
    }

    #[test]
    fn elements_that_are_code_links_or_comments_hide_brackets() {
        check("<code>a [1]</code> <pre>[2]\n[3]</pre> [4]", &["[4]"]);
        check("<!-- [1] --> <a href=\"/a\">[2]</a> [3]", &["[3]"]);
        check("<code> [1] and <b>[2]</b>", &["[1]", "[2]"]);
        check("if a <b [1] or a<c [2]", &["[1]", "[2]"]);
    }

    #[test]
    fn other_brackets_are_text() {
        check(
            "Run `app [OPTIONS]`, tick [x], set [optional] values [2].",
            &["[2]"],
        );
        check("- [ ] stop\n- [x] copy [3]", &["[3]"]);
    }

    #[test]
    fn leading_reasoning_is_no_part_of_the_reply() {
        check("<think>maybe [2]</think>\n\nUse 8080 [1].", &["[1]"]);
        check(" \n<think>```\n[2]\n</think>Use [1]", &["[1]"]);
        check("<think>maybe [2]", &[]);
        check("<thin [1]", &["[1]"]);
        check("Use <think>[1]</think>", &["[1]"]);
    }

    /// Checks after which pieces markers are given.
    #[track_caller]
    fn check_stream(pieces: &[&str], expected: &[usize]) {
        let mut scanner = CitationScanner::new();
        let mut given: Vec<usize> = pieces
            .iter()
            .map(|piece| scanner.feed(piece).len())
            .collect();
        given.push(scanner.finish().len());
        assert_eq!(given, expected);
    }

    #[test]
    fn a_marker_is_given_as_soon_as_nothing_can_change_it() {
        check_stream(
            &["Use port 8080 ", "[", "1", "]", ".", " Go"],
            &[0, 0, 0, 0, 1, 0, 0],
        );
        check_stream(&["Use `a", " [1]", "` [2] ", "b"], &[0, 0, 1, 0, 0]);
        check_stream(&["Use ` [1] a", "\n\n", "b"], &[0, 1, 0, 0]);
        check_stream(&["see [1]"], &[0, 1]);
    }

    const PIECES: &[&str] = &[
        "[1]",
        "[2, 3]",
        "[4",
        "-5]",
        "[",
        "]",
        "(",
        ")",
        "(/a)",
        "`",
        "``",
        "```",
        "\n",
        "\n\n",
        "    ",
        "- ",
        "1. ",
        "> ",
        "~~~\n",
        "word",
        " ",
        "a",
        ".",
        "$",
        "$$",
        "\\",
        "\\[",
        "\\]",
        "\\(",
        "\\)",
        "<",
        ">",
        "<https://a/",
        "【6】",
        "【7†x",
        "】",
        "［",
        "［８］",
        "^",
        "[^9]",
        ":",
        ": /a\n",
        "!",
        "source 1",
        "|",
        "# ",
        "\"",
        "'",
        "é",
        "端",
        "\t",
        "\r\n",
        "()",
        "=",
        "---\n",
        "<think>",
        "</think>",
        "<code>",
        "</code>",
        "<!--",
        "-->",
        "_",
    ];

    #[test]
    fn any_cut_of_a_reply_gives_the_markers_of_the_whole() {
        let mut samples = Samples::new(21);
        for _ in 0..3000 {
            let reply = samples.text(PIECES, 24);
            let expected = citations(&reply);
            let mut pieces = Vec::new();
            let mut rest = reply.as_str();
            while !rest.is_empty() {
                let mut cut = 1 + samples.below(rest.len().min(9));
                while !rest.is_char_boundary(cut) {
                    cut += 1;
                }
                pieces.push(&rest[..cut]);
                rest = &rest[cut..];
            }
            assert_eq!(
                feed_all(pieces.iter().copied()),
                expected,
                "{reply:?} as {pieces:?}"
            );
        }
    }

    #[test]
    fn markers_are_in_order_and_grounded_means_that_one_is_valid() {
        let mut samples = Samples::new(22);
        for _ in 0..3000 {
            let reply = samples.text(PIECES, 24);
            let mut end = 0;
            for marker in citations(&reply) {
                assert!(marker.start_bytes >= end && marker.end_bytes > marker.start_bytes);
                end = marker.end_bytes;
                assert!(!reply[marker.start_bytes..end].contains('`'));
            }
            if let Verdict::Grounded { cited, citations } = verify(&reply, 3) {
                assert!(!citations.is_empty());
                assert!(cited.iter().all(|n| (1..=3).contains(n)));
            }
        }
    }

    /// The time that a reply takes which arrives in pieces of about 100 bytes.
    fn seconds(reply: &str) -> f64 {
        let start = std::time::Instant::now();
        let mut scanner = CitationScanner::new();
        let mut at = 0;
        while at < reply.len() {
            let mut end = (at + 100).min(reply.len());
            while !reply.is_char_boundary(end) {
                end += 1;
            }
            scanner.feed(&reply[at..end]);
            at = end;
        }
        scanner.finish();
        start.elapsed().as_secs_f64()
    }

    #[test]
    fn hostile_replies_take_linear_time() {
        for piece in [
            "[",
            "]",
            "[[1]",
            "[1](",
            "[1](a \"",
            "[1](<",
            "`",
            "` ",
            "$a ",
            "$$",
            "\\( ",
            "\\[",
            "<a",
            "<a:",
            "[1,",
            "1",
            "[1",
            "a[1]",
            "[1][2]",
            "a[1",
            "【1†",
            "- ",
            "> ",
            "\n- ",
            "\n> ```",
            "[1]: ",
            "![",
            "[a](b",
            "\n[1]: a",
            "    ",
            "~",
            "word[1][1",
            "word[1]",
            "\n    - a",
            "[a [b](c) ",
            "<code>",
            "<!-- ",
            "<a ",
            "_",
        ] {
            // A quadratic scan of 100 kB would take minutes, a linear one a fraction of a second;
            // the limit is far from both, so that a busy machine does not matter.
            let taken = seconds(&piece.repeat(100_000 / piece.len()));

            assert!(taken < 5.0, "{piece:?} took {taken} s");
        }
        // Runs of all lengths, none of which has a partner.
        let runs: String = (1..600).map(|len| "`".repeat(len) + " ").collect();
        let taken = seconds(&runs);
        assert!(taken < 5.0, "runs took {taken} s");
    }
}
