//! How much was found in each part of the documentation.

use crate::index::{Error, Index};

/// Numbers of found chunks, or of pages where hits are grouped, by value; the greatest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// By collection id.
    pub collections: Vec<FacetCount>,
    /// By language code.
    pub languages: Vec<FacetCount>,
    /// By tag.
    pub tags: Vec<FacetCount>,
    /// By version.
    pub versions: Vec<FacetCount>,
}

/// A value and how often it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetCount {
    /// As a filter takes it.
    pub value: String,
    /// Number of chunks or pages.
    pub count: u32,
}

/// Facets being counted.
pub(super) struct Counts<'a, B> {
    index: &'a Index<B>,
    facets: Facets,
}

impl<'a, B: AsRef<[u8]>> Counts<'a, B> {
    pub(super) fn new(index: &'a Index<B>) -> Self {
        let facets = Facets::default();
        Counts { index, facets }
    }

    /// Counts what was found on a page.
    pub(super) fn add(&mut self, id: u32, found: u32) -> Result<(), Error> {
        let meta = self.index.meta();
        let page = self.index.page(id)?;
        let facets = &mut self.facets;
        add(&mut facets.languages, &meta.languages[page.language], found);
        if let Some(collection) = page.collection {
            add(
                &mut facets.collections,
                &meta.collections[collection].id,
                found,
            );
        }
        for tag in self.index.tags(id)? {
            add(&mut facets.tags, tag, found);
        }
        if let Some(version) = self.index.version(id)? {
            add(&mut facets.versions, version, found);
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Facets {
        let mut facets = self.facets;
        let Facets {
            collections,
            languages,
            tags,
            versions,
        } = &mut facets;
        for counts in [collections, languages, tags, versions] {
            // Equal counts stay in the order of their values.
            counts.sort_by_key(|value| std::cmp::Reverse(value.count));
        }
        facets
    }
}

/// Adds to the count of a value. `counts` are in the order of values.
fn add(counts: &mut Vec<FacetCount>, value: &str, found: u32) {
    match counts.binary_search_by(|known| known.value.as_str().cmp(value)) {
        Ok(i) => counts[i].count += found,
        Err(i) => {
            let value = value.to_owned();
            let count = found;
            counts.insert(i, FacetCount { value, count });
        }
    }
}
