//! Edit distances between one word and many terms in byte order.
//!
//! Optimal string alignment: an insertion, a deletion, a substitution or a swap of neighbours is one edit.
//! Columns of the table are computed sixty-four rows at a time (Hyyrö: *A bit-vector algorithm for computing
//! Levenshtein and Damerau edit distances*, 2003), and terms that begin alike share the columns of what they
//! share, so a term costs about as many steps as it has letters of its own.

/// Letters of a word that are compared, as many as a machine word has bits.
const MAX_LETTERS: usize = 64;
/// A distance above all that matter.
pub(super) const FAR: u32 = u32::MAX;

/// Compares one word with terms.
pub(super) struct EditDistance {
    /// For each different letter of the word, the rows where it stands.
    rows: Vec<(char, u64)>,
    /// The same for ASCII letters, which most are.
    ascii_rows: [u64; 128],
    /// Number of letters.
    len: u32,
    /// The greatest distance that matters.
    most: u32,
    /// The column behind each byte of the term at hand, the first one before it; a byte within a
    /// character repeats the column before the character. Ends at the first column without a value
    /// that matters, because there is none in the columns behind it either.
    columns: Vec<Column>,
    /// Whether the last column is such a one.
    is_far: bool,
}

/// A column of the table: differences between neighbouring rows, as bits.
#[derive(Clone, Copy)]
struct Column {
    /// Rows that are one more than the row above.
    more: u64,
    /// Rows that are one less than the row above.
    less: u64,
    /// Rows where the diagonal step costs nothing.
    free: u64,
    /// Rows whose letter is that of this column.
    same: u64,
    /// Characters of the term up to here.
    letters: u32,
    /// Value of the last row: the distance of the word to this beginning of the term.
    distance: u32,
    /// The least of `distance` up to here.
    least: u32,
}

impl EditDistance {
    /// For a folded word with at least one letter, of which the first 64 count. Distances above `most` are
    /// not told from each other.
    pub(super) fn new(word: &str, most: u32) -> EditDistance {
        let mut rows: Vec<(char, u64)> = Vec::new();
        let mut ascii_rows = [0; 128];
        let mut len = 0;
        for letter in word.chars().take(MAX_LETTERS) {
            let bit = 1 << len;
            len += 1;
            match ascii_rows.get_mut(letter as usize) {
                Some(row) => *row |= bit,
                None => match rows.iter_mut().find(|(known, _)| *known == letter) {
                    Some((_, row)) => *row |= bit,
                    None => rows.push((letter, bit)),
                },
            }
        }
        let first = Column {
            more: u64::MAX,
            less: 0,
            free: 0,
            same: 0,
            letters: 0,
            distance: len,
            least: len,
        };
        EditDistance {
            rows,
            ascii_rows,
            len,
            most,
            columns: vec![first],
            is_far: false,
        }
    }

    /// The distance to one word.
    pub(super) fn edits_to(&mut self, word: &str) -> u32 {
        self.to(0, word.as_bytes())
    }

    /// The distance to a term that shares its first `shared` bytes with the one before it.
    pub(super) fn to(&mut self, shared: usize, term: &[u8]) -> u32 {
        if shared + 1 < self.columns.len() {
            self.columns.truncate(shared + 1);
            self.is_far = false;
        }
        while !self.is_far && self.columns.len() <= term.len() {
            let before = self.last();
            let column = match letter_ending_at(term, self.columns.len() - 1) {
                Some(letter) => self.step(&before, letter),
                None => before,
            };
            self.is_far = self.nearest(&column) > self.most;
            self.columns.push(column);
        }
        if self.is_far {
            FAR
        } else {
            self.last().distance
        }
    }

    /// The distance of the word to the nearest beginning of the last term.
    pub(super) fn to_beginning(&self) -> u32 {
        self.last().least
    }

    /// The distance to the last term of the nearest beginning of the word, of those up to `shorter` letters
    /// shorter than it.
    pub(super) fn of_beginning(&self, shorter: u32) -> u32 {
        if self.is_far {
            return FAR;
        }
        let last = self.last();
        let rows = self.len.saturating_sub(shorter)..=self.len;
        rows.map(|row| last.value(row)).min().unwrap_or(FAR)
    }

    /// The least value of a column that may matter. The value of a row differs from the number of letters at
    /// least as much as the row does.
    fn nearest(&self, column: &Column) -> u32 {
        let first = column.letters.saturating_sub(self.most);
        let last = (column.letters + self.most).min(self.len);
        let values = (first..=last).map(|row| column.value(row));
        values.min().unwrap_or(FAR)
    }

