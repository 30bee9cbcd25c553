//! Cuts a document into the units that are found, quoted and cited.

use std::{
    iter,
    ops::{Range, RangeInclusive},
};

use super::{Chunk, Document, Part, Section};

/// The most words a chunk has by default, unless one unbroken word is longer.
///
/// A prompt takes 700 words by default, one chunk a page: at 300 two full chunks and the
/// start of a third answer fit, while most sections of real documentation stay whole.
/// Fewer cut steps from the sentence that explains them and find no better: over thirteen books
/// of the Rust toolchain, 25 questions find their page as often at 200 as at 300 (11 first, 14
/// among three, 18 among ten), and the index takes 7 % more room.
pub const DEFAULT_CHUNK_WORDS: usize = 300;

/// What [`Options::chunk_words`](super::Options::chunk_words) may be: fewer are no passage that
/// can be understood alone, more fill a prompt with one source.
pub const CHUNK_WORDS: RangeInclusive<usize> = 50..=1000;

/// Sections with fewer words than this are joined to those beside them.
///
/// A list of options or errors with a heading each gives chunks of a line or two: too little for
/// a model to answer from, and each of them takes a place among the hits.
pub const TINY_SECTION_WORDS: usize = 30;

/// The chunks of a document in reading order.
///
/// A section is one chunk. A heading with nothing below it but deeper headings makes no chunk
/// of its own and stays in their paths; one with nothing below it at all makes a chunk with
/// empty text, so that it can be found. Sections of fewer than [`TINY_SECTION_WORDS`] that
/// follow each other at one level under one heading become one chunk, as long as it stays
/// within `most_words`: it has the title and the anchor of the first, and the others'
/// are its [parts](Chunk::parts). A section above `most_words` is cut between
/// blocks, a long block between sentences; code only where it alone is too long. Chunks
/// do not overlap: every word of a section is in exactly one of them.
pub fn chunks(document: &Document, most_words: usize) -> Vec<Chunk> {
    let mut chunks = Vec::with_capacity(document.sections.len());
    // The headings above the current one, outermost first.
    let mut above: Vec<&Section> = Vec::new();
    // The level and the words of the last chunk, where it is one of tiny sections.
    let mut tiny: Option<(u8, usize)> = None;
    for (i, section) in document.sections.iter().enumerate() {
        above.retain(|outer| outer.level < section.level);
        let next_is_deeper = document
            .sections
            .get(i + 1)
            .is_some_and(|next| next.level > section.level);
        let size = words(&section.text) + words(&section.heading);
        let is_tiny = section.level > 1 && !next_is_deeper && size < TINY_SECTION_WORDS;
        match (tiny, chunks.last_mut()) {
            (Some((level, total)), Some(last))
                if is_tiny && level == section.level && total + size <= most_words =>
            {
                join(last, section);
                tiny = Some((level, total + size));
            }
            _ => {
                tiny = is_tiny.then_some((section.level, size));
                if !section.text.is_empty() || !next_is_deeper {
                    push_chunks(document, &above, section, most_words, &mut chunks);
                }
            }
        }
        if section.level > 0 {
            above.push(section);
        }
    }
    chunks
}

/// Adds the chunk of a section, or the pieces of a long one.
fn push_chunks(
    document: &Document,
    above: &[&Section],
    section: &Section,
    most_words: usize,
    chunks: &mut Vec<Chunk>,
) {
    let pieces = if document.is_record {
        iter::once(0..section.text.len()).collect()
    } else {
        pieces(section, most_words)
    };
    for piece in pieces {
        let parts = section.parts.iter().filter(|part| piece.contains(&part.at));
        let emphasis = section
            .emphasis
            .iter()
            .map(|range| range.start.max(piece.start)..range.end.min(piece.end));
        chunks.push(Chunk {
            title: title(document, section),
            heading_path: heading_path(document, above, section),
            anchor: anchor(above, section),
            parts: parts
                .map(|part| shifted(part, part.at - piece.start))
                .collect(),
            emphasis: emphasis
                .filter(|range| range.start < range.end)
                .map(|range| range.start - piece.start..range.end - piece.start)
                .collect(),
            text: section.text[piece].to_owned(),
        });
    }
}

/// Adds a section to the chunk of the one beside it.
fn join(chunk: &mut Chunk, section: &Section) {
    if !chunk.text.is_empty() {
        chunk.text.push('\n');
    }
    chunk.parts.push(Part {
        at: chunk.text.len(),
        anchor: section.anchor.clone().unwrap_or_default(),
        title: section.heading.clone(),
        is_heading: true,
    });
    chunk.text.push_str(&section.heading);
    if !section.text.is_empty() {
        chunk.text.push('\n');
    }
    let start = chunk.text.len();
    let parts = section.parts.iter();
    chunk
        .parts
        .extend(parts.map(|part| shifted(part, start + part.at)));
    let emphasis = section.emphasis.iter();
    chunk
        .emphasis
        .extend(emphasis.map(|range| start + range.start..start + range.end));
    chunk.text.push_str(&section.text);
}

