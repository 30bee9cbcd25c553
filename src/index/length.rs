//! Length classes: the length of a field in one byte.
//!
//! BM25 divides by the length of a chunk, so only its ratio to the mean matters. A class is a
//! small float with three mantissa bits, the idea of Lucene's `SmallFloat`: lengths up to 15
//! are exact, longer ones are off by at most one part in eight.

/// Number of classes in use: a `u32` length has at most 32 bits, eight classes an octave.
pub const LENGTH_CLASSES: usize = 240;

/// The class of a length in words: the same length, or the nearest below that has a class.
pub fn length_class(length: u32) -> u8 {
    if length < 16 {
        return length as u8;
    }
    let exponent = 31 - length.leading_zeros();
    let mantissa = (length >> (exponent - 3)) & 7;
    (exponent * 8 + mantissa - 16) as u8
}

/// The shortest length of a class, in words. The inverse of [`length_class`].
pub fn length_of_class(class: u8) -> u32 {
    if class < 16 {
        return u32::from(class);
    }
    let biased = u32::from(class) + 16;
    let exponent = biased / 8;
    if exponent > 31 {
        return u32::MAX;
    }
    (8 + biased % 8) << (exponent - 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_exact_to_15_and_within_an_eighth_above() {
        for length in (0..5000).chain([70_000, 1 << 20, u32::MAX]) {
            let back = length_of_class(length_class(length));
            assert!(back <= length, "{length} became {back}");
            assert!(
                f64::from(length - back) <= f64::from(length) / 8.0,
                "{length} became {back}"
            );
            if length < 16 {
                assert_eq!(back, length);
            }
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
        assert_eq!(usize::from(length_class(u32::MAX)), LENGTH_CLASSES - 1);
        assert_eq!(length_of_class(255), u32::MAX);
    }
}
