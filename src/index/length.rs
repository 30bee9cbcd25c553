//! Length classes: the length of a field in one byte.
//!
//! BM25 divides by the length of a chunk, so only its ratio to the mean matters. A class is a
//! small float with four mantissa bits, the idea of Lucene's `SmallFloat`: lengths up to 31 are
//! exact, longer ones share a class with those within a thirty-second of them.

/// Number of classes.
pub const LENGTH_CLASSES: usize = 256;

/// Longest length in words that is told from longer ones; far beyond what a chunk has.
const MAX_LENGTH: u32 = (1 << 19) - 1;

/// The class of a length in words.
pub fn length_class(length: u32) -> u8 {
    let length = length.min(MAX_LENGTH);
    if length < 32 {
        return length as u8;
    }
    let exponent = 31 - length.leading_zeros();
    let mantissa = (length >> (exponent - 4)) & 15;
    (32 + (exponent - 5) * 16 + mantissa) as u8
}

/// The mean of the lengths of a class, in words.
pub fn length_of_class(class: u8) -> f32 {
    if class < 32 {
        return f32::from(class);
    }
    let above = u32::from(class) - 32;
    let width = 2u32 << (above / 16);
    let shortest = (16 + above % 16) * width;
    (shortest as f32) + (width - 1) as f32 / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_exact_to_31_and_within_a_thirty_second_above() {
        for length in (0..5000).chain([70_000, MAX_LENGTH]) {
            let back = length_of_class(length_class(length));
            let off = (back - length as f32).abs();
            assert!(off <= length as f32 / 32.0, "{length} became {back}");
            assert!(length >= 32 || off == 0.0, "{length} became {back}");
        }
    }

    #[test]
    fn classes_rise_with_the_length_and_fit_their_number() {
        let mut last = 0;
        for length in 0..100_000 {
            let class = length_class(length);
            assert!(class == last || class == last + 1, "at {length}");
            last = class;
        }
        assert_eq!(usize::from(length_class(MAX_LENGTH)), LENGTH_CLASSES - 1);
        assert_eq!(length_class(u32::MAX), length_class(MAX_LENGTH));
    }
}
