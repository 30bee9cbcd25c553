//! What holds for every reply, whatever sources and reply are: a flow is run on random ones.

// Not in a browser, where proptest finds no randomness.
#![cfg(not(target_arch = "wasm32"))]

use groundling::answer::{Citation, Sentence, citations};
use groundling::ask::{Answer, CitationPolicy, Event, Flow, Provider, Site, Step, SupportPolicy};
use groundling::prompt::{PRESETS, Passage, Prompt, Source, Template, build};
use proptest::prelude::*;
use pulldown_cmark::{Event as MarkdownEvent, Parser, Tag};
use std::ops::Range;
use std::rc::Rc;

/// A site that bears everything out.
struct Anywhere;

impl Site for Anywhere {
    fn judge(&self, _: &str, _: &[Source]) -> Vec<Sentence> {
        Vec::new()
    }

    fn answer(&self, prompt: &Prompt) -> String {
        prompt.refusal.clone()
    }

    fn covers(&self, _: &Prompt) -> bool {
        true
    }

    fn page_text(&self, _: &Passage) -> Option<String> {
        None
    }
}

/// What replies are made of: markers in every form and parts of them, code, links, text of several scripts.
const PIECES: &[&str] = &[
    "[1]",
    "[2]",
    "[3]",
    "[4]",
    "[0]",
    "[9]",
    "[1, 2]",
    "[1,9]",
    "[2-3]",
    "[1–9]",
    "[1][2]",
    "【1】",
    "【2†a】",
    "[^1]",
    "[^7]",
    "[source 1]",
    "[Source 9]",
    "[sources 1 and 2]",
    "[99999999999]",
    "[01]",
    "[1",
    "1]",
    "[",
    "]",
    "】",
    "【",
    "[[1]]",
    "(",
    ")",
    "`",
    "``",
    "```",
    "~~~",
    "\n```js\n",
    "\n```\n",
    "`a[1]`",
    "a[1]",
    "x[2] = 3",
    "\n    a[1]\n",
    "\n\n",
    "\n",
    "\n> ",
    "\n- ",
    "[a](b)",
    "[1](https://a.example)",
    "![1](c)",
    "<a href=\"[1]\">",
    "<!-- [1] -->",
    "\n[1]: /a\n",
    "$x[1]$",
    "<think>",
    "</think>",
    "\\[1]",
    "\\",
    "The port is 8080",
    "Порт",
    "端口是",
    "منفذ",
    "👩‍💻",
    "\u{200b}",
    "\u{202e}",
    "I don't know.",
    "Я не знаю.",
    ". ",
    " ",
    "\0",
];

fn text(most: usize) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        9 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..most).prop_map(|pieces| pieces.concat())
}

fn sources() -> impl Strategy<Value = Vec<Source>> {
    proptest::collection::vec((text(3), text(8)), 0..4).prop_map(|texts| {
        let source = |(i, (title, text)): (usize, (String, String))| Source {
            n: i as u32 + 1,
            passage: Passage {
                title,
                text,
                url: format!("/{i}"),
                ..Passage::default()
            },
        };
        texts.into_iter().enumerate().map(source).collect()
    })
}

fn policy() -> impl Strategy<Value = CitationPolicy> {
    use CitationPolicy::{Reject, Repair, Strip};
    proptest::sample::select(vec![Reject, Strip, Repair])
}

/// Runs a flow on replies that come in pieces of `cut` bytes, and gives the numbers that were told as cited since
/// the last restart.
fn run(
    template: &Template,
    sources: Vec<Source>,
    policy: CitationPolicy,
    replies: &[String; 2],
    cut: usize,
) -> (Answer, Vec<u32>) {
    let prompt = build(template, sources, "Which port?");
    let mut flow = Flow::new(prompt, Provider::Function, Rc::new(Anywhere))
        .with_citation_policy(policy)
        .with_support_policy(SupportPolicy::Report);
    let mut told = Vec::new();
    let events = &mut |event| match event {
        Event::Citation(citation) => told.push(citation.n),
        Event::Restart => told.clear(),
        Event::Delta(_) => {}
    };
    let mut step = flow.start(events).expect("no settings");
    let mut replies = replies.iter();
    loop {
        step = match step {
            Step::Call => {
                let reply = replies.next().expect("at most two calls");
                for piece in reply.as_bytes().chunks(cut) {
                    flow.piece(piece, events).expect("a short reply");
                }
                flow.reply_end(events)
            }
            Step::Done(answer) => return (*answer, told),
            step => panic!("{step:?}"),
        };
    }
}

/// Where a Markdown text has code, by a reader of Markdown that is not ours.
fn code(text: &str) -> Vec<Range<usize>> {
    let mut code = Vec::new();
    for (event, at) in Parser::new(text).into_offset_iter() {
        if matches!(
            event,
            MarkdownEvent::Code(_) | MarkdownEvent::Start(Tag::CodeBlock(_))
        ) {
            code.push(at);
        }
    }
    code
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_answer_cites_a_source_that_was_not_given(
        template in proptest::sample::select(PRESETS.to_vec()),
        sources in sources(),
        policy in policy(),
        replies in [text(16), text(16)],
        cut in 1_usize..9,
    ) {
        let given: Vec<u32> = sources.iter().map(|source| source.n).collect();
        let (answer, told) = run(&template, sources.clone(), policy, &replies, cut);
        for n in &told {
            prop_assert!(given.contains(n), "{n} was told as cited");
        }
        for citation in &answer.citations {
            prop_assert!(given.contains(&citation.n));
            prop_assert!(answer.text.get(citation.start_bytes..citation.end_bytes).is_some());
        }
        for source in &answer.sources {
            prop_assert!(sources.contains(source), "a source that was not given");
        }
        if answer.grounded {
            // What is left to read cites given sources only, by a reading of its own.
            let markers = citations(&answer.text);
            prop_assert!(!markers.is_empty());
            for range in markers.iter().flat_map(|marker| &marker.numbers) {
                prop_assert!(given.contains(&range.first) && given.contains(&range.last));
            }
            prop_assert!(!answer.sources.is_empty() && !answer.citations.is_empty());
            let code = code(&answer.text);
            let is_outside = |place: &Citation| code.iter().all(|code| !code.contains(&place.start_bytes));
            prop_assert!(answer.citations.iter().any(is_outside), "{:?}", answer.text);
            let cited: Vec<u32> = answer.sources.iter().map(|source| source.n).collect();
            prop_assert_eq!(&cited, &answer.cited);
        } else {
            prop_assert!(answer.sources.is_empty() && answer.citations.is_empty());
            prop_assert!(answer.reason.is_some());
        }
    }
}