fn shifted(part: &Part, at: usize) -> Part {
    Part { at, ..part.clone() }
}

fn title(document: &Document, section: &Section) -> String {
    if section.heading.is_empty() {
        document.title.clone()
    } else {
        section.heading.clone()
    }
}

fn heading_path(document: &Document, above: &[&Section], section: &Section) -> Vec<String> {
    let same = |a: &str, b: &str| a.to_lowercase() == b.to_lowercase();
    if section.heading.is_empty() || same(&section.heading, &document.title) {
        return Vec::new();
    }
    let mut path = Vec::with_capacity(above.len() + 1);
    if !document.title.is_empty() {
        path.push(document.title.clone());
    }
    // The page's own h1 is usually its title, which is not said twice.
    let outer = above
        .iter()
        .map(|outer| &outer.heading)
        .filter(|heading| !same(heading, &document.title));
    path.extend(outer.cloned());
    path
}

/// A heading without an anchor is reached through the nearest one above it.
fn anchor(above: &[&Section], section: &Section) -> Option<String> {
    section
        .anchor
        .clone()
        .or_else(|| above.iter().rev().find_map(|outer| outer.anchor.clone()))
}

/// Where a section's text is cut: one range a chunk.
fn pieces(section: &Section, most_words: usize) -> Vec<Range<usize>> {
    let text = section.text.as_str();
    let total = words(text);
    if total <= most_words {
        return iter::once(0..text.len()).collect();
    }
    // Pieces of like size, so that the last one is no leftover of a few words.
    let target = total.div_ceil(total.div_ceil(most_words));
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut size = 0;
    for unit in units(section, most_words) {
        let unit_size = words(&text[unit.clone()]);
        match pieces.last_mut() {
            Some(piece) if size < target && size + unit_size <= most_words => {
                piece.end = unit.end;
                size += unit_size;
            }
            _ => {
                pieces.push(unit);
                size = unit_size;
            }
        }
    }
    pieces
}

/// The smallest parts that a cut may not divide, without the white space between them.
fn units(section: &Section, most_words: usize) -> Vec<Range<usize>> {
    let text = section.text.as_str();
    let mut units = Vec::new();
    let mut start = 0;
    for code in &section.code {
        prose_units(text, start..code.start, most_words, &mut units);
        if words(&text[code.clone()]) <= most_words {
            units.push(code.clone());
        } else {
            line_units(text, code.clone(), most_words, &mut units);
        }
        start = code.end;
    }
    prose_units(text, start..text.len(), most_words, &mut units);
    units
}

fn prose_units(text: &str, range: Range<usize>, most_words: usize, units: &mut Vec<Range<usize>>) {
    split(
        text,
        range,
        |c| c == '\n',
        |block| {
            if words(&text[block.clone()]) <= most_words {
                units.push(block);
                return;
            }
            let mut previous = ' ';
            let is_end = |c: char| {
                let ends = matches!(previous, '。' | '！' | '？')
                    || (c.is_whitespace() && matches!(previous, '.' | '!' | '?'));
                previous = c;
                ends
            };
            split(text, block, is_end, |sentence| {
                word_units(text, sentence, most_words, units)
            });
        },
    );
}

fn line_units(text: &str, range: Range<usize>, most_words: usize, units: &mut Vec<Range<usize>>) {
    split(
        text,
        range,
        |c| c == '\n',
        |line| word_units(text, line, most_words, units),
    );
}

/// Keeps a part that fits whole, and otherwise divides it into words and, where one word is
/// too long (a language without spaces, packed data), into runs of characters.
fn word_units(text: &str, range: Range<usize>, most_words: usize, units: &mut Vec<Range<usize>>) {
    if words(&text[range.clone()]) <= most_words {
        units.push(range);
        return;
    }
    split(text, range, char::is_whitespace, |word| {
        if words(&text[word.clone()]) <= most_words {
            units.push(word);
            return;
        }
        let mut start = word.start;
        for (i, (at, _)) in text[word.clone()].char_indices().enumerate() {
            if i > 0 && i % most_words == 0 {
                units.push(start..word.start + at);
                start = word.start + at;
            }
        }
        units.push(start..word.end);
    });
}

