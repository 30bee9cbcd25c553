//! Answers with no network and no model: quotes the sentences that best answer the question.
//!
//! Extractive question answering by the words of the question, weighed by their rarity on the
//! site: the sentence that has the most of them, then what makes it readable on its own.

use crate::answer::{NumberRange, citations};
use crate::prompt::Source;
use crate::search::{Passage, TermWeights, WeightedTerm, cover, covered};
use crate::text::fold;
use std::ops::Range;

/// A part of an answer: text of one source, word for word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotation {
    /// Number of the source.
    pub n: u32,
    /// One to three sentences.
    pub text: String,
    /// Lines of a list or of code that the sentences lead to.
    pub block: Option<Block>,
}

/// Lines that follow a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Items, one a line.
    List(String),
    /// Code, to be fenced.
    Code(String),
}

/// What a title says counts for each sentence below it, but less than the sentence's own words.
const TITLE: f32 = 0.7;
/// The sentence before has often named what this one speaks about.
const CONTEXT: f32 = 0.4;
/// What a source loses for each rank: search has looked at whole chunks and is mostly right.
const RANK_COST: f32 = 0.06;
/// What fits the kind of the question, such as a reason where it asks why.
const FITS: f32 = 0.1;
/// A passage most often opens with what it is about.
const OPENING: f32 = 0.05;
/// So much more of the question must a further sentence have to be added, and so much more one of
/// another source, which most often speaks of something else with the same words.
const WORTH_ADDING: f32 = 0.15;
const WORTH_ANOTHER_SOURCE: f32 = 0.35;
/// Words that a sentence needs to say anything, and lines of a list or of code that are quoted.
const MIN_WORDS: usize = 4;
const MAX_LINES: usize = 12;
/// Most sentences of an answer.
const MAX_SENTENCES: usize = 3;

/// The quotations from `sources`, best first, that answer `question`; none where no sentence has a
/// word of it.
pub fn quotations(question: &str, sources: &[Source], weights: &TermWeights<'_>) -> Vec<Quotation> {
    let wanted = weights.terms(question);
    let kind = Kind::of(question);
    let passages: Vec<Passage<'_>> = sources
        .iter()
        .map(|source| Passage::new(&source.passage.title, &source.passage.text, weights))
        .collect();
    let mut best: Option<Candidate> = None;
    for (rank, passage) in passages.iter().enumerate() {
        for candidate in candidates(passage, rank, &wanted, kind) {
            if best
                .as_ref()
                .is_none_or(|best| candidate.score > best.score)
            {
                best = Some(candidate);
            }
        }
    }
    let Some(first) = best else {
        return Vec::new();
    };
    let mut has = first.has;
    let passage = &passages[first.rank];
    let sentences = extend(passage, first.sentence, &wanted, &mut has);
    let room = MAX_SENTENCES - sentences.len();
    let mut quotations = vec![quote(&sources[first.rank], passage, sentences)];
    // What the first source leaves open another one may answer.
    if room > 0 && quotations[0].block.is_none() {
        let others = passages
            .iter()
            .enumerate()
            .filter(|(rank, _)| *rank != first.rank);
        let mut second: Option<(f32, Candidate)> = None;
        for (rank, passage) in others {
            for candidate in candidates(passage, rank, &wanted, kind) {
                let mut both = has.clone();
                let own = &passage.sentences[candidate.sentence].1;
                cover(&mut both, &wanted, own);
                let more = covered(&both, &wanted) - covered(&has, &wanted);
                let is_better = second.as_ref().is_none_or(|(best, _)| more > *best);
                if more >= WORTH_ANOTHER_SOURCE && is_better {
                    second = Some((more, candidate));
                }
            }
        }
        if let Some((_, candidate)) = second {
            let at = candidate.sentence..candidate.sentence + 1;
            let passage = &passages[candidate.rank];
            if opens_alone(text_of(passage, candidate.sentence)) {
                quotations.push(quote(&sources[candidate.rank], passage, at));
            }
        }
    }
    quotations
}

/// A sentence that may answer.
struct Candidate {
    /// Index of its source.
    rank: usize,
    /// Its index in the passage.
    sentence: usize,
    score: f32,
    /// How far it and its title have each wanted term.
    has: Vec<f32>,
}

