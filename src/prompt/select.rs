//! Which of the passages that search found go into the prompt.

use super::budget::Budget;

/// A passage as search hands it over: one chunk with where it came from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passage {
    /// The chunk's number in the index.
    pub chunk_id: u32,
    /// The address that a reader opens, with a fragment where the chunk has an anchor.
    pub url: String,
    /// The file relative to the documentation root; for a record its `url`.
    pub path: String,
    /// The chunk's heading, or the page title before the first heading.
    pub title: String,
    /// The page's title.
    pub page_title: String,
    /// Id of the collection (a course, a product, a part of the docs).
    pub collection: Option<String>,
    /// The collection's display name.
    pub collection_name: Option<String>,
    /// The chunk's plain text.
    pub text: String,
    /// The score that search ranked it by; only comparable within one search.
    pub score: f32,
}

impl Passage {
    /// The page: the address without its fragment, so that two parts of a page are one page.
    pub fn page(&self) -> &str {
        self.url.split('#').next().unwrap_or_default()
    }
}

/// A passage that was given to the model, with the number it is cited by.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The number in the prompt, from 1.
    pub n: u32,
    /// The passage itself.
    pub passage: Passage,
}

/// How much of what was found goes into the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Limit for all chosen texts together. More give the model more to read and cost more tokens. Default
    /// 700 words. The first passage is always chosen, even where it alone exceeds the limit.
    pub budget: Budget,
    /// How many passages of one page may be chosen. From 1 (0 acts as 1), default 1, so that
    /// one long page does not crowd out the others.
    pub per_page: usize,
    /// Limit for the number of sources; `None`, the default, leaves it to the budget.
    pub max_sources: Option<usize>,
    /// Whether a passage with the title and text of a chosen one is passed over. Default true.
    pub distinct: bool,
}

impl Default for Selection {
    fn default() -> Self {
        Selection {
            budget: Budget::Words(700),
            per_page: 1,
            max_sources: None,
            distinct: true,
        }
    }
}

impl Selection {
    /// Everything that was found, as the context pipeline takes it.
    pub const ALL: Selection = Selection {
        budget: Budget::NONE,
        per_page: usize::MAX,
        max_sources: None,
        distinct: false,
    };
}

