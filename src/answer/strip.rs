//! Takes the markers that cite no given source out of a reply.

use super::marker::Marker;
use super::scanner::citations;
use super::verify::Cited;

/// `reply` without the markers that hold a made-up number, together with the blanks before each.
/// A group with one made-up member goes as a whole: which of its members the claim was taken
/// from is not known.
///
/// `None` where no valid citation remains, or where what was around a marker would make a new
/// one, as in `[[9]1]`, which the model has not written.
///
/// ```
/// use groundling::answer::strip;
///
/// assert_eq!(strip("It is so [1] [4].", 1).as_deref(), Some("It is so [1]."));
/// assert_eq!(strip("It is so [4].", 1), None);
/// ```
pub fn strip(reply: &str, source_count: u32) -> Option<String> {
    let markers = citations(reply);
    let is_valid = |marker: &&Marker| {
        Cited::of(std::slice::from_ref(*marker), source_count)
            .invalid
            .is_empty()
    };
    let stripped = keep(reply, &markers, &is_valid);

    let kept = markers.iter().filter(is_valid).map(|m| &m.numbers);
    let found = citations(&stripped);
    let is_kept = kept.eq(found.iter().map(|marker| &marker.numbers));
    (is_kept && !found.is_empty()).then_some(stripped)
}

/// `reply` without any of its markers.
pub fn without_markers(reply: &str) -> String {
    keep(reply, &citations(reply), &|_| false)
}

/// `reply` with some of its `markers` only, and without what joined the others.
fn keep(reply: &str, markers: &[Marker], is_kept: &dyn Fn(&&Marker) -> bool) -> String {
    let mut stripped = String::with_capacity(reply.len());
    let mut kept_from = 0;
    for run in markers.chunk_by(|one, next| is_joint(&reply[one.end_bytes..next.start_bytes])) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            continue;
        };
        if run.iter().all(|marker| is_kept(&marker)) {
            continue;
        }
        let mut before = &reply[kept_from..first.start_bytes];
        kept_from = last.end_bytes;
        if !run.iter().any(|marker| is_kept(&marker)) {
            before = before.trim_end_matches(BLANKS);
            if before.ends_with('(') && reply[kept_from..].starts_with(')') {
                before = before[..before.len() - 1].trim_end_matches(BLANKS);
                kept_from += 1;
            }
        }
        stripped.push_str(before);
        // Of what joins two markers stays what stands before one that is not the first to stay.
        let mut stays = false;
        for (i, marker) in run.iter().enumerate().filter(|(_, marker)| is_kept(marker)) {
            let from = if stays {
                run[i - 1].end_bytes
            } else {
                marker.start_bytes
            };
            stripped.push_str(&reply[from..marker.end_bytes]);
            stays = true;
        }
    }
    stripped.push_str(&reply[kept_from..]);
    stripped
}

const BLANKS: [char; 3] = [' ', '\u{a0}', '\t'];

/// Whether nothing but what joins two markers stands between them.
fn is_joint(text: &str) -> bool {
    !text.contains('\n') && matches!(text.trim(), "" | "," | ";" | "&" | "and" | ", and" | "и")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(reply: &str, expected: Option<&str>) {
        assert_eq!(strip(reply, 3).as_deref(), expected, "{reply}");
    }

    #[test]
    fn markers_of_sources_that_were_not_given_go_and_the_rest_stays() {
        check("Open it [1]. Close it [7].", Some("Open it [1]. Close it."));
        check("Open it [7] [2].", Some("Open it [2]."));
        check("Открой [2]【9】.", Some("Открой [2]."));
        check("Open it [1].", Some("Open it [1]."));
    }

    #[test]
    fn a_group_with_one_made_up_member_goes_as_a_whole() {
        check(
            "Open it [1, 9]. Close it [2].",
            Some("Open it. Close it [2]."),
        );
        check(
            "Open it [1-9]. Close it [2].",
            Some("Open it. Close it [2]."),
        );
        check("Open it [1, 9].", None);
    }

    #[test]
    fn what_joins_markers_goes_with_them() {
        check("Open it [1], [9].", Some("Open it [1]."));
        check("Open it [9], [1].", Some("Open it [1]."));
        check("Open it [1], [9] and [2].", Some("Open it [1] and [2]."));
        check(
            "Open it [1]. Close it ([8], [9]).",
            Some("Open it [1]. Close it."),
        );
        check("Open it ([1][9]).", Some("Open it ([1])."));
        check("Open it [8]\n[1]", Some("Open it\n[1]"));
    }

    #[test]
    fn a_text_can_be_had_without_any_marker() {
        let text = without_markers("Open it [1, 2]. Close `a[1]` [9] and [2]【1】.");
        assert_eq!(text, "Open it. Close `a[1]`.");
        assert_eq!(without_markers("Open it."), "Open it.");
    }

    #[test]
    fn nothing_remains_where_no_valid_citation_does() {
        check("Open it [9].", None);
        check("Open it.", None);
        check("", None);
    }

    #[test]
    fn brackets_in_code_are_no_markers_and_stay() {
        check("Set `a[9]` [1] [8].", Some("Set `a[9]` [1]."));
    }

    #[test]
    fn a_marker_that_only_the_removal_would_make_is_refused() {
        for reply in ["So [2]. And [[9]1].", "So [2]. And [1[9]]."] {
            let stripped = strip(reply, 3);
            let found = stripped.as_deref().map(citations);
            assert!(found.is_none_or(|found| found.len() == 1), "{stripped:?}");
        }
    }
}
