//! Plain text files.

use super::{Section, clean::clean};

/// The longest first line that can be a title, in characters.
const MAX_TITLE_CHARS: usize = 100;

/// Reads plain text: its title, empty where no line can be one, and one section.
///
/// Paragraphs are divided by empty lines and unwrapped, since line ends within them come from
/// an editor's width. A paragraph with indented lines is a table, a list or code and is kept
/// line by line.
pub(super) fn read_plain(text: &str) -> (String, Vec<Section>) {
    let mut section = Section::default();
    let mut paragraph: Vec<&str> = Vec::new();
    let text = clean(text);
    for line in text.lines().chain([""]) {
        if !line.trim().is_empty() {
            paragraph.push(line.trim_end());
            continue;
        }
        if paragraph.is_empty() {
            continue;
        }
        if !section.text.is_empty() {
            section.text.push('\n');
        }
        let start = section.text.len();
        if paragraph
            .iter()
            .any(|line| line.starts_with(char::is_whitespace))
        {
            section.text.push_str(&paragraph.join("\n"));
            section.code.push(start..section.text.len());
        } else {
            let words: Vec<&str> = paragraph
                .iter()
                .flat_map(|line| line.split_whitespace())
                .collect();
            section.text.push_str(&words.join(" "));
        }
        paragraph.clear();
    }
    let first = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let title = if first.chars().count() <= MAX_TITLE_CHARS {
        first.to_owned()
    } else {
        String::new()
    };
    let sections = if section.text.is_empty() {
        Vec::new()
    } else {
        vec![section]
    };
    (title, sections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, title: &str, expected: &str) {
        let (found, sections) = read_plain(text);
        assert_eq!(found, title);
        assert_eq!(sections[0].text, expected);
    }

    #[test]
    fn paragraphs_are_unwrapped_and_indented_lines_are_kept() {
        check(
            "Release notes\r\n\r\nOne\r\ntwo.\r\n\r\nUse:\r\n  a\r\n   b\r\n",
            "Release notes",
            "Release notes\nOne two.\nUse:\n  a\n   b",
        );
    }

    #[test]
    fn a_long_first_line_is_no_title() {
        let line = "word ".repeat(40);
        check(&line, "", line.trim_end());
    }

    #[test]
    fn white_space_alone_is_no_text() {
        assert_eq!(read_plain(" \n\t\n").1, []);
    }
}
