//! The state machine from a prompt to an answer.

use super::answer::{Answer, CitationPolicy, Reason, Status};
use super::quotes::quotes;
use super::site::{Site, SupportPolicy};
use super::stand_in;
use crate::answer::{Citation, CitationScanner, Cited, Marker, Sentence, Support};
use crate::prompt::{CitationMode, Prompt, repair};
use crate::provider::{
    self, Code, Config, Decoder, Facts, Failure, Input, MAX_ANSWER_BYTES, Outcome, PartialReason,
    Protocol, Request, ResponseHead, Usage, Utf8Decoder, retry,
};
use std::rc::Rc;

/// Who answers.
#[derive(Clone, Debug)]
pub enum Provider {
    /// No model: the sentences of the sources that answer best, through the same check.
    Offline,
    /// No model: the first prose sentence of the prompt, for tests.
    StandIn,
    /// A server.
    Endpoint(Box<Config>),
    /// A function of the caller's, which is given the prompt and gives the reply.
    Function,
}

/// What the caller does next.
#[derive(Debug)]
pub enum Step {
    /// Send this, then tell [`Flow::head`], [`Flow::bytes`] and [`Flow::end`], or [`Flow::failed`].
    Send(Request),
    /// Wait so many milliseconds, then send again as before.
    Retry {
        /// The wait.
        delay_ms: u64,
        /// What to send.
        request: Request,
    },
    /// Call the caller's function with the prompt, then tell [`Flow::piece`] and [`Flow::reply_end`].
    Call,
    /// The end.
    Done(Box<Answer>),
    /// The end without an answer.
    Failed(Failure),
}

/// What happens on the way.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The next piece of the reply, not verified yet.
    Delta(String),
    /// A citation of a given source is complete in the text so far.
    Citation(Citation),
    /// The reply so far is taken back, because its citations do not hold; another one follows.
    Restart,
}

/// A question as a model put it, so that it can be understood without the conversation before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rewriting {
    /// What to look for.
    pub question: String,
    /// What the call has cost.
    pub usage: Option<Usage>,
}

/// More characters than a question has; a longer reply is none.
const MAX_QUESTION_CHARS: usize = 1000;

impl Rewriting {
    /// Reads the answer to the prompt of [`rewrite`](crate::prompt::rewrite). A reply that is no single line of text,
    /// or not whole, leaves the `question` as it was.
    pub fn of(answer: Answer, question: &str) -> Rewriting {
        let line = answer.text.trim();
        let is_question = answer.status == Status::Complete
            && !line.is_empty()
            && !line.contains(['\n', '\r'])
            && line.chars().count() <= MAX_QUESTION_CHARS;
        Rewriting {
            question: if is_question { line } else { question }.to_owned(),
            usage: answer.facts.usage,
        }
    }
}

/// So many pages are named where there is no answer.
const NEAREST: usize = 3;

/// One question on its way to an answer.
pub struct Flow {
    prompt: Prompt,
    provider: Provider,
    request: Option<Request>,
    decoder: Option<Decoder>,
    /// The reply of the caller's function so far, and the bytes of a character that is not whole.
    reply: String,
    utf8: Utf8Decoder,
    policy: CitationPolicy,
    support: SupportPolicy,
    /// Whether a question that the sources hardly cover is refused without a call.
    refuses: bool,
    /// Whether the sources are the caller's and not what was found.
    sources_given: bool,
    site: Rc<dyn Site>,
    /// What the rejected first reply has cost, once there is one.
    rejected: Option<Facts>,
    scanner: CitationScanner,
    /// Text that the caller was given, which forbids to try again.
    shown: bool,
    attempts: u32,
    dropped_sources: u32,
    dropped_turns: u32,
    rewriting: Option<Rewriting>,
    warnings: Vec<String>,
}

impl Flow {
    /// A flow that has not begun.
    pub fn new(prompt: Prompt, provider: Provider, site: Rc<dyn Site>) -> Flow {
        Flow {
            prompt,
            provider,
            request: None,
            decoder: None,
            reply: String::new(),
            utf8: Utf8Decoder::default(),
            policy: CitationPolicy::default(),
            support: SupportPolicy::default(),
            refuses: false,
            sources_given: false,
            site,
            rejected: None,
            scanner: CitationScanner::default(),
            shown: false,
            attempts: 0,
            dropped_sources: 0,
            dropped_turns: 0,
            rewriting: None,
            warnings: Vec::new(),
        }
    }

