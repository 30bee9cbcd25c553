//! As many sources as the model's context window has room for.
//!
//! A server that is sent more than fits either refuses, or drops the beginning without a word: the instructions
//! first. So whole sources are left out here, the last in rank first, and the answer says how many.

use crate::prompt::{Prompt, Source};
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

/// The prompt that `build` makes of as many of the first sources as fit, and how many were left out.
///
/// Tokens are estimated, rather too many than too few: a third of the ASCII characters, half of the other bytes.
///
/// # Errors
///
/// [`Code::ContextTooLong`] where not even one of the sources fits; where there are none, the question.
pub fn fit(
    sources: Vec<Source>,
    window: Option<Window>,
    build: &dyn Fn(Vec<Source>) -> Prompt,
) -> Result<(Prompt, u32), Failure> {
    let mut prompt = build(sources);
    let Some(window) = window else {
        return Ok((prompt, 0));
    };
    let reserved = window
        .answer_tokens
        .unwrap_or(ANSWER_TOKENS.min(window.tokens / 4));
    let room = window.tokens.saturating_sub(reserved);
    let mut dropped = 0;
    loop {
        let needed = model_tokens(&prompt.instructions).saturating_add(model_tokens(&prompt.input));
        if needed <= room {
            return Ok((prompt, dropped));
        }
        if prompt.sources.len() < 2 {
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
        }
        prompt.sources.pop();
        dropped += 1;
        prompt = build(prompt.sources);
    }
}

/// Model tokens of a text, rather too many than too few. Tokenizers take about four letters of English and three
/// of code to a token, of Cyrillic about two, and of Chinese one or less; here it is three characters of ASCII
/// and two bytes of anything else.
fn model_tokens(text: &str) -> u32 {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let tokens = ascii.div_ceil(3) + (text.len() - ascii).div_ceil(2);
    u32::try_from(tokens).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::{Passage, build, preset};

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
        let fitted = fit(sources(5, &"tea ".repeat(75)), Some(window), &|sources| {
            build(&template, sources, "Which tea?")
        });
        let seen = fitted
            .map(|(prompt, dropped)| (prompt.sources.len(), dropped))
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
        let (prompt, dropped) = fit(sources(5, &"tea ".repeat(75)), Some(window), &|sources| {
            build(&template, sources, "Which tea?")
        })
        .expect("a prompt");
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
        let fitted = fit(sources(50, "tea"), None, &|sources| {
            build(&template, sources, "?")
        });
        assert_eq!(fitted.expect("a prompt").1, 0);
    }

    #[test]
    fn tokens_are_estimated_by_script() {
        #[track_caller]
        fn check(text: &str, expected: u32) {
            assert_eq!(model_tokens(text), expected, "{text}");
        }
        check("", 0);
        check("covering index", 5);
        check("чай", 3);
        check("茶", 2);
    }
}
