//! The class that JavaScript sees.

use super::convert;
use super::error::{to_js, twin};
use super::fetch::{Clock, run};
use super::options::{self, AskOptions, Defaults, Host};
use super::types::{
    Collection, ContextAnswer, Info, Prompt, RetrieveOptions, SearchOptions, SearchResults, Source,
    Verification,
};
use crate::answer::verify;
use crate::ask::{Flow, Site, fit, retrieve};
use crate::bundle::embedded;
use crate::error::Error;
use crate::index::{self, Index, format};
use crate::prompt;
use crate::search::{self, Searcher};
use js_sys::Promise;
use std::rc::Rc;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

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

    fn sources(
        &self,
        question: &str,
        options: RetrieveOptions,
        defaults: &Defaults,
    ) -> Result<Vec<prompt::Source>, JsValue> {
        let retrieval = options::retrieval(options, &defaults.retrieval);
        retrieve(&self.searcher, question, &retrieval).map_err(to_js)
    }

    /// The question with its sources and provider, ready to start.
    fn flow(
        &self,
        question: &str,
        options: &mut AskOptions,
        host: &mut Host,
        defaults: &Defaults,
    ) -> Result<Flow, JsValue> {
        let template = options::template(&options.prompt, defaults.prompt)?;
        let (provider, window) = options::provider(&options.provider, host)?;
        let sources = match options.given_sources() {
            Some(given) => given,
            None => self.sources(question, options.retrieve(), defaults)?,
        };
        let build = |sources| prompt::build(&template, sources, question);
        let fitted = fit(sources, window, &build).map_err(to_js)?;
        let (prompt, dropped) = fitted;
        let policy = options.citations.unwrap_or_default();
        let site: Rc<dyn Site> = self.searcher.clone();
        Ok(Flow::new(prompt, provider, site)
            .without_sources(dropped)
            .with_citation_policy(policy)
            .with_support_policy(options.support.unwrap_or_default())
            .with_refusal(options.refuse))
    }

    /// Reads the options of a call and retrieves, so that mistakes are told before anything is sent.
    fn begin(
        &self,
        question: &str,
        options: Option<Ts<AskOptions>>,
        defaults: &Defaults,
    ) -> Result<(Flow, Host, Clock), JsValue> {
        let mut clock = Clock::start();
        let mut options: AskOptions = options::read(&given(options))?;
        let mut host = Host::new(&options.signal, options.timeout_ms, &options.on_event)?;
        let flow = self.flow(question, &mut options, &mut host, defaults)?;
        clock.retrieved();
        Ok((flow, host, clock))
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
                },
            )
            .map_err(to_js)?;
        let hits = results.hits.iter();
        let hits = hits
            .map(|hit| convert::hit(&self.searcher, hit, &results.matcher))
            .collect::<Result<_, _>>()
            .map_err(to_js)?;
        twin(convert::results(query, hits, results))
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
        let sources = self.sources(
            question,
            options::read(&given(options))?,
            &Defaults::cited(),
        )?;
        let mut twins = Vec::with_capacity(sources.len());
        for source in &sources {
            twins.push(twin(convert::source(source))?);
        }
        Ok(twins)
    }

    /// Exactly what `ask` would send.
    pub fn prompt(
        &self,
        question: &str,
        options: Option<Ts<AskOptions>>,
    ) -> Result<Ts<Prompt>, JsValue> {
        let mut options: AskOptions = options::read(&given(options))?;
        let host = &mut Host::default();
        let flow = self.flow(question, &mut options, host, &Defaults::cited())?;
        let request = flow.request().map_err(to_js)?;
        twin(convert::prompt(flow.prompt(), request))
    }

    /// Answers a question.
    #[wasm_bindgen(unchecked_return_type = "Promise<Answer>")]
    pub fn ask(&self, question: &str, options: Option<Ts<AskOptions>>) -> Result<Promise, JsValue> {
        let (flow, host, clock) = self.begin(question, options, &Defaults::cited())?;
        Ok(answer(flow, host, clock, None))
    }

    /// Asks with all chunks found as context.
    #[wasm_bindgen(js_name = askContext, unchecked_return_type = "Promise<ContextAnswer>")]
    pub fn ask_context(
        &self,
        question: &str,
        options: Option<Ts<AskOptions>>,
    ) -> Result<Promise, JsValue> {
        let (flow, host, clock) = self.begin(question, options, &Defaults::context())?;
        let mut sources: Vec<String> = Vec::new();
        for source in &flow.prompt().sources {
            if !sources.contains(&source.passage.path) {
                sources.push(source.passage.path.clone());
            }
        }
        Ok(answer(flow, host, clock, Some(sources)))
    }

    /// Checks the citations of a reply to a prompt with that many sources.
    pub fn verify(&self, reply: &str, sources: u32) -> Result<Ts<Verification>, JsValue> {
        twin(convert::verification(reply, verify(reply, sources)))
    }
}

/// Runs a question. Where paths are given, its answer is the short one that has them for its sources.
fn answer(flow: Flow, host: Host, clock: Clock, paths: Option<Vec<String>>) -> Promise {
    future_to_promise(async move {
        let answer = run(flow, host, clock).await?;
        Ok(match paths {
            None => twin(answer)?.js_value(),
            Some(sources) => {
                let answer = answer.answer;
                twin(ContextAnswer { answer, sources })?.js_value()
            }
        })
    })
}

/// Options as JavaScript gave them.
fn given<T: Tsify>(options: Option<Ts<T>>) -> JsValue {
    options.map_or(JsValue::UNDEFINED, JsValue::from)
}
