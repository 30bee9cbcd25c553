//! The twins of core types that cross to JavaScript. Their TypeScript is generated from here.

use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// What a bundle says of itself.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Info {
    /// Number of pages.
    pub pages: u32,
    /// Number of chunks: texts under one heading, the units that are found and cited.
    pub chunks: u32,
    /// Number of distinct terms.
    pub terms: u32,
    /// BCP 47 codes, the language of most pages first.
    pub languages: Vec<String>,
    /// The parts of the documentation.
    pub collections: Vec<Collection>,
    /// Program and version that built the index.
    pub built_by: String,
    /// Version of the index format.
    pub format_version: u32,
    /// Length of the index in bytes, texts included.
    pub index_bytes: u32,
    /// Version of the engine.
    pub version: String,
}

/// A part of the documentation, such as a course or a product.
#[derive(Clone, Serialize, Tsify)]
pub struct Collection {
    /// Stable id, used in filters.
    pub id: String,
    /// Name to show.
    pub name: String,
}

/// Which pages may be found. A list that is empty or left out allows all.
#[derive(Clone, Default, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Filter {
    /// Ids of collections.
    #[tsify(optional)]
    pub collections: Vec<String>,
    /// Language codes as in `Info.languages`.
    #[tsify(optional)]
    pub languages: Vec<String>,
    /// Tags; one of them is enough.
    #[tsify(optional)]
    pub tags: Vec<String>,
    /// Versions. A page without one is allowed by none.
    #[tsify(optional)]
    pub versions: Vec<String>,
}

/// How to search.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SearchOptions {
    /// Most hits to return. Default 10.
    #[tsify(optional)]
    pub limit: u32,
    /// Hits to pass over first. Default 0.
    #[tsify(optional)]
    pub offset: u32,
    /// Where to look. Default everywhere.
    #[tsify(optional)]
    pub filter: Filter,
    /// Whether the last word may be the beginning of one, as while it is typed. Default true.
    #[tsify(optional)]
    pub prefix: bool,
    /// Whether a word that no chunk has may stand for one a typo away. Default true.
    #[tsify(optional)]
    pub fuzzy: bool,
    /// Whether a page is found once, with its best chunk, and has the next ones in `more`. Default
    /// false.
    #[tsify(optional)]
    pub group_by_page: bool,
    /// Whether to count what was found by collection, language, tag and version. Default false.
    #[tsify(optional)]
    pub facets: bool,
    /// Whether snippets are made, which take most of a search's time; without them they are empty, and
    /// `url` leads to the chunk as a whole. Default true.
    #[tsify(optional)]
    pub snippets: bool,
    /// Whether each hit tells the parts of its score. Default false.
    #[tsify(optional)]
    pub explain: bool,
}

/// How to complete a query.
#[derive(Tsify)]
pub struct SuggestOptions {
    /// Most suggestions. Default 8.
    #[tsify(optional)]
    pub limit: u32,
}

/// A way to go on with a query that is being typed.
#[derive(Serialize, Tsify)]
pub struct Suggestion {
    /// The whole query with its last word completed, or a title of the documentation.
    pub text: String,
    /// Address of the passage with that title.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// What a search found.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SearchResults {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Number of chunks found, or of pages with `groupByPage`, before `offset` and `limit`.
    pub total: u32,
    /// Words of the query that no chunk has and for which none was taken, as the analyzer writes
    /// them.
    pub missing: Vec<String>,
    /// Words that no chunk has, with what was taken for them.
    pub corrections: Vec<Correction>,
    /// Words that did not count: stop words beside others, and what is beyond the longest query.
    pub dropped: Vec<String>,
    /// The query with its corrections.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub did_you_mean: Option<String>,
    /// Counts of all that was found, with `facets`.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Facets>,
}

/// A word that was taken for a mistyped one.
#[derive(Serialize, Tsify)]
pub struct Correction {
    /// As typed.
    pub from: String,
    /// As the documentation has it.
    pub to: String,
}

/// Numbers of found chunks, or of pages with `groupByPage`, by what a filter takes; the greatest
/// first.
#[derive(Serialize, Tsify)]
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
#[derive(Serialize, Tsify)]
pub struct FacetCount {
    /// As a filter takes it.
    pub value: String,
    /// Number of chunks or pages.
    pub count: u32,
}

