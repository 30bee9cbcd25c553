//! Cuts a document into the units that are found, quoted and cited.

use std::ops::Range;

use super::{Chunk, Document, Section};

/// The most words a chunk has, unless one unbroken word is longer.
///
/// A prompt takes 700 words by default, one chunk a page: at 300 two full chunks and the
/// start of a third answer fit, while most sections of real documentation stay whole.
/// Fewer would cut steps from the sentence that explains them.
pub const MAX_CHUNK_WORDS: usize = 300;

/// The chunks of a document in reading order.
///
/// A section is one chunk. A heading with nothing below it but deeper headings makes no chunk
/// of its own and stays in their paths; one with nothing below it at all makes a chunk with
/// empty text, so that it can be found. A section above [`MAX_CHUNK_WORDS`] is cut between
/// blocks, a long block between sentences; code only where it alone is too long. Chunks
/// do not overlap: every word of a section is in exactly one of them.
pub fn chunks(document: &Document) -> Vec<Chunk> {
    let mut chunks = Vec::with_capacity(document.sections.len());
    // The headings above the current one, outermost first.
    let mut above: Vec<&Section> = Vec::new();
    for (i, section) in document.sections.iter().enumerate() {
        above.retain(|outer| outer.level < section.level);
        let next_is_deeper = document
            .sections
            .get(i + 1)
            .is_some_and(|next| next.level > section.level);
        if !section.text.is_empty() || !next_is_deeper {
            let pieces = if document.is_record {
                vec![0..section.text.len()]
            } else {
                pieces(section)
            };
            for piece in pieces {
                chunks.push(Chunk {
                    title: title(document, section),
                    heading_path: heading_path(document, &above, section),
                    anchor: anchor(&above, section),
                    text: section.text[piece].to_owned(),
                });
            }
        }
        if section.level > 0 {
            above.push(section);
        }
    }
    chunks
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
fn pieces(section: &Section) -> Vec<Range<usize>> {
    let text = section.text.as_str();
    let total = words(text);
    if total <= MAX_CHUNK_WORDS {
        return vec![0..text.len()];
    }
    // Pieces of like size, so that the last one is no leftover of a few words.
    let target = total.div_ceil(total.div_ceil(MAX_CHUNK_WORDS));
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut size = 0;
    for unit in units(section) {
        let unit_size = words(&text[unit.clone()]);
        match pieces.last_mut() {
            Some(piece) if size < target && size + unit_size <= MAX_CHUNK_WORDS => {
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
fn units(section: &Section) -> Vec<Range<usize>> {
    let text = section.text.as_str();
    let mut units = Vec::new();
    let mut start = 0;
    for code in &section.code {
        prose_units(text, start..code.start, &mut units);
        if words(&text[code.clone()]) <= MAX_CHUNK_WORDS {
            units.push(code.clone());
        } else {
            line_units(text, code.clone(), &mut units);
        }
        start = code.end;
    }
    prose_units(text, start..text.len(), &mut units);
    units
}

fn prose_units(text: &str, range: Range<usize>, units: &mut Vec<Range<usize>>) {
    split(
        text,
        range,
        |c| c == '\n',
        |block| {
            if words(&text[block.clone()]) <= MAX_CHUNK_WORDS {
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
                word_units(text, sentence, units)
            });
        },
    );
}

fn line_units(text: &str, range: Range<usize>, units: &mut Vec<Range<usize>>) {
    split(
        text,
        range,
        |c| c == '\n',
        |line| word_units(text, line, units),
    );
}

/// Keeps a part that fits whole, and otherwise divides it into words and, where one word is
/// too long (a language without spaces, packed data), into runs of characters.
fn word_units(text: &str, range: Range<usize>, units: &mut Vec<Range<usize>>) {
    if words(&text[range.clone()]) <= MAX_CHUNK_WORDS {
        units.push(range);
        return;
    }
    split(text, range, char::is_whitespace, |word| {
        if words(&text[word.clone()]) <= MAX_CHUNK_WORDS {
            units.push(word);
            return;
        }
        let mut start = word.start;
        for (i, (at, _)) in text[word.clone()].char_indices().enumerate() {
            if i > 0 && i % MAX_CHUNK_WORDS == 0 {
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
