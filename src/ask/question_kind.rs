//! What a question asks for, by the words it begins with.

use crate::text::fold;

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Definition,
    Reason,
    Steps,
    Amount,
    /// Several things.
    List,
    Other,
}

impl Kind {
    /// By the words that questions of each kind begin with, in English and Russian.
    pub(super) fn of(question: &str) -> Kind {
        let words: Vec<String> = words(question).take(3).collect();
        let word = |i: usize| words.get(i).map_or("", String::as_str);
        let is_plural = |word: &str| word.len() > 4 && word.ends_with('s') && !word.ends_with("ss");
        match (word(0), word(1)) {
            ("how", "many" | "much" | "long" | "often" | "big" | "large") | ("сколько", _) => {
                Kind::Amount
            }
            ("how", "does" | "do") if word(2) != "i" && word(2) != "you" => Kind::Definition,
            ("how", _) | ("как", _) => Kind::Steps,
            ("why", _) | ("почему" | "зачем", _) => Kind::Reason,
            ("what", "are") | ("какие", _) => Kind::List,
            ("which", next) if is_plural(next) || is_plural(word(2)) => Kind::List,
            ("what", "is" | "s" | "does") | ("что", _) => Kind::Definition,
            _ => Kind::Other,
        }
    }

    /// Whether a sentence is of that kind. `opens_with_subject` tells whether it begins with what
    /// the question is about.
    pub(super) fn fits(self, text: &str, opens_with_subject: bool) -> bool {
        let has = |parts: &[&str]| {
            let mut padded = " ".to_owned();
            words(text).for_each(|word| padded.extend([word.as_str(), " "]));
            parts.iter().any(|part| padded.contains(part))
        };
        match self {
            Kind::Definition => opens_with_subject,
            Kind::Reason => has(&[
                " because ",
                " since ",
                " so that ",
                " therefore ",
                " потому ",
                " поэтому ",
                " чтобы ",
            ]),
            Kind::Steps => text.ends_with([':', '：']) || is_instruction(text),
            Kind::Amount => text.chars().any(char::is_numeric),
            Kind::List => text.ends_with([':', '：']) || lists(text),
            Kind::Other => false,
        }
    }
}

/// Whether a sentence begins with one of the verbs that most instructions begin with.
fn is_instruction(text: &str) -> bool {
    const VERBS: &str = " add call change choose copy create define give install keep let make mark \
        open pass pick place put run set start turn use write \
        вызовите добавьте запустите задайте используйте откройте передайте создайте укажите ";
    let first = words(text).next().unwrap_or_default();
    VERBS.split_whitespace().any(|verb| verb == first)
}

/// Whether a question has a second part, which another page may answer.
pub(super) fn has_two_parts(question: &str) -> bool {
    words(question).any(|word| matches!(word.as_str(), "and" | "or" | "и" | "или"))
}

/// Whether a sentence names several things.
pub(super) fn lists(text: &str) -> bool {
    text.matches([',', '、', '，']).count() >= 2
}

/// The words of a text, folded.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(fold)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, expected: Kind) {
        assert_eq!(Kind::of(question), expected, "{question}");
    }

    #[test]
    fn questions_are_told_apart_by_how_they_begin() {
        check("What is a covering index?", Kind::Definition);
        check("How does a lookup work?", Kind::Definition);
        check("How do I start the server?", Kind::Steps);
        check("How many partitions are there?", Kind::Amount);
        check("Why is it slow?", Kind::Reason);
        check("Which start methods are there?", Kind::List);
        check("Which port is used?", Kind::Other);
        check("Что такое индекс?", Kind::Definition);
        check("Какие бывают индексы?", Kind::List);
        check("covering index", Kind::Other);
    }

    #[test]
    fn a_definition_opens_with_its_subject() {
        assert!(Kind::Definition.fits("An index is a list.", true));
        assert!(!Kind::Definition.fits("Such a list is an index.", false));
    }

    #[test]
    fn steps_are_told_by_instructions() {
        assert!(Kind::Steps.fits("Write it down.", false));
        assert!(!Kind::Steps.fits("The use of it is rare.", false));
    }

    #[test]
    fn a_question_of_two_parts_has_a_conjunction() {
        assert!(has_two_parts("What is it, and who made it?"));
        assert!(!has_two_parts("What is android?"));
    }
}
