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
            own: algorithm(language).map(Stemmer::create),
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

/// The Snowball algorithm of a language, where this build has it.
fn algorithm(language: Language) -> Option<Algorithm> {
    match language {
        Language::English => Some(Algorithm::English),
        Language::Russian => Some(Algorithm::Russian),
        #[cfg(feature = "all-languages")]
        other => more_algorithms(other),
        #[cfg(not(feature = "all-languages"))]
        _ => None,
    }
}

#[cfg(feature = "all-languages")]
fn more_algorithms(language: Language) -> Option<Algorithm> {
    match language {
        Language::Arabic => Some(Algorithm::Arabic),
        Language::Danish => Some(Algorithm::Danish),
        Language::Dutch => Some(Algorithm::Dutch),
        Language::Finnish => Some(Algorithm::Finnish),
        Language::French => Some(Algorithm::French),
        Language::German => Some(Algorithm::German),
        Language::Greek => Some(Algorithm::Greek),
        Language::Hungarian => Some(Algorithm::Hungarian),
        Language::Italian => Some(Algorithm::Italian),
        Language::Norwegian => Some(Algorithm::Norwegian),
        Language::Portuguese => Some(Algorithm::Portuguese),
        Language::Romanian => Some(Algorithm::Romanian),
        Language::Spanish => Some(Algorithm::Spanish),
        Language::Swedish => Some(Algorithm::Swedish),
        Language::Tamil => Some(Algorithm::Tamil),
        Language::Turkish => Some(Algorithm::Turkish),
        _ => None,
    }
}