/// A found chunk.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// Number of the chunk in this bundle.
    pub id: u32,
    /// Address that scrolls to the chunk.
    pub url: String,
    /// File relative to the documentation root, or a record's URL.
    pub path: String,
    /// The chunk's heading, or the page title before the first heading.
    pub title: String,
    /// Title of the page.
    pub page_title: String,
    /// Headings between page title and title, outermost first.
    pub headings: Vec<String>,
    /// The part of the documentation.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<Collection>,
    /// BCP 47 code of the page's language.
    pub lang: String,
    /// Ranking score; comparable within one query only.
    pub score: f32,
    /// The parts of the score, with `explain`.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// The part of the text that shows why it was found.
    pub snippet: Snippet,
    /// Further chunks of the page with `groupByPage`, best first: at most three.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[tsify(optional)]
    pub more: Vec<Hit>,
}

/// Why a hit stands where it does. The scores of the words and `proximity` add up to its score.
#[derive(Serialize, Tsify)]
pub struct Explanation {
    /// The words of the query that the chunk has.
    pub words: Vec<WordExplanation>,
    /// What words add that stand together as in the query.
    pub proximity: f32,
    /// Whether the query is the title of the page or the chunk, or all its words are in the title with the last one as the
    /// beginning of a word, which puts the hit before all others, in this order.
    #[tsify(optional, type = "\"page\" | \"heading\" | \"begun\"")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'static str>,
}

/// What a word of the query adds to a score: `weight * saturation`, where `saturation` is `f / (1.2 + f)` and `f` the sum
/// of `frequencies * fieldWeights`. Lists have three numbers: for title, headings above it, and text.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct WordExplanation {
    /// As typed.
    pub word: String,
    /// The term of the index that counted for it.
    pub term: String,
    /// How the term stands for the word.
    #[tsify(type = "\"exact\" | \"stem\" | \"part\" | \"prefix\" | \"typo\" | \"synonym\"")]
    pub kind: &'static str,
    /// Number of chunks that have the term.
    pub doc_freq: u32,
    /// Inverse document frequency.
    pub idf: f32,
    /// `idf`, times how often the query has the word and how much the kind counts.
    pub weight: f32,
    /// How often each field has the term; at most 3, 3 and 15.
    pub frequencies: [u32; 3],
    /// Words of each field, about.
    pub lengths: [f32; 3],
    /// What one occurrence in each field counts: the field's weight over its length norm.
    pub field_weights: [f32; 3],
    /// How much of `weight` the frequencies earn, from 0 to 1.
    pub saturation: f32,
    /// What the word adds to the score.
    pub score: f32,
}

/// A part of a chunk's text.
#[derive(Serialize, Tsify)]
pub struct Snippet {
    /// Plain text, to be shown as text and never as markup.
    pub text: String,
    /// The matching words in `text`, in order.
    pub marks: Vec<Range>,
}

/// A range of a string in UTF-16 code units, as `String.prototype.slice` takes it.
#[derive(Serialize, Tsify)]
pub struct Range {
    /// First unit.
    pub start: u32,
    /// One after the last unit.
    pub end: u32,
}

/// A page with its chunks, as they are stored.
#[derive(Serialize, Tsify)]
pub struct Page {
    /// File relative to the documentation root, or a record's URL.
    pub path: String,
    /// Address without a fragment.
    pub url: String,
    /// Title of the page.
    pub title: String,
    /// BCP 47 code of the page's language.
    pub lang: String,
    /// The part of the documentation.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<Collection>,
    /// Labels to filter by.
    pub tags: Vec<String>,
    /// In reading order. A long section is several chunks with one title and anchor.
    pub chunks: Vec<PageChunk>,
}

/// A chunk of a page.
#[derive(Serialize, Tsify)]
pub struct PageChunk {
    /// Number of the chunk in this bundle, as hits and sources have it.
    pub id: u32,
    /// The chunk's heading, or the page title before the first heading.
    pub title: String,
    /// Headings between page title and `title`, outermost first.
    pub headings: Vec<String>,
    /// Fragment without `#`; empty for the top of the page.
    pub anchor: String,
    /// Plain text.
    pub text: String,
    /// Places within `text` that have an anchor of their own, in reading order.
    pub parts: Vec<PagePart>,
}

