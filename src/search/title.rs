//! A question that is a title asks for the chunk with that title, however long its text is.

use super::query::Query;
use crate::index::{Error, Index, Lengths, Term, length_of_class};
use crate::text::Analyzer;

/// Words that a title may have beyond the question's: stop words such as articles.
const MAX_EXTRA_WORDS: usize = 3;
/// Titles read for one question. Headings such as "Examples" stand on many pages.
const MAX_TITLES: usize = 200;

/// How a question is a chunk's title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TitleMatch {
    /// The chunk's heading, on a page with another title.
    Heading,
    /// The title of the page.
    Page,
}

/// Finds the chunks whose titles have the words of the question and no others, stop words apart.
/// `rarest` is the term of the question in the fewest chunks; only its list is read. They come in
/// rising order of chunks.
pub(super) fn title_matches<B: AsRef<[u8]>>(
    index: &Index<B>,
    analyzers: &[Analyzer],
    query: &Query,
    rarest: &Term,
    lengths: &Lengths<'_>,
) -> Result<Vec<(u32, TitleMatch)>, Error> {
    let longest = (query.words() + MAX_EXTRA_WORDS) as f32;
    let mut candidates = Vec::new();
    index.postings(rarest)?.for_each(|chunk, freqs| {
        let length = length_of_class(lengths.title[chunk as usize]);
        if freqs.title() > 0 && length <= longest && candidates.len() < MAX_TITLES {
            candidates.push(chunk);
        }
    })?;
    let mut matches = Vec::new();
    for id in candidates {
        let chunk = index.chunk(id)?;
        if is_title(query, chunk.title, &analyzers[chunk.page.language]) {
            let title = match chunk.title == chunk.page.title {
                true => TitleMatch::Page,
                false => TitleMatch::Heading,
            };
            matches.push((id, title));
        }
    }
    Ok(matches)
}

fn is_title(query: &Query, title: &str, analyzer: &Analyzer) -> bool {
    let only_stop_words = query.only_stop_words();
    let counts = |stop: bool| only_stop_words || !stop;
    let mut has_others = false;
    let mut found = vec![false; query.terms.len()];
    analyzer.analyze(
        title,
        &mut |token| match query.terms.iter().position(|t| t.term == token.term) {
            Some(i) => found[i] = true,
            None => has_others |= counts(analyzer.is_stop_word(token.term)),
        },
    );
    // Several analyzers may have made several terms of one word of the question; one is enough.
    let mut wanted = query.terms.iter().filter(|term| counts(term.stop));
    !has_others
        && wanted.all(|term| {
            let same_word = |other: &super::QueryTerm| other.at == term.at;
            let mut terms = query.terms.iter().zip(&found);
            terms.any(|(other, &found)| found && same_word(other))
        })
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
            is_title(&query, title, &analyzers[russian])
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
}
