//! MDX: Markdown with module statements, components and expressions.
//!
//! Statements and expressions are code of the page and go; tags go and their children stay,
//! since these are the page's text. The rules are those of <https://mdxjs.com/docs/what-is-mdx/>.
//! Nothing is evaluated: text that a component makes by itself is not known here.

use std::borrow::Cow;

use super::fence::Fences;

/// Leaves out `import … from '…'` blocks, which Docusaurus allows in `.md` files too.
///
/// Only whole statements count: a line of prose may well start with `import`.
pub(super) fn without_imports(text: &str) -> Cow<'_, str> {
    if text.contains("import ") {
        Cow::Owned(drop_statements(text, is_import))
    } else {
        Cow::Borrowed(text)
    }
}

/// Rewrites MDX as Markdown.
pub(super) fn to_markdown(text: &str) -> String {
    let text = drop_statements(text, |line| is_import(line) || is_export(line));
    let mut result = String::with_capacity(text.len());
    let mut prose = String::new();
    let mut fences = Fences::default();
    for line in text.split_inclusive('\n') {
        if fences.is_code(line) {
            flush(&mut prose, &mut result);
            result.push_str(line);
        } else {
            prose.push_str(line);
        }
    }
    flush(&mut prose, &mut result);
    dedent(&result)
}

fn flush(prose: &mut String, result: &mut String) {
    result.push_str(&Markup::new(prose).strip());
    prose.clear();
}

/// Takes away the indentation that children of components have.
///
/// MDX has no indented code, Markdown has. Within a list and within fenced code only the
/// indentation of their first line goes, since the rest of it means something.
fn dedent(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut fences = Fences::default();
    let mut fence_indent = None;
    let mut list_indent = None;
    let mut after_empty = true;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - content.len();
        let is_code = fences.is_code(line);
        if !is_code && !content.trim().is_empty() {
            match list_indent {
                None if is_list_item(content) => list_indent = Some(indent),
                Some(start) if after_empty && indent <= start && !is_list_item(content) => {
                    list_indent = None
                }
                _ => {}
            }
        }
        let removed = if is_code {
            *fence_indent.get_or_insert(list_indent.unwrap_or(indent))
        } else {
            fence_indent = None;
            list_indent.unwrap_or(indent)
        };
        after_empty = content.trim().is_empty();
        result.push_str(&line[indent.min(removed)..]);
    }
    result
}

fn is_list_item(content: &str) -> bool {
    let rest = content.trim_start_matches(|c: char| c.is_ascii_digit());
    let mark = rest.chars().next().unwrap_or_default();
    let numbered = rest.len() < content.len();
    (if numbered {
        matches!(mark, '.' | ')')
    } else {
        matches!(mark, '-' | '*' | '+')
    }) && rest[1..].starts_with([' ', '\n'])
}

/// Leaves out module statements. A block of them starts after an empty line and ends at one
/// at which no bracket is open.
fn drop_statements(text: &str, starts: impl Fn(&str) -> bool) -> String {
    let mut result = String::with_capacity(text.len());
    let mut fences = Fences::default();
    let mut after_empty = true;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        if !fences.is_code(line) && after_empty && starts(line) {
            let mut depth = bracket_depth(line);
            while let Some(next) = lines.peek() {
                if next.trim().is_empty() && depth <= 0 {
                    break;
                }
                // A statement without a semicolon may stand right above a heading.
                if depth <= 0 && next.starts_with('#') {
                    break;
                }
                depth += bracket_depth(next);
                lines.next();
            }
            continue;
        }
        after_empty = line.trim().is_empty();
        result.push_str(line);
    }
    result
}

fn is_import(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("import").map(str::trim_end) else {
        return false;
    };
    let rest = rest.trim_end_matches(';');
    let quoted = |text: &str| {
        let text = text.trim();
        text.len() > 2 && text.starts_with(['"', '\'']) && text.ends_with(['"', '\''])
    };
    match rest.rsplit_once("from") {
        Some((names, source)) if quoted(source) => !names.trim().is_empty(),
        // `import './style.css'`, and the first line of a list of names.
        _ => quoted(rest) || rest.ends_with('{'),
    }
}

fn is_export(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("export ").map(str::trim_start) else {
        return false;
    };
    let keyword = rest
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    match keyword {
        "const" | "let" | "var" | "type" | "interface" => rest.contains(['=', '{']),
        "function" | "class" | "async" => rest.contains(['(', '{']),
        "default" => true,
        _ => rest.starts_with(['{', '*']),
    }
}

fn bracket_depth(line: &str) -> i32 {
    line.bytes().fold(0, |depth, byte| match byte {
        b'{' | b'(' | b'[' => depth + 1,
        b'}' | b')' | b']' => depth - 1,
        _ => depth,
    })
}