/// A place within a chunk: a short section that was joined to the one before, or a defined term.
#[derive(Serialize, Tsify)]
pub struct PagePart {
    /// Where it begins in the chunk's text, in UTF-16 code units. A section begins with its
    /// heading, on a line of its own.
    pub start: u32,
    /// Fragment without `#`; empty for the top of the page.
    pub anchor: String,
    /// The heading above it.
    pub title: String,
}

/// How to choose sources.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
pub struct RetrieveOptions {
    /// Chunks to consider, best first. Default 20.
    #[tsify(optional)]
    pub top: Option<u32>,
    /// Most words, divided by white space, that the sources may have together; the first source
    /// is taken whatever its length. Default 700.
    #[tsify(optional)]
    pub budget_words: Option<u32>,
    /// The same limit in model tokens, as they are estimated; in place of `budgetWords`.
    #[tsify(optional)]
    pub budget_tokens: Option<u32>,
    /// Most sources from one page. Default 1.
    #[tsify(optional)]
    pub per_page: Option<u32>,
    /// Most sources. Default: as many as the budget holds.
    #[tsify(optional)]
    pub max_sources: Option<u32>,
    /// Whether the chunks before and after a source join it, as far as the budget allows. Default
    /// false.
    #[tsify(optional)]
    pub neighbours: Option<bool>,
    /// Where to look. Default everywhere.
    #[tsify(optional)]
    pub filter: Filter,
    /// The conversation that the question goes on, oldest turn first. Its rare terms help to find what a
    /// question such as "and how do I turn it off?" means, and it takes up to a third of the budget.
    #[tsify(optional)]
    pub history: Vec<Turn>,
}

/// A question that was asked before, and its answer.
#[derive(Clone, Tsify)]
pub struct Turn {
    /// What was asked.
    pub question: String,
    /// What was answered, with its citations or without; empty where nothing was.
    pub answer: String,
    /// Titles of the sources that the answer cites: `answer.sources.map(({ title }) => title)`.
    #[tsify(optional)]
    pub titles: Vec<String>,
}

/// A chunk that was given to the model.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    /// Its number in the prompt, by which it is cited.
    pub n: u32,
    /// Number of the chunk in this bundle.
    pub id: u32,
    /// Address that scrolls to the chunk.
    pub url: String,
    /// File relative to the documentation root, or a record's URL.
    pub path: String,
    /// The chunk's heading, or the page title before the first heading.
    pub title: String,
    /// Title of the page.
    pub page_title: String,
    /// The part of the documentation.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<Collection>,
    /// The chunk's text, as it was given to the model but for escaping.
    pub text: String,
    /// The place in `text` that best bears out a sentence which cites this source; missing where
    /// nothing was judged.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// `url` with a text fragment that selects `quote` on its page; `url` where there is no quote.
    pub link: String,
    /// Ranking score; comparable within one question only.
    pub score: f32,
}

/// A source of the caller's, given instead of what retrieval would find.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
pub struct GivenSource {
    /// Address that a reader opens.
    pub url: String,
    /// Title to show.
    pub title: String,
    /// Plain text.
    pub text: String,
    /// File; the address unless given.
    #[tsify(optional)]
    pub path: Option<String>,
    /// The part of the documentation.
    #[tsify(optional)]
    pub collection: Option<Collection>,
}

