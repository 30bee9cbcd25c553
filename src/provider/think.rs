//! Hidden reasoning that a server left in the answer.
//!
//! Open models write their reasoning as `<think>…</think>` before the answer, and many servers pass it on as
//! text. Only a block at the very start is reasoning; a later one is part of what the model says, for example
//! about such tags. Text is held back only while the opening tag is undecided, which is at most its seven
//! characters and white space before them.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Drops a leading think block from a text that arrives in pieces, and white space around the block.
#[derive(Default)]
pub(super) struct ThinkFilter {
    state: State,
    /// Text that is not decided: in `Start` everything so far, in `Inside` a possible start of `CLOSE`.
    held: String,
}

#[derive(Default)]
enum State {
    #[default]
    Start,
    Inside,
    /// After the block, before the first visible character.
    After,
    Open,
}

impl ThinkFilter {
    /// Takes the next piece and gives the part of the text that is now known to be visible.
    pub(super) fn feed(&mut self, piece: &str) -> String {
        if matches!(self.state, State::Open) {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        if matches!(self.state, State::Start) {
            let start = self.held.trim_start();
            if let Some(inside) = start.strip_prefix(OPEN) {
                self.held = inside.to_owned();
                self.state = State::Inside;
            } else if OPEN.starts_with(start) {
                return String::new();
            } else {
                self.state = State::Open;
                return std::mem::take(&mut self.held);
            }
        }
        if matches!(self.state, State::Inside) {
            match self.held.find(CLOSE) {
                Some(at) => {
                    self.held.drain(..at + CLOSE.len());
                    self.state = State::After;
                }
                None => {
                    let kept = possible_start(&self.held);
                    self.held.drain(..self.held.len() - kept);
                    return String::new();
                }
            }
        }
        let visible = self.held.trim_start().to_owned();
        self.held.clear();
        if !visible.is_empty() {
            self.state = State::Open;
        }
        visible
    }

    /// Ends the text and releases what was held while undecided. A block that never closed stays hidden:
    /// it is reasoning whether or not the model reached its answer.
    pub(super) fn finish(&mut self) -> String {
        match self.state {
            State::Start => std::mem::take(&mut self.held),
            _ => String::new(),
        }
    }
}

/// Length in bytes of the longest end of `text` that could be the start of [`CLOSE`].
fn possible_start(text: &str) -> usize {
    (1..CLOSE.len())
        .rev()
        .find(|length| text.ends_with(&CLOSE[..*length]))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Filters whole and in pieces of one character; both must give the expected text.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut whole = ThinkFilter::default();
        assert_eq!(whole.feed(text) + &whole.finish(), expected, "whole");
        let mut pieces = ThinkFilter::default();
        let mut visible = String::new();
        for c in text.chars() {
            visible += &pieces.feed(c.encode_utf8(&mut [0; 4]));
        }
        assert_eq!(
            visible + &pieces.finish(),
            expected,
            "character by character"
        );
    }

    #[test]
    fn a_leading_block_is_dropped_with_the_space_around_it() {
        check(
            "<think>port 99? [2]</think>\n\nUse 8080 [1].",
            "Use 8080 [1].",
        );
        check("\n <think></think>x", "x");
        check("<think>a </thin </think>é</think>", "é</think>");
        check(
            "<think>one</think> <think>two</think>",
            "<think>two</think>",
        );
    }

    #[test]
    fn a_block_that_does_not_lead_is_text() {
        check(
            "Write <think>x</think> here.",
            "Write <think>x</think> here.",
        );
        check("<thinker>x</thinker>", "<thinker>x</thinker>");
        check(" leading space stays", " leading space stays");
    }

    #[test]
    fn undecided_text_is_released_at_the_end() {
        check("<thi", "<thi");
        check("  ", "  ");
        check("", "");
    }

    #[test]
    fn a_block_that_never_closes_stays_hidden() {
        check("<think>so the port is 99 [2]", "");
    }

    #[test]
    fn text_is_not_held_once_it_is_decided() {
        let mut filter = ThinkFilter::default();
        assert_eq!(filter.feed("<t"), "");
        assert_eq!(filter.feed("able>"), "<table>");
        assert_eq!(filter.feed("<think"), "<think");
    }
}
