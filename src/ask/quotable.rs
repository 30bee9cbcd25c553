//! Which lines and sentences of a passage can stand in an answer by themselves.

use crate::text::fold;
use std::ops::Range;

/// Lines that follow a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// Items, one a line.
    List(String),
    /// Code, to be fenced.
    Code(String),
}

/// Words that a sentence needs to say anything, and lines of a list or of code that are quoted.
const MIN_WORDS: usize = 4;
const MAX_LINES: usize = 12;

/// What stands below a sentence: the list or code that its colon leads to; without a colon the code
/// of the next line, where it is asked `for_code`.
pub(super) fn block_after(sentence: &str, after: &str, for_code: bool) -> Option<Block> {
    let below = after.trim_start_matches(' ').strip_prefix('\n')?;
    let leads = sentence.ends_with([':', '：']);
    let first = below.lines().next()?;
    let is_code_line = |line: &&str| {
        !is_row(line) && !is_paragraph(line) && (is_code(line) || !ends_sentence(line))
    };
    let code: Vec<&str> = below
        .lines()
        .take_while(is_code_line)
        .take(MAX_LINES)
        .collect();
    if (leads && code.iter().any(|line| is_code(line))) || (for_code && is_code(first)) {
        return Some(Block::Code(code.join("\n").trim_end().to_owned()));
    }
    // Items look alike, so what looks otherwise is the next paragraph.
    let shape = |line: &str| (begins_small(line), ends_sentence(line));
    let items = below.lines().take(MAX_LINES);
    let items = items.take_while(|line| shape(line) == shape(first) && !is_paragraph(line));
    let list: Vec<String> = items.filter(|line| !line.is_empty()).map(row).collect();
    (leads && !list.is_empty()).then(|| Block::List(list.join("\n")))
}

fn is_paragraph(line: &str) -> bool {
    line.split_whitespace().nth(24).is_some()
}

fn ends_sentence(line: &str) -> bool {
    line.ends_with(['.', '!', '?', '。', '！', '？'])
}

fn begins_small(line: &str) -> bool {
    line.starts_with(char::is_lowercase)
}

/// Whether a line has the signs that code has and prose hardly.
fn is_code(line: &str) -> bool {
    const SIGNS: [&str; 14] = [
        "()", "(\"", "= ", "=\"", "{", "};", "::", "->", "=>", " --", "</", "/>", "$ ", ");",
    ];
    line.starts_with("  ")
        || line.ends_with([';', '{', '}'])
        || SIGNS.iter().any(|sign| line.contains(sign))
}

/// Whether a sentence can be quoted: it begins and ends like one, and holds no number in brackets,
/// which would read as a citation of another list of sources.
pub(super) fn is_prose(text: &str) -> bool {
    let begins = text.chars().next().is_some_and(|c| {
        (c.is_alphabetic() && !c.is_lowercase())
            || c.is_numeric()
            || matches!(c, '"' | '“' | '«' | '(' | '_')
    });
    let closers = [')', '”', '»', '"', '\'', '’'];
    let ends = text
        .trim_end_matches(closers)
        .ends_with(['.', '!', '?', '…', ':', '。', '！', '？', '：']);
    let one_line = !text.contains(['\n', '\t']);
    begins && ends && one_line && is_long(text) && !has_number(text) && !is_code(text)
}

fn is_long(text: &str) -> bool {
    let unspaced = text.chars().filter(|&c| c >= '\u{3040}');
    unspaced.count() > MIN_WORDS * 2 || text.split_whitespace().nth(MIN_WORDS - 1).is_some()
}

fn has_number(text: &str) -> bool {
    text.split(['[', '【', '［']).skip(1).any(|after| {
        let inside = after.split([']', '】', '］']).next().unwrap_or_default();
        inside.chars().any(char::is_numeric)
    })
}

/// Whether a line is a row of a table of two columns: a thing and what is said of it.
pub(super) fn is_row(line: &str) -> bool {
    let mut cells = line.split('\t');
    let (name, about, more) = (cells.next(), cells.next(), cells.next());
    let has_name = name.is_some_and(|name| !name.trim().is_empty());
    has_name && about.is_some_and(is_long) && more.is_none() && !has_number(line)
}

/// A row as it is read out.
pub(super) fn row(line: &str) -> String {
    let Some((name, about)) = line.split_once('\t') else {
        return line.to_owned();
    };
    let is_symbol = name.contains(['-', '_', '.', '(', '/', '=']) && !name.contains('`');
    let mark = if is_symbol { "`" } else { "" };
    [mark, name, mark, ": ", about].concat()
}

/// The line around a place in a text.
pub(super) fn line_around(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |feed| feed + 1);
    let end = text[at..].find('\n').map_or(text.len(), |feed| at + feed);
    start..end
}