/// A server that answers.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Endpoint {
    /// What the endpoint speaks. May be left out where the endpoint's path is unmistakable
    /// (`…/v1/responses`, `…/chat/completions`, `…/v1/messages`, `…:11434/api/chat`,
    /// `…:streamGenerateContent`, `…:generateContent`).
    #[tsify(
        optional,
        type = "\"openai-responses\" | \"openai-chat\" | \"anthropic\" | \"ollama\" | \"gemini\" | \"ui-message-stream\""
    )]
    pub protocol: Option<String>,
    /// URL of the endpoint: https, http on this machine, or a path on the page's own origin. For
    /// `gemini` it names the model, and the method where `stream` shall not choose it.
    pub endpoint: String,
    /// Name of the model. May be left out only where the endpoint is a path on the page's origin,
    /// and for `gemini` and `ui-message-stream`, which do not send it.
    #[tsify(optional)]
    pub model: String,
    /// Key, sent in the protocol's header and nowhere else. Anything on a page is public: give a
    /// key only where the reader typed it in, else use a proxy.
    #[tsify(optional)]
    pub key: Option<String>,
    /// Further request headers, or a function that makes them, called for each request: for tokens that are
    /// valid for minutes.
    #[tsify(
        optional,
        type = "Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>)"
    )]
    pub headers: JsValue,
    /// Whether to ask for a stream. Default true.
    #[tsify(optional)]
    pub stream: Option<bool>,
    /// Cap on the model tokens of the answer. Default: the server's.
    #[tsify(optional)]
    pub max_output_tokens: Option<u32>,
    /// Name of the cap in Chat Completions. Default: by the endpoint's host.
    #[tsify(optional, type = "\"max_tokens\" | \"max_completion_tokens\"")]
    pub token_field: Option<String>,
    /// Allows plain http to another machine, where prompt and key travel readable. Default false.
    #[tsify(optional)]
    pub allow_insecure: bool,
    /// The model's context window in model tokens, prompt and answer together. Sources for which it has no room
    /// are left out, the last in rank first. Default: 4096 for `ollama`, which drops the start of a longer
    /// prompt without a word, else no limit.
    #[tsify(optional)]
    pub context_window: Option<u32>,
    /// Milliseconds until the response must begin; a reply in one piece begins when it is whole. Default: no
    /// limit but `timeoutMs`.
    #[tsify(optional)]
    pub connect_timeout_ms: Option<u32>,
    /// Milliseconds that may pass between two pieces of the response. Default: no limit but `timeoutMs`.
    #[tsify(optional)]
    pub idle_timeout_ms: Option<u32>,
    /// Used instead of the global `fetch`; it is called with a `Request`.
    #[tsify(optional, type = "(request: globalThis.Request) => Promise<Response>")]
    pub fetch: JsValue,
}

/// Types of what only the script beside the engine and its callers make.
#[wasm_bindgen(typescript_custom_section)]
const SCRIPT_TYPES: &str = r#"
/**
 * The model that comes with some browsers, `LanguageModel`. It is run by the script beside the engine.
 */
export interface BrowserModel {
    protocol: "browser";
    /**
     * BCP 47 codes of the languages of sources, questions and answers. Default `["en"]`.
     */
    languages?: string[];
    /**
     * The context window in model tokens that the prompt is made for. Default 4096.
     */
    contextWindow?: number;
}

/**
 * A model of the caller's own: gives the reply to a prompt, whole or in pieces. `signal` is aborted when nobody
 * waits for the reply any more. The function may have a property `contextWindow`, as an endpoint has.
 */
export interface ProviderFunction {
    (prompt: Prompt, call: { signal: AbortSignal }): Reply | Promise<Reply>;
    contextWindow?: number;
}

/**
 * A reply: its text, or a stream or iterable of pieces, as text or as UTF-8 that may be cut within a character.
 */
export type Reply = string | ReadableStream<string | Uint8Array> | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/**
 * The browser's own model is being downloaded.
 */
export interface DownloadProgress {
    type: "progress";
    /**
     * The part that has arrived, from 0 to 1.
     */
    loaded: number;
}
"#;

/// A prompt template of the site's own.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Template {
    /// Its name.
    pub name: String,
    /// Its version, reported with each answer.
    pub version: String,
    /// BCP 47 language of its words.
    #[tsify(optional)]
    pub lang: Option<String>,
    /// What the model is told to do.
    pub instructions: String,
    /// What it is told to reply where the sources do not answer.
    pub refusal: String,
    /// Whether replies are checked for citations: `verified` needs the block layout.
    pub citation_mode: CitationMode,
    /// Sources as numbered blocks unless fences are described.
    #[tsify(optional)]
    pub fences: Option<Fences>,
}

