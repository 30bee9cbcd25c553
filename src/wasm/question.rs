//! One question: its options, the sources found for it, and the way to its answer.

use super::error::to_js;
use super::fetch::{Clock, run};
use super::options::{self, AskOptions, Defaults, Host};
use super::types::{RetrieveOptions, Timings};
use crate::ask::{
    self, Answer, Flow, FollowUp, Provider, Retrieval, Rewriting, Site, Window, fit, retrieve,
};
use crate::prompt::{self, Source, Template};
use crate::search::Searcher;
use js_sys::Promise;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;

/// Makes the value that a caller gets.
pub(super) type Twin = fn(Answer, Timings, &[Source]) -> Result<JsValue, JsValue>;

/// A question with what its options describe. Mistakes in them are told before anything is sent.
pub(super) struct Question<B> {
    searcher: Rc<Searcher<B>>,
    text: String,
    template: Template,
    provider: Provider,
    window: Option<Window>,
    retrieval: Retrieval,
    history: Vec<prompt::Turn>,
    given: Option<Vec<Source>>,
    options: AskOptions,
    host: Host,
    clock: Clock,
}

impl<B: AsRef<[u8]> + 'static> Question<B> {
    pub(super) fn new(
        searcher: &Rc<Searcher<B>>,
        text: &str,
        options: &JsValue,
        defaults: &Defaults,
    ) -> Result<Question<B>, JsValue> {
        let clock = Clock::start();
        let mut options: AskOptions = options::read(options)?;
        let mut host = Host::new(&options.signal, options.timeout_ms, &options.on_event)?;
        let template = options::template(&options.prompt, defaults.prompt)?;
        let (provider, window) = options::provider(&options.provider, &mut host)?;
        let (retrieval, history) = options::retrieval(options.retrieve(), &defaults.retrieval)?;
        Ok(Question {
            searcher: searcher.clone(),
            text: text.to_owned(),
            template,
            provider,
            window,
            retrieval,
            history,
            given: options.given_sources(),
            options,
            host,
            clock,
        })
    }

    /// The question with its sources, ready to start.
    pub(super) fn flow(&mut self, rewriting: Option<Rewriting>) -> Result<Flow, JsValue> {
        let wanted = rewriting.as_ref().map_or(&self.text, |made| &made.question);
        let history = std::mem::take(&mut self.history);
        let turns = history.len();
        let given = self.given.take();
        let sources_given = given.is_some();
        let found = find(&self.searcher, wanted, history, &self.retrieval, given)?;
        let build = |sources, history: &[prompt::Turn]| prompt::Prompt {
            asked: found.asked.clone(),
            ..prompt::build_follow_up(&self.template, sources, history, &self.text)
        };
        let fitted = fit(found.sources, &found.told, self.window, &build).map_err(to_js)?;
        let dropped_turns = turns - found.told.len() + fitted.dropped_turns;
        let site: Rc<dyn Site> = self.searcher.clone();
        Ok(Flow::new(fitted.prompt, self.provider.clone(), site)
            .without_sources(fitted.dropped_sources)
            .without_turns(dropped_turns as u32)
            .with_rewriting(rewriting)
            .with_citation_policy(self.options.citations.unwrap_or_default())
            .with_support_policy(self.options.support.unwrap_or_default())
            .with_refusal(self.options.refuse)
            .with_given_sources(sources_given))
    }

    /// Answers, and gives what `twin` makes of the answer and the sources of its prompt. Where nothing is to be
    /// rewritten the sources are looked for at once.
    pub(super) fn answer(mut self, twin: Twin) -> Result<Promise, JsValue> {
        let is_model = !matches!(self.provider, Provider::Offline | Provider::StandIn);
        let mut rewrites = self.options.rewrite && is_model && !self.history.is_empty();
        let mut flow = if rewrites {
            self.rewriting_flow()?
        } else {
            self.flow(None)?
        };
        Ok(future_to_promise(async move {
            // One loop and not two calls: what drives a question is a large part of the engine.
            loop {
                let mut host = self.host.clone();
                if rewrites {
                    host.on_event = None;
                } else {
                    self.clock.retrieved();
                }
                let sources = flow.prompt().sources.clone();
                let (answer, timings) = run(flow, host, self.clock.clone()).await?;
                if !rewrites {
                    return twin(answer, timings, &sources);
                }
                rewrites = false;
                // Both calls together may take the time of one question.
                let left = f64::from(self.host.timeout_ms) - timings.total_ms;
                self.host.timeout_ms = left.max(0.0) as u32;
                flow = self.flow(Some(Rewriting::of(answer, &self.text)))?;
            }
        }))
    }

    /// Has the model put the question into words that stand alone.
    fn rewriting_flow(&self) -> Result<Flow, JsValue> {
        let told =
            FollowUp::new(&self.searcher, &self.text, self.history.clone()).map_err(to_js)?;
        let budget = self.retrieval.selection.budget;
        let (history, _) = prompt::recent(&told.history, budget);
        let prompt = prompt::rewrite(&self.template.lang, history, &self.text);
        let site: Rc<dyn Site> = self.searcher.clone();
        Ok(Flow::new(prompt, self.provider.clone(), site))
    }
}

/// The sources that a question would be answered from.
pub(super) fn sources<B: AsRef<[u8]>>(
    searcher: &Searcher<B>,
    question: &str,
    options: RetrieveOptions,
) -> Result<Vec<Source>, JsValue> {
    let (retrieval, history) = options::retrieval(options, &Defaults::cited().retrieval)?;
    Ok(find(searcher, question, history, &retrieval, None)?.sources)
}

/// What there is to answer a question with.
struct Found {
    sources: Vec<Source>,
    /// The last turns of the conversation, as many as the budget has room for.
    told: Vec<prompt::Turn>,
    asked: String,
}

fn find<B: AsRef<[u8]>>(
    searcher: &Searcher<B>,
    question: &str,
    history: Vec<prompt::Turn>,
    retrieval: &Retrieval,
    given: Option<Vec<Source>>,
) -> Result<Found, JsValue> {
    let FollowUp {
        history,
        context,
        asked,
    } = FollowUp::new(searcher, question, history).map_err(to_js)?;
    let (told, budget) = prompt::recent(&history, retrieval.selection.budget);
    let sources = match given {
        Some(given) => given,
        None => {
            let mut retrieval = ask::Retrieval {
                context,
                ..retrieval.clone()
            };
            retrieval.selection.budget = budget;
            retrieve(searcher, question, &retrieval).map_err(to_js)?
        }
    };
    Ok(Found {
        sources,
        told: told.to_vec(),
        asked,
    })
}
