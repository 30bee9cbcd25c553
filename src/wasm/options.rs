//! Reads the options of a question, among them values that only JavaScript has: functions and
//! signals.

use super::convert;
use super::fields::{Fields, FromOption, Pairs, is_left_out, wrong};
use super::types::{
    CitationMode, Collection, Endpoint, Fences, Filter, GivenSource, RetrieveOptions,
    SearchOptions, SuggestOptions, Template, Turn,
};
use crate::ask::{CitationPolicy, Provider, Retrieval, SupportPolicy, Window};
use crate::prompt::{self, Budget, Selection, Source};
use crate::provider::{Config, Protocol, Secret, TokenField};
use crate::search;
use tsify::Tsify;
use wasm_bindgen::{JsCast, JsValue};

/// Questions may take this long unless told otherwise: models with reasoning are slow.
const DEFAULT_TIMEOUT_MS: u32 = 120_000;

/// How to answer a question. The defaults of `askContext` stand in brackets.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
pub struct AskOptions {
    /// Who answers: `"offline"` (default), a server, or a function from the prompt to the reply.
    /// For tests there is `"stand-in"`, which quotes the first prose sentence of the prompt.
    #[tsify(
        optional,
        type = "\"offline\" | \"stand-in\" | Endpoint | BrowserModel | ProviderFunction"
    )]
    pub(super) provider: JsValue,
    /// A preset (`cited`, `cited-ru`, `context`, `context-ru`) or an own template. Default `cited`
    /// [`context-ru`].
    #[tsify(
        optional,
        type = "\"cited\" | \"cited-ru\" | \"context\" | \"context-ru\" | Template"
    )]
    pub(super) prompt: JsValue,
    /// Chunks to consider, best first. Default 20 [10].
    #[tsify(optional)]
    pub(super) top: Option<u32>,
    /// Most words that the sources may have together. Default 700 [no limit].
    #[tsify(optional)]
    pub(super) budget_words: Option<u32>,
    /// The same limit in model tokens, as they are estimated; in place of `budgetWords`.
    #[tsify(optional)]
    pub(super) budget_tokens: Option<u32>,
    /// Most sources from one page. Default 1 [no limit].
    #[tsify(optional)]
    pub(super) per_page: Option<u32>,
    /// Most sources. Default: as many as the budget holds.
    #[tsify(optional)]
    pub(super) max_sources: Option<u32>,
    /// Whether the chunks before and after a source join it, as far as the budget allows. Default
    /// false.
    #[tsify(optional)]
    pub(super) neighbours: Option<bool>,
    /// Where to look. Default everywhere.
    #[tsify(optional)]
    pub(super) filter: Filter,
    /// The conversation that the question goes on, oldest turn first. It goes into the prompt within a third of
    /// the budget, without its oldest turns where there is no room for them, and helps to find what a question such
    /// as "and how do I turn it off?" means.
    #[tsify(optional)]
    pub(super) history: Vec<Turn>,
    /// Whether the model first puts a question with a history into words that stand alone, which are then
    /// looked for; one call more. Default false.
    #[tsify(optional)]
    pub(super) rewrite: bool,
    /// Sources to use instead of what retrieval would find.
    #[tsify(optional)]
    pub(super) sources: Option<Vec<GivenSource>>,
    /// What becomes of a reply that cites nothing, or a number that no source has. `"reject"`
    /// (default): it is withdrawn. `"strip"`: those markers are taken out, and the rest stays if
    /// a valid citation does. `"repair"`: the provider is asked once more and told the fault.
    #[tsify(optional, type = "\"reject\" | \"strip\" | \"repair\"")]
    pub(super) citations: Option<CitationPolicy>,
    /// Whether each sentence is compared with the passages that it cites. `"report"` (default):
    /// the answer tells how far each is borne out. `"strict"`: an answer with an unsupported
    /// sentence is withdrawn. `"off"`: nothing is compared.
    #[tsify(optional, type = "\"report\" | \"strict\" | \"off\"")]
    pub(super) support: Option<SupportPolicy>,
    /// Whether a question that the sources hardly cover is refused before the call, with the reason
    /// `not_covered`. Default false.
    #[tsify(optional)]
    pub(super) refuse: bool,
    /// Stops the question; the call rejects with the signal's reason.
    #[tsify(optional, type = "AbortSignal")]
    pub(super) signal: JsValue,
    /// Milliseconds until the question fails with `provider-timeout`. Default 120000.
    #[tsify(optional)]
    pub(super) timeout_ms: Option<u32>,
    /// Called with each event as it happens.
    #[tsify(optional, type = "(event: EngineEvent | DownloadProgress) => void")]
    pub(super) on_event: JsValue,
}

