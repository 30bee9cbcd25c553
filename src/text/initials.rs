//! The first letters of terms that are looked for.

/// A set of characters, of which some share a place: it may have more than were put in, never fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Initials(u64);

impl Initials {
    /// Every character.
    pub fn all() -> Initials {
        Initials(u64::MAX)
    }

    /// The characters that the terms start with.
    pub fn of<'t>(terms: impl Iterator<Item = &'t str>) -> Initials {
        Initials(terms.fold(0, |set, term| set | place(term)))
    }

    /// Whether the first character of a folded word is in the set.
    pub(super) fn has_first_of(self, word: &str) -> bool {
        self.0 & place(word) != 0
    }

    /// Whether the lower-case form of an ASCII letter is in the set.
    pub(super) fn has_ascii(self, letter: u8) -> bool {
        self.0 >> (letter.to_ascii_lowercase() % 64) & 1 == 1
    }
}

fn place(word: &str) -> u64 {
    word.chars().next().map_or(0, |c| 1 << (c as u32 % 64))
}
