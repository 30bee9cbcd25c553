//! Whether and when to ask again. Pure: the caller brings clock and chance, and waits.

use super::{Code, Failure, http_date};

/// Attempts after the first, as in both big vendors' SDKs.
pub const MAX_RETRIES: u32 = 2;

/// Wait before the first retry; it doubles with each further one. Vendors' SDKs have the same values.
const FIRST_DELAY_MS: u64 = 500;
const MAX_DELAY_MS: u64 = 8_000;

/// A server that asks for a longer wait than this is not asked again at all: nobody watches a page that
/// long, and asking earlier than told is not allowed. The failure carries the wait, so a page can show it.
pub const MAX_RETRY_AFTER_MS: u64 = 60_000;

/// How long to wait before the next attempt, in milliseconds; `None`: do not try again.
///
/// `retries_so_far` is 0 after the first attempt. `text_was_shown` forbids a retry, because a second answer
/// would replace one that was already read. `unit` is a random number in 0..1; it shortens the own back-off by
/// up to 25 %, so that pages that failed together do not come back together. A wait that the server asked for
/// is never shortened. Money limits ([`Code::Quota`]) are never retried, whatever else the server says.
pub fn delay_ms(
    failure: &Failure,
    retries_so_far: u32,
    text_was_shown: bool,
    unit: f64,
) -> Option<u64> {
    if text_was_shown || retries_so_far >= MAX_RETRIES || !is_retryable(failure) {
        return None;
    }
    let doubled = FIRST_DELAY_MS
        .saturating_mul(1 << retries_so_far.min(16))
        .min(MAX_DELAY_MS);
    let own = doubled - (doubled as f64 * 0.25 * unit.clamp(0.0, 1.0)) as u64;
    match failure.retry_after_ms {
        Some(asked) if asked > MAX_RETRY_AFTER_MS => None,
        Some(asked) => Some(own.max(asked)),
        None => Some(own),
    }
}

/// The server's own word (`x-should-retry`) if it gave one. Else statuses 408, 409, 429 and from 500 up, as in
/// the vendors' SDKs; without a telling status the code decides.
fn is_retryable(failure: &Failure) -> bool {
    match (failure.code, failure.status) {
        (Code::Quota, _) => false,
        _ if failure.should_retry.is_some() => failure.should_retry == Some(true),
        (Code::Auth | Code::ContextTooLong | Code::ModelNotFound, _) => false,
        (_, Some(408 | 409 | 429 | 500..)) => true,
        (code, _) => {
            matches!(
                code,
                Code::RateLimited | Code::Overloaded | Code::Network | Code::Timeout | Code::Server
            )
        }
    }
}

/// The wait that a server asks for, in milliseconds: `retry-after-ms` if it is a number, else `Retry-After` in
/// seconds or as an HTTP date, which is relative to `now_ms` (milliseconds since 1970 UTC). A date in the past
/// is no wait. `None`: unknown.
pub fn retry_after_ms(
    retry_after: Option<&str>,
    retry_after_ms: Option<&str>,
    now_ms: u64,
) -> Option<u64> {
    if let Some(wait) = retry_after_ms.and_then(thousandths) {
        return Some(wait.div_ceil(1000));
    }
    let text = retry_after?.trim();
    thousandths(text).or_else(|| http_date::parse(text).map(|date| date.saturating_sub(now_ms)))
}

