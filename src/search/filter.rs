//! Restricting a search to a part of the documentation.

use crate::index::{Error, Index};

/// Which chunks may be found. An empty list allows all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Collection ids.
    pub collections: Vec<String>,
    /// Language codes as in the index's languages.
    pub languages: Vec<String>,
    /// Page tags; one of them is enough.
    pub tags: Vec<String>,
}

/// A filter resolved against an index.
pub(super) struct PageFilter<'a, B> {
    index: &'a Index<B>,
    filter: &'a Filter,
    all: bool,
}

impl<'a, B: AsRef<[u8]>> PageFilter<'a, B> {
    pub(super) fn new(index: &'a Index<B>, filter: &'a Filter) -> Self {
        PageFilter {
            index,
            all: *filter == Filter::default(),
            filter,
        }
    }

    pub(super) fn allows(&self, chunk: u32) -> Result<bool, Error> {
        if self.all {
            return Ok(true);
        }
        let Filter {
            collections,
            languages,
            tags,
        } = self.filter;
        let meta = self.index.meta();
        let page = self.index.page(self.index.page_of(chunk)?)?;
        let collection = page.collection.map(|i| meta.collections[i].id.as_str());
        let in_collection =
            collections.is_empty() || collections.iter().any(|id| Some(id.as_str()) == collection);
        let in_language =
            languages.is_empty() || languages.contains(&meta.languages[page.language]);
        let tagged = tags.is_empty()
            || self
                .index
                .tags(page.id)?
                .any(|tag| tags.iter().any(|wanted| wanted == tag));
        Ok(in_collection && in_language && tagged)
    }
}
