//! Links that select the quoted text on its page.
//!
//! A text fragment (WICG "URL Fragment Text Directives") stands behind the anchor:
//! `#ports:~:text=The%20default%20port,is%208080.` A browser that knows none, or finds no such
//! text, scrolls to the anchor.

/// From so many words on, a quote is named by its first and last words: the text of a single name
/// must lie within one block of the page, which a long quote may not.
const RANGE_WORDS: usize = 12;
/// How many words name either end.
const END_WORDS: usize = 5;

/// `url` with a fragment that selects `quote`; `url` as it is where the quote has no letter.
///
/// ```
/// use groundling::answer::text_fragment;
///
/// let url = text_fragment("/setup#ports", "The port is 8080, or 80.");
/// assert_eq!(url, "/setup#ports:~:text=The%20port%20is%208080%2C%20or%2080.");
/// ```
pub fn text_fragment(url: &str, quote: &str) -> String {
    // The words of one line: between lines the page has markup that the index has not kept.
    let lines: Vec<Vec<&str>> = quote
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<&str>>())
        .filter(|words| !words.is_empty())
        .collect();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return url.to_owned();
    };
    if !quote.chars().any(char::is_alphanumeric) {
        return url.to_owned();
    }
    let mut link = url.to_owned();
    if !url.contains('#') {
        link.push('#');
    }
    link.push_str(":~:text=");
    if lines.len() == 1 && first.len() < RANGE_WORDS {
        push_words(&mut link, first);
    } else {
        push_words(&mut link, &first[..first.len().min(END_WORDS)]);
        link.push(',');
        push_words(&mut link, &last[last.len().saturating_sub(END_WORDS)..]);
    }
    link
}

/// Percent-encodes all but what is unreserved everywhere; a dash too, since it means context.
fn push_words(link: &mut String, words: &[&str]) {
    for (i, word) in words.iter().enumerate() {
        if i > 0 {
            link.push_str("%20");
        }
        for byte in word.bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'~') {
                link.push(char::from(byte));
            } else {
                const HEX: &[u8; 16] = b"0123456789ABCDEF";
                link.push('%');
                link.push(char::from(HEX[usize::from(byte >> 4)]));
                link.push(char::from(HEX[usize::from(byte & 15)]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, quote: &str, expected: &str) {
        assert_eq!(text_fragment(url, quote), expected);
    }

    #[test]
    fn a_short_quote_is_named_whole_behind_the_anchor() {
        check("/a#b", "So it is.", "/a#b:~:text=So%20it%20is.");
        check("/a", "So it is.", "/a#:~:text=So%20it%20is.");
        check("/a", "Так", "/a#:~:text=%D0%A2%D0%B0%D0%BA");
    }

    #[test]
    fn a_long_quote_and_one_of_several_lines_are_named_by_their_ends() {
        check(
            "/a#b",
            "one two three four five six seven eight nine ten eleven twelve",
            "/a#b:~:text=one%20two%20three%20four%20five,eight%20nine%20ten%20eleven%20twelve",
        );
        check(
            "/a#b",
            "Run it:\nnpm start",
            "/a#b:~:text=Run%20it%3A,npm%20start",
        );
    }

    #[test]
    fn signs_of_the_directive_are_encoded() {
        check("/a#b", "a-b, c & d", "/a#b:~:text=a%2Db%2C%20c%20%26%20d");
    }

    #[test]
    fn a_quote_without_words_changes_nothing() {
        check("/a#b", "", "/a#b");
        check("/a#b", " \n—", "/a#b");
    }
}