/// Whether the citations in a reply are checked.
#[derive(Clone, Copy, Default, Serialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum CitationMode {
    /// A reply without valid citations is not passed on.
    #[default]
    Verified,
    /// The reply is passed on unchecked.
    None,
}

/// A layout with the texts in one fence of backticks and the question in another.
#[derive(Tsify)]
pub struct Fences {
    /// Words before the texts.
    pub lead: String,
    /// Words after the question.
    pub closing: String,
}

/// Exactly what would be sent.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// Name of the template.
    pub name: String,
    /// Version of the template.
    pub version: String,
    /// What the model is told to do; empty where the input says it all.
    pub instructions: String,
    /// Sources and question.
    pub input: String,
    /// The reply that means that the sources do not answer.
    pub refusal: String,
    /// Whether the reply is checked.
    pub citation_mode: CitationMode,
    /// The sources in the input.
    pub sources: Vec<Source>,
    /// The request, where the provider is a server. Headers are left out: they may hold the key.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
}

/// A request as it would be sent, always by POST.
#[derive(Serialize, Tsify)]
pub struct Request {
    /// The endpoint.
    pub url: String,
    /// JSON.
    pub body: String,
}

/// The answer to a question.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// `complete`: the provider said that its reply is whole. `partial`: it is not, and is not
    /// verified. `refused`: the model declined. `no_answer`: too little was found, no call was made.
    #[tsify(type = "\"complete\" | \"partial\" | \"refused\" | \"no_answer\"")]
    pub status: &'static str,
    /// The text to show, to be set as text and never as markup.
    pub answer: String,
    /// The sources that the answer cites, in the order of their numbers; empty unless grounded.
    pub sources: Vec<Source>,
    /// Where `answer` cites them.
    pub citations: Vec<Citation>,
    /// The sentences of `answer` outside of code, and how far each is borne out by the sources
    /// that it cites; empty unless grounded, and with `support: "off"`.
    pub sentences: Vec<Sentence>,
    /// Whether the reply cites at least one source and only sources that were given.
    pub grounded: bool,
    /// Why it is not grounded.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// Where a reader may look instead, best first: at most three of the sources that were found;
    /// empty where the answer is grounded or was not checked.
    pub nearest: Vec<Source>,
    /// Source numbers that the reply cites, given or not.
    pub cited: Vec<u32>,
    /// Those of `cited` that no source has.
    pub invalid: Vec<u32>,
    /// Model tokens as the server reported them.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The model that answered.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The server's own word for how the reply ended.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// The server's name for the request, for its support.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Version of the prompt template.
    pub prompt_version: String,
    /// Sources that were found but left out, the last in rank, for want of room in the context window.
    pub dropped_sources: u32,
    /// Turns of `history` that were left out of the prompt, the oldest, for want of room.
    pub dropped_turns: u32,
    /// The question as the model put it, with `rewrite`.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<String>,
    /// Odd things that did not stop the answer, for the site's owner.
    pub warnings: Vec<String>,
    /// Where the time went.
    pub timings: Timings,
}

/// A citation in a text: a range in UTF-16 code units and the number of the source.
#[derive(Serialize, Tsify)]
pub struct Citation {
    /// Number of the source.
    pub n: u32,
    /// First unit of the marker.
    pub start: u32,
    /// One after the marker's last unit.
    pub end: u32,
    /// How far the sentence around it is borne out; missing until it is judged.
    #[tsify(
        optional,
        type = "\"supported\" | \"weak\" | \"unsupported\" | \"uncited\""
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support: Option<&'static str>,
}

/// A sentence of an answer: a range in UTF-16 code units, and what its sources say to it.
#[derive(Serialize, Tsify)]
pub struct Sentence {
    /// First unit.
    pub start: u32,
    /// One after the last unit, markers included.
    pub end: u32,
    /// `supported`: a passage that it cites says so, as far as words can tell. `weak`: one says
    /// something like it. `unsupported`: none does, or a detail is another. `uncited`: it cites
    /// nothing.
    #[tsify(type = "\"supported\" | \"weak\" | \"unsupported\" | \"uncited\"")]
    pub support: &'static str,
    /// The weight of its words that `quote` has, as a part of the weight of all its words, from 0
    /// to 1.
    pub score: f32,
    /// The sources that it cites.
    pub cited: Vec<u32>,
    /// The place that bears it out best.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<Quote>,
    /// Details that none of its sources has.
    pub problems: Vec<Problem>,
    /// Its words that the best places of its sources do not have.
    pub missing: Vec<String>,
    /// The one other source that bears it out, where those it cites do not.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correction: Option<u32>,
}

