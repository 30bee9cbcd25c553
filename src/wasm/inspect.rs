//! `groundling inspect`: what an index holds, as JavaScript sees it.

use super::error::{new, to_js, twin};
use super::types::{
    Collection, IndexFacts, IndexSection, InspectedChunk, InspectedPage, InspectedPosting,
    InspectedTerm,
};
use crate::bundle;
use crate::index::{self, Index, format};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// An index that is looked into.
#[wasm_bindgen]
pub struct Inspector {
    index: Index<Vec<u8>>,
    bundle_bytes: usize,
}

fn broken(error: index::Error) -> JsValue {
    to_js(error)
}

#[wasm_bindgen]
impl Inspector {
    /// Opens the index in a bundle.
    ///
    /// # Errors
    ///
    /// `bundle`: the bytes are no bundle. Codes that begin with `index-`: its index cannot be
    /// read.
    #[wasm_bindgen(constructor)]
    pub fn new(bundle: &[u8]) -> Result<Inspector, JsValue> {
        let bytes = bundle::extract(bundle).map_err(|error| new("bundle", &error.to_string()))?;
        Ok(Inspector {
            index: Index::open(bytes.into_owned()).map_err(broken)?,
            bundle_bytes: bundle.len(),
        })
    }

    /// What the index says of itself.
    #[wasm_bindgen(getter)]
    pub fn facts(&self) -> Result<Ts<IndexFacts>, JsValue> {
        let meta = self.index.meta();
        let sections = self.index.sections();
        let index_bytes = sections.iter().map(|(_, range)| range.end).max();
        let index_bytes = index_bytes.unwrap_or_default();
        twin(IndexFacts {
            built_by: meta.built_by.clone(),
            format_version: format::VERSION,
            analyzer: meta.analyzer.clone(),
            pages: meta.pages,
            chunks: meta.chunks,
            terms: meta.terms,
            postings: meta.postings,
            languages: meta.languages.clone(),
            collections: meta
                .collections
                .iter()
                .map(|collection| Collection {
                    id: collection.id.clone(),
                    name: collection.name.clone(),
                })
                .collect(),
            engine_bytes: self.bundle_bytes.saturating_sub(index_bytes) as u32,
            index_bytes: index_bytes as u32,
            sections: sections
                .into_iter()
                .map(|(kind, range)| IndexSection {
                    name: kind.name().to_owned(),
                    start: range.start as u32,
                    end: range.end as u32,
                })
                .collect(),
        })
    }

    /// Checks the checksums of the whole index.
    ///
    /// # Errors
    ///
    /// `index-checksum` at the first part that is damaged.
    pub fn verify(&self) -> Result<(), JsValue> {
        self.index.verify().map_err(broken)
    }

    /// Paths of all pages, in the order of their addresses.
    pub fn paths(&self) -> Result<Vec<String>, JsValue> {
        let pages = (0..self.index.meta().pages).map(|id| self.index.page(id));
        let paths = pages.map(|page| page.map(|page| page.path.to_owned()));
        paths.collect::<Result<_, _>>().map_err(broken)
    }

    /// The page with this path or address, or `undefined`.
    pub fn page(&self, name: &str) -> Result<Option<Ts<InspectedPage>>, JsValue> {
        let Some(id) = self.index.find_page(name).map_err(broken)? else {
            return Ok(None);
        };
        let page = self.index.page(id).map_err(broken)?;
        let meta = self.index.meta();
        let mut chunks = Vec::new();
        for id in page.chunks.clone() {
            let chunk = self.index.chunk(id).map_err(broken)?;
            chunks.push(InspectedChunk {
                title: chunk.title.to_owned(),
                url: chunk.url(),
                words: chunk.text.split_whitespace().count() as u32,
                text: chunk.text.to_owned(),
            });
        }
        let tags = self.index.tags(id).map_err(broken)?;
        let collection = page.collection.and_then(|at| meta.collections.get(at));
        let page = InspectedPage {
            path: page.path.to_owned(),
            url: page.url.to_owned(),
            title: page.title.to_owned(),
            lang: meta
                .languages
                .get(page.language)
                .cloned()
                .unwrap_or_default(),
            collection: collection.map(|collection| collection.id.clone()),
            tags: tags.map(str::to_owned).collect(),
            chunks,
        };
        twin(page).map(Some)
    }

    /// The terms of a word, each with at most `most` of the chunks that have it.
    pub fn word(&self, word: &str, most: u32) -> Result<Vec<Ts<InspectedTerm>>, JsValue> {
        let reports = self.index.inspect_word(word).map_err(broken)?;
        let mut terms = Vec::new();
        for report in reports {
            let mut postings = Vec::new();
            for (id, freqs) in report.postings.into_iter().take(most as usize) {
                let chunk = self.index.chunk(id).map_err(broken)?;
                postings.push(InspectedPosting {
                    url: chunk.url(),
                    title: chunk.title.to_owned(),
                    in_title: freqs.title(),
                    in_headings: freqs.heading(),
                    in_text: freqs.body(),
                });
            }
            terms.push(twin(InspectedTerm {
                term: report.term,
                chunks: report.doc_freq,
                postings,
                neighbours: report.neighbours,
            })?);
        }
        Ok(terms)
    }
}