/// Chooses sources from `passages`, which come best first, and numbers them from 1.
///
/// The passages are walked in rank order. One whose page has its share already is skipped. So
/// is one with the title and text of a chosen one, as mirrored pages have: a model that reads it
/// twice would cite two sources for one. So is one that would exceed the budget, but the walk goes on, because a later and
/// shorter passage may still fit. Time is linear in the text, and in passages times sources.
pub fn select(passages: &[Passage], selection: &Selection) -> Vec<Source> {
    let mut chosen: Vec<Source> = Vec::new();
    let mut size = 0usize;
    for passage in passages {
        if selection.max_sources.is_some_and(|max| chosen.len() >= max) {
            break;
        }
        let is_beside = |source: &&Source| source.passage.page() == passage.page();
        if chosen.iter().filter(is_beside).count() >= selection.per_page.max(1) {
            continue;
        }
        let is_same = |source: &Source| {
            source.passage.title == passage.title && source.passage.text == passage.text
        };
        if selection.distinct && chosen.iter().any(is_same) {
            continue;
        }
        let total = size.saturating_add(selection.budget.size_of(&passage.text));
        if total > selection.budget.limit() && !chosen.is_empty() {
            continue;
        }
        size = total;
        chosen.push(Source {
            n: u32::try_from(chosen.len() + 1).unwrap_or(u32::MAX),
            passage: passage.clone(),
        });
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(url: &str, words: usize) -> Passage {
        Passage {
            url: url.to_owned(),
            title: url.to_owned(),
            text: "word ".repeat(words),
            ..Passage::default()
        }
    }

    /// Checks which urls are chosen from `(url, words)` pairs, and that numbers count from 1.
    #[track_caller]
    fn check(passages: &[(&str, usize)], selection: Selection, expected: &[&str]) {
        let passages: Vec<Passage> = passages
            .iter()
            .map(|(url, words)| passage(url, *words))
            .collect();
        let sources = select(&passages, &selection);
        let urls: Vec<&str> = sources
            .iter()
            .map(|source| source.passage.url.as_str())
            .collect();
        assert_eq!(urls, expected);
        let numbers: Vec<u32> = sources.iter().map(|source| source.n).collect();
        assert_eq!(numbers, (1..=expected.len() as u32).collect::<Vec<_>>());
    }

    #[test]
    fn takes_passages_in_rank_order() {
        check(&[("/b", 3), ("/a", 3)], Selection::default(), &["/b", "/a"]);
        check(&[], Selection::default(), &[]);
    }

    #[test]
    fn takes_one_passage_a_page_whatever_its_fragment() {
        check(
            &[
                ("/a#one", 3),
                ("/a#two", 3),
                ("/a", 3),
                ("/a?v=2#one", 3),
                ("/b", 3),
            ],
            Selection::default(),
            &["/a#one", "/a?v=2#one", "/b"],
        );
    }

    #[test]
    fn more_passages_a_page_are_an_option_and_zero_acts_as_one() {
        let passages = [("/a#one", 3), ("/a#two", 3), ("/a#three", 3)];
        let of = |per_page| Selection {
            per_page,
            ..Selection::default()
        };
        check(&passages, of(2), &["/a#one", "/a#two"]);
        check(&passages, of(0), &["/a#one"]);
    }

    #[test]
    fn the_default_budget_is_700_words_and_may_be_used_up() {
        check(
            &[("/a", 400), ("/b", 300), ("/c", 1)],
            Selection::default(),
            &["/a", "/b"],
        );
        check(&[("/a", 400), ("/b", 301)], Selection::default(), &["/a"]);
    }

    #[test]
    fn a_budget_may_be_counted_in_model_tokens() {
        let of = |tokens| Selection {
            budget: Budget::ModelTokens(tokens),
            ..Selection::default()
        };
        // "word " is five ASCII characters.
        let passages = [("/a", 3), ("/b", 3)];
        check(&passages, of(10), &["/a", "/b"]);
        check(&passages, of(9), &["/a"]);
    }

    #[test]
    fn a_later_and_shorter_passage_may_still_fit() {
        check(
            &[("/a", 600), ("/b", 200), ("/c", 100)],
            Selection::default(),
            &["/a", "/c"],
        );
    }

    #[test]
    fn a_passage_skipped_for_its_length_does_not_use_up_its_page() {
        check(
            &[("/a", 600), ("/b#long", 200), ("/b#short", 50)],
            Selection::default(),
            &["/a", "/b#short"],
        );
    }

    #[test]
    fn the_first_passage_is_taken_even_over_the_budget() {
        check(&[("/a", 900), ("/b", 1)], Selection::default(), &["/a"]);
    }

    #[test]
    fn the_number_of_sources_can_be_limited() {
        let selection = Selection {
            max_sources: Some(1),
            ..Selection::default()
        };
        check(&[("/a", 1), ("/b", 1)], selection, &["/a"]);
    }

    #[test]
    fn a_mirrored_passage_is_taken_once() {
        let mirrored = |url: &str| Passage {
            title: "Ports".to_owned(),
            ..passage(url, 3)
        };
        let passages = [mirrored("/v1/a"), mirrored("/v2/a"), passage("/b", 3)];
        let urls = |selection: &Selection| -> Vec<String> {
            let sources = select(&passages, selection);
            sources
                .into_iter()
                .map(|source| source.passage.url)
                .collect()
        };
        assert_eq!(urls(&Selection::default()), ["/v1/a", "/b"]);
        assert_eq!(urls(&Selection::ALL), ["/v1/a", "/v2/a", "/b"]);
    }

    #[test]
    fn all_means_no_page_limit_and_no_budget() {
        check(
            &[("/a#1", 900), ("/a#2", 900)],
            Selection::ALL,
            &["/a#1", "/a#2"],
        );
    }
}