/// Takes tags and expressions out of text without code fences.
struct Markup<'a> {
    text: &'a str,
    at: usize,
    result: String,
    /// Set when a brace or a tag was found to have no end, so that none is looked for twice.
    unclosed: bool,
}

impl<'a> Markup<'a> {
    fn new(text: &'a str) -> Self {
        Markup {
            text,
            at: 0,
            result: String::with_capacity(text.len()),
            unclosed: false,
        }
    }

    fn strip(mut self) -> String {
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b'`' => self.code_span(),
                b'\\' => self.copy(2),
                b'$' => self.formula(),
                b'{' => self.expression(),
                b'<' => self.tag(),
                _ => self.copy(1),
            }
        }
        self.result
    }

    /// Copies that many characters.
    fn copy(&mut self, chars: usize) {
        let rest = &self.text[self.at..];
        let length = rest.chars().take(chars).map(char::len_utf8).sum();
        self.result.push_str(&rest[..length]);
        self.at += length;
    }

    fn copy_bytes(&mut self, length: usize) {
        self.result.push_str(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    fn code_span(&mut self) {
        let rest = &self.text[self.at..];
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        let paragraph = rest.find("\n\n").unwrap_or(rest.len());
        let mut from = ticks;
        while let Some(found) = rest[from..paragraph].find('`') {
            let start = from + found;
            let run = rest[start..]
                .bytes()
                .take_while(|&byte| byte == b'`')
                .count();
            if run == ticks {
                return self.copy_bytes(start + run);
            }
            from = start + run;
            if from >= paragraph {
                break;
            }
        }
        self.copy_bytes(ticks);
    }

    /// Copies `$x$` and `$$x$$`, whose braces are TeX.
    fn formula(&mut self) {
        let rest = &self.text[self.at..];
        if let Some(source) = rest.strip_prefix("$$") {
            return match source.find("$$") {
                Some(end) => self.copy_bytes(end + 4),
                None => self.copy_bytes(2),
            };
        }
        let source = &rest[1..];
        let line = &source[..source.find('\n').unwrap_or(source.len())];
        match line.find('$') {
            Some(end) if end > 0 && !line.starts_with(' ') && !line[..end].ends_with(' ') => {
                self.copy_bytes(end + 2)
            }
            _ => self.copy_bytes(1),
        }
    }

    /// Leaves out `{…}`, but for a text literal and for `{#id}`, which is a heading's anchor.
    fn expression(&mut self) {
        let rest = &self.text[self.at..];
        if rest.starts_with("{#") {
            return self.copy(2);
        }
        let Some(length) = self.braces(rest) else {
            return self.copy(1);
        };
        let inner = rest[1..length - 1].trim();
        let quote = inner
            .chars()
            .next()
            .filter(|c| matches!(c, '"' | '\'' | '`'));
        if let Some(literal) = quote.and_then(|quote| inner[1..].strip_suffix(quote)) {
            self.result.push_str(literal);
        }
        self.at += length;
    }

    /// The length of a balanced `{…}` at the start of a text.
    fn braces(&mut self, text: &str) -> Option<usize> {
        if self.unclosed {
            return None;
        }
        let mut depth = 0usize;
        let mut quote = None;
        let mut escaped = false;
        let is_comment = text[1..].trim_start().starts_with("/*");
        for (i, byte) in text.bytes().enumerate() {
            if escaped {
                escaped = false;
                continue;
            }
            match (byte, quote) {
                (b'\\', _) => escaped = true,
                (byte, Some(open)) if byte == open => quote = None,
                (_, Some(_)) => {}
                // Words in a comment have apostrophes that open no text.
                (b'"' | b'\'' | b'`', None) if !is_comment => quote = Some(byte),
                (b'{', None) => depth += 1,
                (b'}', None) => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(i + 1);
                    }
                }
                _ => {}
            }
        }
        self.unclosed = true;
        None
    }

    /// Leaves out a component's tag; keeps an HTML tag with those attributes that are text.
    fn tag(&mut self) {
        let rest = &self.text[self.at..];
        let Some(tag) = Tag::parse(rest, |braces| self.braces(braces)) else {
            return self.copy(1);
        };
        let after = &rest[tag.length..];
        if tag.is_component() {
            // `</Tab><Tab>`: the children of two components are two texts.
            if tag.is_closing && after.starts_with('<') {
                self.result.push(' ');
            }
        } else {
            self.result.push_str(&tag.html);
        }
        self.at += tag.length;
        // Below a tag on a line of its own MDX reads Markdown; HTML in Markdown needs an empty
        // line for that.
        let kept = if tag.is_component() {
            0
        } else {
            tag.html.len()
        };
        let line_start = self.result.rfind('\n').map_or(0, |newline| newline + 1);
        if after.starts_with('\n') && self.result[line_start..].trim_start().len() == kept {
            self.result.push('\n');
        }
    }
}