/// A place in a source's text.
#[derive(Serialize, Tsify)]
pub struct Quote {
    /// Number of the source.
    pub n: u32,
    /// First UTF-16 code unit in the source's `text`.
    pub start: u32,
    /// One after the last unit.
    pub end: u32,
    /// What stands there.
    pub text: String,
}

/// A detail of a sentence that none of its sources has.
#[derive(Serialize, Tsify)]
pub struct Problem {
    /// What it is.
    #[tsify(type = "\"number\" | \"version\" | \"negation\" | \"identifier\"")]
    pub kind: &'static str,
    /// As the sentence writes it; empty for a negation.
    pub text: String,
}

/// Model tokens of one call.
#[derive(Serialize, Tsify)]
pub struct Usage {
    /// Of instructions and input.
    pub input: f64,
    /// Of the reply.
    pub output: f64,
}

/// Where the time went, in milliseconds from the call.
#[derive(Clone, Copy, Default, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Timings {
    /// Until the sources were chosen.
    pub retrieval_ms: f64,
    /// Until the first text arrived.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_text_ms: Option<f64>,
    /// Until the answer was verified.
    pub total_ms: f64,
}

/// The answer of the context pipeline.
#[derive(Serialize, Tsify)]
pub struct ContextAnswer {
    /// The reply as the model gave it.
    pub answer: String,
    /// Paths of the chunks that were found, each once, in the order found.
    pub sources: Vec<String>,
}

/// What a check of citations found.
#[derive(Serialize, Tsify)]
pub struct Verification {
    /// Whether the reply cites at least one source and only sources that were given.
    pub grounded: bool,
    /// Why it is not grounded.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// Source numbers that the reply cites, given or not.
    pub cited: Vec<u32>,
    /// Those of `cited` that no source has.
    pub invalid: Vec<u32>,
    /// Where the reply cites given sources; empty unless grounded.
    pub citations: Vec<Citation>,
}

/// What happens while a question is answered; `error` is added by the JavaScript side.
#[derive(Serialize, Tsify)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum EngineEvent {
    /// The sources, before anything is sent.
    Sources {
        /// In the order of their numbers.
        sources: Vec<Source>,
    },
    /// The next piece of the reply, not verified yet.
    Delta {
        /// The piece.
        text: String,
    },
    /// A citation of a given source is complete in the text so far.
    Citation(Citation),
    /// What was shown must be taken back: its citations do not hold, and the provider is asked
    /// once more. Only with `citations: "repair"`.
    Restart,
    /// The end: the answer stands, whole or partial.
    Done {
        /// The answer.
        answer: Answer,
    },
    /// The end: what was shown must be taken back, it is not verified.
    Withdrawn {
        /// The refusal to show instead.
        answer: Answer,
    },
}

/// Settings of a build that win over the site's configuration file.
#[cfg(feature = "build")]
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
pub struct BuilderOptions {
    /// Path or address below which the site is served.
    #[tsify(optional)]
    pub base_url: Option<String>,
    /// BCP 47 language of pages that name none themselves.
    #[tsify(optional)]
    pub lang: Option<String>,
    /// CSS selector of the main content.
    #[tsify(optional)]
    pub selector: Option<String>,
}

/// What became of one file.
#[cfg(feature = "build")]
#[derive(Serialize, Tsify)]
pub struct FileReport {
    /// Pages that it gave.
    pub pages: u32,
    /// Chunks that it gave.
    pub chunks: u32,
    /// Words in its texts, divided by white space.
    pub words: u32,
    /// Why it gave none.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// What its author should look at.
    pub warnings: Vec<FileWarning>,
}

