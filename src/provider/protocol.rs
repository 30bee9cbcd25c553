//! The table of protocols: the only place that knows all of them.

use super::answer::Reader;
use super::{
    Config, Input, anthropic, gemini, ollama, openai_chat, openai_responses, ui_message_stream,
};

/// A wire protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Protocol {
    /// OpenAI Responses, `POST …/v1/responses`.
    OpenAiResponses,
    /// OpenAI Chat Completions, `POST …/v1/chat/completions`, and the many servers that speak it.
    OpenAiChat,
    /// Anthropic Messages, `POST …/v1/messages`.
    Anthropic,
    /// Ollama's own protocol, `POST …/api/chat`.
    Ollama,
    /// Google Gemini, `POST …/models/NAME:streamGenerateContent?alt=sse` or `…:generateContent`.
    Gemini,
    /// The AI SDK's UI message stream, which many proxies speak, often at `POST /api/chat`.
    UiMessageStream,
}

impl Protocol {
    const NAMES: [(&'static str, Protocol); 6] = [
        ("openai-responses", Protocol::OpenAiResponses),
        ("openai-chat", Protocol::OpenAiChat),
        ("anthropic", Protocol::Anthropic),
        ("ollama", Protocol::Ollama),
        ("gemini", Protocol::Gemini),
        ("ui-message-stream", Protocol::UiMessageStream),
    ];

    /// The protocol of that name, as [`Protocol::name`] gives it.
    pub fn from_name(name: &str) -> Option<Protocol> {
        Protocol::NAMES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, protocol)| *protocol)
    }

    /// The protocol that an endpoint speaks, where its path is unmistakable.
    ///
    /// `/api/chat` counts only with Ollama's port before it, because countless proxies have that path.
    pub fn from_endpoint(endpoint: &str) -> Option<Protocol> {
        let path = endpoint.split(['?', '#']).next()?.trim_end_matches('/');
        let ends: [(&str, Protocol); 6] = [
            ("/chat/completions", Protocol::OpenAiChat),
            ("/v1/responses", Protocol::OpenAiResponses),
            ("/v1/messages", Protocol::Anthropic),
            (":11434/api/chat", Protocol::Ollama),
            (":streamGenerateContent", Protocol::Gemini),
            (":generateContent", Protocol::Gemini),
        ];
        ends.iter()
            .find(|(end, _)| path.ends_with(end))
            .map(|(_, protocol)| *protocol)
    }

    /// The stable name: `openai-responses`, `openai-chat`, `anthropic`, `ollama`, `gemini` or
    /// `ui-message-stream`.
    pub fn name(self) -> &'static str {
        Protocol::NAMES
            .iter()
            .find(|(_, known)| *known == self)
            .map_or("", |(name, _)| name)
    }

    /// Whether a request names the model, so that it must be known. With Gemini the endpoint names it, and
    /// behind a UI message stream the server chooses it.
    pub(super) fn names_model(self) -> bool {
        !matches!(self, Protocol::Gemini | Protocol::UiMessageStream)
    }

    /// The URL to call: the endpoint, but where the protocol has the method in it.
    pub(super) fn url(self, config: &Config) -> String {
        match self {
            Protocol::Gemini => gemini::url(config),
            _ => config.endpoint.clone(),
        }
    }

    /// The headers that the protocol needs besides `content-type`.
    pub(super) fn headers(self, config: &Config) -> Vec<(&'static str, String)> {
        match self {
            Protocol::Anthropic => anthropic::headers(config),
            Protocol::Gemini => gemini::headers(config),
            Protocol::OpenAiResponses
            | Protocol::OpenAiChat
            | Protocol::Ollama
            | Protocol::UiMessageStream => bearer(config),
        }
    }

    /// The JSON body of a request.
    pub(super) fn body(self, config: &Config, input: &Input<'_>) -> String {
        match self {
            Protocol::OpenAiResponses => openai_responses::body(config, input),
            Protocol::OpenAiChat => openai_chat::body(config, input),
            Protocol::Anthropic => anthropic::body(config, input),
            Protocol::Ollama => ollama::body(config, input),
            Protocol::Gemini => gemini::body(config, input),
            Protocol::UiMessageStream => ui_message_stream::body(input),
        }
    }

    /// A reader for one reply.
    pub(super) fn reader(self) -> Box<dyn Reader> {
        match self {
            Protocol::OpenAiResponses => Box::new(openai_responses::ResponsesReader::default()),
            Protocol::OpenAiChat => Box::new(openai_chat::ChatReader),
            Protocol::Anthropic => Box::new(anthropic::MessagesReader),
            Protocol::Ollama => Box::new(ollama::OllamaReader),
            Protocol::Gemini => Box::new(gemini::GeminiReader),
            Protocol::UiMessageStream => Box::new(ui_message_stream::UiMessageReader::default()),
        }
    }
}

/// `Authorization: Bearer`, RFC 6750.
fn bearer(config: &Config) -> Vec<(&'static str, String)> {
    match &config.key {
        Some(key) => vec![("authorization", format!("Bearer {}", key.expose()))],
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back_to_its_protocol() {
        for (name, protocol) in Protocol::NAMES {
            assert_eq!(Protocol::from_name(name), Some(protocol));
            assert_eq!(protocol.name(), name);
        }
        assert_eq!(Protocol::from_name("OpenAI"), None);
    }

    #[test]
    fn only_an_unmistakable_path_names_its_protocol() {
        #[track_caller]
        fn check(endpoint: &str, expected: Option<Protocol>) {
            assert_eq!(Protocol::from_endpoint(endpoint), expected, "{endpoint}");
        }
        check(
            "https://api.example.com/v1/responses",
            Some(Protocol::OpenAiResponses),
        );
        check(
            "https://api.example.com/v1/responses/?x=1",
            Some(Protocol::OpenAiResponses),
        );
        check(
            "http://localhost:1234/v1/chat/completions",
            Some(Protocol::OpenAiChat),
        );
        check(
            "https://example.com/openai/deployments/m/chat/completions?api-version=1",
            Some(Protocol::OpenAiChat),
        );
        check(
            "https://api.example.com/v1/messages",
            Some(Protocol::Anthropic),
        );
        check("http://localhost:11434/api/chat", Some(Protocol::Ollama));
        check(
            "https://api.example.com/v1beta/models/m:streamGenerateContent?alt=sse",
            Some(Protocol::Gemini),
        );
        check(
            "https://api.example.com/v1beta/models/m:generateContent",
            Some(Protocol::Gemini),
        );
        check("https://api.example.com/v1beta/models/m", None);
        check("/api/ask", None);
        check("/api/chat", None);
        check("https://example.com/survey/responses", None);
    }
}
