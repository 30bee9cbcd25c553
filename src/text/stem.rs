//! Stemming: inflected forms of a word become one.

use rust_stemmers::{Algorithm, Stemmer};

use super::language::{Language, Script};

/// Chooses the stemmer of each word by the language of the text and the script of the word.
pub(super) struct Stemmers {
    language: Language,
    own: Option<Stemmer>,
    english: Stemmer,
    russian: Stemmer,
}

impl Stemmers {
    pub(super) fn new(language: Language) -> Stemmers {
        Stemmers {
            language,
            own: stemmer(language),
            english: Stemmer::create(Algorithm::English),
            russian: Stemmer::create(Algorithm::Russian),
        }
    }

    /// The stemmer for a folded word, or none where nothing is known about its language.
    fn choose(&self, word: &str) -> Option<&Stemmer> {
        let script = Script::of(word.chars().next()?);
        if script == self.language.script() {
            return self.own.as_ref();
        }
        // Terms in the documentation of any language are English; an unknown language may itself be written
        // in Latin or Cyrillic letters. The other scripts have no default: it would differ between builds.
        match script {
            _ if self.language == Language::Other => None,
            Script::Latin => Some(&self.english),
            Script::Cyrillic => Some(&self.russian),
            _ => None,
        }
    }

    /// Puts the stem of a folded word in its place.
    pub(super) fn stem(&self, word: &mut String, limit_bytes: usize) {
        // Words with digits are names.
        if word.bytes().any(|byte| byte.is_ascii_digit()) {
            return;
        }
        let Some(stemmer) = self.choose(word) else {
            return;
        };
        let stem = stemmer.stem(word);
        if !stem.is_empty() && stem.len() <= limit_bytes && stem != word.as_str() {
            let stem = stem.into_owned();
            word.clear();
            word.push_str(&stem);
        }
    }
}

/// The Snowball stemmer of a language, where this build has it.
///
/// Each arm names its algorithm to `create`: where it is only known at run time, the engine holds all of them.
fn stemmer(language: Language) -> Option<Stemmer> {
    match language {
        Language::English => Some(Stemmer::create(Algorithm::English)),
        Language::Russian => Some(Stemmer::create(Algorithm::Russian)),
        #[cfg(feature = "all-languages")]
        other => more_stemmers(other),
        #[cfg(not(feature = "all-languages"))]
        _ => None,
    }
}

#[cfg(feature = "all-languages")]
fn more_stemmers(language: Language) -> Option<Stemmer> {
    match language {
        Language::Arabic => Some(Stemmer::create(Algorithm::Arabic)),
        Language::Danish => Some(Stemmer::create(Algorithm::Danish)),
        Language::Dutch => Some(Stemmer::create(Algorithm::Dutch)),
        Language::Finnish => Some(Stemmer::create(Algorithm::Finnish)),
        Language::French => Some(Stemmer::create(Algorithm::French)),
        Language::German => Some(Stemmer::create(Algorithm::German)),
        Language::Greek => Some(Stemmer::create(Algorithm::Greek)),
        Language::Hungarian => Some(Stemmer::create(Algorithm::Hungarian)),
        Language::Italian => Some(Stemmer::create(Algorithm::Italian)),
        Language::Norwegian => Some(Stemmer::create(Algorithm::Norwegian)),
        Language::Portuguese => Some(Stemmer::create(Algorithm::Portuguese)),
        Language::Romanian => Some(Stemmer::create(Algorithm::Romanian)),
        Language::Spanish => Some(Stemmer::create(Algorithm::Spanish)),
        Language::Swedish => Some(Stemmer::create(Algorithm::Swedish)),
        Language::Tamil => Some(Stemmer::create(Algorithm::Tamil)),
        Language::Turkish => Some(Stemmer::create(Algorithm::Turkish)),
        _ => None,
    }
}
