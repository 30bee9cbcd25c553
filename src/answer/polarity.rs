//! Which words of a sentence it denies.

use super::word_list::WordList;
use crate::text::fold;
use std::ops::Range;
use std::sync::LazyLock;

/// A word that denies what stands around it. Snowball's lists of stop words have them all, so an
/// index alone cannot tell "is" from "is not".
const DENIAL: u32 = 1;
/// A word that denies without a "not": "is refused" says that it is not let through. After a
/// denial it affirms, as in "is never refused".
const REFUSAL: u32 = 2;
/// A word after which another clause begins, with a denial of its own.
const CLAUSE: u32 = 3;

/// Folded words with their role, in the languages of most documentation.
const ROLES: &str = "1 no not never none neither nor cannot without nothing nobody nowhere \
    dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt hasnt havent hadnt \
    не нет ни никогда нельзя без ничего никто \
    nicht kein keine keinen keiner keinem nie niemals ohne \
    ne pas jamais sans aucun aucune \
    nunca ningun ninguna sin jamas nao sem nenhum \
    non mai senza nessun nessuna niet geen nooit zonder
2 lack lacks lacking missing absent omit omits omitted refuse refuses refused reject rejects rejected \
    forbid forbids forbidden prohibit prohibits prohibited disallow disallows disallowed \
    prevent prevents prevented avoid avoids avoided fail fails failed deny denies denied \
    запрещен запрещена запрещено запрещены запрещает отклонен отклоняется отклоняет \
    отсутствует отсутствуют
3 but if when while because unless although though since where which who that \
    но а если когда потому хотя чтобы который которая которое которые \
    aber wenn weil mais quand pero cuando";

/// Folded words with an opposite. One says in plain words what the other says with a denial.
const OPPOSITES: &str = "enable disable|enabled disabled|accept drop|include exclude|\
    included excluded|before after|first last|increase decrease|increases decreases|more less|\
    more fewer|most least|maximum minimum|larger smaller|longer shorter|faster slower|\
    higher lower|better worse|on off|true false|optional required|synchronous asynchronous|\
    add remove|keep drop|public private|open close|start stop|ascending descending|\
    включен выключен|включить выключить|до после|больше меньше|\
    первый последний|быстрее медленнее|выше ниже|лучше хуже";

/// What makes the opposite of the word that it stands before.
const PREFIXES: [&str; 7] = ["un", "in", "im", "non", "dis", "не", "без"];
/// Letters of the word behind a prefix, at least: "input" is not the opposite of "put".
const MIN_BARE: usize = 5;

/// What a denial covers, in words: what it stands before ("no key", "is not sent"), and the one
/// behind which it stands ("the key is not").
const WORDS_AFTER: usize = 6;
const WORDS_BEFORE: usize = 2;

/// A word of a text and whether it is denied there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Where it stands.
    pub at: Range<usize>,
    folded: String,
    /// False for the denial itself.
    pub denied: bool,
}

/// The words of `text`. What denies one ends at the bounds of a clause, since "not here, but
/// there" denies one of both. Names such as `no-cache` deny nothing.
pub(super) fn words(text: &str) -> Vec<Word> {
    static LIST: LazyLock<WordList> = LazyLock::new(|| WordList::new(ROLES));
    let roles = &*LIST;
    let mut words: Vec<Word> = Vec::new();
    // First word of the clause, and of what the last denial covers.
    let mut clause = 0;
    let mut covered_to = 0;
    let mut start = None;
    let mut in_code = false;
    let mut before = ' ';
    let mut chars = text.char_indices().chain([(text.len(), ' ')]).peekable();
    while let Some((i, c)) = chars.next() {
        if c.is_alphanumeric() || matches!(c, '\'' | '’' | '_') {
            start = start.or(Some(i));
            continue;
        }
        if let Some(from) = start.take() {
            let folded = fold(&text[from..i].replace(['\'', '’'], ""));
            let n = words.len();
            let is_name = in_code || c == '-' || before == '-';
            let role = roles.value(&folded).filter(|_| !is_name);
            match role {
                Some(CLAUSE) => {
                    clause = n;
                    covered_to = 0;
                }
                Some(REFUSAL) if n < covered_to => {
                    words[clause..]
                        .iter_mut()
                        .for_each(|word| word.denied = false);
                    covered_to = 0;
                }
                Some(DENIAL | REFUSAL) => {
                    let first = clause.max(n.saturating_sub(WORDS_BEFORE));
                    words[first..]
                        .iter_mut()
                        .for_each(|word| word.denied = true);
                    covered_to = n + 1 + WORDS_AFTER;
                }
                _ => {}
            }
            words.push(Word {
                at: from..i,
                folded,
                denied: n < covered_to && role != Some(DENIAL),
            });
        }
        in_code ^= c == '`';
        before = c;
        let is_inside = chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        let ends_clause = match c {
            ';' | '(' | ')' | '—' | '–' | '!' | '?' | '\n' => true,
            ',' | ':' | '.' => !is_inside,
            _ => false,
        };
        if ends_clause {
            clause = words.len();
            covered_to = 0;
        }
    }
    words
}

