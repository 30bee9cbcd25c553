//! As many sources as the model's context window has room for.
//!
//! A server that is sent more than fits either refuses, or drops the beginning without a word: the instructions
//! first. So whole turns of the conversation are left out here, the oldest first, and then whole sources, the last in
//! rank first, and the answer says how many.

use crate::prompt::{Prompt, Source, Turn, model_tokens};
use crate::provider::{Code, Failure};

/// Room for the answer where no cap on it is set: what a few sentences and some hidden reasoning take.
const ANSWER_TOKENS: u32 = 1024;

/// How much a model reads and writes at once, in model tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Prompt and answer together.
    pub tokens: u32,
    /// The cap on the answer, for which room is kept. Default: 1024, but at most a quarter of the window.
    pub answer_tokens: Option<u32>,
}

/// A prompt that fits, and what was left out of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The prompt.
    pub prompt: Prompt,
    /// Turns of the conversation, the oldest.
    pub dropped_turns: usize,
    /// Sources, the last in rank.
    pub dropped_sources: u32,
}

/// The prompt that `build` makes of as many of the last turns and the first sources as fit. One turn stays as long
/// as there are two sources: a question that goes on a conversation means nothing without it.
///
/// Tokens are estimated, rather too many than too few, by [`model_tokens`].
///
/// # Errors
///
/// [`Code::ContextTooLong`] where not even one of the sources fits; where there are none, the question.
pub fn fit(
    sources: Vec<Source>,
    history: &[Turn],
    window: Option<Window>,
    build: &dyn Fn(Vec<Source>, &[Turn]) -> Prompt,
) -> Result<Fitted, Failure> {
    let mut fitted = Fitted {
        prompt: build(sources, history),
        dropped_turns: 0,
        dropped_sources: 0,
    };
    let Some(window) = window else {
        return Ok(fitted);
    };
    let reserved = window
        .answer_tokens
        .unwrap_or(ANSWER_TOKENS.min(window.tokens / 4));
    let room = window.tokens.saturating_sub(reserved) as usize;
    loop {
        let prompt = &mut fitted.prompt;
        let needed = model_tokens(&prompt.instructions).saturating_add(model_tokens(&prompt.input));
        if needed <= room {
            return Ok(fitted);
        }
        let turns = history.len() - fitted.dropped_turns;
        if turns > 1 || turns == 1 && prompt.sources.len() < 2 {
            fitted.dropped_turns += 1;
        } else if prompt.sources.len() < 2 {
            let message = [
                "the prompt takes about ",
                &needed.to_string(),
                " tokens, and the context window has room for ",
                &room.to_string(),
            ];
            return Err(Failure::without_response(
                Code::ContextTooLong,
                message.concat(),
            ));
        } else {
            prompt.sources.pop();
            fitted.dropped_sources += 1;
        }
        let sources = std::mem::take(&mut prompt.sources);
        fitted.prompt = build(sources, &history[fitted.dropped_turns..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::{Passage, build, build_follow_up, preset};

    fn sources(count: u32, text: &str) -> Vec<Source> {
        let source = |n| Source {
            n,
            passage: Passage {
                text: text.to_owned(),
                ..Passage::default()
            },
        };
        (1..=count).map(source).collect()
    }

    /// Fits five sources of about a hundred tokens each, beside about as many for the rest of the prompt.
    #[track_caller]
    fn check(tokens: u32, answer_tokens: Option<u32>, expected: Result<(usize, u32), Code>) {
        let template = preset("context").expect("a preset");
        let window = Window {
            tokens,
            answer_tokens,
        };
        let build = |sources, _: &[Turn]| build(&template, sources, "Which tea?");
        let fitted = fit(sources(5, &"tea ".repeat(75)), &[], Some(window), &build);
        let seen = fitted
            .map(|fitted| (fitted.prompt.sources.len(), fitted.dropped_sources))
            .map_err(|failure| failure.code);
        assert_eq!(seen, expected, "{window:?}");
    }

    #[test]
    fn whole_sources_are_left_out_from_the_last() {
        check(4000, None, Ok((5, 0)));
        check(600, Some(100), Ok((4, 1)));
        check(400, Some(100), Ok((2, 3)));
        check(300, Some(100), Ok((1, 4)));
        check(300, Some(200), Err(Code::ContextTooLong));
    }

    #[test]
    fn room_for_the_answer_is_kept_even_where_no_cap_is_set() {
        check(600, Some(0), Ok((5, 0)));
        check(600, None, Ok((3, 2)));
        check(0, None, Err(Code::ContextTooLong));
        check(600, Some(u32::MAX), Err(Code::ContextTooLong));
    }

    #[test]
    fn those_that_stay_keep_their_numbers_and_order() {
        let template = preset("cited").expect("a preset");
        let window = Window {
            tokens: 700,
            answer_tokens: Some(100),
        };
        let build = |sources, _: &[Turn]| build(&template, sources, "Which tea?");
        let fitted = fit(sources(5, &"tea ".repeat(75)), &[], Some(window), &build);
        let Fitted {
            prompt,
            dropped_sources: dropped,
            ..
        } = fitted.expect("a prompt");
        let numbers: Vec<u32> = prompt.sources.iter().map(|source| source.n).collect();
        let expected: Vec<u32> = (1..=5 - dropped).collect();
        assert!(dropped > 0 && !numbers.is_empty());
        assert_eq!(numbers, expected);
        assert!(
            !prompt
                .input
                .contains(&["id=\"", &(6 - dropped).to_string()].concat())
        );
    }

    #[test]
    fn without_a_window_nothing_is_left_out() {
        let template = preset("cited").expect("a preset");
        let build = |sources, _: &[Turn]| build(&template, sources, "?");
        let fitted = fit(sources(50, "tea"), &[], None, &build);
        assert_eq!(fitted.expect("a prompt").dropped_sources, 0);
    }

    /// Fits three turns and three sources of about a hundred tokens each, beside about as many for the rest.
    #[track_caller]
    fn check_turns(tokens: u32, turns_left: usize, sources_left: usize) {
        let template = preset("context").expect("a preset");
        let history: Vec<Turn> = (1..=3)
            .map(|n| Turn {
                question: n.to_string(),
                answer: "tea ".repeat(75),
                titles: Vec::new(),
            })
            .collect();
        let window = Window {
            tokens,
            answer_tokens: Some(0),
        };
        let build = |sources, history: &[Turn]| build_follow_up(&template, sources, history, "?");
        let fitted = fit(
            sources(3, &"tea ".repeat(75)),
            &history,
            Some(window),
            &build,
        );
        let fitted = fitted.expect("a prompt");
        let seen = (3 - fitted.dropped_turns, fitted.prompt.sources.len());
        assert_eq!(seen, (turns_left, sources_left), "{tokens}");
        // The last turn is the last to go.
        assert_eq!(
            fitted.prompt.input.contains("\n3\n"),
            turns_left > 0,
            "{tokens}"
        );
    }

    #[test]
    fn the_oldest_turns_go_before_any_source_and_the_last_one_before_the_last_source() {
        check_turns(900, 3, 3);
        check_turns(620, 2, 3);
        check_turns(540, 1, 3);
        check_turns(440, 1, 2);
        check_turns(340, 1, 1);
        check_turns(240, 0, 1);
    }
}
