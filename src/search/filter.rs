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
    /// Versions of pages. A page without one is allowed by none.
    pub versions: Vec<String>,
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

    pub(super) fn allows_all(&self) -> bool {
        self.all
    }

    /// Whether a page may be found.
    pub(super) fn allows(&self, page: u32) -> Result<bool, Error> {
        if self.all {
            return Ok(true);
        }
        let Filter {
            collections,
            languages,
            tags,
            versions,
        } = self.filter;
        let meta = self.index.meta();
        let page = self.index.page(page)?;
        let collection = page.collection.map(|i| meta.collections[i].id.as_str());
        let is_one_of = |list: &[String], value: Option<&str>| {
            list.is_empty() || list.iter().any(|wanted| Some(wanted.as_str()) == value)
        };
        let tagged = || -> Result<bool, Error> {
            let mut of_page = self.index.tags(page.id)?;
            Ok(tags.is_empty() || of_page.any(|tag| is_one_of(tags, Some(tag))))
        };
        Ok(is_one_of(collections, collection)
            && is_one_of(languages, Some(&meta.languages[page.language]))
            && is_one_of(versions, self.index.version(page.id)?)
            && tagged()?)
    }
}
