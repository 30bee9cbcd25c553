//! Writes the site's synonyms as the reader compares them.

use crate::document::SynonymRule;
use crate::text::{Analyzer, Language, TokenKind};
use std::collections::BTreeSet;

/// The bytes of the section: a line for each rule and language in which its phrases differ.
pub(super) fn write(rules: &[SynonymRule], languages: &[String]) -> Vec<u8> {
    let mut lines = BTreeSet::new();
    for code in languages.iter().filter(|_| !rules.is_empty()) {
        let language = Language::from_tag(code);
        let analyzer = Analyzer::new(language);
        for rule in rules {
            let is_other = |code: &String| Language::from_tag(code) != language;
            if rule.language.as_ref().is_some_and(is_other) {
                continue;
            }
            let from = terms(&analyzer, &rule.from);
            let mut to = terms(&analyzer, &rule.to);
            if to.iter().any(|term| !analyzer.is_stop_word(term)) {
                to.retain(|term| !analyzer.is_stop_word(term));
            }
            if from != to && !from.is_empty() && !to.is_empty() {
                lines.insert([&from.join(" "), "\t", &to.join(" "), "\n"].concat());
            }
        }
    }
    lines.into_iter().collect::<String>().into_bytes()
}

fn terms(analyzer: &Analyzer, phrase: &str) -> Vec<String> {
    let mut terms = Vec::new();
    analyzer.analyze(phrase, &mut |token| {
        if token.kind == TokenKind::Word {
            terms.push(token.term.to_owned());
        }
    });
    terms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse_synonyms;

    #[track_caller]
    fn check(text: &str, languages: &[&str], expected: &str) {
        let languages: Vec<String> = languages.iter().map(|code| (*code).to_owned()).collect();
        let written = write(&parse_synonyms(text).expect("rules"), &languages);
        assert_eq!(String::from_utf8(written).expect("UTF-8"), expected);
    }

    #[test]
    fn phrases_are_analysed_as_queries_are() {
        check(
            "K8s => Kubernetes clusters",
            &["en"],
            "k8s\tkubernet cluster\n",
        );
        check("log in => sign in", &["en"], "log in\tsign\n");
        check("", &["en"], "");
    }

    #[test]
    fn a_rule_of_one_language_is_not_for_others() {
        check("[ru]\nмонитор => экран", &["en"], "");
        check(
            "[ru-RU]\nмонитор => экран",
            &["en", "ru"],
            "монитор\tэкра\n",
        );
    }
}