/// Whether `claim` has a word whose opposite `source` has in its place: one of a pair, or the
/// same word with a prefix such as "un".
pub(super) fn has_opposite(claim: &[Word], source: &[Word]) -> bool {
    let has = |words: &[Word], wanted: &str| words.iter().any(|word| word.folded == wanted);
    let differs = |one: &str, other: &str| {
        has(claim, one) && has(source, other) && !has(source, one) && !has(claim, other)
    };
    let is_turned = |claim: &[Word], source: &[Word]| {
        claim.iter().any(|word| {
            let bare = PREFIXES
                .iter()
                .filter_map(|prefix| word.folded.strip_prefix(prefix));
            let mut bare = bare.filter(|bare| bare.chars().count() >= MIN_BARE);
            bare.any(|bare| has(source, bare) && !has(source, &word.folded) && !has(claim, bare))
        })
    };
    let mut pairs = OPPOSITES.split('|').filter_map(|pair| pair.split_once(' '));
    pairs.any(|(one, other)| differs(one, other) || differs(other, one))
        || is_turned(claim, source)
        || is_turned(source, claim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, denied: &[&str]) {
        let words = words(text);
        let found: Vec<&str> = words
            .iter()
            .filter(|word| word.denied)
            .map(|word| &text[word.at.clone()])
            .collect();
        assert_eq!(found, denied);
    }

    #[test]
    fn a_denial_covers_the_words_around_it_up_to_the_clause() {
        check("It needs no key, and it is fast", &["It", "needs", "key"]);
        check(
            "The key isn’t sent to the server at all",
            &["The", "key", "sent", "to", "the", "server", "at", "all"],
        );
        check("It is not slow but fast", &["It", "is", "slow"]);
        check("Ключ не отправляется", &["Ключ", "отправляется"]);
        check("The key is sent", &[]);
        check(
            "Spark prints no warning when rows go",
            &["Spark", "prints", "warning"],
        );
        check("A redirect is refused", &["redirect", "is", "refused"]);
        check("A redirect is never refused here", &[]);
        check("The header `no-cache` permits storing", &[]);
        check("The flag --no-verify skips it", &[]);
    }

    #[test]
    fn the_lists_are_written_as_folding_leaves_them() {
        for word in [ROLES, OPPOSITES]
            .iter()
            .flat_map(|list| list.split([' ', '|', '\n']))
        {
            assert_eq!(fold(word), word);
        }
    }

    #[test]
    fn opposites_are_found_where_one_stands_for_the_other() {
        let check = |claim: &str, source: &str, expected| {
            let found = has_opposite(&words(claim), &words(source));
            assert_eq!(found, expected, "{claim} / {source}");
        };
        check(
            "It is enabled by default",
            "it is disabled by default",
            true,
        );
        check("It is enabled", "it is enabled or disabled", false);
        check("It is enabled", "it is on", false);
        check("The order is unspecified", "The order is specified", true);
        check("It is possible", "It is impossible", true);
        check("Порядок определен", "Порядок не определен", false);
        check("Связь безопасна", "Связь небезопасна", true);
        check("Put the input there", "Put it there", false);
    }
}
