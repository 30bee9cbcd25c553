//! Replays one reply in many ways and asserts that they all give the same.

use groundling::provider::{
    Code, Decoder, Event, Facts, Failure, Outcome, PartialReason, Protocol, ResponseHead,
};

/// One reply of a server.
#[derive(Clone)]
pub struct Reply {
    pub protocol: Protocol,
    pub head: ResponseHead,
    pub body: Vec<u8>,
}

/// What a reply gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub events: Vec<Event>,
    pub text: String,
    pub outcome: Outcome,
}

impl Reply {
    pub fn new(protocol: Protocol, body: impl Into<Vec<u8>>) -> Reply {
        Reply {
            protocol,
            head: head(200, "text/event-stream"),
            body: body.into(),
        }
    }

    pub fn with_head(mut self, status: u16, content_type: &str) -> Reply {
        self.head = head(status, content_type);
        self
    }

    /// Feeds the body cut at these positions, which must be in ascending order.
    pub fn feed(&self, cuts: &[usize]) -> Seen {
        let mut decoder = Decoder::new(self.protocol, &self.head);
        let mut events = Vec::new();
        let mut start = 0;
        for end in cuts.iter().copied().chain([self.body.len()]) {
            decoder.feed(&self.body[start..end], &mut |event| events.push(event));
            start = end;
        }
        let outcome = decoder.finish(&mut |event| events.push(event));
        let mut text = String::new();
        for event in &events {
            match event {
                Event::Delta(delta) => text.push_str(delta),
                Event::Replace(whole) => text.clone_from(whole),
                _ => {}
            }
        }
        assert_eq!(text, decoder.text(), "the events add up to the text");
        Seen {
            events,
            text,
            outcome,
        }
    }

    /// Feeds the body whole, byte by byte and at 200 random sets of cuts.
    #[track_caller]
    pub fn replay(&self) -> Seen {
        let whole = self.feed(&[]);
        let every_byte: Vec<usize> = (1..self.body.len()).collect();
        assert_eq!(self.feed(&every_byte), whole, "byte by byte");
        let mut random = Random(self.body.len() as u64);
        for round in 0..200 {
            let count = 1 + random.below(8);
            let mut cuts: Vec<usize> = (0..count)
                .map(|_| random.below(self.body.len() + 1))
                .collect();
            cuts.sort_unstable();
            assert_eq!(self.feed(&cuts), whole, "round {round}: cut at {cuts:?}");
        }
        whole
    }

    /// Replays, and expects a whole answer with this text. A connection that ends anywhere earlier must not
    /// pass for whole, unless the text is there to its last character.
    #[track_caller]
    pub fn complete(&self, text: &str) -> Facts {
        let seen = self.replay();
        let Outcome::Complete(facts) = seen.outcome else {
            panic!("not complete: {:?}", seen.outcome)
        };
        assert_eq!(seen.text, text);
        for length in 0..self.body.len() {
            let cut = Reply {
                body: self.body[..length].to_vec(),
                ..self.clone()
            }
            .feed(&[]);
            if matches!(cut.outcome, Outcome::Complete(_)) {
                assert_eq!(
                    cut.text, text,
                    "cut after {length} bytes and taken as whole"
                );
            }
            self.breaks_after(length);
        }
        facts
    }

    /// A connection that breaks is never the end of a whole answer, unless the terminal marker came before.
    #[track_caller]
    fn breaks_after(&self, length: usize) {
        let mut decoder = Decoder::new(self.protocol, &self.head);
        decoder.feed(&self.body[..length], &mut |_| {});
        let has_ended = decoder.is_done();
        let outcome = decoder.broken("reset", &mut |_| {});
        if !has_ended {
            assert!(
                !matches!(outcome, Outcome::Complete(_)),
                "broken after {length} bytes and taken as whole"
            );
        }
    }

    /// Replays, and expects an answer with this text that is not whole.
    #[track_caller]
    pub fn partial(&self, expected: PartialReason, text: &str) -> Facts {
        let seen = self.replay();
        let Outcome::Partial { reason, facts } = seen.outcome else {
            panic!("not partial: {:?}", seen.outcome)
        };
        assert_eq!((reason, seen.text.as_str()), (expected, text));
        facts
    }

    /// Replays, and expects a refusal in these words.
    #[track_caller]
    pub fn refused(&self, expected: &str) {
        let seen = self.replay();
        let Outcome::Refused { message, .. } = seen.outcome else {
            panic!("not refused: {:?}", seen.outcome)
        };
        assert_eq!(message, expected);
    }

    /// Replays, and expects an error with this code and this in its message.
    #[track_caller]
    pub fn failed(&self, code: Code, words: &str) -> Failure {
        let seen = self.replay();
        let Outcome::Failed(failure) = seen.outcome else {
            panic!("not failed: {:?}", seen.outcome)
        };
        assert_eq!(failure.code, code, "{failure:?}");
        assert!(failure.message.contains(words), "{failure:?}");
        failure
    }
}

pub fn head(status: u16, content_type: &str) -> ResponseHead {
    let content_type = if content_type.is_empty() {
        None
    } else {
        Some(content_type.to_owned())
    };
    ResponseHead {
        status,
        content_type,
        ..ResponseHead::default()
    }
}

/// Joins event data to an event stream.
pub fn sse(data: &[&str]) -> String {
    data.iter()
        .map(|data| format!("data: {data}\n\n"))
        .collect()
}

/// The number of warnings among the events.
pub fn warnings(seen: &Seen) -> usize {
    seen.events
        .iter()
        .filter(|event| matches!(event, Event::Warning(_)))
        .count()
}

/// SplitMix64 (Steele, Lea and Flood 2014): a fixed seed gives the same cuts in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}
