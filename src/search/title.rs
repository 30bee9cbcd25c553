//! A question that is a title asks for the chunk with that title, however long its text is.

use super::query::{Query, QueryTerm};
use crate::index::{Error, Index, Term};
use crate::text::{Analyzer, fold};

/// Titles read for one question. Headings such as "Examples" stand on many pages.
const MAX_TITLES: usize = 200;

/// How a question is a chunk's title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TitleMatch {
    /// The chunk's heading has all words of a question of several, the last one as the beginning of a word: the question
    /// is being typed.
    Begun,
    /// The question is the chunk's heading, on a page with another title.
    Heading,
    /// The question is the title of the page.
    Page,
}

/// Finds the chunks whose titles have the words of the question and no others, stop words apart, and those whose
/// titles it may become. `rarest` is the term of the question in the fewest chunks; only its list is read. They come in
/// rising order of chunks.
pub(super) fn title_matches<B: AsRef<[u8]>>(
    index: &Index<B>,
    analyzers: &[Analyzer],
    query: &Query,
    rarest: &Term,
) -> Result<Vec<(u32, TitleMatch)>, Error> {
    let mut candidates = Vec::new();
    index.postings(rarest)?.for_each(|chunk, freqs| {
        if freqs.title() > 0 && candidates.len() < MAX_TITLES {
            candidates.push(chunk);
        }
    })?;
    let is_several = query.words() > 1;
    let mut matches = Vec::new();
    for id in candidates {
        let (title, language) = index.chunk_title(id)?;
        let words = TitleWords::new(query, title, &analyzers[language]);
        if words.are_all && !words.are_more {
            let page = index.page(index.page_of(id)?)?;
            let is_page = title == page.title;
            let title = if is_page {
                TitleMatch::Page
            } else {
                TitleMatch::Heading
            };
            matches.push((id, title));
        } else if words.are_begun && is_several {
            matches.push((id, TitleMatch::Begun));
        }
    }
    Ok(matches)
}

/// Which words of a question a title has, stop words apart where there are others.
pub(super) struct TitleWords {
    /// All of them.
    are_all: bool,
    /// And words that the question has not.
    are_more: bool,
    /// All of them, the last one as the beginning of a word.
    pub(super) are_begun: bool,
}

impl TitleWords {
    pub(super) fn new(query: &Query, title: &str, analyzer: &Analyzer) -> TitleWords {
        let only_stop_words = query.only_stop_words();
        let counts = |stop: bool| only_stop_words || !stop;
        let mut found = vec![false; query.terms.len()];
        let (mut are_more, mut is_begun) = (false, false);
        analyzer.analyze(title, &mut |token| {
            match query.terms.iter().position(|term| term.term == token.term) {
                Some(i) => found[i] = true,
                None => are_more |= counts(analyzer.is_stop_word(token.term)),
            }
            if let Some(prefix) = query.prefix.as_ref().filter(|_| !is_begun) {
                let word = &title[token.start_bytes..token.end_bytes];
                is_begun = prefix.begins(token.term) || prefix.begins(&fold(word));
            }
        });
        // Several analyzers may have made several terms of one word of the question; one is enough.
        let has = |term: &QueryTerm| {
            let mut terms = query.terms.iter().zip(&found);
            terms.any(|(other, &found)| found && other.at == term.at)
        };
        let counting = || query.terms.iter().filter(|term| counts(term.stop));
        let typed_from = query.prefix.as_ref().map_or(0, |prefix| prefix.at.start);
        let mut before = counting().filter(|term| term.at.end <= typed_from);
        TitleWords {
            are_all: counting().all(has),
            are_more,
            are_begun: is_begun && before.all(has),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Language;

    #[track_caller]
    fn check(question: &str, title: &str, expected: bool) {
        let analyzers = [
            Analyzer::new(Language::English),
            Analyzer::new(Language::Russian),
        ];
        let query = Query::new(question, &analyzers);
        let of = |language| {
            let russian = usize::from(language == Language::Russian);
            let words = TitleWords::new(&query, title, &analyzers[russian]);
            words.are_all && !words.are_more
        };
        let language = if title.is_ascii() {
            Language::English
        } else {
            Language::Russian
        };
        assert_eq!(of(language), expected, "{question:?} and {title:?}");
    }

    #[test]
    fn a_title_is_met_by_the_same_words_in_any_form() {
        check("plugins", "Plugins", true);
        check("Plugin", "Plugins", true);
        check("covering indexes", "Covering Index", true);
        check("what is the kv cache", "The KV cache", true);
        check("kv cache", "The KV cache", true);
        check("настройки портов", "Настройка порта", true);
    }

    #[test]
    fn a_title_with_more_or_fewer_words_is_another() {
        check("plugins", "Plugins in short", false);
        check("plugins", "Tools for plugins", false);
        check("install plugins", "Plugins", false);
        check("plugins", "", false);
    }

    #[test]
    fn stop_words_are_a_title_where_there_is_nothing_else() {
        check("from", "from()", true);
        check("to", "from()", false);
        check("from", "Go from red to blue", false);
    }

    #[track_caller]
    fn check_begun(typed: &str, title: &str, expected: bool) {
        let analyzer = Analyzer::new(Language::English);
        let query = Query::new(typed, std::slice::from_ref(&analyzer)).with_prefix(typed);
        let words = TitleWords::new(&query, title, &analyzer);
        assert_eq!(words.are_begun, expected, "{typed:?} and {title:?}");
    }

    #[test]
    fn a_title_is_begun_by_its_words_and_the_beginning_of_one() {
        check_begun("covering ind", "Covering indexes in short", true);
        check_begun("covering indexi", "Indexing and covering", true);
        check_begun("covering ind", "Indexes", false);
        check_begun("covering inx", "Covering indexes", false);
        check_begun("the max_idle_ti", "max_idle_time", true);
    }
}
