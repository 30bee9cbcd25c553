//! How much text a prompt may hold.

/// Limit for the texts of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many words, divided by white space. Simple to reason about, but scripts without spaces have few.
    Words(usize),
    /// So many of a model's tokens, as [`model_tokens`] estimates them.
    ModelTokens(usize),
}

impl Budget {
    /// No limit.
    pub const NONE: Budget = Budget::Words(usize::MAX);

    /// What `text` takes of it.
    pub fn size_of(self, text: &str) -> usize {
        match self {
            Budget::Words(_) => text.split_whitespace().count(),
            Budget::ModelTokens(_) => model_tokens(text),
        }
    }

    /// The most that all texts together may take.
    pub fn limit(self) -> usize {
        match self {
            Budget::Words(limit) | Budget::ModelTokens(limit) => limit,
        }
    }

    /// The same with `size` less.
    #[must_use]
    pub fn less(self, size: usize) -> Budget {
        match self {
            Budget::NONE => self,
            Budget::Words(limit) => Budget::Words(limit.saturating_sub(size)),
            Budget::ModelTokens(limit) => Budget::ModelTokens(limit.saturating_sub(size)),
        }
    }
}

/// Model tokens of a text, rather too many than too few. Tokenizers take about four letters of English and three
/// of code to a token, of Cyrillic about two, and of Chinese one or less; here it is three characters of ASCII
/// and two bytes of anything else.
pub fn model_tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    ascii.div_ceil(3) + (text.len() - ascii).div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_estimated_by_script() {
        #[track_caller]
        fn check(text: &str, expected: usize) {
            assert_eq!(model_tokens(text), expected, "{text}");
        }
        check("", 0);
        check("covering index", 5);
        check("чай", 3);
        check("茶", 2);
    }

    #[test]
    fn a_budget_is_counted_in_its_own_unit() {
        assert_eq!(Budget::Words(9).size_of("a covering index"), 3);
        assert_eq!(Budget::ModelTokens(9).size_of("a covering index"), 6);
        assert_eq!(Budget::Words(9).less(10), Budget::Words(0));
        assert_eq!(Budget::ModelTokens(9).less(2), Budget::ModelTokens(7));
        assert_eq!(Budget::NONE.less(2), Budget::NONE);
    }
}
