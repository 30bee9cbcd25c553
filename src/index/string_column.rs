//! A column of strings, found by number without reading those before.

use super::Error;
use super::codec::{Cursor, u32_at};
use super::format::STRINGS_PER_GROUP;

/// Reads the bytes of the group that holds string `index`, and the string out of it.
/// `bytes` yields a range of the section, checked for damage.
pub(crate) fn string_at<'a>(
    bytes: &dyn Fn(std::ops::Range<usize>) -> Result<&'a [u8], Error>,
    section_len: usize,
    count: usize,
    index: usize,
    section: &'static str,
) -> Result<&'a str, Error> {
    let corrupt = || Error::Corrupt { section };
    if index >= count {
        return Err(corrupt());
    }
    let groups = count.div_ceil(STRINGS_PER_GROUP);
    let table_len = groups * 4;
    let group = index / STRINGS_PER_GROUP;
    let table_end = (table_len.min(group * 4 + 8)).min(section_len);
    let entries = bytes(group * 4..table_end)?;
    let offset = |i: usize| u32_at(entries, i).and_then(|at| table_len.checked_add(at as usize));
    let start = offset(0).ok_or_else(corrupt)?;
    let end = if group + 1 < groups {
        offset(1).ok_or_else(corrupt)?
    } else {
        section_len
    };
    if start > end || end > section_len {
        return Err(corrupt());
    }
    let in_group = STRINGS_PER_GROUP.min(count - group * STRINGS_PER_GROUP);
    let wanted = index % STRINGS_PER_GROUP;
    let mut cursor = Cursor::new(bytes(start..end)?, section);
    let (mut before, mut len) = (0usize, 0usize);
    for i in 0..in_group {
        let this = cursor.varint()? as usize;
        if i < wanted {
            before = before.checked_add(this).ok_or_else(corrupt)?;
        } else if i == wanted {
            len = this;
        }
    }
    cursor.take(before)?;
    std::str::from_utf8(cursor.take(len)?).map_err(|_| corrupt())
}

/// Writes the column; the order of the strings gives their numbers.
#[cfg(feature = "build")]
pub(crate) fn write<S: AsRef<str>>(strings: &[S]) -> Vec<u8> {
    use super::codec::push_varint;
    let mut table = Vec::new();
    let mut groups = Vec::new();
    for group in strings.chunks(STRINGS_PER_GROUP) {
        table.extend_from_slice(&(groups.len() as u32).to_le_bytes());
        for string in group {
            push_varint(&mut groups, string.as_ref().len() as u32);
        }
        for string in group {
            groups.extend_from_slice(string.as_ref().as_bytes());
        }
    }
    table.append(&mut groups);
    table
}

#[cfg(all(test, feature = "build"))]
mod tests {
    use super::*;

    #[test]
    fn each_string_comes_back_at_its_number() {
        for count in [0, 1, 15, 16, 17, 100] {
            let strings: Vec<String> = (0..count)
                .map(|i| "é".repeat(i % 7) + &i.to_string())
                .collect();
            let column = write(&strings);
            let bytes = |range: std::ops::Range<usize>| Ok(&column[range]);
            for (i, string) in strings.iter().enumerate() {
                assert_eq!(
                    string_at(&bytes, column.len(), count, i, "test"),
                    Ok(string.as_str())
                );
            }
            assert!(string_at(&bytes, column.len(), count, count, "test").is_err());
        }
    }
}