impl FromOption for AskOptions {
    fn from_option(value: &JsValue, path: &str) -> Result<AskOptions, JsValue> {
        let mut fields = Fields::of(value, path);
        let options = AskOptions {
            provider: fields.value("provider"),
            prompt: fields.value("prompt"),
            top: fields.optional("top"),
            budget_words: fields.optional("budgetWords"),
            budget_tokens: fields.optional("budgetTokens"),
            per_page: fields.optional("perPage"),
            max_sources: fields.optional("maxSources"),
            neighbours: fields.optional("neighbours"),
            filter: fields.optional("filter").unwrap_or_default(),
            history: fields.optional("history").unwrap_or_default(),
            rewrite: fields.optional("rewrite").unwrap_or(false),
            sources: fields.optional("sources"),
            citations: fields.optional("citations"),
            support: fields.optional("support"),
            refuse: fields.optional("refuse").unwrap_or(false),
            signal: fields.value("signal"),
            timeout_ms: fields.optional("timeoutMs"),
            on_event: fields.value("onEvent"),
        };
        fields.finish(options)
    }
}

/// Options of any shape, or their defaults where none were given.
pub(super) fn read<T: FromOption>(options: &JsValue) -> Result<T, JsValue> {
    if is_left_out(options) {
        return T::from_option(&js_sys::Object::new(), "");
    }
    T::from_option(options, "")
}

impl FromOption for SearchOptions {
    fn from_option(value: &JsValue, path: &str) -> Result<SearchOptions, JsValue> {
        let mut fields = Fields::of(value, path);
        let options = SearchOptions {
            limit: fields.optional("limit").unwrap_or(10),
            offset: fields.optional("offset").unwrap_or(0),
            filter: fields.optional("filter").unwrap_or_default(),
            prefix: fields.optional("prefix").unwrap_or(true),
            fuzzy: fields.optional("fuzzy").unwrap_or(true),
            group_by_page: fields.optional("groupByPage").unwrap_or(false),
            facets: fields.optional("facets").unwrap_or(false),
            snippets: fields.optional("snippets").unwrap_or(true),
            explain: fields.optional("explain").unwrap_or(false),
        };
        fields.finish(options)
    }
}

impl FromOption for SuggestOptions {
    fn from_option(value: &JsValue, path: &str) -> Result<SuggestOptions, JsValue> {
        let mut fields = Fields::of(value, path);
        let limit = fields.optional("limit").unwrap_or(8);
        fields.finish(SuggestOptions { limit })
    }
}

impl FromOption for RetrieveOptions {
    fn from_option(value: &JsValue, path: &str) -> Result<RetrieveOptions, JsValue> {
        let mut fields = Fields::of(value, path);
        let options = RetrieveOptions {
            top: fields.optional("top"),
            budget_words: fields.optional("budgetWords"),
            budget_tokens: fields.optional("budgetTokens"),
            per_page: fields.optional("perPage"),
            max_sources: fields.optional("maxSources"),
            neighbours: fields.optional("neighbours"),
            filter: fields.optional("filter").unwrap_or_default(),
            history: fields.optional("history").unwrap_or_default(),
        };
        fields.finish(options)
    }
}

impl FromOption for Turn {
    fn from_option(value: &JsValue, path: &str) -> Result<Turn, JsValue> {
        let mut fields = Fields::of(value, path);
        let turn = Turn {
            question: fields.required("question"),
            answer: fields.required("answer"),
            titles: fields.optional("titles").unwrap_or_default(),
        };
        fields.finish(turn)
    }
}

impl FromOption for Filter {
    fn from_option(value: &JsValue, path: &str) -> Result<Filter, JsValue> {
        let mut fields = Fields::of(value, path);
        let options = Filter {
            collections: fields.optional("collections").unwrap_or_default(),
            languages: fields.optional("languages").unwrap_or_default(),
            tags: fields.optional("tags").unwrap_or_default(),
            versions: fields.optional("versions").unwrap_or_default(),
        };
        fields.finish(options)
    }
}

