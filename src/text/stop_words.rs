//! Words too common to tell one chunk from another.

use super::language::Language;

/// The stop words of a language, separated by white space; empty where there is no list.
pub(super) fn stop_words(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("stop_words/en.txt"),
        Language::Russian => include_str!("stop_words/ru.txt"),
        #[cfg(feature = "all-languages")]
        other => more_stop_words(other),
        #[cfg(not(feature = "all-languages"))]
        _ => "",
    }
}

#[cfg(feature = "all-languages")]
fn more_stop_words(language: Language) -> &'static str {
    match language {
        Language::Danish => include_str!("stop_words/da.txt"),
        Language::Dutch => include_str!("stop_words/nl.txt"),
        Language::Finnish => include_str!("stop_words/fi.txt"),
        Language::French => include_str!("stop_words/fr.txt"),
        Language::German => include_str!("stop_words/de.txt"),
        Language::Hungarian => include_str!("stop_words/hu.txt"),
        Language::Italian => include_str!("stop_words/it.txt"),
        Language::Norwegian => include_str!("stop_words/no.txt"),
        Language::Portuguese => include_str!("stop_words/pt.txt"),
        Language::Spanish => include_str!("stop_words/es.txt"),
        Language::Swedish => include_str!("stop_words/sv.txt"),
        _ => "",
    }
}
