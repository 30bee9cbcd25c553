//! The languages that the analyzer tells apart.

/// The language of a text, as far as analysis cares.
///
/// A language is either stemmed by its Snowball algorithm, or written without spaces and cut into
/// n-grams, or [`Language::Other`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each variant is named after its language")]
pub enum Language {
    Arabic,
    Chinese,
    Danish,
    Dutch,
    English,
    Finnish,
    French,
    German,
    Greek,
    Hungarian,
    Italian,
    Japanese,
    Korean,
    Norwegian,
    Portuguese,
    Romanian,
    Russian,
    Spanish,
    Swedish,
    Tamil,
    Thai,
    Turkish,
    /// Any other or unknown language: words are folded but not stemmed.
    Other,
}

/// The script a word is written in, as far as the choice of a stemmer needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Cyrillic,
    Greek,
    Arabic,
    Tamil,
    Other,
}

impl Language {
    /// The language that a BCP 47 tag names; [`Language::Other`] for one not listed here.
    ///
    /// Only the primary subtag counts, in any case and with `-` or `_` after it: `pt-BR`, `RU`, `zh_Hans`.
    pub fn from_tag(bcp47: &str) -> Language {
        let primary = bcp47.split(['-', '_']).next().unwrap_or_default().trim();
        let same = |code: &str| primary.eq_ignore_ascii_case(code);
        // Bokmål and Nynorsk share the Norwegian stemmer; the others name forms of Chinese.
        if same("nb") || same("nn") {
            return Language::Norwegian;
        }
        if same("cmn") || same("yue") {
            return Language::Chinese;
        }
        let known = Language::all()
            .iter()
            .find(|language| same(language.code()));
        known.copied().unwrap_or(Language::Other)
    }

    /// The ISO 639-1 code, such as `en`; `und` (undetermined) for [`Language::Other`].
    pub fn code(self) -> &'static str {
        match self {
            Language::Arabic => "ar",
            Language::Chinese => "zh",
            Language::Danish => "da",
            Language::Dutch => "nl",
            Language::English => "en",
            Language::Finnish => "fi",
            Language::French => "fr",
            Language::German => "de",
            Language::Greek => "el",
            Language::Hungarian => "hu",
            Language::Italian => "it",
            Language::Japanese => "ja",
            Language::Korean => "ko",
            Language::Norwegian => "no",
            Language::Portuguese => "pt",
            Language::Romanian => "ro",
            Language::Russian => "ru",
            Language::Spanish => "es",
            Language::Swedish => "sv",
            Language::Tamil => "ta",
            Language::Thai => "th",
            Language::Turkish => "tr",
            Language::Other => "und",
        }
    }

    /// Every language, whether or not this build [supports](Language::is_supported) it.
    pub fn all() -> &'static [Language] {
        &[
            Language::Arabic,
            Language::Chinese,
            Language::Danish,
            Language::Dutch,
            Language::English,
            Language::Finnish,
            Language::French,
            Language::German,
            Language::Greek,
            Language::Hungarian,
            Language::Italian,
            Language::Japanese,
            Language::Korean,
            Language::Norwegian,
            Language::Portuguese,
            Language::Romanian,
            Language::Russian,
            Language::Spanish,
            Language::Swedish,
            Language::Tamil,
            Language::Thai,
            Language::Turkish,
            Language::Other,
        ]
    }

    /// Whether this build analyzes the language as every other build does.
    ///
    /// A reader refuses an index whose language is not supported: an analyzer without the stemmer makes
    /// other terms than the index holds, and finds too little.
    pub fn is_supported(self) -> bool {
        cfg!(feature = "all-languages") || self.is_in_every_build()
    }

    /// Whether a build without the feature `all-languages` supports it too: such a build holds the English
    /// and the Russian stemmer alone, and some languages have none.
    pub fn is_in_every_build(self) -> bool {
        matches!(
            self,
            Language::English
                | Language::Russian
                | Language::Chinese
                | Language::Japanese
                | Language::Korean
                | Language::Thai
                | Language::Other
        )
    }

    /// The script that the language's own words are written in.
    pub(super) fn script(self) -> Script {
        match self {
            Language::Russian => Script::Cyrillic,
            Language::Greek => Script::Greek,
            Language::Arabic => Script::Arabic,
            Language::Tamil => Script::Tamil,
            Language::Chinese
            | Language::Japanese
            | Language::Korean
            | Language::Thai
            | Language::Other => Script::Other,
            _ => Script::Latin,
        }
    }
}

impl Script {
    /// The script of a word that starts with this letter.
    pub(super) fn of(letter: char) -> Script {
        match letter {
            'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Script::Latin,
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
            '\u{400}'..='\u{52f}' => Script::Cyrillic,
            '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' => Script::Arabic,
            '\u{b80}'..='\u{bff}' => Script::Tamil,
            _ => Script::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tag: &str, expected: Language) {
        assert_eq!(Language::from_tag(tag), expected, "{tag}");
    }

    #[test]
    fn only_the_primary_subtag_counts() {
        check("en", Language::English);
        check("pt-BR", Language::Portuguese);
        check("RU_ru", Language::Russian);
        check("zh-Hant-TW", Language::Chinese);
        check("nb-NO", Language::Norwegian);
        check("eng", Language::Other);
        check("", Language::Other);
        check("-", Language::Other);
    }

    #[test]
    fn a_language_is_found_again_by_its_code() {
        for &language in Language::all() {
            check(language.code(), language);
        }
    }

    #[test]
    fn english_and_russian_are_in_every_build() {
        assert!(Language::English.is_supported() && Language::Russian.is_supported());
        assert_eq!(
            Language::from_tag("de").is_supported(),
            cfg!(feature = "all-languages")
        );
    }
}
