//! Stemming: inflected forms of a word become one.

use std::cell::RefCell;

use rust_stemmers::{Algorithm, Stemmer};

use super::language::{Language, Script};

/// Chooses the stemmer of each word by the language of the text and the script of the word.
pub(super) struct Stemmers {
    language: Language,
    own: Option<Stemmer>,
    english: Stemmer,
    russian: Stemmer,
    known: RefCell<Known>,
}

impl Stemmers {
    pub(super) fn new(language: Language) -> Stemmers {
        Stemmers {
            language,
            own: stemmer(language),
            english: Stemmer::create(Algorithm::English),
            russian: Stemmer::create(Algorithm::Russian),
            known: RefCell::default(),
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
        let mut known = self.known.borrow_mut();
        let entry = known.entry(word);
        if *entry.word != **word {
            let stem = stemmer.stem(word);
            let fits = !stem.is_empty() && stem.len() <= limit_bytes;
            entry.stem = if fits { stem.as_ref() } else { word.as_str() }.into();
            entry.word = word.as_str().into();
        }
        word.clear();
        word.push_str(&entry.stem);
    }
}

/// Number of words whose stem is remembered, a power of two. Ten long passages, which a search reads for its
/// snippets, have fewer different words.
const KNOWN_WORDS: usize = 2048;

/// The last words stemmed. Stemming was more than half of the time of analysis, and most words of a text
/// have just occurred. Each word has one place, so looking it up costs one comparison.
#[derive(Default)]
struct Known(Vec<Entry>);

#[derive(Clone, Default)]
struct Entry {
    word: Box<str>,
    stem: Box<str>,
}

impl Known {
    /// The place of a word, which another word may hold.
    fn entry(&mut self, word: &str) -> &mut Entry {
        if self.0.is_empty() {
            self.0.resize(KNOWN_WORDS, Entry::default());
        }
        // FNV-1a.
        let hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        &mut self.0[(hash ^ (hash >> 16)) as usize % KNOWN_WORDS]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_share_a_place_keep_their_stems() {
        let stemmers = Stemmers::new(Language::English);
        let words: Vec<String> = (0..3 * KNOWN_WORDS)
            .map(|i| {
                let letters =
                    [i % 26, i / 26 % 26, i / 676 % 26].map(|n| char::from(b'a' + n as u8));
                letters.into_iter().chain("ings".chars()).collect()
            })
            .collect();
        let fresh = Stemmer::create(Algorithm::English);
        for word in words.iter().chain(&words) {
            let mut stem = word.clone();
            stemmers.stem(&mut stem, 64);
            assert_eq!(stem, fresh.stem(word));
        }
    }
}