    /// Tells that so many sources were left out of the prompt for want of room.
    #[must_use]
    pub fn without_sources(mut self, dropped: u32) -> Flow {
        self.dropped_sources = dropped;
        if dropped > 0 {
            self.warnings.push(
                [
                    "the model's context window had no room for the last ",
                    &dropped.to_string(),
                    " of the sources",
                ]
                .concat(),
            );
        }
        self
    }

    /// Tells that so many turns of the conversation were left out of the prompt for want of room.
    #[must_use]
    pub fn without_turns(mut self, dropped: u32) -> Flow {
        self.dropped_turns = dropped;
        self
    }

    /// Tells what the model made of the question before the sources were looked for.
    #[must_use]
    pub fn with_rewriting(mut self, rewriting: Option<Rewriting>) -> Flow {
        self.rewriting = rewriting;
        self
    }

    /// What becomes of a reply whose citations do not hold.
    pub fn with_citation_policy(mut self, policy: CitationPolicy) -> Flow {
        self.policy = policy;
        self
    }

    /// What becomes of a grounded reply with a sentence that its sources do not bear out.
    pub fn with_support_policy(mut self, policy: SupportPolicy) -> Flow {
        self.support = policy;
        self
    }

    /// Has a question refused before the call where the sources hardly cover it.
    pub fn with_refusal(mut self, refuses: bool) -> Flow {
        self.refuses = refuses;
        self
    }

    /// Tells that the caller chose the sources. The offline answerer then takes them to answer, and
    /// where it finds no sentence with a word of the question, it quotes as the stand-in does.
    pub fn with_given_sources(mut self, given: bool) -> Flow {
        self.sources_given = given;
        self
    }

    /// The prompt that is asked.
    pub fn prompt(&self) -> &Prompt {
        &self.prompt
    }

    /// The request that would be sent, or `None` where the provider is no server.
    ///
    /// # Errors
    ///
    /// Where the provider's settings make a request impossible.
    pub fn request(&self) -> Result<Option<Request>, provider::Error> {
        let Provider::Endpoint(config) = &self.provider else {
            return Ok(None);
        };
        let input = Input {
            instructions: &self.prompt.instructions,
            input: &self.prompt.input,
            prompt_version: &self.prompt.version,
        };
        provider::request(config, &input).map(Some)
    }

    /// Begins. Without a source no call is made, unless the template works without citations.
    ///
    /// # Errors
    ///
    /// As [`Flow::request`].
    pub fn start(&mut self, events: &mut dyn FnMut(Event)) -> Result<Step, provider::Error> {
        // Also where no call is made: wrong settings should not wait for a lucky question.
        self.request = self.request()?;
        if self.prompt.sources.is_empty() && self.prompt.citation_mode == CitationMode::Verified {
            let answer = Answer::none(&self.prompt, Reason::NothingFound);
            return Ok(self.done(answer));
        }
        // Without a model nothing would tell that the sources do not answer.
        let is_blind = matches!(self.provider, Provider::Offline) && !self.sources_given;
        if (self.refuses || is_blind) && !self.site.covers(&self.prompt) {
            let answer = Answer::none(&self.prompt, Reason::NotCovered);
            return Ok(self.done(answer));
        }
        Ok(match &self.provider {
            Provider::Offline => {
                self.reply = self.offline_reply();
                self.delta(&self.reply.clone(), events);
                self.reply_end(events)
            }
            Provider::StandIn => {
                self.reply = stand_in::reply(&self.prompt.input, &self.prompt.refusal);
                self.delta(&self.reply.clone(), events);
                self.reply_end(events)
            }
            _ => self.ask(),
        })
    }

    fn offline_reply(&self) -> String {
        let Prompt { input, refusal, .. } = &self.prompt;
        let reply = self.site.answer(&self.prompt);
        if self.sources_given && reply == *refusal {
            return stand_in::reply(input, refusal);
        }
        reply
    }

    /// Sets headers that the caller got just now, such as a token that is valid for minutes, beside those of the
    /// configuration, and gives the request that has them.
    ///
    /// # Errors
    ///
    /// As [`Flow::request`]; `None` where the provider is no server.
    pub fn set_headers(
        &mut self,
        headers: &[(String, String)],
    ) -> Result<Option<Request>, provider::Error> {
        if let Provider::Endpoint(config) = &mut self.provider {
            // Later ones win, so an older token is replaced.
            config.headers.extend_from_slice(headers);
        }
        self.request = self.request()?;
        Ok(self.request.clone())
    }

    /// The head of the response arrived.
    pub fn head(&mut self, head: &ResponseHead) {
        if let Provider::Endpoint(config) = &self.provider {
            self.decoder = Some(Decoder::new(config.protocol, head).hiding_secrets_of(config));
        }
    }

