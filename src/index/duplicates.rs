//! Pages that are there twice: copies under another address.

use super::analyzed::AnalyzedPage;
use crate::document::same_address;
use std::collections::HashMap;
use xxhash_rust::xxh64::Xxh64;

/// What tells whether two pages are the same.
pub(super) struct Identity {
    /// The address that the page names as its own, where that is another page's.
    canonical: Option<String>,
    /// XXH64 of what the page says; `None` for a record, which its author meant to be there.
    content: Option<u64>,
}

impl Identity {
    pub(super) fn of(page: &AnalyzedPage<'_>) -> Identity {
        let mut hash = Xxh64::new(0);
        hash.update(page.title.as_bytes());
        for chunk in &page.chunks {
            for text in [chunk.title, chunk.text] {
                hash.update(&[0]);
                hash.update(text.as_bytes());
            }
        }
        Identity {
            canonical: page.canonical.map(str::to_owned),
            content: (!page.is_record).then(|| hash.digest()),
        }
    }
}

/// Which of the pages are copies, for pages in the order of their addresses.
///
/// A page is a copy where another one has the address that it names as its own, and where one
/// before it says the same in the same chunks. A page whose own address leads nowhere in the site
/// stays: it would be lost otherwise.
pub(super) fn duplicates(pages: &[(&str, &Identity)]) -> Vec<bool> {
    let by_address: HashMap<&str, usize> = pages
        .iter()
        .enumerate()
        .filter(|(_, (_, identity))| identity.canonical.is_none())
        .map(|(i, (url, _))| (same_address(url), i))
        .collect();
    let mut seen = HashMap::new();
    let mut copies = Vec::with_capacity(pages.len());
    for (url, identity) in pages {
        let canonical = identity.canonical.as_deref().map(same_address);
        let has_original = canonical.is_some_and(|canonical| {
            // The site may be read below another base than it is published at. A name alone is
            // too little to tell: many folders have an `overview`.
            let mut address = canonical;
            while !by_address.contains_key(address) {
                match address.split_once('/') {
                    Some((_, rest)) if rest.contains('/') => address = rest,
                    _ => return false,
                }
            }
            true
        });
        let is_repeat = identity
            .content
            .is_some_and(|content| seen.insert(content, *url).is_some());
        copies.push(has_original || is_repeat);
    }
    copies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pages: &[(&str, Option<&str>, u64)], expected: &[bool]) {
        let identities: Vec<Identity> = pages
            .iter()
            .map(|(_, canonical, content)| Identity {
                canonical: canonical.map(str::to_owned),
                content: Some(*content),
            })
            .collect();
        let pages: Vec<(&str, &Identity)> = pages
            .iter()
            .zip(&identities)
            .map(|((url, ..), identity)| (*url, identity))
            .collect();
        assert_eq!(duplicates(&pages), expected);
    }

    #[test]
    fn a_page_whose_original_is_there_is_a_copy() {
        let original = Some("https://e.org/docs/latest/a.html");
        check(
            &[("/latest/a.html", None, 1), ("/v1/a.html", original, 2)],
            &[false, true],
        );
        check(
            &[("/v1/a.html", original, 2), ("/b.html", None, 3)],
            &[false, false],
        );
    }

    #[test]
    fn of_pages_that_say_the_same_the_first_stays() {
        check(
            &[("/a", None, 1), ("/b", None, 2), ("/c", None, 1)],
            &[false, false, true],
        );
    }
}
