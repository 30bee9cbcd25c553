//! The sentences of a reply that claim something.

use super::scanner::citations;
use super::verify::Cited;
use crate::text::{Lines, sentences};
use std::ops::Range;

/// A sentence of a reply with the sources that it cites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// Where the reply has it, its markers included.
    pub at: Range<usize>,
    /// Its words without markers and without the signs of a list, a heading or a quotation.
    pub text: String,
    /// The given sources that it cites, each once, in the order of its markers.
    pub cited: Vec<u32>,
}

/// The sentences of `reply` outside of fenced code. A heading and a line without a letter claim
/// nothing.
pub(super) fn claims(reply: &str, source_count: u32) -> Vec<Claim> {
    let markers = citations(reply);
    let mut claims = Vec::new();
    let mut fence: Option<&str> = None;
    let mut next_marker = 0;
    for at in sentences(reply, Lines::Wrapped) {
        let line = &reply[at.clone()];
        if let Some(open) = fence {
            fence = (!line.starts_with(open)).then_some(open);
            continue;
        }
        fence = ["```", "~~~"]
            .into_iter()
            .find(|fence| line.starts_with(fence));
        if fence.is_some() {
            // A fence that opens and closes within one range is inline code.
            fence = fence.filter(|fence| !line[fence.len()..].contains(fence));
            continue;
        }
        while markers
            .get(next_marker)
            .is_some_and(|marker| marker.start_bytes < at.start)
        {
            next_marker += 1;
        }
        let inside = markers[next_marker..].iter();
        let inside = inside
            .take_while(|marker| marker.end_bytes <= at.end)
            .count();
        let inside = &markers[next_marker..next_marker + inside];
        let mut cited: Vec<u32> = Vec::new();
        let mut text = String::with_capacity(at.len());
        let mut from = at.start + bare_start(line);
        for marker in inside {
            text.push_str(reply.get(from..marker.start_bytes).unwrap_or_default());
            from = marker.end_bytes;
        }
        text.push_str(&reply[from..at.end]);
        for place in Cited::of(inside, source_count).places {
            if !cited.contains(&place.n) {
                cited.push(place.n);
            }
        }
        let claims_something = text.chars().any(char::is_alphabetic);
        if claims_something && !line.starts_with('#') {
            claims.push(Claim { at, text, cited });
        }
    }
    claims
}

/// The length of what a line begins with before its words: the signs of lists and quotations.
fn bare_start(line: &str) -> usize {
    let bare = line.trim_start_matches(['-', '*', '+', '>', '|', ' ', '•']);
    let digits = bare.len() - bare.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_item = (1..=3).contains(&digits) && bare[digits..].starts_with([')', '.']);
    // "1.5 s" begins with a number, "1. Open" with the number of an item.
    let is_item = is_item && bare[digits + 1..].starts_with(' ');
    line.len() - bare.len() + if is_item { digits + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(reply: &str, expected: &[(&str, &[u32])]) {
        let claims = claims(reply, 3);
        let found: Vec<(&str, &[u32])> = claims
            .iter()
            .map(|claim| (claim.text.trim(), claim.cited.as_slice()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_sentence_has_the_sources_that_it_cites() {
        check(
            "The port is 8080 [1]. It can be changed. [2, 3] So.",
            &[
                ("The port is 8080 .", &[1]),
                ("It can be changed.", &[2, 3]),
                ("So.", &[]),
            ],
        );
    }

    #[test]
    fn signs_of_lists_and_quotations_are_no_words_and_headings_no_claims() {
        check(
            "# Ports\n- Open it [1]\n2. Close it [2]\n> Never [3]\n1.5 s pass [1]",
            &[
                ("Open it", &[1]),
                ("Close it", &[2]),
                ("Never", &[3]),
                ("1.5 s pass", &[1]),
            ],
        );
    }

    #[test]
    fn fenced_code_claims_nothing() {
        check(
            "Run it [1]:\n```sh\nnpm start [2].\nDone. So.\n```\nIt starts [3].",
            &[("Run it :", &[1]), ("It starts .", &[3])],
        );
    }

    #[test]
    fn made_up_sources_are_not_cited() {
        check("It is so [9].", &[("It is so .", &[])]);
    }
}