/// The prose sentences of a passage that have something of what is wanted.
fn candidates<'a>(
    passage: &'a Passage<'_>,
    rank: usize,
    wanted: &'a [WeightedTerm],
    kind: Kind,
) -> impl Iterator<Item = Candidate> + 'a {
    let mut title = vec![0.0; wanted.len()];
    cover(&mut title, wanted, &passage.title);
    let is_prose = move |i: &usize| is_prose(text_of(passage, *i));
    let opening = (0..passage.sentences.len()).find(is_prose);
    (0..passage.sentences.len())
        .filter(is_prose)
        .filter_map(move |sentence| {
            let mut has = vec![0.0; wanted.len()];
            if let Some((_, before)) = sentence.checked_sub(1).map(|i| &passage.sentences[i]) {
                cover(&mut has, wanted, before);
                has.iter_mut().for_each(|has| *has *= CONTEXT);
            }
            for (has, title) in has.iter_mut().zip(&title) {
                *has = has.max(title * TITLE);
            }
            cover(&mut has, wanted, &passage.sentences[sentence].1);
            let covered = covered(&has, wanted);
            let text = text_of(passage, sentence);
            let fits = if kind.fits(text) { FITS } else { 0.0 };
            let opens = if opening == Some(sentence) {
                OPENING
            } else {
                0.0
            };
            (covered > 0.0).then_some(Candidate {
                rank,
                sentence,
                score: covered + fits + opens - RANK_COST * rank as f32,
                has,
            })
        })
}

fn text_of<'a>(passage: &Passage<'a>, sentence: usize) -> &'a str {
    &passage.text[passage.sentences[sentence].0.clone()]
}

/// The sentence with the ones around it that it needs, or that have more of what is wanted.
fn extend(
    passage: &Passage<'_>,
    sentence: usize,
    wanted: &[WeightedTerm],
    has: &mut Vec<f32>,
) -> Range<usize> {
    let mut range = sentence..sentence + 1;
    let follows = |i: usize| {
        let between = passage.sentences[i].0.end..passage.sentences[i + 1].0.start;
        !passage.text[between].contains('\n') && is_prose(text_of(passage, i))
    };
    while range.start > 0
        && range.len() < MAX_SENTENCES
        && !opens_alone(text_of(passage, range.start))
        && follows(range.start - 1)
    {
        range.start -= 1;
    }
    while range.len() < MAX_SENTENCES && range.end < passage.sentences.len() {
        let mut more = has.clone();
        cover(&mut more, wanted, &passage.sentences[range.end].1);
        let gain = covered(&more, wanted) - covered(has, wanted);
        let next = text_of(passage, range.end);
        if gain < WORTH_ADDING || !is_prose(next) || !follows(range.end - 1) {
            break;
        }
        *has = more;
        range.end += 1;
    }
    range
}

/// The words of a range of sentences, with the lines that they lead to.
fn quote(source: &Source, passage: &Passage<'_>, sentences: Range<usize>) -> Quotation {
    let at = passage.span(&sentences);
    let text = &passage.text[at.clone()];
    let block = text
        .ends_with([':', '：'])
        .then(|| block(&passage.text[at.end..]));
    Quotation {
        n: source.n,
        text: text.to_owned(),
        block: block.flatten(),
    }
}

/// The lines after a sentence that ends in a colon, up to the next paragraph.
fn block(after: &str) -> Option<Block> {
    let is_paragraph = |line: &&str| line.split_whitespace().nth(24).is_some();
    let lines = after.trim_start_matches(' ').strip_prefix('\n')?.lines();
    let lines: Vec<&str> = lines
        .take_while(|line| !line.trim().is_empty() && !is_paragraph(line))
        .take(MAX_LINES)
        .collect();
    let ends_prose = |line: &&str| line.ends_with(['.', '!', '?', '。']);
    // Behind code stands the next paragraph, and a list is told by how its lines end.
    let code = lines
        .iter()
        .take_while(|line| !ends_prose(line) || is_code(line));
    let code: Vec<&str> = code.copied().collect();
    if code.iter().any(|line| is_code(line)) {
        return Some(Block::Code(code.join("\n")));
    }
    (!lines.is_empty()).then(|| Block::List(lines.join("\n")))
}

