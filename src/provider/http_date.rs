//! HTTP dates (RFC 9110, section 5.6.7) to time, for `Retry-After`.

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Milliseconds since 1970 UTC of a date in one of the three forms that a recipient must accept:
/// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`.
/// The day of the week is not checked. A year of two digits is taken as 20xx: a wait is never in the past.
pub(super) fn parse(text: &str) -> Option<u64> {
    let mut parts = text.split([' ', ',', '-']).filter(|part| !part.is_empty());
    parts.next()?;
    let (first, second, third, fourth) =
        (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let (day, month, year, time) = match MONTHS.iter().position(|name| *name == first) {
        Some(month) => (second, month, fourth, third),
        None => (
            first,
            MONTHS.iter().position(|name| *name == second)?,
            third,
            fourth,
        ),
    };
    let mut clock = time.split(':').map(|part| number(part, 2));
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    let year = if year.len() == 2 {
        2000 + number(year, 2)?
    } else {
        number(year, 4)?
    };
    let day = number(day, 2)?;
    let in_range =
        year >= 1970 && (1..=31).contains(&day) && hour < 24 && minute < 60 && second <= 60;
    if !in_range || clock.next().is_some() {
        return None;
    }
    let days = days_since_1970(year, month as u64 + 1, day);
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000)
}

fn number(text: &str, max_digits: usize) -> Option<u64> {
    if text.len() > max_digits || !text.bytes().all(|c| c.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Days from 1970-01-01 in the Gregorian calendar, by counting from a March so that the leap day comes last
/// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`). `year` is 1970 or later.
fn days_since_1970(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month <= 2 {
        (year - 1, month + 9)
    } else {
        (year, month - 3)
    };
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    // 719 468 days lie between 0000-03-01 and 1970-01-01.
    year * 365 + year / 4 - year / 100 + year / 400 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<u64>) {
        assert_eq!(parse(text), expected, "{text}");
    }

    #[test]
    fn all_three_forms_give_the_same_time() {
        check("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777_000));
        check("Sun Nov  6 08:49:37 1994", Some(784_111_777_000));
        check("Tuesday, 01-Dec-26 00:00:00 GMT", Some(1_796_083_200_000));
        check("Tue, 01 Dec 2026 00:00:00 GMT", Some(1_796_083_200_000));
    }

    #[test]
    fn leap_days_and_the_epoch_are_right() {
        check("Thu, 01 Jan 1970 00:00:00 GMT", Some(0));
        check("Tue, 29 Feb 2028 23:59:59 GMT", Some(1_835_481_599_000));
        check("Wed, 01 Mar 2028 00:00:00 GMT", Some(1_835_481_600_000));
    }

    #[test]
    fn anything_else_is_no_date() {
        for text in [
            "",
            "soon",
            "20",
            "Sun, 06 Nov 1994",
            "Sun, 99 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 8:49 GMT",
            "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1969 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37:00 GMT",
        ] {
            check(text, None);
        }
    }
}