impl FromOption for GivenSource {
    fn from_option(value: &JsValue, path: &str) -> Result<GivenSource, JsValue> {
        let mut fields = Fields::of(value, path);
        let options = GivenSource {
            url: fields.required("url"),
            title: fields.required("title"),
            text: fields.required("text"),
            path: fields.optional("path"),
            collection: fields.optional("collection"),
        };
        fields.finish(options)
    }
}

impl FromOption for Collection {
    fn from_option(value: &JsValue, path: &str) -> Result<Collection, JsValue> {
        let mut fields = Fields::of(value, path);
        let options = Collection {
            id: fields.required("id"),
            name: fields.required("name"),
        };
        fields.finish(options)
    }
}

impl FromOption for Endpoint {
    fn from_option(value: &JsValue, path: &str) -> Result<Endpoint, JsValue> {
        let mut fields = Fields::of(value, path);
        let options = Endpoint {
            protocol: fields.optional("protocol"),
            endpoint: fields.required("endpoint"),
            model: fields.optional("model").unwrap_or_default(),
            key: fields.optional("key"),
            headers: fields.value("headers"),
            stream: fields.optional("stream"),
            max_output_tokens: fields.optional("maxOutputTokens"),
            token_field: fields.optional("tokenField"),
            allow_insecure: fields.optional("allowInsecure").unwrap_or(false),
            context_window: fields.optional("contextWindow"),
            connect_timeout_ms: fields.optional("connectTimeoutMs"),
            idle_timeout_ms: fields.optional("idleTimeoutMs"),
            fetch: fields.value("fetch"),
        };
        fields.finish(options)
    }
}

impl FromOption for Template {
    fn from_option(value: &JsValue, path: &str) -> Result<Template, JsValue> {
        let mut fields = Fields::of(value, path);
        let options = Template {
            name: fields.required("name"),
            version: fields.required("version"),
            lang: fields.optional("lang"),
            instructions: fields.required("instructions"),
            refusal: fields.required("refusal"),
            citation_mode: fields.required("citationMode"),
            fences: fields.optional("fences"),
        };
        fields.finish(options)
    }
}

impl FromOption for CitationMode {
    fn from_option(value: &JsValue, path: &str) -> Result<CitationMode, JsValue> {
        match value.as_string().as_deref() {
            Some("verified") => Ok(CitationMode::Verified),
            Some("none") => Ok(CitationMode::None),
            _ => Err(wrong(path, "\"verified\" or \"none\"")),
        }
    }
}

impl FromOption for CitationPolicy {
    fn from_option(value: &JsValue, path: &str) -> Result<CitationPolicy, JsValue> {
        match value.as_string().as_deref() {
            Some("reject") => Ok(CitationPolicy::Reject),
            Some("strip") => Ok(CitationPolicy::Strip),
            Some("repair") => Ok(CitationPolicy::Repair),
            _ => Err(wrong(path, "\"reject\", \"strip\" or \"repair\"")),
        }
    }
}

impl FromOption for SupportPolicy {
    fn from_option(value: &JsValue, path: &str) -> Result<SupportPolicy, JsValue> {
        match value.as_string().as_deref() {
            Some("report") => Ok(SupportPolicy::Report),
            Some("strict") => Ok(SupportPolicy::Strict),
            Some("off") => Ok(SupportPolicy::Off),
            _ => Err(wrong(path, "\"report\", \"strict\" or \"off\"")),
        }
    }
}

impl FromOption for Fences {
    fn from_option(value: &JsValue, path: &str) -> Result<Fences, JsValue> {
        let mut fields = Fields::of(value, path);
        let options = Fences {
            lead: fields.required("lead"),
            closing: fields.required("closing"),
        };
        fields.finish(options)
    }
}

impl AskOptions {
    pub(super) fn retrieve(&self) -> RetrieveOptions {
        RetrieveOptions {
            top: self.top,
            budget_words: self.budget_words,
            budget_tokens: self.budget_tokens,
            per_page: self.per_page,
            max_sources: self.max_sources,
            neighbours: self.neighbours,
            filter: self.filter.clone(),
            history: self.history.clone(),
        }
    }

    /// The sources that were given, if any.
    pub(super) fn given_sources(&mut self) -> Option<Vec<Source>> {
        let given = self.sources.take()?;
        let number = |(i, given)| convert::given_source(i + 1, given);
        Some(given.into_iter().enumerate().map(number).collect())
    }
}

