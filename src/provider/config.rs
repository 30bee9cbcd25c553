//! What a request is made from.

use std::fmt;

use super::{Protocol, endpoint};

/// Where and how to ask.
///
/// `Debug` shows neither the key nor header values nor the endpoint's query.
#[derive(Clone)]
pub struct Config {
    /// The wire protocol that the endpoint speaks.
    pub protocol: Protocol,
    /// The whole URL of the endpoint: https, or http on this machine, or a path on the page's own origin.
    /// For Gemini it names the model, `…/models/NAME`, and may name the method.
    pub endpoint: String,
    /// The model's name. May be empty only where the protocol does not send it (Gemini and the UI message
    /// stream), or where the endpoint is a path on the page's own origin, whose proxy can fix the model.
    pub model: String,
    /// The key, sent in the header that the protocol prescribes. `None` sends no such header.
    pub key: Option<Secret>,
    /// Further headers. A name that is set anyway replaces the value. Each one but the safelisted makes the
    /// browser ask the server for permission first, and some servers allow only a fixed list.
    pub headers: Vec<(String, String)>,
    /// Whether to ask for a stream; a UI message stream is always one. The decoder does not need to know: it reads what really comes.
    pub stream: bool,
    /// Cap on the model tokens of the answer; on reasoning models it includes the hidden reasoning, so a
    /// small cap can leave no visible text. Default `None`: the server's own.
    pub max_output_tokens: Option<u32>,
    /// The model's context window in model tokens, prompt and answer together. Default `None`: as
    /// [`Config::context_window`] knows it. Only Ollama is told it.
    pub context_tokens: Option<u32>,
    /// The field that carries the cap in Chat Completions. Default `None`: chosen by the endpoint's host.
    pub token_field: Option<TokenField>,
    /// Allows plain http to any host. Default false: prompt and key would travel readable.
    pub allow_insecure: bool,
}

impl Config {
    /// A configuration that streams and sets nothing else.
    pub fn new(
        protocol: Protocol,
        endpoint: impl Into<String>,
        model: impl Into<String>,
    ) -> Config {
        Config {
            protocol,
            endpoint: endpoint.into(),
            model: model.into(),
            key: None,
            headers: Vec::new(),
            stream: true,
            max_output_tokens: None,
            context_tokens: None,
            token_field: None,
            allow_insecure: false,
        }
    }

    /// The context window in model tokens, as far as it is set or known. A server of Ollama that is told none
    /// takes one by its memory, the smallest of them here, and drops the start of a longer prompt without a
    /// word; of other servers a prompt that is too long gives an error, so nothing is assumed of them.
    pub fn context_window(&self) -> Option<u32> {
        let smallest = match self.protocol {
            Protocol::Ollama => Some(4096),
            _ => None,
        };
        self.context_tokens.or(smallest)
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        // What is no endpoint can be anything, even a key that was pasted into the wrong field.
        let endpoint = match endpoint::check(&self.endpoint, true) {
            Ok(()) => self.endpoint.split(['?', '#']).next().unwrap_or_default(),
            Err(_) => "«redacted»",
        };
        out.debug_struct("Config")
            .field("protocol", &self.protocol)
            .field("endpoint", &endpoint)
            .field("model", &self.model)
            .field("key", &self.key)
            .field("headers", &names)
            .field("stream", &self.stream)
            .field("max_output_tokens", &self.max_output_tokens)
            .field("context_tokens", &self.context_tokens)
            .field("token_field", &self.token_field)
            .field("allow_insecure", &self.allow_insecure)
            .finish()
    }
}

/// A key. It is never printed: `Debug` shows `«redacted»`, and there is no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a key. White space around it is dropped, because pasted keys often end in a line feed.
    pub fn new(key: &str) -> Secret {
        Secret(key.trim().to_owned())
    }

    /// The key itself, for the one header that carries it.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("«redacted»")
    }
}

/// The name of the cap on output tokens in Chat Completions. Servers refuse the one they do not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenField {
    /// `max_tokens`: most compatible servers.
    MaxTokens,
    /// `max_completion_tokens`: OpenAI and Azure OpenAI, whose newer models refuse the older name.
    MaxCompletionTokens,
}

/// What to ask, as the prompt room made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input<'a> {
    /// How to answer.
    pub instructions: &'a str,
    /// Sources and question.
    pub input: &'a str,
    /// Name of the instructions' version, such as `answer-v1`; sent only where the protocol has metadata.
    pub prompt_version: &'a str,
}
