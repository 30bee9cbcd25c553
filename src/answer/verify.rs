//! The judgement on a whole reply.

use super::marker::Marker;
use super::scanner::citations;

/// One number of a marker, with the place of that marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The number of a source that was given.
    pub n: u32,
    /// Where the marker starts in the reply, in bytes of UTF-8. The citations of `[1, 2]` share
    /// their marker.
    pub start_bytes: usize,
    /// Where the marker ends, after its closing bracket.
    pub end_bytes: usize,
}

/// Why a reply is not passed on as an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Nothing but white space.
    Empty,
    /// The model said that the sources do not answer.
    Refused,
    /// It cites nothing.
    NoCitation,
    /// It cites a number that no source was given under.
    UnknownSource,
}

impl Reason {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Empty => "empty",
            Reason::Refused => "not_in_sources",
            Reason::NoCitation => "no_citation",
            Reason::UnknownSource => "unknown_source",
        }
    }
}

/// Whether a reply may be passed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It cites, and only sources that were given. This says nothing about whether they bear
    /// the reply out.
    Grounded {
        /// The numbers cited, ascending, each once.
        cited: Vec<u32>,
        /// Each place where one is cited, in the order of the reply.
        citations: Vec<Citation>,
    },
    /// It may not.
    NotGrounded {
        /// Why not.
        reason: Reason,
        /// The numbers cited, ascending, each once, made-up ones included. Of a range that goes
        /// beyond the sources only its ends are here, and a number that is too long for 32 bits
        /// is [`u32::MAX`].
        cited: Vec<u32>,
        /// Those of `cited` that are no given source.
        invalid: Vec<u32>,
    },
}

/// Judges `reply` to a prompt with the sources 1 to `source_count`.
///
/// ```
/// use groundling::answer::{Reason, Verdict, verify};
///
/// assert!(matches!(verify("The port is 8080 [1].", 1), Verdict::Grounded { .. }));
/// assert_eq!(
///     verify("The port is 8080 [1]. It can be changed [4].", 1),
///     Verdict::NotGrounded {
///         reason: Reason::UnknownSource,
///         cited: vec![1, 4],
///         invalid: vec![4],
///     }
/// );
/// ```
pub fn verify(reply: &str, source_count: u32) -> Verdict {
    verify_with_refusal(reply, source_count, "")
}

/// [`verify`] that also tells a refusal, the template's `refusal` text, from an answer that only
/// forgot to cite.
pub fn verify_with_refusal(reply: &str, source_count: u32, refusal: &str) -> Verdict {
    if reply.trim().is_empty() {
        return not_grounded(Reason::Empty);
    }
    if is_refusal(reply, refusal) {
        return not_grounded(Reason::Refused);
    }
    let Cited {
        numbers,
        invalid,
        places,
    } = Cited::of(&citations(reply), source_count);
    if numbers.is_empty() {
        return not_grounded(Reason::NoCitation);
    }
    if invalid.is_empty() {
        return Verdict::Grounded {
            cited: numbers,
            citations: places,
        };
    }
    Verdict::NotGrounded {
        reason: Reason::UnknownSource,
        cited: numbers,
        invalid,
    }
}

/// What markers cite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cited {
    /// The numbers, as in [`Verdict::NotGrounded`]: ascending, each once.
    pub numbers: Vec<u32>,
    /// Those that are no given source.
    pub invalid: Vec<u32>,
    /// Each place where a given source is cited, in the order of the markers.
    pub places: Vec<Citation>,
}

impl Cited {
    /// Reads `markers` against the sources 1 to `source_count`.
    pub fn of(markers: &[Marker], source_count: u32) -> Cited {
        // `u32::MAX` stands for all longer numbers, so it is never a given source.
        let given = |n: u32| (1..=source_count).contains(&n) && n != u32::MAX;
        let mut cited = Cited::default();
        for marker in markers {
            let first_place = cited.places.len();
            for range in &marker.numbers {
                if !given(range.first) || !given(range.last) {
                    for n in [range.first, range.last] {
                        cited.numbers.push(n);
                        if !given(n) {
                            cited.invalid.push(n);
                        }
                    }
                    continue;
                }
                for n in range.first..=range.last {
                    if cited.places[first_place..].iter().all(|place| place.n != n) {
                        cited.numbers.push(n);
                        cited.places.push(Citation {
                            n,
                            start_bytes: marker.start_bytes,
                            end_bytes: marker.end_bytes,
                        });
                    }
                }
            }
        }
        for numbers in [&mut cited.numbers, &mut cited.invalid] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        cited
    }
}