    /// A piece of the body arrived.
    pub fn bytes(&mut self, bytes: &[u8], events: &mut dyn FnMut(Event)) {
        if let Some(mut decoder) = self.decoder.take() {
            decoder.feed(bytes, &mut |event| self.provider_event(event, events));
            self.decoder = Some(decoder);
        }
    }

    /// Whether nothing that can still arrive matters, so that the caller may stop reading.
    pub fn is_done(&self) -> bool {
        self.decoder.as_ref().is_some_and(Decoder::is_done)
    }

    /// The body has ended. `chance` is a random number from 0 to 1 for the back-off.
    pub fn end(&mut self, chance: f64, events: &mut dyn FnMut(Event)) -> Step {
        self.close(None, chance, events)
    }

    /// The connection broke within the body, as `message` tells: the body has an end that the server did not
    /// make. `chance` is as for [`Flow::end`].
    pub fn broken(&mut self, message: &str, chance: f64, events: &mut dyn FnMut(Event)) -> Step {
        self.close(Some(message), chance, events)
    }

    fn close(&mut self, broken: Option<&str>, chance: f64, events: &mut dyn FnMut(Event)) -> Step {
        let Some(mut decoder) = self.decoder.take() else {
            let message = "the body ended before the response began";
            return Step::Failed(Failure::without_response(Code::Protocol, message));
        };
        let sink = &mut |event| self.provider_event(event, events);
        let outcome = match broken {
            Some(message) => decoder.broken(message, sink),
            None => decoder.finish(sink),
        };
        let text = decoder.text().to_owned();
        let answer = match outcome {
            Outcome::Complete(facts) if self.is_at_cap(&facts) => {
                Answer::partial(&self.prompt, text, PartialReason::Length, facts)
            }
            Outcome::Complete(facts) => return self.complete(&text, facts, events),
            Outcome::Partial { reason, facts } => {
                Answer::partial(&self.prompt, text, reason, facts)
            }
            Outcome::Refused { message, facts } => Answer::refused(&self.prompt, message, facts),
            Outcome::Failed(failure) => return self.failed(failure, chance),
        };
        self.done(answer)
    }

    /// Whether the reply took all the tokens that it was allowed. llama.cpp's server calls such a Responses reply
    /// completed like any other, although it was cut; the other protocols have a reason that says so.
    fn is_at_cap(&self, facts: &Facts) -> bool {
        let Provider::Endpoint(config) = &self.provider else {
            return false;
        };
        let used = facts.usage.map_or(0, |usage| usage.output);
        config.protocol == Protocol::OpenAiResponses
            && config
                .max_output_tokens
                .is_some_and(|cap| used >= u64::from(cap))
    }

    /// No response came, or none could be used. Tries again where that may help.
    pub fn failed(&mut self, failure: Failure, chance: f64) -> Step {
        self.decoder = None;
        let delay = retry::delay_ms(&failure, self.attempts, self.shown, chance);
        match (delay, &self.request) {
            (Some(delay_ms), Some(request)) => {
                self.attempts += 1;
                let request = request.clone();
                Step::Retry { delay_ms, request }
            }
            _ => Step::Failed(failure),
        }
    }

    /// The caller's function gave the next piece of its reply, as UTF-8 that may end within a character.
    ///
    /// # Errors
    ///
    /// Where the reply is longer than any model's.
    pub fn piece(&mut self, bytes: &[u8], events: &mut dyn FnMut(Event)) -> Result<(), Failure> {
        if self.reply.len() + bytes.len() > MAX_ANSWER_BYTES {
            let message = "The answer is longer than 1 MiB.";
            return Err(Failure::without_response(Code::Protocol, message));
        }
        let piece = self.utf8.feed(bytes);
        self.reply.push_str(&piece);
        self.delta(&piece, events);
        Ok(())
    }

    /// The caller's function has given the whole reply.
    pub fn reply_end(&mut self, events: &mut dyn FnMut(Event)) -> Step {
        let rest = self.utf8.finish();
        self.reply.push_str(rest);
        self.delta(rest, events);
        let reply = std::mem::take(&mut self.reply);
        self.complete(&reply, Facts::default(), events)
    }

    /// A whole reply is here.
    fn complete(&mut self, reply: &str, facts: Facts, events: &mut dyn FnMut(Event)) -> Step {
        self.flush_scanner(events);
        let answer = Answer::complete(&self.prompt, reply, self.policy, facts);
        let again = self.repair(reply, &answer, events);
        again.unwrap_or_else(|| {
            let answer = self.judged(answer);
            self.done(answer)
        })
    }

