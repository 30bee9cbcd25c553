//! What the caller gets: one result for every provider and every outcome but an error.

use super::quotes::SourceQuote;
use crate::answer::{self, Citation, Sentence, Verdict, strip, verify_with_refusal};
use crate::prompt::{CitationMode, Fault, Prompt, Source};
use crate::provider::{Facts, PartialReason};

/// What becomes of a reply whose citations do not hold: it cites nothing, or a number that no
/// source has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CitationPolicy {
    /// It is not passed on.
    #[default]
    Reject,
    /// The markers with made-up numbers are taken out, and the rest is passed on if a valid
    /// citation remains.
    Strip,
    /// The provider is asked once more and told the fault; a second such reply is not passed on.
    Repair,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// How the call ended.
    pub status: Status,
    /// The text to show; the template's refusal where the reply was not passed on.
    pub text: String,
    /// The sources that the answer cites, in the order of their numbers; empty unless grounded.
    pub sources: Vec<Source>,
    /// Every citation in `text`; empty unless grounded.
    pub citations: Vec<Citation>,
    /// How far each sentence of `text` is borne out by what it cites; empty unless grounded and
    /// judged.
    pub sentences: Vec<Sentence>,
    /// The quotes to show the sources with; empty unless grounded and judged.
    pub quotes: Vec<SourceQuote>,
    /// Whether the reply cites at least one source and only sources that were given.
    pub grounded: bool,
    /// Why it is not grounded.
    pub reason: Option<Reason>,
    /// Where a reader may look instead; empty where the answer is grounded or was not checked.
    pub nearest: Vec<Source>,
    /// Source numbers that the reply cites, given or not, in rising order.
    pub cited: Vec<u32>,
    /// Those of `cited` that were not given.
    pub invalid: Vec<u32>,
    /// What the server told besides text.
    pub facts: Facts,
    /// Version of the template.
    pub prompt_version: String,
    /// Sources that were found but left out of the prompt, the last in rank, for want of room in the model's
    /// context window.
    pub dropped_sources: u32,
    /// Turns of the conversation that were left out of the prompt, the oldest, for want of room.
    pub dropped_turns: u32,
    /// The question as the model put it before the sources were looked for, where that was asked for.
    pub rewritten: Option<String>,
    /// Odd things that did not stop the answer, for the site's owner.
    pub warnings: Vec<String>,
}

/// How the call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The provider said that its reply is whole.
    Complete,
    /// The reply is not whole; it is not verified.
    Partial,
    /// The model declined to answer.
    Refused,
    /// Nothing was found, so no call was made.
    NoAnswer,
}

impl Status {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Complete => "complete",
            Status::Partial => "partial",
            Status::Refused => "refused",
            Status::NoAnswer => "no_answer",
        }
    }
}

/// Why an answer is not grounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// No chunk has a word of the question.
    NothingFound,
    /// Too little of the question is in what was found, so no call was made.
    NotCovered,
    /// The reply is no answer by the citation check.
    Unverified(crate::answer::Reason),
    /// A sentence is not borne out by what it cites, and the caller wants none such.
    Unsupported,
    /// The template does not ask for citations, so there is nothing to verify.
    Unchecked,
    /// The reply is not whole.
    Partial(PartialReason),
    /// The model declined.
    ModelRefused,
}

impl Reason {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::NothingFound => "nothing_found",
            Reason::NotCovered => "not_covered",
            Reason::Unverified(reason) => reason.as_str(),
            Reason::Unsupported => "unsupported",
            Reason::Unchecked => "unchecked",
            Reason::Partial(reason) => reason.as_str(),
            Reason::ModelRefused => "model_refused",
        }
    }
}

impl Answer {
    fn new(
        prompt: &Prompt,
        status: Status,
        text: String,
        reason: Option<Reason>,
        facts: Facts,
    ) -> Answer {
        Answer {
            status,
            text,
            sources: Vec::new(),
            citations: Vec::new(),
            sentences: Vec::new(),
            quotes: Vec::new(),
            grounded: false,
            reason,
            nearest: Vec::new(),
            cited: Vec::new(),
            invalid: Vec::new(),
            facts,
            prompt_version: prompt.version.clone(),
            dropped_sources: 0,
            dropped_turns: 0,
            rewritten: None,
            warnings: Vec::new(),
        }
    }

