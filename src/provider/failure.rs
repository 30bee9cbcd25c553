//! Why there is no answer.

use std::fmt;

/// The kind of a [`Failure`]. The names of [`Code::as_str`] are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Code {
    /// The key is missing, wrong, or not allowed to do this.
    Auth,
    /// A money limit: waiting does not help.
    Quota,
    /// Too many requests or tokens for now: waiting helps.
    RateLimited,
    /// The server has no capacity for now.
    Overloaded,
    /// The server did not accept the request.
    BadRequest,
    /// Prompt and reserved answer do not fit into the model's window.
    ContextTooLong,
    /// The server does not have the model.
    ModelNotFound,
    /// A guess: the browser hid the reason why a fetch failed (cross-origin rules, mixed content).
    BlockedByBrowser,
    /// The connection failed.
    Network,
    /// Nothing arrived in time.
    Timeout,
    /// The reply is not of the protocol that was expected, or it is empty.
    Protocol,
    /// The server failed.
    Server,
}

impl Code {
    /// The stable name, for example `provider-rate-limited`.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Auth => "provider-auth",
            Code::Quota => "provider-quota",
            Code::RateLimited => "provider-rate-limited",
            Code::Overloaded => "provider-overloaded",
            Code::BadRequest => "provider-bad-request",
            Code::ContextTooLong => "provider-context-too-long",
            Code::ModelNotFound => "provider-model-not-found",
            Code::BlockedByBrowser => "provider-blocked-by-browser",
            Code::Network => "provider-network",
            Code::Timeout => "provider-timeout",
            Code::Protocol => "provider-protocol",
            Code::Server => "provider-server",
        }
    }

    /// One sentence that says what to do.
    fn advice(self) -> &'static str {
        match self {
            Code::Auth => "Check the key and what it is allowed to do.",
            Code::Quota => "The account has reached a spending limit; raise it or add credit.",
            Code::RateLimited => "Too many requests; wait before asking again.",
            Code::Overloaded => "The server has no capacity; ask again later.",
            Code::BadRequest => {
                "The server did not accept the request; check endpoint, protocol and model."
            }
            Code::ContextTooLong => "The prompt is too long for the model; send fewer sources.",
            Code::ModelNotFound => "The server does not have this model; check its name.",
            Code::BlockedByBrowser => {
                "The browser may have blocked the request; check the server's cross-origin headers."
            }
            Code::Network => "The connection failed; check the network and the endpoint.",
            Code::Timeout => "The server took too long; ask again later.",
            Code::Protocol => {
                "The reply could not be read; check that endpoint and protocol belong together."
            }
            Code::Server => "The server failed; ask again later.",
        }
    }
}

/// Why there is no answer, with the server's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The kind.
    pub code: Code,
    /// The HTTP status, where a response arrived. An error inside a stream usually has 200.
    pub status: Option<u16>,
    /// The server's own words as plain text on one line: no tags, at most 500 characters, no key.
    /// Where the server said nothing, a sentence of this crate.
    pub message: String,
    /// The server's name for the error (`code`, else `type` or `status` of its error object).
    pub provider_code: Option<String>,
    /// How long the server asks to wait, in milliseconds from the arrival of the response. `None`: unknown.
    pub retry_after_ms: Option<u64>,
    /// The server's name for the request, for its support.
    pub request_id: Option<String>,
    /// The server's own word on whether asking again makes sense. `None`: it said nothing.
    pub should_retry: Option<bool>,
}

impl Failure {
    /// A failure with no response behind it, for the caller that fetches: network, timeout, blocked.
    pub fn without_response(code: Code, message: impl Into<String>) -> Failure {
        Failure {
            code,
            status: None,
            message: message.into(),
            provider_code: None,
            retry_after_ms: None,
            request_id: None,
            should_retry: None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code.advice())?;
        if let Some(status) = self.status {
            write!(out, " (HTTP status {status})")?;
        }
        if !self.message.is_empty() {
            let said = if self.status.is_some() {
                " The endpoint said: "
            } else {
                " The reason given: "
            };
            out.write_str(said)?;
            out.write_str(&self.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_of_the_endpoint_are_called_its_words() {
        let failure = Failure::without_response(Code::Network, "fetch failed");
        let text = failure.to_string();
        assert!(text.ends_with(" The reason given: fetch failed"), "{text}");
        let answered = Failure {
            status: Some(500),
            ..failure
        };
        let text = answered.to_string();
        assert!(
            text.ends_with("(HTTP status 500) The endpoint said: fetch failed"),
            "{text}"
        );
    }
}
