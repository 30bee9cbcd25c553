//! What the caller gets: one result for every provider and every outcome but an error.

use crate::answer::{Citation, Verdict, verify_with_refusal};
use crate::prompt::{CitationMode, Prompt, Source};
use crate::provider::{Facts, PartialReason};

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
    /// Whether the reply cites at least one source and only sources that were given.
    pub grounded: bool,
    /// Why it is not grounded.
    pub reason: Option<Reason>,
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
    /// The reply is no answer by the citation check.
    Unverified(crate::answer::Reason),
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
            Reason::Unverified(reason) => reason.as_str(),
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
            grounded: false,
            reason,
            cited: Vec::new(),
            invalid: Vec::new(),
            facts,
            prompt_version: prompt.version.clone(),
            dropped_sources: 0,
            warnings: Vec::new(),
        }
    }

    /// Nothing was found: the refusal, and no call.
    pub(super) fn nothing_found(prompt: &Prompt) -> Answer {
        let reason = Some(Reason::NothingFound);
        Answer::new(
            prompt,
            Status::NoAnswer,
            prompt.refusal.clone(),
            reason,
            Facts::default(),
        )
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
    pub(super) fn complete(prompt: &Prompt, reply: &str, facts: Facts) -> Answer {
        if prompt.citation_mode == CitationMode::None {
            let reason = Some(Reason::Unchecked);
            return Answer::new(prompt, Status::Complete, reply.to_owned(), reason, facts);
        }
        match verify_with_refusal(reply, prompt.sources.len() as u32, &prompt.refusal) {
            Verdict::Grounded { cited, citations } => {
                let mut answer =
                    Answer::new(prompt, Status::Complete, reply.to_owned(), None, facts);
                answer.sources = prompt
                    .sources
                    .iter()
                    .filter(|source| cited.contains(&source.n))
                    .cloned()
                    .collect();
                answer.cited = cited;
                answer.citations = citations;
                answer.grounded = true;
                answer
            }
            Verdict::NotGrounded {
                reason,
                cited,
                invalid,
            } => {
                let reason = Some(Reason::Unverified(reason));
                let refusal = prompt.refusal.clone();
                let mut answer = Answer::new(prompt, Status::Complete, refusal, reason, facts);
                answer.cited = cited;
                answer.invalid = invalid;
                answer
            }
        }
    }
}
