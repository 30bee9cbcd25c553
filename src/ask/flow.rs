//! The state machine from a prompt to an answer.

use super::answer::Answer;
use super::offline;
use crate::answer::{Citation, CitationScanner, Cited, Marker};
use crate::prompt::{CitationMode, Prompt};
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
}

/// One question on its way to an answer.
pub struct Flow {
    prompt: Prompt,
    provider: Provider,
    request: Option<Request>,
    decoder: Option<Decoder>,
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
            scanner: CitationScanner::default(),
            shown: false,
            attempts: 0,
            warnings: Vec::new(),
        }
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
        Ok(match (&self.provider, &self.request) {
            (Provider::Offline, _) => {
                let reply = offline::reply(&self.prompt.input, &self.prompt.refusal);
                self.reply(&reply, events)
            }
            (_, Some(request)) => Step::Send(request.clone()),
            (_, None) => Step::Call,
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
            Outcome::Complete(facts) => {
                self.flush_scanner(events);
                Answer::complete(&self.prompt, &text, facts)
            }
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
        self.flush_scanner(events);
        let answer = Answer::complete(&self.prompt, reply, Facts::default());
        self.done(answer)
    }

    fn done(&mut self, mut answer: Answer) -> Step {
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