    fn judged(&self, mut answer: Answer) -> Answer {
        if self.support == SupportPolicy::Off || !answer.grounded {
            return answer;
        }
        answer.sentences = self.site.judge(&answer.text, &self.prompt.sources);
        let is_unsupported = |sentence: &Sentence| sentence.support == Support::Unsupported;
        if self.support == SupportPolicy::Strict && answer.sentences.iter().any(is_unsupported) {
            return answer.unsupported(&self.prompt);
        }
        answer.quotes = quotes(&answer.sources, &answer.sentences, &*self.site);
        answer
    }

    /// Asks once more and tells the fault of `reply`, unless that was done before.
    fn repair(
        &mut self,
        reply: &str,
        answer: &Answer,
        events: &mut dyn FnMut(Event),
    ) -> Option<Step> {
        // Without a model the same prompt gives the same reply.
        let is_model = !matches!(self.provider, Provider::Offline | Provider::StandIn);
        if self.policy != CitationPolicy::Repair || self.rejected.is_some() || !is_model {
            return None;
        }
        self.prompt = repair(&self.prompt, reply, answer.fault()?);
        // Only the prompt has changed, so the settings make a request as they did at the start.
        self.request = self.request().ok()?;
        self.rejected = Some(answer.facts.clone());
        self.scanner = CitationScanner::default();
        self.shown = false;
        self.attempts = 0;
        events(Event::Restart);
        Some(self.ask())
    }

    /// What asks the provider, which is a model.
    fn ask(&self) -> Step {
        match &self.request {
            Some(request) => Step::Send(request.clone()),
            None => Step::Call,
        }
    }

    fn done(&mut self, mut answer: Answer) -> Step {
        let rewriting = self.rewriting.take();
        let rewritten = rewriting.as_ref().and_then(|rewriting| rewriting.usage);
        let rejected = self.rejected.as_ref().and_then(|facts| facts.usage);
        for earlier in [rewritten, rejected].into_iter().flatten() {
            let usage = answer.facts.usage.get_or_insert_default();
            usage.input += earlier.input;
            usage.output += earlier.output;
        }
        answer.rewritten = rewriting.map(|rewriting| rewriting.question);
        answer.warnings.append(&mut self.warnings);
        if !answer.grounded && self.prompt.citation_mode == CitationMode::Verified {
            let sources = self.prompt.sources.iter();
            answer.nearest = sources.take(NEAREST).cloned().collect();
        }
        answer.dropped_sources = self.dropped_sources;
        answer.dropped_turns = self.dropped_turns;
        Step::Done(Box::new(answer))
    }

    fn provider_event(&mut self, event: provider::Event, events: &mut dyn FnMut(Event)) {
        match event {
            provider::Event::Delta(delta) => self.delta(&delta, events),
            provider::Event::Warning(warning) => self.warnings.push(warning),
            // The server corrected what it had streamed; the answer at the end has the right text.
            _ => {}
        }
    }

    fn delta(&mut self, delta: &str, events: &mut dyn FnMut(Event)) {
        if delta.is_empty() {
            return;
        }
        self.shown = true;
        events(Event::Delta(delta.to_owned()));
        let sources = self.prompt.sources.len() as u32;
        given(self.scanner.feed(delta), sources, events);
    }

    fn flush_scanner(&mut self, events: &mut dyn FnMut(Event)) {
        let sources = self.prompt.sources.len() as u32;
        given(self.scanner.finish(), sources, events);
    }
}