/// What a call does where its options say nothing.
pub(super) struct Defaults {
    /// Name of a preset.
    pub(super) prompt: &'static str,
    pub(super) retrieval: Retrieval,
}

impl Defaults {
    /// Few sources that fit together, each to be cited.
    pub(super) fn cited() -> Defaults {
        Defaults {
            prompt: "cited",
            retrieval: Retrieval::default(),
        }
    }

    /// All of the best chunks as context.
    pub(super) fn context() -> Defaults {
        Defaults {
            prompt: "context-ru",
            retrieval: Retrieval {
                top: 10,
                selection: Selection::ALL,
                neighbours: false,
                filter: search::Filter::default(),
                context: Vec::new(),
            },
        }
    }
}

/// The retrieval that options describe, but for the conversation, and that conversation.
pub(super) fn retrieval(
    options: RetrieveOptions,
    default: &Retrieval,
) -> Result<(Retrieval, Vec<prompt::Turn>), JsValue> {
    let count = |value: Option<u32>, default: usize| value.map_or(default, |value| value as usize);
    let selection = default.selection;
    let budget = match (options.budget_words, options.budget_tokens) {
        (None, None) => selection.budget,
        (Some(words), None) => Budget::Words(words as usize),
        (None, Some(tokens)) => Budget::ModelTokens(tokens as usize),
        (Some(_), Some(_)) => {
            let what = "left out where `budgetWords` is given: they are one limit in two units";
            return Err(wrong("budgetTokens", what));
        }
    };
    let retrieval = Retrieval {
        top: count(options.top, default.top),
        selection: Selection {
            budget,
            per_page: count(options.per_page, selection.per_page),
            max_sources: options.max_sources.map(|most| most as usize),
            ..selection
        },
        neighbours: options.neighbours.unwrap_or(default.neighbours),
        filter: convert::filter(options.filter),
        context: Vec::new(),
    };
    let history = options.history.into_iter().map(convert::turn).collect();
    Ok((retrieval, history))
}

/// What the engine needs to run a call from JavaScript.
#[derive(Clone, Default)]
pub(super) struct Host {
    pub(super) signal: Option<web_sys::AbortSignal>,
    pub(super) timeout_ms: u32,
    pub(super) on_event: Option<js_sys::Function>,
    /// The function that answers, where that is the provider.
    pub(super) function: Option<js_sys::Function>,
    /// Makes further headers for each request.
    pub(super) headers: Option<js_sys::Function>,
    /// Used instead of the global `fetch`.
    pub(super) fetch: Option<js_sys::Function>,
    /// Most milliseconds until the response begins.
    pub(super) connect_timeout_ms: Option<u32>,
    /// Most milliseconds between two pieces of the response.
    pub(super) idle_timeout_ms: Option<u32>,
}

impl Host {
    pub(super) fn new(
        signal: &JsValue,
        timeout_ms: Option<u32>,
        on_event: &JsValue,
    ) -> Result<Host, JsValue> {
        Ok(Host {
            // By shape, not by class: the signal may come from another realm, such as a frame.
            signal: object(signal, "signal", "an AbortSignal")?,
            timeout_ms: timeout_ms.unwrap_or(DEFAULT_TIMEOUT_MS),
            on_event: function(on_event, "onEvent")?,
            ..Host::default()
        })
    }
}

fn function(value: &JsValue, name: &str) -> Result<Option<js_sys::Function>, JsValue> {
    if is_left_out(value) {
        return Ok(None);
    }
    let function = value.dyn_ref::<js_sys::Function>().cloned();
    function.map(Some).ok_or_else(|| wrong(name, "a function"))
}

fn object<T: JsCast>(value: &JsValue, name: &str, what: &str) -> Result<Option<T>, JsValue> {
    if is_left_out(value) {
        return Ok(None);
    }
    if !value.is_object() {
        return Err(wrong(name, what));
    }
    Ok(Some(value.clone().unchecked_into()))
}

