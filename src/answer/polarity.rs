//! Which words of a sentence it denies.

use crate::text::fold;
use std::ops::Range;

/// Folded words that deny what stands around them, in the languages of most documentation. Snowball's
/// lists of stop words have them all, so an index alone cannot tell "is" from "is not".
const DENIALS: &str = "no not never none neither nor cannot without nothing nobody nowhere \
    dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt hasnt havent hadnt \
    не нет ни никогда нельзя без ничего никто \
    nicht kein keine keinen keiner keinem nie niemals ohne \
    ne pas jamais sans aucun aucune \
    nunca ningun ninguna sin jamas nao nunca sem nenhum \
    non mai senza nessun nessuna niet geen nooit zonder";

/// Folded words with an opposite. One says in plain words what the other says with a denial.
const OPPOSITES: &str = "enable disable|enabled disabled|allow forbid|allowed forbidden|allow deny|\
    allow prevent|accept reject|accepted rejected|include exclude|included excluded|before after|\
    always never|all none|first last|increase decrease|increases decreases|more less|more fewer|\
    most least|maximum minimum|larger smaller|longer shorter|faster slower|higher lower|on off|\
    true false|optional required|mutable immutable|synchronous asynchronous|valid invalid|\
    safe unsafe|possible impossible|known unknown|with without|add remove|keep drop|\
    public private|open close|start stop|ascending descending|\
    включен выключен|включить выключить|до после|всегда никогда|больше меньше|можно нельзя|\
    разрешено запрещено|первый последний|быстрее медленнее|выше ниже|с без";

/// What a denial covers, in words: what it stands before ("no key", "is not sent"), and the one
/// behind which it stands ("the key is not").
const WORDS_AFTER: usize = 4;
const WORDS_BEFORE: usize = 2;

/// A word of a text and whether it is denied there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Where it stands.
    pub at: Range<usize>,
    pub denied: bool,
    /// Whether it is a denial itself.
    pub is_denial: bool,
}

/// The words of `text`. What denies one ends at the bounds of a clause, since "not here, but
/// there" denies one of both.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    // First word of the clause, and of what the last denial covers.
    let mut clause = 0;
    let mut covered_to = 0;
    let mut start = None;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_alphanumeric() || matches!(c, '\'' | '’' | '_') {
            start = start.or(Some(i));
            continue;
        }
        if let Some(from) = start.take() {
            let word = &text[from..i];
            let is_denial = is_denial(word);
            let n = words.len();
            if is_denial {
                let first = clause.max(n.saturating_sub(WORDS_BEFORE));
                words[first..]
                    .iter_mut()
                    .for_each(|word| word.denied = true);
                covered_to = n + 1 + WORDS_AFTER;
            } else if matches!(word, "but" | "но" | "а" | "aber" | "mais" | "pero") {
                clause = n;
                covered_to = 0;
            }
            words.push(Word {
                at: from..i,
                denied: n < covered_to,
                is_denial,
            });
        }
        if matches!(
            c,
            ',' | ';' | ':' | '.' | '(' | ')' | '—' | '–' | '!' | '?' | '\n'
        ) {
            clause = words.len();
            covered_to = 0;
        }
    }
    words
}

fn is_denial(word: &str) -> bool {
    let plain = word.replace(['\'', '’'], "");
    let plain = fold(&plain);
    DENIALS.split_whitespace().any(|denial| denial == plain)
}

/// Whether `claim` has a word whose opposite `source` has in its place.
pub(super) fn has_opposite(claim: &str, source: &str) -> bool {
    let has = |text: &str, wanted: &str| {
        text.split(|c: char| !c.is_alphanumeric())
            .any(|word| fold(word) == wanted)
    };
    let differs = |one: &str, other: &str| {
        has(claim, one) && has(source, other) && !has(source, one) && !has(claim, other)
    };
    OPPOSITES
        .split('|')
        .filter_map(|pair| pair.split_once(' '))
        .any(|(one, other)| differs(one, other) || differs(other, one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, denied: &[&str]) {
        let words = words(text);
        let found: Vec<&str> = words
            .iter()
            .filter(|word| word.denied && !word.is_denial)
            .map(|word| &text[word.at.clone()])
            .collect();
        assert_eq!(found, denied);
    }

    #[test]
    fn a_denial_covers_the_words_around_it_up_to_the_clause() {
        check("It needs no key, and it is fast", &["It", "needs", "key"]);
        check(
            "The key isn’t sent to the server at all",
            &["The", "key", "sent", "to", "the", "server"],
        );
        check("It is not slow but fast", &["It", "is", "slow"]);
        check("Ключ не отправляется", &["Ключ", "отправляется"]);
        check("The key is sent", &[]);
    }

    #[test]
    fn the_lists_are_written_as_folding_leaves_them() {
        let words = DENIALS.split_whitespace();
        for word in words.chain(OPPOSITES.split([' ', '|'])) {
            assert_eq!(fold(word), word);
        }
    }

    #[test]
    fn opposites_are_found_where_one_stands_for_the_other() {
        assert!(has_opposite(
            "It is enabled by default",
            "it is disabled by default"
        ));
        assert!(!has_opposite("It is enabled", "it is enabled or disabled"));
        assert!(!has_opposite("It is enabled", "it is on"));
    }
}