    /// The refusal, without a call.
    pub(super) fn none(prompt: &Prompt, reason: Reason) -> Answer {
        let refusal = prompt.refusal.clone();
        let facts = Facts::default();
        Answer::new(prompt, Status::NoAnswer, refusal, Some(reason), facts)
    }

    /// A reply that is not whole, as far as it came. It is never verified: half a sentence can say
    /// the opposite of the whole.
    pub(super) fn partial(
        prompt: &Prompt,
        text: String,
        reason: PartialReason,
        facts: Facts,
    ) -> Answer {
        Answer::new(
            prompt,
            Status::Partial,
            text,
            Some(Reason::Partial(reason)),
            facts,
        )
    }

    /// The model's own words for declining.
    pub(super) fn refused(prompt: &Prompt, message: String, facts: Facts) -> Answer {
        Answer::new(
            prompt,
            Status::Refused,
            message,
            Some(Reason::ModelRefused),
            facts,
        )
    }

    /// A whole reply, checked as the template says.
    pub(super) fn complete(
        prompt: &Prompt,
        reply: &str,
        policy: CitationPolicy,
        facts: Facts,
    ) -> Answer {
        if prompt.citation_mode == CitationMode::None {
            let reason = Some(Reason::Unchecked);
            return Answer::new(prompt, Status::Complete, reply.to_owned(), reason, facts);
        }
        let source_count = prompt.sources.len() as u32;
        match verify_with_refusal(reply, source_count, &prompt.refusal) {
            Verdict::Grounded { cited, citations } => {
                Answer::grounded(prompt, reply.to_owned(), cited, citations, facts)
            }
            Verdict::NotGrounded {
                reason,
                cited,
                invalid,
            } => {
                if policy == CitationPolicy::Strip {
                    if let Some(answer) = Answer::stripped(prompt, reply, &invalid, &facts) {
                        return answer;
                    }
                }
                let reason = Some(Reason::Unverified(reason));
                let refusal = prompt.refusal.clone();
                let mut answer = Answer::new(prompt, Status::Complete, refusal, reason, facts);
                answer.cited = cited;
                answer.invalid = invalid;
                answer
            }
        }
    }

    fn grounded(
        prompt: &Prompt,
        text: String,
        cited: Vec<u32>,
        citations: Vec<Citation>,
        facts: Facts,
    ) -> Answer {
        let mut answer = Answer::new(prompt, Status::Complete, text, None, facts);
        let is_cited = |source: &&Source| cited.contains(&source.n);
        answer.sources = prompt.sources.iter().filter(is_cited).cloned().collect();
        answer.cited = cited;
        answer.citations = citations;
        answer.grounded = true;
        answer
    }

    /// What is left of a reply without its made-up citations, if that is an answer.
    fn stripped(prompt: &Prompt, reply: &str, invalid: &[u32], facts: &Facts) -> Option<Answer> {
        let source_count = prompt.sources.len() as u32;
        let text = strip(reply, source_count)?;
        match verify_with_refusal(&text, source_count, &prompt.refusal) {
            Verdict::Grounded { cited, citations } => {
                let mut answer = Answer::grounded(prompt, text, cited, citations, facts.clone());
                answer.invalid = invalid.to_vec();
                let warning =
                    "the model cited sources that it was not given; those markers were taken out";
                answer.warnings.push(warning.to_owned());
                Some(answer)
            }
            Verdict::NotGrounded { .. } => None,
        }
    }

    /// A grounded answer that is not passed on after all.
    pub(super) fn unsupported(self, prompt: &Prompt) -> Answer {
        let refusal = prompt.refusal.clone();
        let reason = Some(Reason::Unsupported);
        Answer {
            cited: self.cited,
            invalid: self.invalid,
            ..Answer::new(prompt, Status::Complete, refusal, reason, self.facts)
        }
    }

    /// What a second attempt would be told, where one may help.
    pub(super) fn fault(&self) -> Option<Fault<'_>> {
        match self.reason {
            Some(Reason::Unverified(answer::Reason::NoCitation)) => Some(Fault::NoCitation),
            Some(Reason::Unverified(answer::Reason::UnknownSource)) => {
                Some(Fault::UnknownSources(&self.invalid))
            }
            _ => None,
        }
    }
}
