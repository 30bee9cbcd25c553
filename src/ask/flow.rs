//! The state machine from a prompt to an answer.

use super::answer::{Answer, CitationPolicy};
use super::judge::SupportPolicy;
use super::offline;
use crate::answer::{Citation, CitationScanner, Cited, Marker, Sentence, Support};
use crate::prompt::{CitationMode, Prompt, Source, repair};
use crate::provider::{
    self, Config, Decoder, Facts, Failure, Input, Outcome, Request, ResponseHead, retry,
};

/// Who answers.
#[derive(Clone, Debug)]
pub enum Provider {
    /// No model: a sentence of the sources, through the same check.
    Offline,
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
    /// Call the caller's function with the prompt, then tell [`Flow::reply`].
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

/// Judges the sentences of a reply by the sources that it was given, as
/// [`judge`](super::judge()) does.
pub type Judge = Box<dyn Fn(&str, &[Source]) -> Vec<Sentence>>;

/// One question on its way to an answer.
pub struct Flow {
    prompt: Prompt,
    provider: Provider,
    request: Option<Request>,
    decoder: Option<Decoder>,
    policy: CitationPolicy,
    judge: Option<(Judge, SupportPolicy)>,
    /// What the rejected first reply has cost, once there is one.
    rejected: Option<Facts>,
    scanner: CitationScanner,
    /// Text that the caller was given, which forbids to try again.
    shown: bool,
    attempts: u32,
    warnings: Vec<String>,
}

impl Flow {
    /// A flow that has not begun.
    pub fn new(prompt: Prompt, provider: Provider) -> Flow {
        Flow {
            prompt,
            provider,
            request: None,
            decoder: None,
            policy: CitationPolicy::default(),
            judge: None,
            rejected: None,
            scanner: CitationScanner::default(),
            shown: false,
            attempts: 0,
            warnings: Vec::new(),
        }
    }

    /// What becomes of a reply whose citations do not hold.
    pub fn with_citation_policy(mut self, policy: CitationPolicy) -> Flow {
        self.policy = policy;
        self
    }

    /// Has the sentences of a grounded reply judged.
    pub fn with_judge(mut self, judge: Judge, policy: SupportPolicy) -> Flow {
        self.judge = (policy != SupportPolicy::Off).then_some((judge, policy));
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
            return Ok(Step::Done(Box::new(Answer::nothing_found(&self.prompt))));
        }
        Ok(match &self.provider {
            Provider::Offline => {
                let reply = offline::reply(&self.prompt.input, &self.prompt.refusal);
                self.reply(&reply, events)
            }
            _ => self.ask(),
        })
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
        let Some(mut decoder) = self.decoder.take() else {
            let message = "the body ended before the response began";
            return Step::Failed(Failure::without_response(provider::Code::Protocol, message));
        };
        let outcome = decoder.finish(&mut |event| self.provider_event(event, events));
        let text = decoder.text().to_owned();
        let answer = match outcome {
            Outcome::Complete(facts) => return self.complete(&text, facts, events),
            Outcome::Partial { reason, facts } => {
                Answer::partial(&self.prompt, text, reason, facts)
            }
            Outcome::Refused { message, facts } => Answer::refused(&self.prompt, message, facts),
            Outcome::Failed(failure) => return self.failed(failure, chance),
        };
        self.done(answer)
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

    /// The caller's function gave its reply.
    pub fn reply(&mut self, reply: &str, events: &mut dyn FnMut(Event)) -> Step {
        self.delta(reply, events);
        self.complete(reply, Facts::default(), events)
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
        let (Some((judge, policy)), true) = (&self.judge, answer.grounded) else {
            return answer;
        };
        answer.sentences = judge(&answer.text, &self.prompt.sources);
        let is_unsupported = |sentence: &Sentence| sentence.support == Support::Unsupported;
        if *policy == SupportPolicy::Strict && answer.sentences.iter().any(is_unsupported) {
            return answer.unsupported(&self.prompt);
        }
        answer
    }

    /// Asks once more and tells the fault of `reply`, unless that was done before.
    fn repair(
        &mut self,
        reply: &str,
        answer: &Answer,
        events: &mut dyn FnMut(Event),
    ) -> Option<Step> {
        // The offline answerer would only repeat itself.
        let is_model = !matches!(self.provider, Provider::Offline);
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

    /// What asks the provider, which is no offline one.
    fn ask(&self) -> Step {
        match &self.request {
            Some(request) => Step::Send(request.clone()),
            None => Step::Call,
        }
    }

    fn done(&mut self, mut answer: Answer) -> Step {
        if let Some(Facts {
            usage: Some(first), ..
        }) = self.rejected
        {
            let usage = answer.facts.usage.get_or_insert_default();
            usage.input += first.input;
            usage.output += first.output;
        }
        answer.warnings.append(&mut self.warnings);
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
    use crate::ask::Status;
    use crate::prompt::{Passage, Source, build, preset};

    fn flow(policy: CitationPolicy) -> Flow {
        let source = Source {
            n: 1,
            passage: Passage::default(),
        };
        let template = preset("cited").expect("a preset");
        let prompt = build(&template, vec![source], "Which port?");
        Flow::new(prompt, Provider::Function).with_citation_policy(policy)
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
                    flow.reply(replies[calls - 1], events)
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
