//! From a question to the sources that a model is given.

use super::neighbours::join_neighbours;
use crate::index::Error;
use crate::prompt::{Passage, Selection, Source, select};
use crate::search::{Filter, SearchOptions, Searcher, Snippet, SnippetOptions, WeightedTerm};

/// What to retrieve.
#[derive(Clone, Debug, PartialEq)]
pub struct Retrieval {
    /// Number of chunks to consider, best first. Default 20.
    pub top: usize,
    /// Which of them become sources.
    pub selection: Selection,
    /// Whether the chunks before and after a source join it, as far as the budget allows.
    /// Default false.
    pub neighbours: bool,
    /// Where to look.
    pub filter: Filter,
    /// Terms that count beside those of the question, from the conversation before it.
    pub context: Vec<WeightedTerm>,
}

impl Default for Retrieval {
    fn default() -> Self {
        Retrieval {
            top: 20,
            selection: Selection::default(),
            neighbours: false,
            filter: Filter::default(),
            context: Vec::new(),
        }
    }
}

/// Finds the best chunks for a question and chooses sources among them.
///
/// # Errors
///
/// Where the index is damaged.
pub fn retrieve<B: AsRef<[u8]>>(
    searcher: &Searcher<B>,
    question: &str,
    retrieval: &Retrieval,
) -> Result<Vec<Source>, Error> {
    let options = SearchOptions {
        limit: retrieval.top,
        filter: retrieval.filter.clone(),
        fuzzy: true,
        context: retrieval.context.clone(),
        ..SearchOptions::default()
    };
    let index = searcher.index();
    let mut passages = Vec::new();
    let results = searcher.search(question, &options)?;
    for hit in &results.hits {
        let chunk = index.chunk(hit.chunk)?;
        // A chunk of several short sections is cited under the one that was found.
        let analyzer = searcher.analyzer(chunk.page.language);
        let snippet = SnippetOptions::default();
        let at = Snippet::new(chunk.text, &results.matcher, analyzer, &snippet).at;
        let place = index.place_at(&chunk, at)?;
        let collection = chunk.page.collection.map(|i| &index.meta().collections[i]);
        passages.push(Passage {
            chunk_id: hit.chunk,
            url: chunk.page.url_of(place.anchor),
            path: chunk.page.path.to_owned(),
            title: place.title.to_owned(),
            page_title: chunk.page.title.to_owned(),
            collection: collection.map(|collection| collection.id.clone()),
            collection_name: collection.map(|collection| collection.name.clone()),
            text: chunk.text.to_owned(),
            score: hit.score,
        });
    }
    let mut sources = select(&passages, &retrieval.selection);
    if retrieval.neighbours {
        join_neighbours(index, &mut sources, retrieval.selection.budget)?;
    }
    Ok(sources)
}
