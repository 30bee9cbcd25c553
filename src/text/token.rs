//! What the analyzer makes of a text.

/// One searchable term of a text, with the place it stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// The folded and stemmed form: never empty, at most [`MAX_TERM_BYTES`](super::MAX_TERM_BYTES) long.
    pub term: &'a str,
    /// Where the word starts in the original text, in UTF-8 bytes.
    pub start_bytes: usize,
    /// Where the word ends in the original text, in UTF-8 bytes, exclusive.
    pub end_bytes: usize,
    /// Number of the word in the text, from 0. See [`TokenKind::Part`] for a compound's parts.
    pub position: u32,
    /// Whether the token stands for itself or lies inside another one.
    pub kind: TokenKind,
}

/// How a token relates to the tokens around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A word, or a whole compound such as an identifier, a path or a version.
    Word,
    /// A part of the compound before it.
    ///
    /// The compound stands at the position of its first part, and each part takes a position of its own.
    /// So `maxIdleTime` and `max idle time` put `max`, `idle` and `time` at the same three positions.
    Part,
}
