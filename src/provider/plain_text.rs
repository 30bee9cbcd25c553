//! A server's words, as plain text on one line.
//!
//! Error bodies come from proxies, load balancers and strangers. They are shown as text and never as markup;
//! the tags are removed all the same, because a reader cannot do anything with them.

/// At most `max_chars` characters of `text` on one line: tags, comments, scripts and styles removed, white
/// space and control characters joined to single spaces.
pub(super) fn plain_text(text: &str, max_chars: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    let mut gap = false;
    let mut left = text;
    while let Some(c) = left.chars().next() {
        if let Some(length) = markup_length(left) {
            gap = true;
            left = &left[length..];
            continue;
        }
        let (c, length) = entity(left).unwrap_or((c, c.len_utf8()));
        left = &left[length..];
        if c.is_whitespace() || c.is_control() || is_invisible(c) {
            gap = true;
            continue;
        }
        if count >= max_chars {
            out.push('…');
            break;
        }
        if gap && !out.is_empty() {
            out.push(' ');
            count += 1;
        }
        gap = false;
        out.push(c);
        count += 1;
    }
    out
}

/// The title of an HTML page and the start of its text; of a plain page the start of its text.
pub(super) fn page_text(page: &str, max_chars: usize) -> String {
    let Some((title, rest)) = title(page) else {
        return plain_text(page, max_chars);
    };
    let title = plain_text(title, max_chars);
    let text = plain_text(rest, max_chars);
    match (title.is_empty(), text.is_empty()) {
        (true, _) => text,
        (_, true) => title,
        _ => title + ": " + &text,
    }
}

/// The start of `text`, at most `max_bytes` long, cut between characters.
pub(super) fn cut(text: &str, max_bytes: usize) -> &str {
    let mut end = max_bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The text of the title element, and the page after it.
fn title(page: &str) -> Option<(&str, &str)> {
    let open = find_ignore_case(page, "<title")?;
    let inner = &page[open..];
    let inner = &inner[inner.find('>')? + 1..];
    let close = find_ignore_case(inner, "</title")?;
    Some((&inner[..close], &inner[close..]))
}

/// Length in bytes of the markup that `text` starts with: a tag, a comment, or a script or style element
/// with its content. A `<` that starts none of these is text; one whose tag never ends is dropped alone.
fn markup_length(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('<')?;
    if rest.starts_with("!--") {
        return Some(text.find("-->").map_or(text.len(), |end| end + 3));
    }
    if !rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) {
        return None;
    }
    for (open, close) in [("<script", "</script"), ("<style", "</style")] {
        if starts_with_ignore_case(text, open) {
            return Some(find_ignore_case(text, close).unwrap_or(text.len()));
        }
    }
    Some(text.find('>').map_or(1, |end| end + 1))
}

/// The character and the length in bytes of the entity that `text` starts with. `&lt;` and `&gt;` stay as
/// they are, so that the result never holds a tag.
fn entity(text: &str) -> Option<(char, usize)> {
    let entities = [
        ("&amp;", '&'),
        ("&quot;", '"'),
        ("&#39;", '\''),
        ("&#x27;", '\''),
        ("&nbsp;", ' '),
    ];
    entities
        .iter()
        .find(|(name, _)| text.starts_with(name))
        .map(|(name, c)| (*c, name.len()))
}

/// Characters that change how a line looks without being seen: bidirectional controls and zero-width ones.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

fn starts_with_ignore_case(text: &str, start: &str) -> bool {
    text.as_bytes()
        .get(..start.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

/// `needle` must be ASCII, so that the position is a character boundary.
fn find_ignore_case(text: &str, needle: &str) -> Option<usize> {
    text.as_bytes()
        .windows(needle.len())
        .position(|window| window.eq_ignore_ascii_case(needle.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(plain_text(text, 40), expected);
    }

    #[test]
    fn markup_is_removed_with_scripts_and_comments() {
        check("<h1 class=\"a\">Bad<br>gateway</h1>", "Bad gateway");
        check(
            "a<SCRIPT>zz()</SCRIPT>b<style>p{}</style>c<!-- x > y -->d",
            "a b c d",
        );
        check("a<script>never closed", "a");
    }

    #[test]
    fn a_sign_that_starts_no_tag_is_text() {
        check("1 < 2 and 3 > 2", "1 < 2 and 3 > 2");
        check("a <b", "a b");
    }

    #[test]
    fn white_space_and_invisible_characters_become_single_spaces() {
        check("  a\r\n\t b\u{0}c\u{202E}d\u{A0} ", "a b c d");
    }

    #[test]
    fn entities_never_make_a_tag() {
        check(
            "Tom &amp; Jerry&#39;s &lt;b&gt; &amp;lt;",
            "Tom & Jerry's &lt;b&gt; &lt;",
        );
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(plain_text("ééééé", 3), "ééé…");
        assert_eq!(plain_text("ééé", 3), "ééé");
        assert_eq!(plain_text("ééé  ", 3), "ééé");
    }

    #[test]
    fn a_page_gives_its_title_and_text() {
        let page = "<html><head><TITLE>502 Bad Gateway</TITLE><style>b{}</style></head><body><p>nginx</p></body>";
        assert_eq!(page_text(page, 200), "502 Bad Gateway: nginx");
        assert_eq!(page_text("<title></title><p>x", 200), "x");
        assert_eq!(page_text("<title>x</title>", 200), "x");
        assert_eq!(page_text("upstream down", 200), "upstream down");
    }
}
