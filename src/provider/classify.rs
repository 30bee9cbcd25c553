//! From a server's status and names to our [`Code`].

use super::Code;
use super::wire_error::WireError;

/// Names that servers use in `code`, `type` or `status`, in lower case, by what they mean. A name counts if
/// it contains the entry. The order matters: money limits come with the status of rate limits.
const NAMES: [(&str, Code); 27] = [
    ("insufficient_quota", Code::Quota),
    ("credit_balance", Code::Quota),
    ("insufficient_balance", Code::Quota),
    ("spend_limit", Code::Quota),
    ("billing", Code::Quota),
    ("context_length", Code::ContextTooLong),
    ("context_window", Code::ContextTooLong),
    ("exceed_context", Code::ContextTooLong),
    ("request_too_large", Code::ContextTooLong),
    ("model_not_found", Code::ModelNotFound),
    ("authentication", Code::Auth),
    ("unauthenticated", Code::Auth),
    ("invalid_api_key", Code::Auth),
    ("api_key", Code::Auth),
    ("permission", Code::Auth),
    ("rate_limit", Code::RateLimited),
    ("slow_down", Code::RateLimited),
    ("too_many_requests", Code::RateLimited),
    ("resource_exhausted", Code::RateLimited),
    ("overloaded", Code::Overloaded),
    ("unavailable", Code::Overloaded),
    ("timeout", Code::Timeout),
    ("deadline_exceeded", Code::Timeout),
    ("invalid_request", Code::BadRequest),
    ("invalid_argument", Code::BadRequest),
    ("invalid_prompt", Code::BadRequest),
    ("not_found", Code::BadRequest),
];

/// Words of messages, in lower case, for what servers report under a general name such as
/// `invalid_request_error`.
const WORDS: [(&str, Code); 8] = [
    ("credit balance", Code::Quota),
    ("maximum context length", Code::ContextTooLong),
    ("context window", Code::ContextTooLong),
    ("context length", Code::ContextTooLong),
    ("context size", Code::ContextTooLong),
    ("prompt is too long", Code::ContextTooLong),
    // Google's, with the name `INVALID_ARGUMENT`.
    ("input token count", Code::ContextTooLong),
    ("api key not valid", Code::Auth),
];

/// The code of an error. The status inside the error object counts where the response itself succeeded.
pub(super) fn classify(status: u16, error: &WireError) -> Code {
    let status = if (200..300).contains(&status) {
        error.status.unwrap_or(status)
    } else {
        status
    };
    let name = by_name(error);
    match name {
        Some(Code::BadRequest) | None => {}
        Some(code) => return code,
    }
    if (200..500).contains(&status) && status != 429 {
        if let Some(code) = by_words(&error.message) {
            return code;
        }
    }
    match status {
        401 | 403 => Code::Auth,
        402 => Code::Quota,
        408 | 504 => Code::Timeout,
        413 => Code::ContextTooLong,
        429 => Code::RateLimited,
        503 | 529 => Code::Overloaded,
        400..=499 => Code::BadRequest,
        300..=399 => Code::Protocol,
        _ => name.unwrap_or(Code::Server),
    }
}

fn by_name(error: &WireError) -> Option<Code> {
    let lower = |name: &Option<String>| name.as_deref().unwrap_or_default().to_ascii_lowercase();
    let names = [lower(&error.name), lower(&error.kind)];
    NAMES
        .iter()
        .find(|(part, _)| names.iter().any(|name| name.contains(part)))
        .map(|(_, code)| *code)
}

fn by_words(message: &str) -> Option<Code> {
    let message = message.to_ascii_lowercase();
    // "The model `x` does not exist", "model 'x' not found, try pulling it first".
    let missing = message.contains("not found") || message.contains("does not exist");
    if missing && message.contains("model") {
        return Some(Code::ModelNotFound);
    }
    WORDS
        .iter()
        .find(|(words, _)| message.contains(words))
        .map(|(_, code)| *code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(status: u16, name: &str, message: &str, expected: Code) {
        let name = if name.is_empty() {
            None
        } else {
            Some(name.to_owned())
        };
        let error = WireError {
            message: message.to_owned(),
            name,
            ..WireError::default()
        };
        assert_eq!(classify(status, &error), expected, "{status} {error:?}");
    }

    #[test]
    fn a_money_limit_is_no_rate_limit_although_both_have_status_429() {
        check(429, "rate_limit_exceeded", "", Code::RateLimited);
        check(429, "slow_down", "", Code::RateLimited);
        check(
            429,
            "",
            "You exceeded your current quota",
            Code::RateLimited,
        );
        check(429, "insufficient_quota", "", Code::Quota);
        check(429, "credit_balance_exhausted", "", Code::Quota);
        check(429, "organization_spend_limit_exceeded", "", Code::Quota);
        check(
            400,
            "invalid_request_error",
            "Your credit balance is too low",
            Code::Quota,
        );
        check(402, "", "", Code::Quota);
    }

    #[test]
    fn a_status_alone_is_enough() {
        check(400, "", "", Code::BadRequest);
        check(401, "", "", Code::Auth);
        check(403, "", "", Code::Auth);
        check(404, "", "no such path", Code::BadRequest);
        check(408, "", "", Code::Timeout);
        check(409, "", "", Code::BadRequest);
        check(413, "", "", Code::ContextTooLong);
        check(429, "", "", Code::RateLimited);
        check(500, "", "", Code::Server);
        check(502, "", "", Code::Server);
        check(503, "", "", Code::Overloaded);
        check(504, "", "", Code::Timeout);
        check(529, "", "", Code::Overloaded);
        check(302, "", "", Code::Protocol);
    }

    #[test]
    fn general_names_are_refined_by_the_words() {
        check(
            404,
            "not_found_error",
            "model: claude-x not found",
            Code::ModelNotFound,
        );
        check(
            400,
            "invalid_request_error",
            "The model `x` does not exist",
            Code::ModelNotFound,
        );
        check(
            400,
            "invalid_request_error",
            "This model's maximum context length is 8192",
            Code::ContextTooLong,
        );
        check(
            400,
            "invalid_request_error",
            "prompt is too long: 1 > 0",
            Code::ContextTooLong,
        );
        check(400, "context_length_exceeded", "", Code::ContextTooLong);
        check(
            400,
            "INVALID_ARGUMENT",
            "The input token count (9) exceeds the maximum number of tokens allowed (8).",
            Code::ContextTooLong,
        );
        check(
            400,
            "INVALID_ARGUMENT",
            "API key not valid. Please pass a valid API key.",
            Code::Auth,
        );
    }

    #[test]
    fn an_error_inside_a_stream_is_classified_by_its_own_names() {
        check(200, "server_error", "", Code::Server);
        check(200, "overloaded_error", "", Code::Overloaded);
        check(200, "invalid_prompt", "", Code::BadRequest);
        check(200, "", "", Code::Server);
        let busy = WireError {
            status: Some(503),
            name: Some("503".to_owned()),
            ..WireError::default()
        };
        assert_eq!(classify(200, &busy), Code::Overloaded);
    }
}
