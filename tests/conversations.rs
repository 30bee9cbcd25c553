//! Scripted conversations about the demo site: whether each turn finds a page that answers it.
//! The sets and how they were made: `tests/fixtures/conversations/`.

#[path = "support/demo_site.rs"]
mod demo_site;

use groundling::ask::{FollowUp, Retrieval, Site as _, retrieve};
use groundling::prompt::{self, Selection, Turn, preset, recent};
use serde::Deserialize;
use std::fs;

#[derive(Deserialize)]
struct Conversation {
    turns: Vec<Scripted>,
}

#[derive(Deserialize)]
struct Scripted {
    question: String,
    standalone: bool,
    pages: Vec<String>,
    answer: String,
}

/// Numbers of turns.
#[derive(Debug, Default)]
struct Found {
    turns: usize,
    in_first_three: usize,
    follow_ups: usize,
    follow_ups_in_first_three: usize,
    /// Follow-ups to which the offline answerer cites a right page first, and those that it refuses.
    answered: usize,
    refused: usize,
}

fn measure(half: &str) -> Found {
    let path = format!("tests/fixtures/conversations/{half}.json");
    let text = fs::read_to_string(path).expect("a set");
    let conversations: Vec<Conversation> = serde_json::from_str(&text).expect("conversations");
    let searcher = demo_site::searcher();
    let mut found = Found::default();
    for conversation in conversations {
        let mut history: Vec<Turn> = Vec::new();
        for turn in conversation.turns {
            let follow_up =
                FollowUp::new(&searcher, &turn.question, history.clone()).expect("a sound index");
            let (told, budget) = recent(&follow_up.history, Selection::default().budget);
            let retrieval = Retrieval {
                context: follow_up.context.clone(),
                selection: Selection {
                    budget,
                    ..Selection::default()
                },
                ..Retrieval::default()
            };
            let sources = retrieve(&searcher, &turn.question, &retrieval).expect("a sound index");
            let is_right = |source: &prompt::Source| {
                let page =
                    |section: &String| section.split('#').next() == Some(&source.passage.path);
                turn.pages.iter().any(page)
            };
            let is_found = sources.iter().take(3).any(is_right);
            found.turns += 1;
            found.in_first_three += usize::from(is_found);
            if !turn.standalone {
                found.follow_ups += 1;
                found.follow_ups_in_first_three += usize::from(is_found);
            }
            let template = preset("cited").expect("a preset");
            let mut prompt =
                prompt::build_follow_up(&template, sources.clone(), told, &turn.question);
            prompt.asked = follow_up.asked;
            let reply = searcher.answer(&prompt);
            let cited = sources
                .iter()
                .find(|source| reply.contains(&format!("[{}]", source.n)));
            if !turn.standalone {
                found.refused += usize::from(cited.is_none());
                found.answered += usize::from(cited.is_some_and(is_right));
            }
            // The script's answers cite the first source.
            let first = sources.first();
            history.push(Turn {
                question: turn.question,
                answer: turn.answer,
                titles: first
                    .map(|source| source.passage.title.clone())
                    .into_iter()
                    .collect(),
            });
        }
    }
    println!("{half}: {found:?}");
    found
}

/// At least 85 % of all turns, and of those that are no questions of their own.
fn check(half: &str) {
    let found = measure(half);
    assert!(found.in_first_three * 100 >= found.turns * 85, "{found:?}");
    assert!(
        found.follow_ups_in_first_three * 100 >= found.follow_ups * 85,
        "{found:?}"
    );
}

#[test]
fn each_turn_of_the_tuning_half_finds_its_page_among_the_first_three() {
    check("tuning");
}

#[test]
fn each_turn_of_the_frozen_half_finds_its_page_among_the_first_three() {
    check("frozen");
}
