//! Escaping that keeps text of documents and readers inside its block.

/// Escapes `text` for the inside of a block: `&`, `<` and `>`.
pub(super) fn push_text(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
}

/// Escapes `text` for an attribute in quotes: as text, and both quotes as well.
pub(super) fn push_attribute(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#x27;"),
            c => out.push(c),
        }
    }
}

/// Undoes the escaping above, once: `&amp;lt;` becomes `&lt;`. Other entities stay as they are,
/// because this room never writes them.
pub(crate) fn unescape(escaped: &str) -> String {
    const ENTITIES: [(&str, char); 5] = [
        ("&amp;", '&'),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&quot;", '"'),
        ("&#x27;", '\''),
    ];
    let mut out = String::with_capacity(escaped.len());
    let mut rest = escaped;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (len, c) = ENTITIES
            .iter()
            .find(|(entity, _)| rest.starts_with(entity))
            .map_or((1, '&'), |(entity, c)| (entity.len(), *c));
        out.push(c);
        rest = &rest[len..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected_text: &str, expected_attribute: &str) {
        let (mut as_text, mut as_attribute) = (String::new(), String::new());
        push_text(&mut as_text, text);
        push_attribute(&mut as_attribute, text);
        assert_eq!(as_text, expected_text);
        assert_eq!(as_attribute, expected_attribute);
        assert_eq!(unescape(&as_text), text);
        assert_eq!(unescape(&as_attribute), text);
    }

    #[test]
    fn text_keeps_quotes_and_attributes_do_not() {
        check(
            r#"a & b < c > d " e ' f"#,
            r#"a &amp; b &lt; c &gt; d " e ' f"#,
            "a &amp; b &lt; c &gt; d &quot; e &#x27; f",
        );
    }

    #[test]
    fn text_that_is_escaped_already_is_escaped_again() {
        check("&lt;&amp;", "&amp;lt;&amp;amp;", "&amp;lt;&amp;amp;");
    }

    #[test]
    fn entities_that_are_never_written_stay() {
        assert_eq!(unescape("&nbsp;&copy &"), "&nbsp;&copy &");
    }
}
