//! Folding: spellings of the same letter become one.

/// The folded form of a word without stemming: what the beginning of an indexed term looks like while the
/// word is still being typed.
pub fn fold(text: &str) -> String {
    let mut folded = String::new();
    fold_into(text, &mut folded, super::MAX_TERM_BYTES);
    folded
}

/// Appends the folded form of `text` to `out`, until `out` is `limit_bytes` long.
pub(super) fn fold_into(text: &str, out: &mut String, limit_bytes: usize) {
    for c in text.chars() {
        for c in c.to_lowercase() {
            if !c.is_alphanumeric() {
                continue;
            }
            if out.len() + c.len_utf8() > limit_bytes {
                return;
            }
            out.push(c);
        }
    }
}
