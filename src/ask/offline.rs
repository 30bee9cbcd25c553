//! Answers with no network and no model: quotes the sentences that best answer the question.

use super::quotable::Block;
use super::quotation::{Quotation, quotations};
use crate::answer::{NumberRange, citations};
use crate::prompt::Source;
use crate::search::TermWeights;

/// The reply to `question`: its quotations, each followed by the number of its source where
/// `cites`; `refusal` where there are none.
pub fn reply(
    question: &str,
    sources: &[Source],
    weights: &TermWeights<'_>,
    cites: bool,
    refusal: &str,
) -> String {
    let mut quotations = quotations(question, sources, weights);
    while !quotations.is_empty() {
        let reply = join(&quotations, cites);
        if !cites || cites_only(&reply, &quotations) {
            return reply;
        }
        // Quoted text can hide a marker, as a single backtick does, or hold one of its own.
        let last = quotations.last_mut();
        if last.is_some_and(|last| last.block.take().is_none()) {
            quotations.pop();
        }
    }
    refusal.to_owned()
}

/// Whether the markers of a reply are those of its quotations and no others.
fn cites_only(reply: &str, quotations: &[Quotation]) -> bool {
    let markers = citations(reply);
    let numbers = markers.iter().map(|marker| marker.numbers.as_slice());
    let own = |n| [NumberRange { first: n, last: n }];
    let mut pairs = numbers.zip(quotations);
    markers.len() == quotations.len() && pairs.all(|(numbers, quoted)| numbers == own(quoted.n))
}