/// Hands on the parts of a range between cuts. `cuts` says of each character whether a new
/// part starts at it. White space at the start and the end of a part is left out, except an
/// indentation: that is code.
fn split(
    text: &str,
    range: Range<usize>,
    mut cuts: impl FnMut(char) -> bool,
    mut each: impl FnMut(Range<usize>),
) {
    let mut start = range.start;
    let mut hand_on = |part: Range<usize>| {
        let whole = &text[part.clone()];
        let lead = whole.len() - whole.trim_start_matches(['\n', '\t']).len();
        let length = whole.trim_end().len();
        if lead < length {
            each(part.start + lead..part.start + length);
        }
    };
    for (at, c) in text[range.clone()].char_indices() {
        if cuts(c) {
            hand_on(start..range.start + at);
            start = range.start + at;
        }
    }
    hand_on(start..range.end);
}

/// How many words a text counts as.
///
/// Words are divided by white space. In scripts that are written without spaces two
/// characters count as a word, and 32 characters of an unbroken run do.
fn words(text: &str) -> usize {
    text.split_whitespace()
        .map(|word| {
            let (mut unspaced, mut others) = (0, 0);
            for c in word.chars() {
                if is_unspaced(c) {
                    unspaced += 1
                } else {
                    others += 1
                }
            }
            1 + unspaced / 2 + others / 32
        })
        .sum()
}

