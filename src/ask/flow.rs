//! The state machine from a prompt to an answer.

use super::answer::Answer;
use super::offline;
use crate::answer::{Citation, CitationScanner, Cited, Marker};
use crate::prompt::{CitationMode, Prompt};
use crate::provider::{
    self, Code, Config, Decoder, Facts, Failure, Input, MAX_ANSWER_BYTES, Outcome, PartialReason,
    Protocol, Request, ResponseHead, Utf8Decoder, retry,
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
}

/// One question on its way to an answer.
pub struct Flow {
    prompt: Prompt,
    provider: Provider,
    request: Option<Request>,
    decoder: Option<Decoder>,
    /// The reply of the caller's function so far, and the bytes of a character that is not whole.
    reply: String,
    utf8: Utf8Decoder,
    scanner: CitationScanner,
    /// Text that the caller was given, which forbids to try again.
    shown: bool,
    attempts: u32,
    dropped_sources: u32,
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
            reply: String::new(),
            utf8: Utf8Decoder::default(),
            scanner: CitationScanner::default(),
            shown: false,
            attempts: 0,
            dropped_sources: 0,
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
                self.reply = offline::reply(&self.prompt.input, &self.prompt.refusal);
                self.delta(&self.reply.clone(), events);
                self.reply_end(events)
            }
            (_, Some(request)) => Step::Send(request.clone()),
            (_, None) => Step::Call,
        })
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
        self.flush_scanner(events);
        let reply = std::mem::take(&mut self.reply);
        let answer = Answer::complete(&self.prompt, &reply, Facts::default());
        self.done(answer)
    }

    fn done(&mut self, mut answer: Answer) -> Step {
        answer.warnings.append(&mut self.warnings);
        answer.dropped_sources = self.dropped_sources;
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