/// Something in a file that its author should look at.
#[cfg(feature = "build")]
#[derive(Serialize, Tsify)]
pub struct FileWarning {
    /// Line, counted from 1.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// `content`, `no-main-content`, `no-text`, `duplicate-anchor`, `long-page` or `instructions`.
    pub kind: String,
    /// What is wrong and what was done.
    pub message: String,
}

/// What a builder holds.
#[cfg(feature = "build")]
#[derive(Serialize, Tsify)]
pub struct BuildSummary {
    /// Number of pages.
    pub pages: u32,
    /// Number of chunks.
    pub chunks: u32,
    /// Number of words, divided by white space.
    pub words: u32,
    /// BCP 47 codes, the language of most pages first.
    pub languages: Vec<String>,
}

/// What a sitemap names.
#[cfg(feature = "build")]
#[derive(Serialize, Tsify)]
pub struct SitemapFile {
    /// For each page that it names, the files that may hold it, most likely first; none where its
    /// address lies outside the site.
    pub pages: Vec<SitemapPage>,
    /// The same for further sitemaps, where this is an index of them.
    pub sitemaps: Vec<SitemapPage>,
}

/// One address of a sitemap.
#[cfg(feature = "build")]
#[derive(Serialize, Tsify)]
pub struct SitemapPage {
    /// As the sitemap has it.
    pub address: String,
    /// Paths relative to the documentation root.
    pub files: Vec<String>,
}

/// What an index says of itself.
#[cfg(feature = "build")]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct IndexFacts {
    /// Program and version that wrote it.
    pub built_by: String,
    /// Version of the format.
    pub format_version: u32,
    /// The analyzer that made its terms.
    pub analyzer: String,
    /// Number of pages.
    pub pages: u32,
    /// Number of chunks.
    pub chunks: u32,
    /// Number of distinct terms.
    pub terms: u32,
    /// Number of postings.
    pub postings: u32,
    /// BCP 47 codes of the languages.
    pub languages: Vec<String>,
    /// Parts of the documentation.
    pub collections: Vec<Collection>,
    /// Bytes of the bundle that are no index.
    pub engine_bytes: u32,
    /// Bytes of the index.
    pub index_bytes: u32,
    /// Parts of the index, in the order of the file.
    pub sections: Vec<IndexSection>,
}

/// One part of an index.
#[cfg(feature = "build")]
#[derive(Serialize, Tsify)]
pub struct IndexSection {
    /// Name in the specification of the format.
    pub name: String,
    /// First byte, counted from the start of the index.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A page as an index has it.
#[cfg(feature = "build")]
#[derive(Serialize, Tsify)]
pub struct InspectedPage {
    /// File relative to the documentation root, or a record's URL.
    pub path: String,
    /// Address without a fragment.
    pub url: String,
    /// Title of the page.
    pub title: String,
    /// BCP 47 code of its language.
    pub lang: String,
    /// Id of its collection.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    /// Labels.
    pub tags: Vec<String>,
    /// Its chunks in reading order.
    pub chunks: Vec<InspectedChunk>,
}

/// A chunk as an index has it.
#[cfg(feature = "build")]
#[derive(Serialize, Tsify)]
pub struct InspectedChunk {
    /// Its heading, or the page title.
    pub title: String,
    /// Address with the fragment that scrolls to it.
    pub url: String,
    /// Number of words in its text.
    pub words: u32,
    /// Plain text.
    pub text: String,
}

/// A term as an index has it.
#[cfg(feature = "build")]
#[derive(Serialize, Tsify)]
pub struct InspectedTerm {
    /// The term that the analyzer makes of the word.
    pub term: String,
    /// Number of chunks that have it.
    pub chunks: u32,
    /// Some of those chunks.
    pub postings: Vec<InspectedPosting>,
    /// Terms that begin alike, where no chunk has this one.
    pub neighbours: Vec<String>,
}

/// A chunk that has a term, and how often, up to what the format can say.
#[cfg(feature = "build")]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct InspectedPosting {
    /// Address of the chunk.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Occurrences in its title, at most 3.
    pub in_title: u8,
    /// Occurrences in the headings above it and the title of its page, at most 3.
    pub in_headings: u8,
    /// Occurrences in its text, at most 15.
    pub in_text: u8,
}
