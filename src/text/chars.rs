//! What a character does to the words around it.

/// The role of a character in cutting text into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharClass {
    /// An upper-case letter: it may start a part, as in `maxIdle`.
    Upper,
    /// Any other letter, or a number that is no plain digit.
    Letter,
    /// `0` to `9`, full-width ones included.
    Digit,
    /// A combining mark or an invisible joiner: it belongs to the character before it.
    Mark,
    /// A character of a script written without spaces between words.
    Unspaced,
    /// A Hangul syllable or letter.
    Hangul,
    /// A straight or typographic apostrophe.
    Apostrophe,
    /// A hyphen or an underscore: it joins parts that are also written as one word.
    Hyphen,
    /// `. : / @ & #`: it joins words to a name that is not the same without it.
    Joiner,
    /// `+`, which belongs to names such as `C++`.
    Plus,
    /// Everything else.
    Break,
}

/// The classes of the ASCII characters, which are nearly all that most documentation has.
static ASCII: [CharClass; 128] = {
    let mut classes = [CharClass::Break; 128];
    let mut c = 0;
    while c < 128 {
        classes[c as usize] = CharClass::of_ascii(c);
        c += 1;
    }
    classes
};

impl CharClass {
    /// The class of a character, the same for a full-width form and its plain one.
    pub(super) fn of(c: char) -> CharClass {
        let c = narrow(c);
        match ASCII.get(c as usize) {
            Some(class) => *class,
            None => CharClass::of_non_ascii(c),
        }
    }

    const fn of_ascii(c: u8) -> CharClass {
        match c {
            b'a'..=b'z' => CharClass::Letter,
            b'A'..=b'Z' => CharClass::Upper,
            b'0'..=b'9' => CharClass::Digit,
            b'-' | b'_' => CharClass::Hyphen,
            b'.' | b':' | b'/' | b'@' | b'&' | b'#' => CharClass::Joiner,
            b'+' => CharClass::Plus,
            b'\'' => CharClass::Apostrophe,
            _ => CharClass::Break,
        }
    }

    fn of_non_ascii(c: char) -> CharClass {
        match c {
            // Typographic apostrophes, the modifier letter and the Hebrew geresh.
            '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2bc}' | '\u{5f3}' => CharClass::Apostrophe,
            '\u{2010}' | '\u{2011}' => CharClass::Hyphen,
            // Soft hyphen, joiners and word joiner are invisible; variation selectors change only the picture.
            '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' => {
                CharClass::Mark
            }
            _ if is_mark(c) => CharClass::Mark,
            _ if is_unspaced(c) => CharClass::Unspaced,
            '\u{1100}'..='\u{11ff}'
            | '\u{3131}'..='\u{318e}'
            | '\u{a960}'..='\u{a97f}'
            | '\u{ac00}'..='\u{d7ff}'
            | '\u{ffa0}'..='\u{ffdc}' => CharClass::Hangul,
            _ if c.is_uppercase() => CharClass::Upper,
            _ if c.is_alphanumeric() => CharClass::Letter,
            _ => CharClass::Break,
        }
    }

    /// Whether a word can start with it.
    pub(super) fn starts_word(self) -> bool {
        matches!(
            self,
            CharClass::Upper | CharClass::Letter | CharClass::Digit
        )
    }
}

/// The plain form of a full-width ASCII character (Unicode block Halfwidth and Fullwidth Forms).
pub(super) fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

/// Marks that `char::is_alphanumeric` leaves out or that end no cluster: diacritics of the European and
/// Semitic scripts, viramas and nuktas of the Indic ones, tone and vowel signs of the unspaced ones.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}'
        | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}'
        | '\u{6df}'..='\u{6e4}' | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}'
        | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
        | '\u{eb1}' | '\u{eb4}'..='\u{ebc}' | '\u{ec8}'..='\u{ece}'
        | '\u{102b}'..='\u{103e}' | '\u{1056}'..='\u{1059}' | '\u{1160}'..='\u{11ff}'
        | '\u{17b4}'..='\u{17d3}' | '\u{17dd}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{3099}' | '\u{309a}' | '\u{ff9e}' | '\u{ff9f}' | '\u{fe20}'..='\u{fe2f}'
        | '\u{dca}' | '\u{f84}' | '\u{1714}' | '\u{1715}' | '\u{1734}' | '\u{1a60}' | '\u{1b34}' | '\u{1b44}'
        | '\u{1baa}' | '\u{1bab}' | '\u{1be6}' | '\u{1bf2}' | '\u{1bf3}' | '\u{1c37}' | '\u{a806}' | '\u{a82c}'
        | '\u{a8c4}' | '\u{a953}' | '\u{a9b3}' | '\u{a9c0}' | '\u{aaf6}' | '\u{abed}' | '\u{110b9}' | '\u{110ba}')
        || is_indic_mark(c)
}

/// Viramas, nuktas and other signs of the Indic blocks, which all have the layout of Devanagari (ISCII).
fn is_indic_mark(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{d7f}')
        && matches!(c as u32 & 0x7f, 0x00..=0x03 | 0x3c | 0x3e..=0x4d | 0x51..=0x57 | 0x62 | 0x63)
}

/// Han, Kana, Bopomofo, Thai, Lao, Myanmar and Khmer.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e01}'..='\u{e33}' | '\u{e40}'..='\u{e46}'
        | '\u{e81}'..='\u{eb3}' | '\u{ebd}'..='\u{ec6}' | '\u{edc}'..='\u{edf}'
        | '\u{1000}'..='\u{103f}' | '\u{1050}'..='\u{108f}' | '\u{1780}'..='\u{17b3}' | '\u{17d7}'
        | '\u{3005}'..='\u{3007}' | '\u{3031}'..='\u{3035}' | '\u{303b}' | '\u{3041}'..='\u{3096}'
        | '\u{309d}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}'
        | '\u{3105}'..='\u{312f}' | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9d}' | '\u{20000}'..='\u{323af}')
}