/// A decimal number times a thousand. Rounded up, so that no wait gets shorter. `None` for signs and exponents.
fn thousandths(text: &str) -> Option<u64> {
    let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let digits = |part: &str| part.bytes().all(|c| c.is_ascii_digit());
    if whole.is_empty() || whole.len() > 12 || !digits(whole) || !digits(fraction) {
        return None;
    }
    let mut value: u64 = whole.parse().ok()?;
    for place in 0..3 {
        let digit = fraction
            .as_bytes()
            .get(place)
            .map_or(0, |c| u64::from(c - b'0'));
        value = value * 10 + digit;
    }
    let is_inexact = fraction.bytes().skip(3).any(|c| c != b'0');
    Some(value + u64::from(is_inexact))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(code: Code, status: Option<u16>, retry_after_ms: Option<u64>) -> Failure {
        Failure {
            status,
            retry_after_ms,
            ..Failure::without_response(code, "")
        }
    }

    #[track_caller]
    fn check(code: Code, status: u16, retry_after_ms: Option<u64>, expected: Option<u64>) {
        let failure = failure(code, Some(status), retry_after_ms);
        assert_eq!(delay_ms(&failure, 0, false, 0.0), expected, "{failure:?}");
    }

    #[test]
    fn the_delay_doubles_twice_and_jitter_only_shortens_it() {
        let failure = failure(Code::Overloaded, Some(503), None);
        assert_eq!(delay_ms(&failure, 0, false, 0.0), Some(500));
        assert_eq!(delay_ms(&failure, 1, false, 0.0), Some(1000));
        assert_eq!(delay_ms(&failure, 2, false, 0.0), None);
        assert_eq!(delay_ms(&failure, 0, false, 1.0), Some(375));
        assert_eq!(delay_ms(&failure, 1, false, 0.5), Some(875));
    }

    #[test]
    fn nothing_is_retried_once_text_was_shown() {
        assert_eq!(
            delay_ms(&failure(Code::Server, Some(500), Some(1)), 0, true, 0.0),
            None
        );
    }

    #[test]
    fn statuses_and_codes_decide_what_is_retried() {
        for status in [408, 409, 429, 500, 502, 503, 504, 529] {
            check(Code::BadRequest, status, None, Some(500));
        }
        for status in [400, 401, 403, 404, 413, 422] {
            check(Code::BadRequest, status, None, None);
        }
        check(Code::Quota, 429, Some(1000), None);
        check(Code::Overloaded, 200, None, Some(500));
        check(Code::Protocol, 200, None, None);
        let network = Failure::without_response(Code::Network, "");
        assert_eq!(delay_ms(&network, 0, false, 0.0), Some(500));
        let blocked = Failure::without_response(Code::BlockedByBrowser, "");
        assert_eq!(delay_ms(&blocked, 0, false, 0.0), None);
    }

    #[test]
    fn the_servers_own_word_decides_but_not_on_money() {
        #[track_caller]
        fn check(code: Code, status: u16, should_retry: bool, expected: Option<u64>) {
            let mut failure = failure(code, Some(status), None);
            failure.should_retry = Some(should_retry);
            assert_eq!(delay_ms(&failure, 0, false, 0.0), expected, "{failure:?}");
            assert_eq!(delay_ms(&failure, 0, true, 0.0), None, "{failure:?}");
        }
        check(Code::Server, 500, false, None);
        check(Code::RateLimited, 429, false, None);
        check(Code::BadRequest, 400, true, Some(500));
        check(Code::Quota, 429, true, None);
    }

    #[test]
    fn the_server_is_never_asked_earlier_than_told() {
        check(Code::RateLimited, 429, Some(20_000), Some(20_000));
        check(Code::RateLimited, 429, Some(60_000), Some(60_000));
        check(Code::RateLimited, 429, Some(60_001), None);
        check(Code::RateLimited, 429, Some(0), Some(500));
    }

    #[test]
    fn retry_headers_are_read_in_all_their_forms() {
        #[track_caller]
        fn check(retry_after: Option<&str>, in_ms: Option<&str>, expected: Option<u64>) {
            let now_ms = 784_111_770_000; // Sun, 06 Nov 1994 08:49:30 GMT
            assert_eq!(
                retry_after_ms(retry_after, in_ms, now_ms),
                expected,
                "{retry_after:?} {in_ms:?}"
            );
        }
        check(Some("20"), None, Some(20_000));
        check(Some(" 1.5 "), None, Some(1_500));
        check(Some("0.0001"), None, Some(1));
        check(Some("20"), Some("250"), Some(250));
        check(Some("20"), Some("250.7"), Some(251));
        check(Some("20"), Some("soon"), Some(20_000));
        check(Some("Sun, 06 Nov 1994 08:49:37 GMT"), None, Some(7_000));
        check(Some("Sun, 06 Nov 1994 08:49:00 GMT"), None, Some(0));
        check(Some("-1"), None, None);
        check(Some("1e3"), None, None);
        check(Some(""), None, None);
        check(Some("99999999999999999999"), None, None);
        check(None, None, None);
    }
}