/// Thai to Myanmar, Khmer, kana, Han and its extensions.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(level: u8, heading: &str, text: &str) -> Section {
        let anchor = (level > 0).then(|| heading.to_lowercase());
        Section {
            heading: heading.to_owned(),
            level,
            anchor,
            text: text.to_owned(),
            ..Section::default()
        }
    }

    fn document(sections: Vec<Section>) -> Document {
        Document {
            title: "Page".to_owned(),
            sections,
            ..Document::default()
        }
    }

    #[track_caller]
    fn check_paths(sections: Vec<Section>, expected: &[&str]) {
        let chunks = chunks(&document(sections), DEFAULT_CHUNK_WORDS);
        let paths: Vec<String> = chunks
            .iter()
            .map(|chunk| [chunk.heading_path.join(" > "), chunk.title.clone()].join(" > "))
            .collect();
        assert_eq!(paths, expected);
    }

    #[test]
    fn a_chunk_knows_the_headings_above_it_once() {
        check_paths(
            vec![
                section(0, "", "a"),
                section(1, "page", "b"),
                section(2, "Two", "c"),
                section(4, "Four", "d"),
                section(3, "Three", "e"),
                section(2, "Other", "f"),
            ],
            &[
                " > Page",
                " > page",
                "Page > Two",
                "Page > Two > Four",
                "Page > Two > Three",
                "Page > Other",
            ],
        );
    }

    #[test]
    fn a_heading_without_text_is_a_chunk_only_where_nothing_is_below_it() {
        check_paths(
            vec![
                section(1, "Page", ""),
                section(2, "Two", ""),
                section(3, "Three", "x"),
                section(2, "Last", ""),
            ],
            &["Page > Two > Three", "Page > Last"],
        );
    }

    #[test]
    fn tiny_sections_beside_each_other_are_one_chunk_and_keep_their_anchors() {
        let chunks = chunks(
            &document(vec![
                section(1, "Page", "lead"),
                section(2, "Add", "Adds it."),
                section(2, "Drop", ""),
                section(2, "List", "Lists all."),
                section(2, "Long", &"word ".repeat(TINY_SECTION_WORDS)),
                section(2, "Last", "x"),
            ]),
            DEFAULT_CHUNK_WORDS,
        );
        let titles: Vec<&str> = chunks.iter().map(|chunk| chunk.title.as_str()).collect();
        assert_eq!(titles, ["Page", "Add", "Long", "Last"]);
        let joined = &chunks[1];
        assert_eq!(joined.text, "Adds it.\nDrop\nList\nLists all.");
        let parts: Vec<(&str, &str)> = joined
            .parts
            .iter()
            .map(|part| {
                (
                    part.anchor.as_str(),
                    &joined.text[part.at..][..part.title.len()],
                )
            })
            .collect();
        assert_eq!(parts, [("drop", "Drop"), ("list", "List")]);
        assert_eq!(joined.title_field(), "Add\nDrop\nList");
        assert_eq!(joined.body_field(), "Adds it.\n\n\nLists all.");
    }

    #[test]
    fn sections_of_another_level_or_parent_are_not_joined() {
        check_paths(
            vec![
                section(2, "One", "a"),
                section(3, "Below", "b"),
                section(2, "Two", "c"),
                section(3, "Below", "d"),
                section(3, "Beside", "e"),
            ],
            &[
                "Page > One",
                "Page > One > Below",
                "Page > Two",
                "Page > Two > Below",
            ],
        );
    }

    #[test]
    fn joined_sections_stay_within_the_limit() {
        let sections = (0..40).map(|i| section(2, &format!("S{i}"), &"word ".repeat(20)));
        let chunks = chunks(&document(sections.collect()), DEFAULT_CHUNK_WORDS);
        assert_eq!(chunks.len(), 3);
        for chunk in &chunks {
            assert!(words(&chunk.text) <= DEFAULT_CHUNK_WORDS);
        }
    }

    #[test]
    fn a_piece_of_a_long_section_keeps_its_places_and_emphasis() {
        let mut long = section(
            2,
            "Two",
            &["word ".repeat(200), "term end".to_owned()].join("\n"),
        );
        long.text.push_str(&" more".repeat(200));
        let at = long.text.find("term").unwrap_or_default();
        long.parts.push(Part {
            at,
            anchor: "t".to_owned(),
            title: "term".to_owned(),
            is_heading: false,
        });
        long.emphasis.push(at..at + 4);
        let chunks = chunks(&document(vec![long]), DEFAULT_CHUNK_WORDS);
        let piece = &chunks[1];
        assert!(piece.text[piece.parts[0].at..].starts_with("term"));
        assert_eq!(piece.heading_field(), "Page\nterm");
        assert_eq!(chunks[0].parts, []);
    }

    #[test]
    fn a_heading_without_an_anchor_is_reached_through_the_one_above() {
        let mut sections = vec![section(1, "Page", "a"), section(2, "Two", "b")];
        sections[1].anchor = None;
        assert_eq!(
            chunks(&document(sections), DEFAULT_CHUNK_WORDS)[1]
                .anchor
                .as_deref(),
            Some("page")
        );
    }

    /// Checks that the chunks of a section hold its words in order, each once, within the limit.
    #[track_caller]
    fn check_pieces(section: Section, count: usize) -> Vec<Chunk> {
        let whole = section.text.clone();
        let chunks = chunks(&document(vec![section]), DEFAULT_CHUNK_WORDS);
        assert_eq!(chunks.len(), count);
        let joined: String = chunks
            .iter()
            .flat_map(|chunk| chunk.text.chars())
            .filter(|c| !c.is_whitespace())
            .collect();
        assert_eq!(
            joined,
            whole
                .chars()
                .filter(|c| !c.is_whitespace())
                .collect::<String>()
        );
        for chunk in &chunks {
            assert!(
                words(&chunk.text) <= DEFAULT_CHUNK_WORDS,
                "{}",
                words(&chunk.text)
            );
            assert_eq!(chunk.text.trim_end(), chunk.text);
        }
        chunks
    }

    #[test]
    fn a_long_section_is_cut_between_blocks_into_parts_of_like_size() {
        let paragraph = "word ".repeat(99) + "end.";
        let chunks = check_pieces(section(2, "Two", &[paragraph.as_str(); 4].join("\n")), 2);
        assert_eq!(words(&chunks[0].text), 200);
        assert_eq!(chunks[1].anchor.as_deref(), Some("two"));
    }

    #[test]
    fn the_limit_is_the_sites_own() {
        let long = section(2, "Long", &"word ".repeat(120));
        assert_eq!(chunks(&document(vec![long.clone()]), 120).len(), 1);
        assert_eq!(chunks(&document(vec![long]), 60).len(), 2);
    }

    #[test]
    fn a_long_paragraph_is_cut_between_sentences() {
        let chunks = check_pieces(
            section(2, "Two", &"One two three four five. ".repeat(100)),
            2,
        );
        assert!(chunks[0].text.ends_with("five."));
    }

    #[test]
    fn code_is_cut_only_where_it_alone_is_too_long() {
        let with_code = |lines: usize| {
            let mut section = section(2, "Two", &("word ".repeat(200) + "end.\n"));
            let start = section.text.len();
            section
                .text
                .push_str("    a b c d\n".repeat(lines).trim_end());
            section.code.push(start..section.text.len());
            section
        };
        let chunks = check_pieces(with_code(50), 2);
        assert!(chunks[1].text.starts_with("    a b c d\n"));
        assert_eq!(chunks[1].text.lines().count(), 50);
        let chunks = check_pieces(with_code(120), 3);
        assert!(chunks[2].text.lines().all(|line| line == "    a b c d"));
    }

    #[test]
    fn text_without_spaces_is_cut_as_well() {
        check_pieces(section(2, "Two", &"数据库索引。".repeat(200)), 3);
        check_pieces(section(2, "Two", &"数据库".repeat(400)), 4);
        check_pieces(section(2, "Two", &"x".repeat(20_000)), 4);
    }

    #[test]
    fn a_record_is_one_chunk_of_any_length() {
        let record = Document {
            is_record: true,
            ..document(vec![section(0, "", &"word ".repeat(2000))])
        };
        assert_eq!(chunks(&record, DEFAULT_CHUNK_WORDS).len(), 1);
    }
}
