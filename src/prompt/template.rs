//! A template: the words and the layout around sources and question, as data.

use std::borrow::Cow;

/// Whether the numbers in a reply are checked against the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CitationMode {
    /// The model was told to cite; a reply without valid citations is not passed on.
    Verified,
    /// The model was not told to cite; the reply is passed on unchecked.
    None,
}

/// How sources and question become the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One numbered `<source>` block a source, then the question in `<question>`, all escaped.
    Blocks,
    /// The texts joined by blank lines in one backtick fence and the question in another, with
    /// words before and after. The texts are not numbered, so this goes with
    /// [`CitationMode::None`].
    Fences {
        /// What stands before the fence with the texts.
        lead: Cow<'static, str>,
        /// What stands after the fence with the question.
        closing: Cow<'static, str>,
    },
}

/// What a model is told besides sources and question. A site may define its own: every field is
/// data, and nothing is filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The name it is chosen by, such as `cited`.
    pub name: Cow<'static, str>,
    /// Changes whenever the words or the layout change, such as `answer-v1`; it goes with each
    /// request, so that logged answers can be compared.
    pub version: Cow<'static, str>,
    /// BCP 47 language of the words.
    pub lang: Cow<'static, str>,
    /// The instructions, apart from the input; empty where the layout says it all.
    pub instructions: Cow<'static, str>,
    /// What the model is told to reply where the sources do not answer, and what the caller gets
    /// when an answer is not passed on.
    pub refusal: Cow<'static, str>,
    /// Whether replies are checked.
    pub citation_mode: CitationMode,
    /// How sources and question are laid out.
    pub layout: Layout,
}