/// Whether `reply` is `refusal` and nothing else. White space around it, a curly apostrophe and
/// a missing full stop make no difference, because models change just these.
pub fn is_refusal(reply: &str, refusal: &str) -> bool {
    let plain = |text: &str| {
        text.trim()
            .trim_end_matches(['.', '。'])
            .trim_end()
            .replace('’', "'")
    };
    let refusal = plain(refusal);
    !refusal.is_empty() && plain(reply) == refusal
}

fn not_grounded(reason: Reason) -> Verdict {
    Verdict::NotGrounded {
        reason,
        cited: Vec::new(),
        invalid: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_grounded(reply: &str, source_count: u32, expected: &[u32]) {
        match verify(reply, source_count) {
            Verdict::Grounded { cited, citations } => {
                assert_eq!(cited, expected, "{reply}");
                assert!(!citations.is_empty());
            }
            verdict => panic!("{reply}: {verdict:?}"),
        }
    }

    #[track_caller]
    fn check_not(reply: &str, source_count: u32, reason: Reason, cited: &[u32], invalid: &[u32]) {
        let (cited, invalid) = (cited.to_vec(), invalid.to_vec());
        assert_eq!(
            verify(reply, source_count),
            Verdict::NotGrounded {
                reason,
                cited,
                invalid
            },
            "{reply}"
        );
    }

    #[test]
    fn a_reply_that_cites_given_sources_is_grounded() {
        check_grounded("Open the port [1].", 1, &[1]);
        check_grounded("Stop it [5], then copy [2]. Start it [5].", 8, &[2, 5]);
        check_grounded("Open [3, 1] and [2-3].", 3, &[1, 2, 3]);
    }

    #[test]
    fn one_made_up_number_spoils_the_reply() {
        use Reason::UnknownSource;
        check_not("It is so [1]. And so [4].", 1, UnknownSource, &[1, 4], &[4]);
        check_not("Open [1, 9].", 3, UnknownSource, &[1, 9], &[9]);
        check_not("Open [1-9].", 3, UnknownSource, &[1, 9], &[9]);
        check_not("Open [0].", 3, UnknownSource, &[0], &[0]);
        check_not("Open [0-2].", 3, UnknownSource, &[0, 2], &[0]);
        check_not("Open [1].", 0, UnknownSource, &[1], &[1]);
    }

    #[test]
    fn numbers_and_ranges_of_any_size_neither_overflow_nor_allocate() {
        use Reason::UnknownSource;
        let max = u32::MAX;
        check_not(
            "Open [99999999999999999999].",
            3,
            UnknownSource,
            &[max],
            &[max],
        );
        check_not(
            "Open [4294967295].",
            u32::MAX,
            UnknownSource,
            &[max],
            &[max],
        );
        check_not(
            "Open [1-4000000000].",
            3,
            UnknownSource,
            &[1, 4_000_000_000],
            &[4_000_000_000],
        );
        check_not(
            "Open [0-99999999999].",
            3,
            UnknownSource,
            &[0, max],
            &[0, max],
        );
    }

    #[test]
    fn a_reply_without_citations_is_not_grounded() {
        check_not("Open the port.", 3, Reason::NoCitation, &[], &[]);
        check_not("Open `a[1]`.", 3, Reason::NoCitation, &[], &[]);
        check_not("", 3, Reason::Empty, &[], &[]);
        check_not(" \n", 3, Reason::Empty, &[], &[]);
    }

    #[test]
    fn every_place_of_a_citation_is_told_in_the_order_of_the_reply() {
        let Verdict::Grounded { citations, .. } = verify("A [2, 1, 2]. Б【1】", 2) else {
            panic!("not grounded");
        };
        let places: Vec<(u32, usize, usize)> = citations
            .iter()
            .map(|place| (place.n, place.start_bytes, place.end_bytes))
            .collect();
        assert_eq!(places, [(2, 2, 11), (1, 2, 11), (1, 15, 22)]);
    }

    #[track_caller]
    fn check_refusal(reply: &str, refusal: &str, expected: bool) {
        assert_eq!(is_refusal(reply, refusal), expected, "{reply}");
        let refused = not_grounded(Reason::Refused);
        assert_eq!(
            verify_with_refusal(reply, 1, refusal) == refused,
            expected,
            "{reply}"
        );
    }

    #[test]
    fn a_refusal_is_told_from_an_answer() {
        for reply in ["I don't know.", " I don’t know \n", "I don't know"] {
            check_refusal(reply, "I don't know.", true);
        }
        for reply in [
            "I don't know. It may be 8080.",
            "I don't know. [1]",
            "i do",
            "",
        ] {
            check_refusal(reply, "I don't know.", false);
        }
        check_refusal("Я не знаю", "Я не знаю.", true);
        check_refusal("", "", false);
    }
}