/// Whether a line has the signs that code has and prose hardly.
fn is_code(line: &str) -> bool {
    const SIGNS: [&str; 14] = [
        "()", "(\"", "= ", "=\"", "{", "};", "::", "->", "=>", " --", "</", "/>", "$ ", ");",
    ];
    line.starts_with("  ")
        || line.ends_with([';', '{', '}'])
        || SIGNS.iter().any(|sign| line.contains(sign))
}

/// Whether a sentence can be quoted: it begins and ends like one, and holds no number in brackets,
/// which would read as a citation of another list of sources.
fn is_prose(text: &str) -> bool {
    let begins = text.chars().next().is_some_and(|c| {
        (c.is_alphabetic() && !c.is_lowercase())
            || c.is_numeric()
            || matches!(c, '"' | '“' | '«' | '(')
    });
    let closers = [')', '”', '»', '"', '\'', '’'];
    let ends = text
        .trim_end_matches(closers)
        .ends_with(['.', '!', '?', '…', ':', '。', '！', '？', '：']);
    let unspaced = text
        .chars()
        .filter(|&c| c >= '\u{3040}')
        .nth(MIN_WORDS * 2)
        .is_some();
    let is_long = unspaced || text.split_whitespace().nth(MIN_WORDS - 1).is_some();
    let has_number = text.split(['[', '【', '［']).skip(1).any(|after| {
        let inside = after.split([']', '】', '］']).next().unwrap_or_default();
        inside.chars().any(char::is_numeric)
    });
    begins && ends && is_long && !has_number && !is_code(text)
}

/// Whether a sentence reads well without the one before: it does not begin with a word that
/// points back.
fn opens_alone(text: &str) -> bool {
    const POINTING: &str = " this that these those it its they their them he she such here there \
        then thus therefore however but so also and or otherwise instead both neither nor \
        это этот эта эти этого он она оно они их его ее такой такая такие здесь там тогда поэтому \
        однако но также и или иначе обе оба ";
    let word = text
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty());
    let word = fold(word.unwrap_or_default());
    !POINTING.split_whitespace().any(|pointing| pointing == word)
}

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Definition,
    Reason,
    Steps,
    Amount,
    Other,
}

impl Kind {
    /// By the words that questions of each kind begin with, in English and Russian.
    fn of(question: &str) -> Kind {
        let words: Vec<String> = question
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(fold)
            .collect();
        let word = |i: usize| words.get(i).map_or("", String::as_str);
        match (word(0), word(1)) {
            ("how", "many" | "much" | "long" | "often" | "big" | "large") | ("сколько", _) => {
                Kind::Amount
            }
            ("how", _) | ("как", _) => Kind::Steps,
            ("why", _) | ("почему" | "зачем", _) => Kind::Reason,
            ("what", "is" | "are" | "s" | "does") | ("что", _) => Kind::Definition,
            _ => Kind::Other,
        }
    }

    /// Whether a sentence is of that kind.
    fn fits(self, text: &str) -> bool {
        let has = |parts: &[&str]| {
            let text = [" ", &fold_words(text), " "].concat();
            parts.iter().any(|part| text.contains(part))
        };
        match self {
            Kind::Definition => has(&[
                " is a ",
                " is an ",
                " is the ",
                " are ",
                " means ",
                " это ",
                " называется ",
            ]),
            Kind::Reason => has(&[
                " because ",
                " since ",
                " so that ",
                " therefore ",
                " потому ",
                " поэтому ",
                " чтобы ",
            ]),
            Kind::Steps => {
                text.ends_with(':')
                    || has(&[
                        " use ",
                        " run ",
                        " set ",
                        " call ",
                        " add ",
                        " with ",
                        " нужно ",
                        " используйте ",
                    ])
            }
            Kind::Amount => text.chars().any(char::is_numeric),
            Kind::Other => false,
        }
    }
}

/// The folded words of a text, one blank between them.
fn fold_words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(fold);
    words.collect::<Vec<String>>().join(" ")
}

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
