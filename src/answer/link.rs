//! The part of a Markdown link that follows its text (CommonMark 0.31, sections 6.3 and 4.7).

use super::marker::Stop;

/// Matches `(destination "title")` at the start of `text` and gives its length in bytes.
pub(super) fn tail(text: &str) -> Result<usize, Stop> {
    let bytes = text.as_bytes();
    let mut at = skip_space(bytes, 1);
    if byte(bytes, at)? != b')' {
        let end = destination(bytes, at)?;
        at = skip_space(bytes, end);
        if at > end && byte(bytes, at)? != b')' {
            at = skip_space(bytes, title(bytes, at)?);
        }
    }
    if byte(bytes, at)? == b')' {
        Ok(at + 1)
    } else {
        Err(Stop::No)
    }
}

/// Matches what follows the colon of `[label]: destination "title"`, to the end of the line.
/// Anything else on the line means that it is prose and no definition.
pub(super) fn definition(text: &str, ended: bool) -> Result<usize, Stop> {
    let line = match text.find('\n') {
        Some(end) => &text[..end],
        None if ended => text,
        None => return Err(Stop::More),
    };
    let line = line.trim_end();
    let bytes = line.as_bytes();
    let start = skip_space(bytes, 0);
    let matched = destination(bytes, start).and_then(|end| {
        let at = skip_space(bytes, end);
        if at > end { title(bytes, at) } else { Ok(end) }
    });
    if matched == Ok(bytes.len()) {
        Ok(line.len())
    } else {
        Err(Stop::No)
    }
}

fn byte(bytes: &[u8], at: usize) -> Result<u8, Stop> {
    bytes.get(at).copied().ok_or(Stop::More)
}

fn skip_space(bytes: &[u8], at: usize) -> usize {
    let space = |byte: &&u8| matches!(**byte, b' ' | b'\t' | b'\r' | b'\n');
    at + bytes[at.min(bytes.len())..]
        .iter()
        .take_while(space)
        .count()
}

/// Gives the end of a destination: `<…>`, or at least one byte without spaces and with
/// parentheses in balance. No more than 32 may nest, the least that CommonMark asks for, which
/// also bounds the time that many unfinished links take.
fn destination(bytes: &[u8], start: usize) -> Result<usize, Stop> {
    const MAX_DEPTH: usize = 32;
    let mut at = start;
    if byte(bytes, at)? == b'<' {
        loop {
            at += 1;
            match byte(bytes, at)? {
                b'>' => return Ok(at + 1),
                b'<' | b'\n' => return Err(Stop::No),
                b'\\' => at += 1,
                _ => {}
            }
        }
    }
    let mut depth = 0;
    // Running off the end is "more" for a link, whose parenthesis must still come. A definition
    // passes a whole line, so there the end of the bytes ends the destination.
    while let Some(&next) = bytes.get(at) {
        match next {
            b'(' if depth == MAX_DEPTH => return Err(Stop::No),
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            b'\\' => at += 1,
            0..=b' ' | 0x7f => break,
            _ => {}
        }
        at += 1;
    }
    if at == start || (depth > 0 && at < bytes.len()) {
        return Err(Stop::No);
    }
    Ok(at.min(bytes.len()))
}

/// Gives the end of a title in double quotes, single quotes or parentheses.
fn title(bytes: &[u8], start: usize) -> Result<usize, Stop> {
    let closing = match byte(bytes, start)? {
        b'(' => b')',
        quote @ (b'"' | b'\'') => quote,
        _ => return Err(Stop::No),
    };
    let mut at = start + 1;
    loop {
        match byte(bytes, at)? {
            b'\\' => at += 1,
            b'(' if closing == b')' => return Err(Stop::No),
            next if next == closing => return Ok(at + 1),
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks how much of `text` is the tail of a link.
    #[track_caller]
    fn check(text: &str, expected: Result<&str, Stop>) {
        assert_eq!(tail(text).map(|len| &text[..len]), expected, "{text}");
    }

    #[test]
    fn destinations() {
        check("(/a) b", Ok("(/a)"));
        check("() b", Ok("()"));
        check("(#s(1)) b", Ok("(#s(1))"));
        check("( <a b> ) c", Ok("( <a b> )"));
        check("(a\\)b) c", Ok("(a\\)b)"));
        check("(a b) c", Err(Stop::No));
        check("(см. ниже)", Err(Stop::No));
        check(&"(".repeat(40), Err(Stop::No));
    }

    #[test]
    fn titles() {
        check("(/a \"b (c)\") d", Ok("(/a \"b (c)\")"));
        check("(/a 'b') d", Ok("(/a 'b')"));
        check("(/a (b)) d", Ok("(/a (b))"));
        check("(/a \"b\" c)", Err(Stop::No));
    }

    #[test]
    fn every_beginning_asks_for_more() {
        for text in ["(/a(1) \"t\\\"\" )", "(<a b>)", "(/a 'b')"] {
            for cut in 1..text.len() {
                assert_eq!(tail(&text[..cut]), Err(Stop::More), "{}", &text[..cut]);
            }
        }
    }

    #[track_caller]
    fn check_definition(text: &str, expected: Result<usize, Stop>) {
        assert_eq!(definition(text, true), expected, "{text}");
    }

    #[test]
    fn definitions_take_the_whole_line() {
        check_definition(" https://a.example/b\nc", Ok(20));
        check_definition(" /a \"T\"", Ok(7));
        check_definition(" <a b>", Ok(6));
        check_definition(" The port is 8080.", Err(Stop::No));
        check_definition("", Err(Stop::No));
        assert_eq!(definition(" /a", false), Err(Stop::More));
    }
}