/// Whether a sentence reads well without the one before: neither it nor a clause of its own begins
/// with a word that points back.
pub(super) fn opens_alone(text: &str) -> bool {
    const POINTING: &str = " this that these those it its they their them he she such here there \
        then thus therefore however but so also and or otherwise instead both neither nor \
        это этот эта эти этого он она оно они их его ее такой такая такие здесь там тогда поэтому \
        однако но также и или иначе обе оба ";
    /// In a clause before which a thing was named, most others point at that.
    const SUBJECTS: &str = " they he she они он она ";
    let is_one_of = |words: &str, text: &str| {
        let word = text
            .split(|c: char| !c.is_alphanumeric())
            .find(|word| !word.is_empty());
        let word = fold(word.unwrap_or_default());
        words.split_whitespace().any(|pointing| pointing == word)
    };
    let opening = text.split_once(", ").filter(|(before, _)| {
        // What follows one clause alone, as in "If so, they begin".
        before.split_whitespace().count() <= 6
    });
    !is_one_of(POINTING, text) && !opening.is_some_and(|(_, after)| is_one_of(SUBJECTS, after))
}

/// The text with the words in code spans that Markdown would take for markup.
pub(super) fn as_markdown(text: &str) -> String {
    let is_markup = |word: &str| word.starts_with('_') || word.contains(['*', '~']);
    let mut marked = String::with_capacity(text.len());
    for piece in text.split_inclusive(' ') {
        let word = piece.trim_end_matches([' ', '.', ',', ';', ':', '!', '?', ')']);
        let word = word.trim_start_matches(['(', '"', '“']);
        if word.is_empty() || !is_markup(word) || text.contains('`') {
            marked.push_str(piece);
            continue;
        }
        let at = piece.find(word).unwrap_or_default();
        let (before, after) = (&piece[..at], &piece[at + word.len()..]);
        marked.extend([before, "`", word, "`", after]);
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_block(sentence: &str, after: &str, expected: Option<Block>) {
        assert_eq!(block_after(sentence, after, false), expected);
    }

    #[test]
    fn a_list_ends_where_its_lines_look_otherwise() {
        let list = |text: &str| Some(Block::List(text.to_owned()));
        check_block(
            "It needs:",
            "\na port\na key\nIt is fast.",
            list("a port\na key"),
        );
        check_block(
            "It needs:",
            "\nA port.\nA key.\nmore",
            list("A port.\nA key."),
        );
        check_block(
            "Options:",
            "\n--port N\tthe port",
            list("`--port N`: the port"),
        );
        check_block("It is fast.", "\na port\na key", None);
        check_block("It needs:", "", None);
    }

    #[test]
    fn code_on_the_next_line_belongs_to_its_sentence_where_steps_are_asked_for() {
        let below = "\nlet a = b();\n\na.start();\nThe server then listens.";
        let code = Some(Block::Code("let a = b();\n\na.start();".to_owned()));
        assert_eq!(block_after("Call it once.", below, true), code);
        assert_eq!(block_after("Call it so:", below, false), code);
        assert_eq!(block_after("Call it once.", below, false), None);
        let table = "\na = b();\nname\tis what the server is called";
        let code = Some(Block::Code("a = b();".to_owned()));
        assert_eq!(block_after("Call it so:", table, true), code);
        assert_eq!(block_after("Call it.", "\nThe server listens.", true), None);
        assert_eq!(block_after("Call it.", " It is.\na = b();", true), None);
    }

    #[test]
    fn a_row_of_a_table_is_read_out() {
        let line = "--port N\tport to listen on, 4173 unless given";
        assert!(is_row(line) && !is_prose(line));
        assert_eq!(
            row(line),
            "`--port N`: port to listen on, 4173 unless given"
        );
        assert_eq!(row("field\tmeaning"), "field: meaning");
        for line in ["option\tmeaning", "a\tb c d e f\tg", "no row at all here"] {
            assert!(!is_row(line), "{line}");
        }
        assert_eq!(line_around("ab\ncd\nef", 4), 3..5);
    }

    #[test]
    fn a_clause_that_points_back_does_not_open_alone() {
        assert!(opens_alone("Paths begin with the name of the folder."));
        assert!(!opens_alone("They begin with the name of the folder."));
        assert!(!opens_alone("If several are built, they begin alike."));
        assert!(opens_alone(
            "If the folders of a site are built together, they begin alike."
        ));
    }

    #[test]
    fn names_that_markdown_would_eat_stand_in_code_spans() {
        assert_eq!(
            as_markdown("The method __post_init__ runs (*args too), max_age stays."),
            "The method `__post_init__` runs (`*args` too), max_age stays."
        );
        assert_eq!(as_markdown("A ` stays __x__."), "A ` stays __x__.");
    }
}