/// Passes on the citations of those markers that name only given sources.
fn given(markers: &[Marker], sources: u32, events: &mut dyn FnMut(Event)) {
    for marker in markers {
        let cited = Cited::of(std::slice::from_ref(marker), sources);
        if cited.invalid.is_empty() {
            for citation in cited.places {
                events(Event::Citation(citation));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::{Passage, Source, build, preset};

    /// A site on which nothing is found.
    struct Nowhere;

    impl Site for Nowhere {
        fn judge(&self, _: &str, _: &[Source]) -> Vec<Sentence> {
            Vec::new()
        }

        fn answer(&self, prompt: &Prompt) -> String {
            prompt.refusal.clone()
        }

        fn page_text(&self, _: &Passage) -> Option<String> {
            None
        }

        fn covers(&self, _: &Prompt) -> bool {
            false
        }
    }

    fn flow(policy: CitationPolicy) -> Flow {
        let source = Source {
            n: 1,
            passage: Passage::default(),
        };
        let template = preset("cited").expect("a preset");
        let prompt = build(&template, vec![source], "Which port?");
        Flow::new(prompt, Provider::Function, Rc::new(Nowhere)).with_citation_policy(policy)
    }

    /// Answers with `replies`, one a call, and gives the answer and the number of calls.
    #[track_caller]
    fn answer(policy: CitationPolicy, replies: &[&str]) -> (Answer, usize) {
        let mut flow = flow(policy);
        let mut calls = 0;
        let mut restarts = 0;
        let events = &mut |event| restarts += usize::from(event == Event::Restart);
        let mut step = flow.start(events).expect("settings that hold");
        loop {
            step = match step {
                Step::Call => {
                    calls += 1;
                    let reply = replies[calls - 1].as_bytes();
                    flow.piece(reply, events).expect("a short reply");
                    flow.reply_end(events)
                }
                Step::Done(answer) => {
                    assert_eq!(restarts, calls - 1);
                    return (*answer, calls);
                }
                step => panic!("{step:?}"),
            }
        }
    }

    #[track_caller]
    fn check(policy: CitationPolicy, replies: &[&str], text: &str, grounded: bool, calls: usize) {
        let (answer, made) = answer(policy, replies);
        assert_eq!(answer.status, Status::Complete);
        assert_eq!((answer.text.as_str(), answer.grounded), (text, grounded));
        assert_eq!(made, calls);
        assert_eq!(answer.sources.len(), usize::from(grounded));
    }

    const REFUSAL: &str = "I don't know.";

    #[test]
    fn rejected_is_what_cites_a_source_that_was_not_given() {
        check(
            CitationPolicy::Reject,
            &["8080 [1]. 80 [4]."],
            REFUSAL,
            false,
            1,
        );
        check(CitationPolicy::Reject, &["8080 [1]."], "8080 [1].", true, 1);
    }

    #[test]
    fn stripped_is_what_still_cites_something() {
        check(
            CitationPolicy::Strip,
            &["8080 [1]. 80 [4]."],
            "8080 [1]. 80.",
            true,
            1,
        );
        check(CitationPolicy::Strip, &["80 [4]."], REFUSAL, false, 1);
        check(CitationPolicy::Strip, &["80."], REFUSAL, false, 1);
        let (answer, _) = answer(CitationPolicy::Strip, &["8080 [1]. 80 [4]."]);
        assert_eq!((answer.cited, answer.invalid), (vec![1], vec![4]));
        assert_eq!(answer.warnings.len(), 1);
    }

    #[test]
    fn repaired_is_what_the_model_gets_right_when_it_is_told() {
        check(
            CitationPolicy::Repair,
            &["80 [4].", "8080 [1]."],
            "8080 [1].",
            true,
            2,
        );
        check(
            CitationPolicy::Repair,
            &["80.", "8080 [1]."],
            "8080 [1].",
            true,
            2,
        );
        check(CitationPolicy::Repair, &["8080 [1]."], "8080 [1].", true, 1);
    }

    #[test]
    fn a_question_that_is_not_covered_is_refused_without_a_call_where_that_is_wanted() {
        let mut flow = flow(CitationPolicy::Reject).with_refusal(true);
        let step = flow.start(&mut |_| {}).expect("settings that hold");
        let Step::Done(answer) = step else {
            panic!("{step:?}");
        };
        assert_eq!(
            (answer.status, answer.reason),
            (Status::NoAnswer, Some(Reason::NotCovered))
        );
        assert_eq!((answer.text.as_str(), answer.nearest.len()), (REFUSAL, 1));
    }

    #[test]
    fn offline_the_sources_of_the_caller_are_quoted_and_those_found_must_cover_the_question() {
        let source = Source {
            n: 1,
            passage: Passage {
                text: "The server listens on port 8080.".to_owned(),
                ..Passage::default()
            },
        };
        let prompt = build(&preset("cited").expect("a preset"), vec![source], "Warum?");
        for (given, expected) in [
            (true, "The server listens on port 8080. [1]"),
            (false, REFUSAL),
        ] {
            let flow = Flow::new(prompt.clone(), Provider::Offline, Rc::new(Nowhere));
            let mut flow = flow.with_given_sources(given);
            match flow.start(&mut |_| {}).expect("settings that hold") {
                Step::Done(answer) => {
                    assert_eq!(answer.text, expected);
                    let reason = (!given).then_some(Reason::NotCovered);
                    assert_eq!(answer.reason, reason);
                }
                step => panic!("{step:?}"),
            }
        }
    }

    #[test]
    fn a_model_is_told_its_fault_once_and_a_refusal_is_no_fault() {
        check(
            CitationPolicy::Repair,
            &["80 [4].", "80 [5]."],
            REFUSAL,
            false,
            2,
        );
        check(CitationPolicy::Repair, &[REFUSAL], REFUSAL, false, 1);
    }
}