fn join(quotations: &[Quotation], cites: bool) -> String {
    let mut reply = String::new();
    for (i, quotation) in quotations.iter().enumerate() {
        if i > 0 {
            let after_block = quotations[i - 1].block.is_some();
            reply.push(if after_block { '\n' } else { ' ' });
        }
        reply.push_str(&quotation.text);
        if cites {
            reply.push_str(" [");
            reply.push_str(&quotation.n.to_string());
            reply.push(']');
        }
        match &quotation.block {
            Some(Block::List(lines)) => {
                for line in lines.lines() {
                    reply.push_str("\n- ");
                    reply.push_str(line);
                }
            }
            Some(Block::Code(lines)) => {
                let longest = lines.split(|c| c != '`').map(str::len).max().unwrap_or(0);
                let fence = "`".repeat(3.max(longest + 1));
                reply.extend(["\n", &fence, "\n", lines, "\n", &fence]);
            }
            None => {}
        }
    }
    reply
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt;
    use crate::search::Alike;
    use crate::text::{Analyzer, Language};

    fn ask(question: &str, texts: &[(&str, &str)]) -> String {
        let source = |(n, (title, text)): (u32, &(&str, &str))| Source {
            n,
            passage: prompt::Passage {
                title: (*title).to_owned(),
                text: (*text).to_owned(),
                ..prompt::Passage::default()
            },
        };
        let sources: Vec<Source> = (1..).zip(texts).map(source).collect();
        let weights = TermWeights {
            analyzer: &Analyzer::new(Language::English),
            idf: &Alike,
        };
        reply(question, &sources, &weights, true, "I don't know.")
    }

    #[track_caller]
    fn check(question: &str, texts: &[(&str, &str)], expected: &str) {
        assert_eq!(ask(question, texts), expected);
    }

    #[test]
    fn the_sentence_with_most_of_the_question_is_quoted() {
        check(
            "Which port does the server use?",
            &[(
                "Server",
                "Requests are served in order. The server uses port 8080 for all of them. It is fast.",
            )],
            "The server uses port 8080 for all of them. [1]",
        );
    }

    #[test]
    fn a_sentence_that_points_back_takes_the_one_before_along() {
        check(
            "What survives a restart?",
            &[(
                "Cache",
                "The cache is written to disk every minute. It therefore survives a restart.",
            )],
            "The cache is written to disk every minute. It therefore survives a restart. [1]",
        );
    }

    #[test]
    fn what_follows_a_colon_is_quoted_as_a_list_or_as_code() {
        check(
            "How do I start the server?",
            &[(
                "Start",
                "To start the server, run this:\nnpm start -- --port 80\nThe server then listens.",
            )],
            "To start the server, run this: [1]\n```\nnpm start -- --port 80\n```",
        );
        check(
            "What does the server need?",
            &[(
                "Needs",
                "The server needs three things:\na port\na key\na disk",
            )],
            "The server needs three things: [1]\n- a port\n- a key\n- a disk",
        );
    }

    #[test]
    fn code_below_a_step_is_quoted_where_steps_are_asked_for() {
        let text =
            "Number the rows of each group and keep the first.\nlet rows = number();\nIt is quick.";
        check(
            "How do I number rows?",
            &[("Rows", text)],
            "Number the rows of each group and keep the first. [1]\n```\nlet rows = number();\n```",
        );
        check(
            "What does it number in rows?",
            &[("Rows", text)],
            "Number the rows of each group and keep the first. [1]",
        );
    }

    #[test]
    fn several_things_are_quoted_from_several_sentences() {
        check(
            "Which start methods are there?",
            &[(
                "Processes",
                "The start method decides what is inherited. With fork it is everything. With spawn it is nothing. Both are slow.",
            )],
            "The start method decides what is inherited. With fork it is everything. With spawn it is nothing. [1]",
        );
        check(
            "What is the difference between merging and shuffling?",
            &[(
                "Rows",
                "Shuffling moves every row of a table. Equal values then meet. Merging only joins what is there. It is cheap.",
            )],
            "Shuffling moves every row of a table. Equal values then meet. Merging only joins what is there. [1]",
        );
    }

    #[test]
    fn a_row_of_a_table_answers_where_no_sentence_does() {
        check(
            "Which port is used?",
            &[(
                "Options",
                "The command has a few options.\noption\tmeaning\n--port N\tport to listen on; 4173 unless given",
            )],
            "`--port N`: port to listen on; 4173 unless given. [1]",
        );
    }

    #[test]
    fn what_opens_below_a_heading_that_is_the_question_answers_it() {
        check(
            "How does a lookup in an index work?",
            &[(
                "How a lookup works",
                "The database reads the root and follows the child. A page of the lookup holds many keys.",
            )],
            "The database reads the root and follows the child. [1]",
        );
    }

    #[test]
    fn one_question_is_answered_from_one_source() {
        check(
            "What port does the server renew?",
            &[
                ("Server", "The server uses port 8080 for all requests."),
                ("Certificates", "A nightly job will renew the certificates."),
            ],
            "The server uses port 8080 for all requests. [1]",
        );
    }

    #[test]
    fn another_source_adds_what_the_first_leaves_open() {
        check(
            "Which port does the server use, and who renews certificates?",
            &[
                ("Server", "The server uses port 8080 for all requests."),
                (
                    "Certificates",
                    "A nightly job renews certificates before they expire.",
                ),
            ],
            "The server uses port 8080 for all requests. [1] A nightly job renews certificates before they expire. [2]",
        );
    }

    #[test]
    fn nothing_is_quoted_that_has_no_word_of_the_question_or_is_no_sentence() {
        check(
            "Who wrote Hamlet?",
            &[("Server", "The server uses port 8080.")],
            "I don't know.",
        );
        check(
            "What is a server?",
            &[("S", "let server = start(8080);")],
            "I don't know.",
        );
        check(
            "Which server?",
            &[("S", "The server was shown in another paper [3].")],
            "I don't know.",
        );
        check("Which server?", &[], "I don't know.");
    }

    #[test]
    fn text_that_would_hide_the_number_is_not_quoted() {
        let reply = ask(
            "Which server?",
            &[("S", "The ` server opens with a single backtick here.")],
        );
        assert!(
            reply == "I don't know." || reply.ends_with(" [1]"),
            "{reply}"
        );
    }
}
