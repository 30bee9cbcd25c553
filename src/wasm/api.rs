//! The class that JavaScript sees.

use super::convert;
use super::error::{to_js, twin};
use super::options::{self, AskOptions, Defaults};
use super::question::{self, Question};
use super::types::{
    Collection, ContextAnswer, Info, Prompt, RetrieveOptions, SearchOptions, SearchResults, Source,
    SuggestOptions, Suggestion, Verification,
};
use crate::answer::verify;
use crate::bundle::embedded;
use crate::error::Error;
use crate::index::{self, Index, format};
use crate::prompt;
use crate::search::{self, Searcher};
use js_sys::Promise;
use std::rc::Rc;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// Index bytes: a part of the module, or given by the caller.
enum Bytes {
    Embedded(&'static [u8]),
    Given(Vec<u8>),
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Bytes::Embedded(bytes) => bytes,
            Bytes::Given(bytes) => bytes,
        }
    }
}

/// An open bundle.
#[wasm_bindgen]
pub struct Docs {
    searcher: Rc<Searcher<Bytes>>,
    index_bytes: usize,
}

impl Docs {
    fn open(bytes: Bytes) -> Result<Docs, JsValue> {
        let index_bytes = bytes.as_ref().len();
        let index = Index::open(bytes).map_err(to_js)?;
        Ok(Docs {
            searcher: Rc::new(Searcher::new(index)),
            index_bytes,
        })
    }

    fn question(
        &self,
        text: &str,
        options: Option<Ts<AskOptions>>,
        defaults: &Defaults,
    ) -> Result<Question<Bytes>, JsValue> {
        Question::new(&self.searcher, text, &given(options), defaults)
    }
}

