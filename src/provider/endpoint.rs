//! Which endpoints may be asked.
//!
//! Prompt and key must not travel readable, so the scheme must be https, or http to this machine, or the
//! endpoint must be a path on the page's own origin. The rules are narrower than those by which a browser
//! parses a URL (WHATWG URL Standard): a spelling that the browser would have to repair is refused, so this
//! check and the browser can never mean different hosts.

use super::Error;

/// Checks an endpoint.
///
/// # Errors
/// [`Error::EndpointInvalid`], [`Error::EndpointCredentials`] or [`Error::EndpointInsecure`].
pub(super) fn check(endpoint: &str, allow_insecure: bool) -> Result<(), Error> {
    // A browser drops tabs and line feeds and reads `\` as `/`.
    let repaired = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    if endpoint.contains(repaired) {
        return Err(Error::EndpointInvalid);
    }
    if is_same_origin(endpoint) {
        return Ok(());
    }
    let Some((scheme, rest)) = endpoint.split_once("://") else {
        return Err(Error::EndpointInvalid);
    };
    let authority = authority(rest);
    if authority.contains('@') {
        return Err(Error::EndpointCredentials);
    }
    let host = host(authority);
    if host.is_empty() {
        return Err(Error::EndpointInvalid);
    }
    if scheme.eq_ignore_ascii_case("https") {
        return Ok(());
    }
    if !scheme.eq_ignore_ascii_case("http") {
        return Err(Error::EndpointInvalid);
    }
    if allow_insecure || is_loopback(host) {
        return Ok(());
    }
    Err(Error::EndpointInsecure {
        host: host.to_owned(),
    })
}

/// Whether the endpoint is a path, which a browser resolves against the page. `//host/` is no path.
pub(super) fn is_same_origin(endpoint: &str) -> bool {
    (endpoint.starts_with('/') && !endpoint.starts_with("//"))
        || endpoint.starts_with("./")
        || endpoint.starts_with("../")
}

/// The host of an absolute endpoint, with the brackets of an IPv6 address; empty for a path.
pub(super) fn host_of(endpoint: &str) -> &str {
    endpoint
        .split_once("://")
        .map_or("", |(_, rest)| host(authority(rest)))
}

fn authority(rest: &str) -> &str {
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

fn host(authority: &str) -> &str {
    match authority.find(']') {
        Some(end) if authority.starts_with('[') => &authority[..=end],
        _ => authority.split(':').next().unwrap_or_default(),
    }
}

/// Loopback as in Secure Contexts, section 3.1: `localhost` and names below it, 127.0.0.0/8, `[::1]`.
fn is_loopback(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    if host == "localhost" || host.ends_with(".localhost") || host == "[::1]" {
        return true;
    }
    let mut parts = host.split('.');
    let first_is_127 = parts.next() == Some("127");
    let octets = parts.clone().count();
    first_is_127 && octets == 3 && parts.all(|part| part.parse::<u8>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_endpoint(endpoint: &str, expected: Result<(), Error>) {
        assert_eq!(check(endpoint, false), expected, "{endpoint:?}");
    }

    fn insecure(host: &str) -> Result<(), Error> {
        Err(Error::EndpointInsecure {
            host: host.to_owned(),
        })
    }

    #[test]
    fn https_loopback_and_own_origin_are_allowed() {
        for endpoint in [
            "https://api.example.com/v1/responses",
            "HTTPS://api.example.com:8443/v1?x=a@b",
            "http://localhost:11434/api/chat",
            "http://LOCALHOST/",
            "http://docs.localhost:3000/ask",
            "http://127.0.0.1:8080/v1/chat/completions",
            "http://127.8.9.10/",
            "http://[::1]:8080/v1/messages",
            "/api/ask",
            "./ask",
            "../ask?lang=en",
        ] {
            check_endpoint(endpoint, Ok(()));
        }
    }

    #[test]
    fn plain_http_elsewhere_is_refused_unless_allowed() {
        check_endpoint("http://example.com/v1", insecure("example.com"));
        check_endpoint(
            "http://127.0.0.1.example.com/",
            insecure("127.0.0.1.example.com"),
        );
        check_endpoint(
            "http://localhost.example.com/",
            insecure("localhost.example.com"),
        );
        check_endpoint("http://notlocalhost/", insecure("notlocalhost"));
        check_endpoint("http://127.0.0.256/", insecure("127.0.0.256"));
        check_endpoint("http://[::2]/", insecure("[::2]"));
        assert_eq!(check("http://192.168.0.5:1234/v1", true), Ok(()));
    }

    #[test]
    fn spellings_that_a_browser_would_repair_are_refused() {
        for endpoint in [
            "",
            "example.com/v1",
            "//example.com/v1",
            "https:example.com",
            "https:///example.com",
            "https:\\\\example.com",
            "/\\example.com",
            " https://example.com",
            "ht\ntps://example.com",
            "javascript:alert(1)",
            "data:text/plain,x",
            "ftp://example.com/",
            "file:///etc/hosts",
        ] {
            check_endpoint(endpoint, Err(Error::EndpointInvalid));
        }
    }

    #[test]
    fn credentials_are_refused_even_where_insecure_is_allowed() {
        check_endpoint(
            "https://user:pass@example.com/",
            Err(Error::EndpointCredentials),
        );
        check_endpoint(
            "http://localhost@example.com/",
            Err(Error::EndpointCredentials),
        );
        assert_eq!(
            check("http://user@example.com/", true),
            Err(Error::EndpointCredentials)
        );
    }
}