/// The provider that a value describes, with the window of its model as far as it is known. What only JavaScript
/// can do for it goes to `host`.
pub(super) fn provider(
    value: &JsValue,
    host: &mut Host,
) -> Result<(Provider, Option<Window>), JsValue> {
    if is_left_out(value) {
        return Ok((Provider::Offline, None));
    }
    match value.as_string().as_deref() {
        Some("offline") => return Ok((Provider::Offline, None)),
        Some("stand-in") => return Ok((Provider::StandIn, None)),
        _ => {}
    }
    if let Some(function) = value.dyn_ref::<js_sys::Function>() {
        host.function = Some(function.clone());
        let window = js_sys::Reflect::get(value, &"contextWindow".into())?;
        let window = (!is_left_out(&window))
            .then(|| u32::from_option(&window, "provider.contextWindow"))
            .transpose()?
            .map(|tokens| Window {
                tokens,
                answer_tokens: None,
            });
        return Ok((Provider::Function, window));
    }
    if !value.is_object() {
        let what = "\"offline\", an object with `protocol`, `endpoint` and `model`, or a function";
        return Err(wrong("provider", what));
    }
    let endpoint = Endpoint::from_option(value, "provider")?;
    let protocol = match &endpoint.protocol {
        Some(name) => Protocol::from_name(name),
        None => Protocol::from_endpoint(&endpoint.endpoint),
    };
    let protocol = protocol.ok_or_else(|| {
        wrong(
            "provider.protocol",
            "\"openai-responses\", \"openai-chat\", \"anthropic\", \"ollama\", \"gemini\" or \"ui-message-stream\"",
        )
    })?;
    let token_field = match endpoint.token_field.as_deref() {
        None => None,
        Some("max_tokens") => Some(TokenField::MaxTokens),
        Some("max_completion_tokens") => Some(TokenField::MaxCompletionTokens),
        Some(_) => {
            let what = "\"max_tokens\" or \"max_completion_tokens\"";
            return Err(wrong("provider.tokenField", what));
        }
    };
    host.fetch = function(&endpoint.fetch, "provider.fetch")?;
    host.connect_timeout_ms = endpoint.connect_timeout_ms;
    host.idle_timeout_ms = endpoint.idle_timeout_ms;
    host.headers = endpoint.headers.dyn_ref::<js_sys::Function>().cloned();
    let headers = if host.headers.is_some() || is_left_out(&endpoint.headers) {
        Pairs::default()
    } else {
        Pairs::from_option(&endpoint.headers, "provider.headers")?
    };
    let config = Config {
        key: endpoint.key.as_deref().map(Secret::new),
        headers: headers.0,
        stream: endpoint.stream.unwrap_or(true),
        max_output_tokens: endpoint.max_output_tokens,
        token_field,
        allow_insecure: endpoint.allow_insecure,
        context_tokens: endpoint.context_window,
        ..Config::new(protocol, endpoint.endpoint, endpoint.model)
    };
    let window = config.context_window().map(|tokens| Window {
        tokens,
        answer_tokens: config.max_output_tokens,
    });
    Ok((Provider::Endpoint(Box::new(config)), window))
}

/// The template that a value names or describes.
pub(super) fn template(value: &JsValue, default: &str) -> Result<prompt::Template, JsValue> {
    if is_left_out(value) {
        return preset(default);
    }
    if let Some(name) = value.as_string() {
        return preset(&name);
    }
    let own = Template::from_option(value, "prompt")?;
    let citation_mode = match own.citation_mode {
        CitationMode::Verified => prompt::CitationMode::Verified,
        CitationMode::None => prompt::CitationMode::None,
    };
    let layout = match own.fences {
        None => prompt::Layout::Blocks,
        Some(_) if citation_mode == prompt::CitationMode::Verified => {
            let what =
                "left out where `citationMode` is \"verified\": fenced texts have no numbers";
            return Err(wrong("prompt.fences", what));
        }
        Some(fences) => prompt::Layout::Fences {
            lead: fences.lead.into(),
            closing: fences.closing.into(),
        },
    };
    Ok(prompt::Template {
        name: own.name.into(),
        version: own.version.into(),
        lang: own.lang.unwrap_or_else(|| "en".to_owned()).into(),
        instructions: own.instructions.into(),
        refusal: own.refusal.into(),
        citation_mode,
        layout,
    })
}

fn preset(name: &str) -> Result<prompt::Template, JsValue> {
    prompt::preset(name).ok_or_else(|| {
        let names: Vec<&str> = prompt::PRESETS.iter().map(|preset| &*preset.name).collect();
        wrong(
            "prompt",
            &["one of ", &names.join(", "), ", or a template"].concat(),
        )
    })
}