#[wasm_bindgen]
impl Docs {
    /// Opens the index that the module carries.
    ///
    /// # Errors
    ///
    /// `no-index`, or a code of the index.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Docs, JsValue> {
        let bytes = embedded().ok_or_else(|| to_js(Error::NoIndex))?;
        Docs::open(Bytes::Embedded(bytes))
    }

    /// Opens an index that is not a part of the module.
    #[wasm_bindgen(js_name = fromIndex)]
    pub fn from_index(bytes: Vec<u8>) -> Result<Docs, JsValue> {
        Docs::open(Bytes::Given(bytes))
    }

    /// What the bundle says of itself.
    #[wasm_bindgen(getter)]
    pub fn info(&self) -> Result<Ts<Info>, JsValue> {
        let meta = self.searcher.index().meta();
        let collection = |known: &crate::index::Collection| Collection {
            id: known.id.clone(),
            name: known.name.clone(),
        };
        let info = Info {
            pages: meta.pages,
            chunks: meta.chunks,
            terms: meta.terms,
            languages: meta.languages.clone(),
            collections: meta.collections.iter().map(collection).collect(),
            built_by: meta.built_by.clone(),
            format_version: format::VERSION,
            index_bytes: self.index_bytes as u32,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        twin(info)
    }

    /// Finds chunks, best first.
    pub fn search(
        &self,
        query: &str,
        options: Option<Ts<SearchOptions>>,
    ) -> Result<Ts<SearchResults>, JsValue> {
        let options: SearchOptions = options::read(&given(options))?;
        let results = self
            .searcher
            .search(
                query,
                &search::SearchOptions {
                    limit: options.limit as usize,
                    offset: options.offset as usize,
                    filter: convert::filter(options.filter),
                    prefix: options.prefix,
                    fuzzy: options.fuzzy,
                    group_by_page: options.group_by_page,
                    facets: options.facets,
                    context: Vec::new(),
                },
            )
            .map_err(to_js)?;
        let explain = |hit: &search::Hit| {
            let explain = || self.searcher.explain(query, &results, hit);
            let explanation = options.explain.then(explain).transpose()?;
            Ok(explanation.map(convert::explanation))
        };
        let showing = convert::Showing {
            matcher: options.snippets.then_some(&results.matcher),
            explain: &explain,
        };
        let hits = results.hits.iter();
        let hits = hits
            .map(|hit| convert::hit(&self.searcher, hit, &showing))
            .collect::<Result<_, _>>()
            .map_err(to_js)?;
        twin(convert::results(query, hits, results))
    }

    /// What a query may become that is being typed.
    pub fn suggest(
        &self,
        query: &str,
        options: Option<Ts<SuggestOptions>>,
    ) -> Result<Vec<Ts<Suggestion>>, JsValue> {
        let options: SuggestOptions = options::read(&given(options))?;
        let suggestions = self.searcher.suggest(query, options.limit as usize);
        let suggestions = suggestions.map_err(to_js)?;
        let mut twins = Vec::with_capacity(suggestions.len());
        for search::Suggestion { text, chunk } in suggestions {
            let chunk = chunk.map(|id| self.searcher.index().chunk(id)).transpose();
            let chunk = chunk.map_err(to_js)?;
            let url = chunk.map(|chunk| chunk.url());
            twins.push(twin(Suggestion { text, url })?);
        }
        Ok(twins)
    }

    /// The paths of all pages, in the order of the index.
    pub fn pages(&self) -> Result<Vec<String>, JsValue> {
        let index = self.searcher.index();
        (0..index.meta().pages)
            .map(|id| Ok(index.page(id)?.path.to_owned()))
            .collect::<Result<_, index::Error>>()
            .map_err(to_js)
    }

    /// The page of that path with its chunks, or `undefined`. Linear in the number of pages.
    #[wasm_bindgen(unchecked_return_type = "Page | undefined")]
    pub fn page(&self, path: &str) -> Result<JsValue, JsValue> {
        let index = self.searcher.index();
        for id in 0..index.meta().pages {
            let page = index.page(id).map_err(to_js)?;
            if page.path == path {
                let page = convert::page(index, &page).map_err(to_js)?;
                return Ok(twin(page)?.js_value());
            }
        }
        Ok(JsValue::UNDEFINED)
    }

    /// The sources that a question would be answered from.
    pub fn retrieve(
        &self,
        question: &str,
        options: Option<Ts<RetrieveOptions>>,
    ) -> Result<Vec<Ts<Source>>, JsValue> {
        let options: RetrieveOptions = options::read(&given(options))?;
        let sources = question::sources(&self.searcher, question, options)?;
        let mut twins = Vec::with_capacity(sources.len());
        for source in &sources {
            twins.push(twin(convert::source(source))?);
        }
        Ok(twins)
    }

    /// Exactly what `ask` would send; with `rewrite`, as if the model left the question as it is.
    pub fn prompt(
        &self,
        question: &str,
        options: Option<Ts<AskOptions>>,
    ) -> Result<Ts<Prompt>, JsValue> {
        let flow = self
            .question(question, options, &Defaults::cited())?
            .flow(None)?;
        let request = flow.request().map_err(to_js)?;
        twin(convert::prompt(flow.prompt(), request))
    }

    /// Answers a question.
    #[wasm_bindgen(unchecked_return_type = "Promise<Answer>")]
    pub fn ask(&self, question: &str, options: Option<Ts<AskOptions>>) -> Result<Promise, JsValue> {
        let question = self.question(question, options, &Defaults::cited())?;
        question.answer(|answer, timings, _| Ok(twin(convert::answer(answer, timings))?.js_value()))
    }

    /// Asks with all chunks found as context.
    #[wasm_bindgen(js_name = askContext, unchecked_return_type = "Promise<ContextAnswer>")]
    pub fn ask_context(
        &self,
        question: &str,
        options: Option<Ts<AskOptions>>,
    ) -> Result<Promise, JsValue> {
        let question = self.question(question, options, &Defaults::context())?;
        question.answer(|answer, _, sources| {
            let sources = paths(sources);
            let answer = answer.text;
            Ok(twin(ContextAnswer { answer, sources })?.js_value())
        })
    }

    /// Checks the citations of a reply to a prompt with that many sources.
    pub fn verify(&self, reply: &str, sources: u32) -> Result<Ts<Verification>, JsValue> {
        twin(convert::verification(reply, verify(reply, sources)))
    }
}

/// The paths of sources, each once.
fn paths(sources: &[prompt::Source]) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for source in sources {
        if !paths.contains(&source.passage.path) {
            paths.push(source.passage.path.clone());
        }
    }
    paths
}

/// Options as JavaScript gave them.
fn given<T: Tsify>(options: Option<Ts<T>>) -> JsValue {
    options.map_or(JsValue::UNDEFINED, JsValue::from)
}
