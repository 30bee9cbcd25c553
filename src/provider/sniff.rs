//! What kind of body a successful response has.
//!
//! Never decided by what was asked for: servers answer JSON where a stream was wanted, and the other way
//! round. The content type is a hint only, because proxies label streams `text/html` or `application/json`;
//! where the first characters can belong to one kind alone, they decide.

/// The kind of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// Server-sent events.
    Sse,
    /// JSON objects: one, a line each, or an array.
    Json,
    /// A page for humans: HTML or plain text.
    Page,
}

/// Decides by content type and the first characters. `None`: more characters are needed, or the body is
/// blank so far.
pub(super) fn sniff(content_type: Option<&str>, start: &str, at_end: bool) -> Option<BodyKind> {
    let start = start.trim_start();
    match start.chars().next()? {
        '{' | '[' => return Some(BodyKind::Json),
        '<' => return Some(BodyKind::Page),
        ':' => return Some(BodyKind::Sse),
        _ => {}
    }
    // Unknown fields are allowed in an event stream, so its own content type is enough.
    if is_type(content_type, "text/event-stream") {
        return Some(BodyKind::Sse);
    }
    for field in ["data", "event", "id", "retry"] {
        if let Some(rest) = start.strip_prefix(field) {
            match rest.chars().next() {
                Some(':' | '\n' | '\r') => return Some(BodyKind::Sse),
                None if !at_end => return None,
                _ => {}
            }
        } else if field.starts_with(start) && !at_end {
            return None;
        }
    }
    Some(BodyKind::Page)
}

/// Whether a content type names that media type, whatever its parameters.
fn is_type(content_type: Option<&str>, expected: &str) -> bool {
    let essence = content_type
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content_type: &str, start: &str, expected: Option<BodyKind>) {
        assert_eq!(
            sniff(Some(content_type), start, false),
            expected,
            "{content_type} {start:?}"
        );
    }

    #[test]
    fn the_first_characters_overrule_a_wrong_content_type() {
        check("text/event-stream", " {\"a\":1}", Some(BodyKind::Json));
        check(
            "text/event-stream; charset=utf-8",
            "<!doctype html>",
            Some(BodyKind::Page),
        );
        check("application/json", "data: {}", Some(BodyKind::Sse));
        check("text/html", "event: x", Some(BodyKind::Sse));
        check("text/plain", "[{}]", Some(BodyKind::Json));
        check("", ": comment", Some(BodyKind::Sse));
    }

    #[test]
    fn a_body_that_is_no_stream_is_a_page() {
        check("text/plain", "Service unavailable", Some(BodyKind::Page));
        check("text/plain", "database down", Some(BodyKind::Page));
        check("text/plain", "idle", Some(BodyKind::Page));
        check(
            "Text/Event-Stream;charset=utf-8",
            "x-unknown: 1",
            Some(BodyKind::Sse),
        );
    }

    #[test]
    fn too_few_characters_decide_nothing_until_the_end() {
        check("text/plain", "", None);
        check("text/plain", "\r\n ", None);
        check("text/plain", "dat", None);
        check("text/plain", "data", None);
        assert_eq!(sniff(None, "dat", true), Some(BodyKind::Page));
        assert_eq!(sniff(None, "", true), None);
    }
}
