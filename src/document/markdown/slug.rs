//! Anchors of headings, as GitHub and the site generators derive them.

use std::collections::HashMap;

/// Makes the anchors of one page, each of them once.
///
/// The rule is that of `github-slugger`, which Docusaurus, Astro and many others use, and
/// which mdBook, VitePress and MkDocs agree with on plain headings.
#[derive(Debug, Default)]
pub(super) struct Slugger {
    /// How often each anchor was asked for again.
    repeats: HashMap<String, u32>,
}

impl Slugger {
    /// The anchor of the next heading: `verify`, then `verify-1`, `verify-2`.
    pub(super) fn slug(&mut self, text: &str) -> String {
        let slug = slugify(text);
        let Some(repeats) = self.repeats.get(&slug) else {
            self.repeats.insert(slug.clone(), 0);
            return slug;
        };
        let mut number = *repeats;
        loop {
            number += 1;
            let numbered = format!("{slug}-{number}");
            if !self.repeats.contains_key(&numbered) {
                self.repeats.insert(slug, number);
                self.repeats.insert(numbered.clone(), 0);
                return numbered;
            }
        }
    }

    /// Notes an anchor that the author wrote, so that no other heading gets it.
    pub(super) fn reserve(&mut self, anchor: &str) {
        self.repeats.entry(anchor.to_owned()).or_insert(0);
    }
}

fn slugify(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.trim().chars().flat_map(char::to_lowercase) {
        if c == ' ' {
            slug.push('-');
        } else if c.is_alphanumeric() || c == '-' || c == '_' || is_mark(c) {
            slug.push(c);
        }
    }
    slug
}

/// Combining marks that are no letters to Unicode and still part of a word: accents,
/// Arabic vowels, Indic viramas, Thai tone marks.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{963}' | '\u{970}'..='\u{dff}' | '\u{e31}'..='\u{e4e}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(headings: &[&str], expected: &[&str]) {
        let mut slugger = Slugger::default();
        let slugs: Vec<String> = headings
            .iter()
            .map(|heading| slugger.slug(heading))
            .collect();
        assert_eq!(slugs, expected);
    }

    #[test]
    fn punctuation_goes_and_spaces_become_hyphens() {
        check(&["Before you start"], &["before-you-start"]);
        check(&["C++ & C#: what's new?"], &["c--c-whats-new"]);
        check(&["`Vec<T>` in v1.2"], &["vect-in-v12"]);
        check(&["Установка 2"], &["установка-2"]);
        check(&["हिन्दी पाठ"], &["हिन्दी-पाठ"]);
    }

    #[test]
    fn repeats_are_numbered_and_never_meet() {
        check(&["a", "a", "a"], &["a", "a-1", "a-2"]);
        check(&["a", "a-1", "a", "a"], &["a", "a-1", "a-2", "a-3"]);
        check(&["!", "?"], &["", "-1"]);
    }
}
