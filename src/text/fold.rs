//! Folding: spellings of the same letter become one.
//!
//! A folded text is decomposed for compatibility (Unicode Standard Annex 15, form NFKD), case-folded, stripped of
//! the marks that readers leave out when they type, and composed again where the mark makes another letter.
//! What that means for each character is precomputed in `fold.bin`, which takes a tenth of the bytes that the
//! general tables for normalization and case take in the engine. The tests make the table anew from the
//! general tables and compare.

use std::sync::OnceLock;

/// `fold.bin`: the number of characters that folding changes, then four columns, all of LEB128 integers: the
/// gaps between these characters in ascending order; how many characters each becomes; and the differences
/// between one resulting character and the next, as `2d` for a rise by d and `2d - 1` for a fall by d.
static PACKED: &[u8] = include_bytes!("fold.bin");

/// The unpacked table.
struct FoldTable {
    /// The characters that folding changes, ascending.
    from: Vec<u32>,
    /// Where the result of each ends in `to`, in bytes. Same order as `from`.
    ends: Vec<u16>,
    to: String,
}

impl FoldTable {
    /// The table, unpacked when text other than plain Latin or Russian is first met.
    fn get() -> &'static FoldTable {
        static TABLE: OnceLock<FoldTable> = OnceLock::new();
        TABLE.get_or_init(|| FoldTable::unpack(PACKED))
    }

    fn unpack(packed: &[u8]) -> FoldTable {
        let mut bytes = packed.iter();
        let mut integer = || {
            let mut value = 0;
            let mut shift = 0;
            for &byte in bytes.by_ref() {
                value |= u32::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            value
        };
        let count = integer();
        let mut key = 0;
        let from = (0..count)
            .map(|_| {
                key += integer();
                key
            })
            .collect();
        let lengths: Vec<u32> = (0..count).map(|_| integer()).collect();
        let mut code = 0_u32;
        let mut to = String::new();
        let mut ends = Vec::with_capacity(lengths.len());
        for length in lengths {
            for _ in 0..length {
                let step = integer();
                code = match step % 2 {
                    0 => code.wrapping_add(step / 2),
                    _ => code.wrapping_sub(step / 2 + 1),
                };
                to.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            ends.push(to.len() as u16);
        }
        FoldTable { from, ends, to }
    }

    fn fold(&self, c: char) -> Option<&str> {
        let at = self.from.binary_search(&u32::from(c)).ok()?;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        Some(&self.to[usize::from(start)..usize::from(self.ends[at])])
    }
}

/// The folded form of a word without stemming: what the beginning of an indexed term looks like while the
/// word is still being typed.
pub fn fold(text: &str) -> String {
    let mut folded = String::new();
    fold_into(text, &mut folded, super::MAX_TERM_BYTES);
    folded
}

/// Appends the folded form of a word to `out`, as far as it fits into `limit_bytes`. Whether all of it did.
pub(super) fn fold_into(word: &str, out: &mut String, limit_bytes: usize) -> bool {
    for c in word.chars() {
        let len_before = out.len();
        match c {
            'a'..='z' | '0'..='9' | 'а'..='я' => out.push(c),
            'A'..='Z' => out.push(c.to_ascii_lowercase()),
            'А'..='Я' => out.push(char::from_u32(c as u32 + 0x20).unwrap_or(c)),
            // Spellings differ in these; the signs `. : / @ & # +` belong to the name.
            '-' | '_' | '\'' => {}
            '\0'..='\u{7f}' => out.push(c),
            _ => match out.chars().next_back().and_then(|base| compose(base, c)) {
                Some(composed) => {
                    out.pop();
                    out.push(composed);
                }
                None => match FoldTable::get().fold(c) {
                    Some(folded) => folded.chars().for_each(|c| push_composed(c, out)),
                    None => out.push(c),
                },
            },
        }
        if out.len() > limit_bytes {
            out.truncate(len_before);
            return false;
        }
    }
    true
}

/// The small letter of a capital one, itself where there is none near it. By how far they stand apart in most
/// blocks of Unicode, because the table of all takes 4 kB of what a reader downloads.
pub fn small_letter(capital: char) -> char {
    // The letter after İ is the small one of I, in Turkish alone; the blocks end with the last Cyrillic one.
    if !capital.is_uppercase() || capital == 'İ' || capital > '\u{52f}' {
        return capital;
    }
    let folded = fold(capital.encode_utf8(&mut [0; 4]));
    let is_small = |c: &char| c.is_lowercase() && fold(c.encode_utf8(&mut [0; 4])) == folded;
    // Latin 1, Greek and Cyrillic; the pairs of the later Latin blocks; Cyrillic with marks.
    let distances = [0x20, 1, 0x50].into_iter();
    let mut near = distances.filter_map(|distance| char::from_u32(capital as u32 + distance));
    near.find(is_small).unwrap_or(capital)
}

fn push_composed(c: char, out: &mut String) {
    match out.chars().next_back().and_then(|base| compose(base, c)) {
        Some(composed) => {
            out.pop();
            out.push(composed);
        }
        None => out.push(c),
    }
}

/// The letter that a folded letter and a mark make together, where it is a letter of its own.
fn compose(base: char, mark: char) -> Option<char> {
    let (base_code, mark_code) = (u32::from(base), u32::from(mark));
    let composed = match (base, mark) {
        ('и', '\u{306}') => return Some('й'),
        ('у', '\u{306}') => return Some('ў'),
        ('і', '\u{308}') => return Some('ї'),
        ('う', '\u{3099}') => return Some('ゔ'),
        ('ウ', '\u{3099}') => return Some('ヴ'),
        // In the Kana blocks the voiced form follows the plain one, the half-voiced form follows that.
        ('か'..='ぢ' | 'カ'..='ヂ', '\u{3099}') if base_code % 2 == 1 => base_code + 1,
        ('つ' | 'て' | 'と' | 'ツ' | 'テ' | 'ト', '\u{3099}') => base_code + 1,
        ('は' | 'ひ' | 'ふ' | 'へ' | 'ほ' | 'ハ' | 'ヒ' | 'フ' | 'ヘ' | 'ホ', '\u{3099}') => {
            base_code + 1
        }
        ('は' | 'ひ' | 'ふ' | 'へ' | 'ほ' | 'ハ' | 'ヒ' | 'フ' | 'ヘ' | 'ホ', '\u{309a}') => {
            base_code + 2
        }
        // Hangul syllables are computed (The Unicode Standard, section 3.12): 21 vowels, 28 finals with none.
        ('\u{1100}'..='\u{1112}', '\u{1161}'..='\u{1175}') => {
            0xac00 + ((base_code - 0x1100) * 21 + (mark_code - 0x1161)) * 28
        }
        ('\u{ac00}'..='\u{d7a3}', '\u{11a8}'..='\u{11c2}') if (base_code - 0xac00) % 28 == 0 => {
            base_code + (mark_code - 0x11a7)
        }
        _ => return None,
    };
    char::from_u32(composed)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;
    use unicode_normalization::UnicodeNormalization;

    use super::super::chars::CharClass;
    use super::*;

    /// Letters with a stroke and the like, which Unicode does not decompose, and Arabic letters and digits that
    /// keyboards of neighbouring languages give another code.
    const ALSO: &[(char, &str)] = &[
        ('æ', "ae"),
        ('œ', "oe"),
        ('ø', "o"),
        ('đ', "d"),
        ('ð', "d"),
        ('ħ', "h"),
        ('ł', "l"),
        ('ŧ', "t"),
        ('þ', "th"),
        ('ŋ', "n"),
        ('ƶ', "z"),
        ('ɨ', "i"),
        ('ٱ', "ا"),
        ('ى', "ي"),
        ('ی', "ي"),
        ('ک', "ك"),
    ];

    /// Marks that readers leave out: of the European, Hebrew and Arabic scripts; and what is invisible.
    fn is_dropped(c: char) -> bool {
        matches!(c,
            '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}'
            | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}'
            | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}'
            | '\u{6df}'..='\u{6e4}' | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}'
            | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}')
            || CharClass::of(c) == CharClass::Apostrophe
            || CharClass::of(c) == CharClass::Hyphen
    }

    /// What folding makes of a character, by the general tables.
    fn reference(c: char) -> String {
        let mut folded = String::new();
        for c in std::iter::once(c).nfkd().flat_map(char::to_lowercase) {
            // Lower case of upper case is what case folding is, but for letters without a lower case.
            for c in c.to_uppercase().flat_map(char::to_lowercase).nfkd() {
                let last = folded.chars().next_back();
                if let Some(composed) = last.and_then(|base| compose(base, c)) {
                    folded.pop();
                    folded.push(composed);
                } else if let Some((_, also)) = ALSO.iter().find(|(from, _)| *from == c) {
                    folded.push_str(also);
                } else if ('٠'..='٩').contains(&c) {
                    folded.extend(char::from_u32(u32::from(c) - 0x660 + 0x30));
                } else if ('۰'..='۹').contains(&c) {
                    folded.extend(char::from_u32(u32::from(c) - 0x6f0 + 0x30));
                } else if !is_dropped(c) && c != ' ' {
                    folded.push(c);
                }
            }
        }
        folded
    }

    /// Every character that can be in a word and that folding changes.
    fn reference_table() -> BTreeMap<char, String> {
        ('\u{80}'..=char::MAX)
            .filter(|&c| CharClass::of(c) != CharClass::Break)
            .map(|c| (c, reference(c)))
            .filter(|(c, folded)| {
                // 1⁄2 and 1. are no words, unlike ½ and ⒈.
                let is_sign = |c| matches!(CharClass::of(c), CharClass::Break | CharClass::Joiner);
                let in_words = is_sign(*c) || !folded.chars().any(is_sign);
                in_words && *folded != c.to_string()
            })
            .collect()
    }

    fn pack(table: &BTreeMap<char, String>) -> Vec<u8> {
        let mut packed = Vec::new();
        let mut put = |mut value: u32| {
            while value >= 0x80 {
                packed.push(value as u8 | 0x80);
                value >>= 7;
            }
            packed.push(value as u8);
        };
        put(table.len() as u32);
        let mut before = 0;
        for &c in table.keys() {
            put(c as u32 - before);
            before = c as u32;
        }
        for folded in table.values() {
            put(folded.chars().count() as u32);
        }
        before = 0;
        for c in table.values().flat_map(|folded| folded.chars()) {
            let code = c as u32;
            put(if code >= before {
                2 * (code - before)
            } else {
                2 * (before - code) - 1
            });
            before = code;
        }
        packed
    }

    /// The characters of the standard grow from version to version, and what is known of one never changes. So
    /// each entry must agree with the tables of any version, and those for the blocks that are full must be there.
    #[test]
    fn a_capital_letter_becomes_its_small_one_or_stays() {
        for capital in '\0'..='\u{2fff}' {
            let found = small_letter(capital);
            assert!(
                found == capital || capital.to_lowercase().eq([found]),
                "{capital}"
            );
        }
        for capital in "AZÀÉÖÞĀČŁŞŻŽȘΑΩАЯЁЂЇҐ".chars() {
            assert!(small_letter(capital).is_lowercase(), "{capital}");
        }
    }

    #[test]
    fn the_table_agrees_with_the_general_tables() {
        let expected = reference_table();
        if let Some(path) = std::env::var_os("GROUNDLING_WRITE_FOLD_TABLE") {
            std::fs::write(path, pack(&expected)).expect("the table is written");
        }
        let table = FoldTable::unpack(PACKED);
        for &code in &table.from {
            let c = char::from_u32(code).expect("the table holds characters");
            assert_eq!(
                table.fold(c),
                Some(reference(c).as_str()),
                "{c:?} U+{code:04X}"
            );
        }
        let full_blocks = [
            '\u{80}'..='\u{52f}',
            '\u{1e00}'..='\u{1fff}',
            '\u{2100}'..='\u{214f}',
            '\u{3040}'..='\u{30ff}',
            '\u{ff00}'..='\u{ffef}',
        ];
        for (&c, folded) in &expected {
            if full_blocks.iter().any(|block| block.contains(&c)) {
                assert_eq!(table.fold(c), Some(folded.as_str()), "{c:?} is missing");
            }
        }
    }

    #[track_caller]
    fn check(word: &str, expected: &str) {
        let mut folded = String::new();
        assert!(fold_into(word, &mut folded, 1000));
        assert_eq!(folded, expected, "{word}");
    }

    #[test]
    fn case_and_diacritics_are_folded() {
        check("Příklad", "priklad");
        check("Pr\u{30c}i\u{301}klad", "priklad");
        check("ÆØÅ", "aeoa");
        check("Łódź", "lodz");
        check("Tiếng", "tieng");
        check("Ὀδυσσεύς", "οδυσσευσ");
    }

    #[test]
    fn sharp_s_is_ss() {
        check("Straße", "strasse");
        check("STRAẞE", "strasse");
    }

    #[test]
    fn turkish_i_has_one_form() {
        check("İzmir", "izmir");
        check("I\u{307}zmir", "izmir");
        check("ısı", "isi");
    }

    #[test]
    fn russian_yo_is_ye_and_short_i_stays() {
        check("СЧЁТЧИК", "счетчик");
        check("Е\u{308}жик", "ежик");
        check("Чайник", "чайник");
        check("ЧАИ\u{306}НИК", "чайник");
        check("Її", "її");
    }

    #[test]
    fn arabic_marks_tatweel_and_alef_are_folded() {
        check("الْمُسْتَخْدِم", "المستخدم");
        check("إعدادات", "اعدادات");
        check("آمن", "امن");
        check("كـــتاب", "كتاب");
        check("\u{feb3}\u{fefc}", "سلا");
        check("٢٠", "20");
    }

    #[test]
    fn hebrew_points_are_dropped() {
        check("שָׁלוֹם", "שלום");
    }

    #[test]
    fn full_and_half_width_forms_are_plain() {
        check("ＨＤＭＩ", "hdmi");
        check("ｶﾞｲﾄﾞ", "ガイド");
        check("か\u{3099}", "が");
        check("ﾊﾟ", "パ");
    }

    #[test]
    fn hangul_is_composed() {
        check("\u{1112}\u{1161}\u{11ab}글", "한글");
    }

    #[test]
    fn ligatures_and_styled_letters_are_plain() {
        check("ﬁle", "file");
        check("𝐑𝐮𝐬𝐭", "rust");
        check("x²", "x2");
    }

    #[test]
    fn the_limit_is_kept() {
        let mut folded = String::new();
        assert!(!fold_into(&"ж".repeat(1000), &mut folded, 64));
        assert!(folded.len() <= 64 && folded.len() > 40);
    }

    #[test]
    fn a_character_and_its_decomposition_fold_alike() {
        let fold = |text: String| {
            let mut folded = String::new();
            fold_into(&text, &mut folded, 1000);
            folded
        };
        let is_in_word = |c: char| CharClass::of(c) != CharClass::Break;
        for c in ('\u{80}'..=char::MAX).filter(|&c| is_in_word(c)) {
            let decomposed: String = std::iter::once(c).nfd().collect();
            assert!(
                decomposed.chars().all(is_in_word),
                "{c:?} as {decomposed:?}"
            );
            assert_eq!(fold(c.to_string()), fold(decomposed), "{c:?}");
        }
    }

    proptest! {
        // The same texts in every run: a failure is to be met when the code changes, not by chance.
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn equivalent_texts_fold_alike(text in "\\PC{0,12}") {
            let fold = |text: String| {
                let word: String = text.chars().filter(|&c| !matches!(CharClass::of(c), CharClass::Break)).collect();
                let mut folded = String::new();
                fold_into(&word, &mut folded, 10_000);
                folded
            };
            prop_assert_eq!(fold(text.nfc().collect()), fold(text.nfd().collect()));
        }
    }
}
