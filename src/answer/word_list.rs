//! Words with a value each, such as the words for numbers.

/// The words of a text of lines, each of which begins with the value of its words.
pub(super) struct WordList(Vec<(&'static str, u32)>);

impl WordList {
    /// Sorts the words, since every word of every source is looked up. They are so few that each
    /// is put where it belongs; a sorting algorithm would be a kB of the download.
    pub(super) fn new(lines: &'static str) -> WordList {
        let mut words: Vec<(&str, u32)> = Vec::new();
        for line in lines.lines() {
            let mut parts = line.split(' ');
            let value = parts.next().and_then(|value| value.parse().ok());
            for word in parts {
                let place = words.partition_point(|(known, _)| *known < word);
                words.insert(place, (word, value.unwrap_or_default()));
            }
        }
        WordList(words)
    }

    /// The value of a word that is folded.
    pub(super) fn value(&self, word: &str) -> Option<u32> {
        let place = self.0.partition_point(|(known, _)| *known < word);
        let (found, value) = self.0.get(place)?;
        (*found == word).then_some(*value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_value_of_its_line() {
        let list = WordList::new("1 one uno\n20 twenty");
        let values = ["one", "twenty", "uno", "two", "zero", ""].map(|word| list.value(word));
        assert_eq!(values, [Some(1), Some(20), Some(1), None, None, None]);
    }
}