/// A tag as JSX writes it.
struct Tag {
    /// Bytes of the tag in the text.
    length: usize,
    name: String,
    is_closing: bool,
    /// The tag as HTML, without the attributes that hold expressions.
    html: String,
}

impl Tag {
    /// Components start with a capital letter or are members of an object; a fragment has no name.
    fn is_component(&self) -> bool {
        self.name.is_empty()
            || self.name.contains('.')
            || self.name.starts_with(|c: char| c.is_uppercase())
    }

    /// Reads the tag at the start of a text. `braces` measures an expression.
    fn parse(text: &str, mut braces: impl FnMut(&str) -> Option<usize>) -> Option<Tag> {
        let bytes = text.as_bytes();
        let is_closing = bytes.get(1) == Some(&b'/');
        let name_start = 1 + usize::from(is_closing);
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
        let name_length = bytes[name_start..]
            .iter()
            .take_while(|byte| is_name(byte))
            .count();
        let name = text[name_start..name_start + name_length].to_owned();
        if name.starts_with(|c: char| !c.is_ascii_alphabetic()) {
            return None;
        }
        let mut html = text[..name_start + name_length].to_owned();
        let mut at = name_start + name_length;
        loop {
            match bytes.get(at)? {
                b'>' => {
                    html.push('>');
                    return Some(Tag {
                        length: at + 1,
                        name,
                        is_closing,
                        html,
                    });
                }
                byte if byte.is_ascii_whitespace() || *byte == b'/' => at += 1,
                b'{' => at += braces(&text[at..])?,
                byte if is_name(byte) && !name.is_empty() => {
                    let key_start = at;
                    at += bytes[at..].iter().take_while(|byte| is_name(byte)).count();
                    let key = &text[key_start..at];
                    let value_at = at + text[at..].len() - text[at..].trim_start().len();
                    if bytes.get(value_at) != Some(&b'=') {
                        html.push(' ');
                        html.push_str(key);
                        continue;
                    }
                    at = value_at + 1;
                    at += text[at..].len() - text[at..].trim_start().len();
                    match bytes.get(at)? {
                        b'{' => at += braces(&text[at..])?,
                        quote @ (b'"' | b'\'') => {
                            let end = at + 1 + text[at + 1..].find(char::from(*quote))?;
                            html.push(' ');
                            html.push_str(if key == "className" { "class" } else { key });
                            html.push('=');
                            html.push_str(&text[at..=end]);
                            at = end + 1;
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let result = to_markdown(text);
        let lines: Vec<&str> = result
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        assert_eq!(lines.join("\n"), expected, "{text}");
    }

    #[test]
    fn statements_go_and_prose_stays() {
        check("import A from 'a'\nexport const b = { c: 1 }\n\n# T", "# T");
        check("import D, {\n  A,\n\n  B,\n} from \"ab\";\n\ntext", "text");
        check(
            "import './a.css';\n\nimport is a word.\n\nexport papers\nimport a from 'b'",
            "import is a word.\nexport papers\nimport a from 'b'",
        );
        check(
            "```js\nimport a from 'b'\n```",
            "```js\nimport a from 'b'\n```",
        );
        check(
            "export default function L({ children }) {\n  return children\n\n}\n\ntext",
            "text",
        );
    }

    #[test]
    fn tags_go_and_children_stay() {
        check(
            "<Note type=\"x\" on={() => a > b}>Keep *this*.</Note>",
            "Keep *this*.",
        );
        check(
            "<Tabs>\n  <Tab>\n    a\n    - b\n\n      c\n  </Tab>\n</Tabs>",
            "a\n- b\n  c",
        );
        check("<A.B>x</A.B><A.B>y</A.B>", "x y");
        check("<>x</> <Icon /> z", "x  z");
        check(
            "<div className=\"n\" style={{a: 1}}>x</div>",
            "<div class=\"n\">x</div>",
        );
        check("a < b and `<C>` and \\<D", "a < b and `<C>` and \\<D");
    }

    #[test]
    fn expressions_go_and_literals_stay() {
        check(
            "a {/* don't show */}b{' '}c {props.x.map(y => `{${y}`)}",
            "a b c ",
        );
        check("## T {#id}", "## T {#id}");
        check(
            "$\\frac{a}{b}$ and $$x_{1}$$ for $5 {n}",
            "$\\frac{a}{b}$ and $$x_{1}$$ for $5 ",
        );
        check(
            "an open { stays, as does { this",
            "an open { stays, as does { this",
        );
    }
}
