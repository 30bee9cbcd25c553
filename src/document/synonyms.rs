//! The site's file of synonyms.
//!
//! ```text
//! # A group: each finds the others.
//! sign in, log in, log on
//! # One way: the left side finds what is on the right, and not the other way round.
//! k8s => kubernetes
//! # From here on for the pages in one language; [*] is for all again.
//! [de]
//! Bildschirm, Monitor
//! ```
//!
//! Phrases are compared as words are in a search: case and endings do not matter.

use super::Error;

/// A phrase that stands for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SynonymRule {
    /// BCP 47 code of the only language for which it holds.
    pub language: Option<String>,
    /// What is searched for.
    pub from: String,
    /// What is found too.
    pub to: String,
}

/// Reads the text of a file of synonyms.
///
/// # Errors
///
/// [`Error::ConfigField`] with the line that is no rule.
pub fn parse_synonyms(text: &str) -> Result<Vec<SynonymRule>, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rules = Vec::new();
    let mut language = None;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(code) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            language = (code != "*").then(|| code.trim().to_owned());
            continue;
        }
        let (from, to) = match line.split_once("=>") {
            Some((from, to)) => (phrases(from), phrases(to)),
            None => (phrases(line), phrases(line)),
        };
        let known = rules.len();
        for from in &from {
            for to in to.iter().filter(|to| *to != from) {
                rules.push(SynonymRule {
                    language: language.clone(),
                    from: (*from).to_owned(),
                    to: (*to).to_owned(),
                });
            }
        }
        if rules.len() == known {
            return Err(Error::ConfigField {
                field: "synonyms".to_owned(),
                message: format!(
                    "line {}: `{line}` is no rule; write `a, b` for a group or `a => b` for one way",
                    number + 1
                ),
            });
        }
    }
    Ok(rules)
}

fn phrases(list: &str) -> Vec<&str> {
    list.split(',')
        .map(str::trim)
        .filter(|phrase| !phrase.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(Option<&str>, &str, &str)]) {
        let rules = parse_synonyms(text).expect("rules");
        let rules: Vec<(Option<&str>, &str, &str)> = rules
            .iter()
            .map(|rule| (rule.language.as_deref(), &*rule.from, &*rule.to))
            .collect();
        assert_eq!(rules, expected);
    }

    #[test]
    fn a_group_goes_every_way_and_an_arrow_one() {
        check("car, auto", &[(None, "car", "auto"), (None, "auto", "car")]);
        check(
            "k8s => kubernetes, container orchestration",
            &[
                (None, "k8s", "kubernetes"),
                (None, "k8s", "container orchestration"),
            ],
        );
    }

    #[test]
    fn comments_are_passed_over_and_a_language_holds_until_the_next() {
        check(
            "\u{feff}# words\r\n\r\n[de]\r\nAuto => Wagen\r\n[*]\r\na => b\r\n",
            &[(Some("de"), "Auto", "Wagen"), (None, "a", "b")],
        );
    }

    #[test]
    fn a_line_that_is_no_rule_is_named() {
        for text in [
            "a => b\nlonely",
            "a => b\n=> c",
            "a => b\na =>",
            "a => b\nx, x",
        ] {
            let error = parse_synonyms(text).expect_err(text).to_string();
            assert!(error.contains("line 2"), "{error}");
        }
    }
}
