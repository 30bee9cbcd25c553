//! Folding: spellings of the same letter become one.

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