    fn last(&self) -> Column {
        // There is always the column before the first byte.
        self.columns[self.columns.len() - 1]
    }

    fn step(&self, before: &Column, letter: char) -> Column {
        let same = match self.ascii_rows.get(letter as usize) {
            Some(row) => *row,
            None => {
                let row = self.rows.iter().find(|(known, _)| *known == letter);
                row.map_or(0, |(_, row)| *row)
            }
        };
        let swapped = ((!before.free & same) << 1) & before.same;
        let (more, less) = (before.more, before.less);
        let free = ((same & more).wrapping_add(more) ^ more) | same | less | swapped;
        // Horizontal differences, moved to the row below.
        let rise = less | !(free | more);
        let fall = free & more;
        let last_row = 1 << (self.len - 1);
        let distance =
            before.distance + u32::from(rise & last_row != 0) - u32::from(fall & last_row != 0);
        let (rise, fall) = (rise << 1 | 1, fall << 1);
        Column {
            more: fall | !(free | rise),
            less: rise & free,
            free,
            same,
            letters: before.letters + 1,
            distance,
            least: before.least.min(distance),
        }
    }
}

impl Column {
    /// The value of a row, counted from 0 for the one above the word.
    fn value(&self, row: u32) -> u32 {
        let above = u64::MAX.checked_shl(row).map_or(u64::MAX, |below| !below);
        self.letters + (self.more & above).count_ones() - (self.less & above).count_ones()
    }
}

/// The character whose last byte stands at `at`.
fn letter_ending_at(term: &[u8], at: usize) -> Option<char> {
    let byte = term[at];
    if byte.is_ascii() {
        return Some(char::from(byte));
    }
    let is_inside = |byte: &u8| byte & 0xc0 == 0x80;
    let start = term[..=at].iter().rposition(|byte| !is_inside(byte))?;
    let character = std::str::from_utf8(&term[start..=at]).ok()?;
    character.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table itself, row by row.
    fn reference(a: &str, b: &str) -> usize {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let changed = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let least = changed.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                    let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    match swapped {
                        true => least.min(table[i - 2][j - 2] + 1),
                        false => least,
                    }
                };
            }
        }
        table[a.len()][b.len()]
    }

    /// What the engine tells of a distance.
    fn within(most: u32, distance: Option<usize>) -> u32 {
        let distance = distance.map_or(FAR, |distance| distance as u32);
        if distance > most { FAR } else { distance }
    }

    #[test]
    fn distances_to_a_sorted_list_are_those_of_the_table() {
        let mut terms = vec![
            "b", "borrow", "borrower", "broow", "bowls", "ёж", "ежик", "ёжик", "配置", "index",
            "indexer", "bo",
        ];
        terms.sort_unstable();
        let words = [
            "borrow",
            "borow",
            "brorow",
            "ежкик",
            "ёжик",
            "配",
            "x",
            "indxe",
            "indexing",
            "bororwing",
        ];
        for (word, most) in words
            .iter()
            .flat_map(|word| [(word, 1), (word, 2), (word, 9)])
        {
            let mut distance = EditDistance::new(word, most);
            let mut before: &str = "";
            for term in &terms {
                let common = before.bytes().zip(term.bytes()).take_while(|(a, b)| a == b);
                let told = distance.to(common.count(), term.as_bytes());
                let at = format!("{word}, {term}, {most}");
                assert_eq!(
                    within(most, Some(told as usize)),
                    within(most, Some(reference(word, term))),
                    "{at}"
                );
                let ends = |text: &'static str| text.char_indices().map(|(i, c)| i + c.len_utf8());
                let beginnings = ends(term).map(|end| reference(word, &term[..end]));
                let nearest = beginnings.chain([word.chars().count()]).min();
                assert_eq!(
                    within(most, Some(distance.to_beginning() as usize)),
                    within(most, nearest),
                    "{at}"
                );
                let shorter = ends(word)
                    .rev()
                    .take(3)
                    .chain(word.chars().nth(2).is_none().then_some(0));
                let nearest = shorter.map(|end| reference(&word[..end], term)).min();
                assert_eq!(
                    within(most, Some(distance.of_beginning(2) as usize)),
                    within(most, nearest),
                    "{at}"
                );
                before = term;
            }
        }
    }

    #[test]
    fn a_word_counts_with_its_first_sixty_four_letters() {
        let long = "ab".repeat(40);
        assert_eq!(EditDistance::new(&long, 2).edits_to(&long[..64]), 0);
        assert_eq!(EditDistance::new(&long, 2).edits_to(&long[..63]), 1);
    }
}
