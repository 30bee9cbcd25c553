//! The catalogue of quirks: each row is one fixture, made for every protocol that it can happen in.
//!
//! A row that changes nothing but the frame must give the very events of the ordinary reply.

use groundling::provider::{Code, PartialReason, Protocol};

use crate::replay::{Reply, Seen, sse, warnings};

const TEXT: &str = "Open порт 🚀 [1].";

/// What a protocol says in the parts that the rows are put together from.
struct Dialect {
    protocol: Protocol,
    /// Events before the text.
    start: &'static [&'static str],
    /// An event with a piece of the answer in place of `TEXT`.
    delta: &'static str,
    /// The events that end a whole answer; the last is the terminal marker.
    end: &'static [&'static str],
    /// Events that a server may send and that say nothing of the answer.
    noise: &'static [&'static str],
    /// Hidden reasoning in the protocol's own field; what it says is `99`.
    reasoning: &'static str,
    /// A tool call.
    tool: &'static str,
    /// The whole reply as one JSON text, where the protocol has such a form.
    whole: Option<&'static str>,
}

const DIALECTS: [Dialect; 6] = [
    Dialect {
        protocol: Protocol::OpenAiResponses,
        start: &[r#"{"type":"response.created","response":{"status":"in_progress"}}"#],
        delta: r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"TEXT"}"#,
        end: &[r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#],
        noise: &[
            r#"{"type":"response.shiny.new","delta":"no"}"#,
            r#"{"type":"response.output_text.delta"}"#,
            r#"{"type":"response.output_text.delta","delta":null}"#,
            r#"{"type":null}"#,
        ],
        reasoning: r#"{"type":"response.reasoning_text.delta","output_index":0,"content_index":0,"delta":"99"}"#,
        tool: r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","name":"f"}}"#,
        whole: Some(
            r#"{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"TEXT"}]}]}"#,
        ),
    },
    Dialect {
        protocol: Protocol::OpenAiChat,
        start: &[
            r#"{"object":"chat.completion.chunk","choices":[{"delta":{"role":"assistant","content":""}}]}"#,
        ],
        delta: r#"{"object":"chat.completion.chunk","choices":[{"delta":{"content":"TEXT"}}]}"#,
        end: &[
            r#"{"object":"chat.completion.chunk","choices":[{"delta":{},"finish_reason":"stop"}]}"#,
            "[DONE]",
        ],
        noise: &[
            r#"{"choices":[]}"#,
            r#"{"choices":null,"usage":null}"#,
            r#"{"choices":[{}]}"#,
            r#"{"choices":[{"delta":null}]}"#,
            r#"{"choices":[{"delta":{"content":null}}]}"#,
        ],
        reasoning: r#"{"choices":[{"delta":{"reasoning_content":"99","reasoning":"99"}}]}"#,
        tool: r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{}"}}]}}]}"#,
        whole: Some(
            r#"{"object":"chat.completion","choices":[{"message":{"content":"TEXT"},"finish_reason":"stop"}]}"#,
        ),
    },
    Dialect {
        protocol: Protocol::Anthropic,
        start: &[
            r#"{"type":"message_start","message":{"model":"m","usage":{"input_tokens":1}}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        ],
        delta: r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"TEXT"}}"#,
        end: &[
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":null}"#,
            r#"{"type":"message_stop"}"#,
        ],
        noise: &[
            r#"{"type":"ping"}"#,
            r#"{"type":"shiny_new","delta":"no"}"#,
            r#"{"type":"content_block_delta","index":0,"delta":null}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":null}}"#,
        ],
        reasoning: r#"{"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":"99"}}"#,
        tool: r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","name":"f","input":{}}}"#,
        whole: Some(
            r#"{"type":"message","content":[{"type":"text","text":"TEXT"}],"stop_reason":"end_turn"}"#,
        ),
    },
    Dialect {
        protocol: Protocol::Ollama,
        start: &[],
        delta: r#"{"message":{"role":"assistant","content":"TEXT"},"done":false}"#,
        end: &[r#"{"message":{"content":""},"done":true,"done_reason":"stop"}"#],
        noise: &[
            r#"{"done":false}"#,
            r#"{"message":null,"done":false}"#,
            r#"{"message":{"content":null}}"#,
            r#"{"status":"loading"}"#,
        ],
        reasoning: r#"{"message":{"content":"","thinking":"99"},"done":false}"#,
        tool: r#"{"message":{"content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]},"done":false}"#,
        whole: Some(r#"{"message":{"content":"TEXT"},"done":true,"done_reason":"stop"}"#),
    },
    Dialect {
        protocol: Protocol::Gemini,
        start: &[],
        delta: r#"{"candidates":[{"content":{"parts":[{"text":"TEXT"}]}}]}"#,
        end: &[r#"{"candidates":[{"finishReason":"STOP"}]}"#],
        noise: &[
            r#"{"candidates":[]}"#,
            r#"{"candidates":null,"usageMetadata":null}"#,
            r#"{"candidates":[{}]}"#,
            r#"{"candidates":[{"content":{"parts":[{"text":null}]}}]}"#,
        ],
        reasoning: r#"{"candidates":[{"content":{"parts":[{"text":"99","thought":true}]}}]}"#,
        tool: r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}}}]}}]}"#,
        whole: Some(
            r#"{"candidates":[{"content":{"parts":[{"text":"TEXT"}]},"finishReason":"STOP"}]}"#,
        ),
    },
    Dialect {
        protocol: Protocol::UiMessageStream,
        start: &[r#"{"type":"start"}"#, r#"{"type":"text-start","id":"0"}"#],
        delta: r#"{"type":"text-delta","id":"0","delta":"TEXT"}"#,
        end: &[r#"{"type":"finish","finishReason":"stop"}"#],
        noise: &[
            r#"{"type":"shiny-new","delta":"no"}"#,
            r#"{"type":"text-delta"}"#,
            r#"{"type":"text-delta","id":null,"delta":null}"#,
            r#"{"type":"data-note","data":{"error":"no"}}"#,
        ],
        reasoning: r#"{"type":"reasoning-delta","id":"r","delta":"99"}"#,
        tool: r#"{"type":"tool-input-available","toolCallId":"c","toolName":"f","input":{}}"#,
        whole: None,
    },
];

impl Dialect {
    fn delta(&self, text: &str) -> String {
        self.delta.replace("TEXT", text)
    }

    /// The text's two events, with these before, between and after them.
    fn events(&self, before: &[&str], between: &[&str], after: &[&str]) -> Vec<String> {
        let owned = |events: &[&str]| {
            events
                .iter()
                .map(|&event| event.to_owned())
                .collect::<Vec<_>>()
        };
        let mut all = owned(self.start);
        all.extend(owned(before));
        all.push(self.delta("Open "));
        all.extend(owned(between));
        all.push(self.delta("порт 🚀 [1]."));
        all.extend(owned(after));
        all
    }

    fn ordinary_events(&self) -> Vec<String> {
        self.events(&[], &[], self.end)
    }

    fn reply(&self, body: impl Into<Vec<u8>>) -> Reply {
        Reply::new(self.protocol, body)
    }

    /// The events as an event stream.
    fn stream(&self, events: &[String]) -> Reply {
        self.reply(framed(events))
    }

    fn ordinary(&self) -> Seen {
        let reply = self.stream(&self.ordinary_events());
        reply.complete(TEXT);
        reply.replay()
    }

    /// Expects the events of the ordinary reply, and an end that no connection can fake.
    #[track_caller]
    fn same(&self, reply: &Reply) {
        assert_eq!(reply.replay(), self.ordinary(), "{:?}", self.protocol);
        reply.complete(TEXT);
    }
}

fn framed(events: &[String]) -> String {
    sse(&events.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn line_ends() {
    for dialect in &DIALECTS {
        let body = framed(&dialect.ordinary_events());
        for line_end in ["\r\n", "\r"] {
            dialect.same(&dialect.reply(body.replace('\n', line_end)));
        }
        let mixed = body
            .replacen("\n\n", "\r\n\r\n", 1)
            .replacen("\n\n", "\r\r", 1);
        dialect.same(&dialect.reply(mixed));
    }
}

#[test]
fn comments_and_heartbeats_also_as_data() {
    for dialect in &DIALECTS {
        let beats = ": ping\n\n:\n\ndata: : OPENROUTER PROCESSING\n\ndata:\n\n";
        let body: String = dialect
            .ordinary_events()
            .iter()
            .map(|event| format!("{beats}data: {event}\n\n"))
            .collect();
        dialect.same(&dialect.reply(body));
    }
}

#[test]
fn no_blank_line_and_no_line_end_at_the_end_of_input() {
    for dialect in &DIALECTS {
        let body = framed(&dialect.ordinary_events());
        dialect.same(&dialect.reply(body.trim_end()));
        dialect.same(&dialect.reply(body.trim_end().to_owned() + "\n"));
        dialect.same(&dialect.reply(body.trim_end().to_owned() + "\r"));
    }
}

#[test]
fn other_fields_in_the_block_of_the_data() {
    for dialect in &DIALECTS {
        let body: String = dialect
            .ordinary_events()
            .iter()
            .map(|event| format!(": note\nid: 7\nretry: 10\ndata: {event}\n: note\nid: 8\n\n"))
            .collect();
        dialect.same(&dialect.reply(body));
    }
}

#[test]
fn data_without_a_space_and_on_several_lines() {
    for dialect in &DIALECTS {
        let body: String = dialect
            .ordinary_events()
            .iter()
            .map(|event| match event.split_once(',') {
                Some((a, b)) => format!("data:{a},\ndata:{b}\n\n"),
                None => format!("data:{event}\n\n"),
            })
            .collect();
        dialect.same(&dialect.reply(body));
    }
}

#[test]
fn a_byte_order_mark_first() {
    for dialect in &DIALECTS {
        let body = framed(&dialect.ordinary_events());
        dialect.same(&dialect.reply(format!("\u{FEFF}{body}")));
    }
}

#[test]
fn a_wrong_content_type() {
    for dialect in &DIALECTS {
        for content_type in [
            "text/plain",
            "application/json",
            "application/octet-stream",
            "",
        ] {
            let reply = dialect.stream(&dialect.ordinary_events());
            dialect.same(&reply.with_head(200, content_type));
        }
    }
}

#[test]
fn no_terminal_marker() {
    for dialect in &DIALECTS {
        let events = dialect.events(&[], &[], &[]);
        dialect.stream(&events).partial(PartialReason::Cut, TEXT);
        let torn = framed(&events) + "data: " + &dialect.end[0][..dialect.end[0].len() / 2];
        dialect.reply(torn).partial(PartialReason::Cut, TEXT);
        dialect
            .stream(&events[..events.len() - 1])
            .partial(PartialReason::Cut, "Open ");
    }
}

#[test]
fn empty_null_missing_and_unknown_parts() {
    for dialect in &DIALECTS {
        let reply = dialect.stream(&dialect.events(dialect.noise, dialect.noise, dialect.end));
        dialect.same(&reply);
    }
}

#[test]
fn reasoning_in_a_field_of_its_own() {
    for dialect in &DIALECTS {
        let reasoning = [dialect.reasoning; 2];
        dialect.same(&dialect.stream(&dialect.events(&reasoning, &reasoning, dialect.end)));
        let mut alone: Vec<String> = dialect
            .start
            .iter()
            .map(|&event| event.to_owned())
            .collect();
        alone.push(dialect.reasoning.to_owned());
        alone.extend(dialect.end.iter().map(|&event| event.to_owned()));
        dialect
            .stream(&alone)
            .failed(Code::Protocol, "empty answer");
    }
}

#[test]
fn reasoning_in_think_tags() {
    for dialect in &DIALECTS {
        let pieces = ["<th", "ink>99 [2]</thi", "nk>"].map(|piece| dialect.delta(piece));
        let pieces = pieces.each_ref().map(String::as_str);
        let seen = dialect
            .stream(&dialect.events(&pieces, &[], dialect.end))
            .replay();
        assert_eq!(seen, dialect.ordinary(), "{:?}", dialect.protocol);
    }
}

#[test]
fn tool_calls_that_nobody_asked_for() {
    for dialect in &DIALECTS {
        dialect.same(&dialect.stream(&dialect.events(&[dialect.tool], &[], dialect.end)));
        let mut alone: Vec<String> = dialect
            .start
            .iter()
            .map(|&event| event.to_owned())
            .collect();
        alone.push(dialect.tool.to_owned());
        alone.extend(dialect.end.iter().map(|&event| event.to_owned()));
        dialect.stream(&alone).failed(Code::Protocol, "tool");
    }
}

#[test]
fn json_although_a_stream_was_asked_for() {
    for dialect in &DIALECTS {
        let Some(whole) = dialect.whole else { continue };
        let whole = whole.replace("TEXT", TEXT);
        for content_type in ["application/json", "text/event-stream", "text/plain", ""] {
            let reply = dialect.reply(whole.as_str()).with_head(200, content_type);
            reply.complete(TEXT);
            let with_done = dialect.reply(format!("{whole}\n\ndata: [DONE]\n\n"));
            with_done.with_head(200, content_type).complete(TEXT);
        }
        dialect
            .reply(&whole[..whole.len() / 2])
            .partial(PartialReason::Cut, "");
    }
}

#[test]
fn an_error_object_in_the_stream_in_five_shapes() {
    let shapes = [
        r#"{"error":"Told you."}"#,
        r#"{"error":{"message":"Told you.","type":"server_error","code":null}}"#,
        r#"{"type":"error","code":"server_error","message":"Told you."}"#,
        r#"{"type":"error","error":{"type":"server_error","message":"Told you."}}"#,
        r#"{"error":{"code":500,"message":"Told you.","status":"INTERNAL"}}"#,
    ];
    for dialect in &DIALECTS {
        for shape in shapes {
            let reply = dialect.stream(&dialect.events(&[], &[shape], dialect.end));
            reply.failed(Code::Server, "Told you.");
            assert_eq!(
                reply.replay().text,
                "Open ",
                "{:?}: {shape}",
                dialect.protocol
            );
            let first = dialect.stream(&[shape.to_owned()]);
            first.failed(Code::Server, "Told you.");
            let bare = dialect.reply(shape).with_head(200, "application/json");
            bare.failed(Code::Server, "Told you.");
        }
    }
}

#[test]
fn two_objects_glued_in_one_data_line() {
    for dialect in &DIALECTS {
        // Ollama's lines may stand side by side, so there two objects are two events.
        if dialect.protocol == Protocol::Ollama {
            continue;
        }
        let glued = dialect.delta("a") + &dialect.delta("b");
        let seen = dialect
            .stream(&dialect.events(&[&glued], &[], dialect.end))
            .replay();
        assert_eq!(
            (seen.text.as_str(), warnings(&seen)),
            (TEXT, 1),
            "{:?}",
            dialect.protocol
        );
        let last = dialect.stream(&dialect.events(&[], &[], &[&glued]));
        last.partial(PartialReason::Cut, TEXT);
    }
}

#[test]
fn an_empty_answer() {
    for dialect in &DIALECTS {
        let events: Vec<String> = [dialect.start, dialect.end]
            .concat()
            .iter()
            .map(|&event| event.to_owned())
            .collect();
        dialect
            .stream(&events)
            .failed(Code::Protocol, "empty answer");
        for body in ["", "\n\n", ": ping\n\n"] {
            dialect.reply(body).failed(Code::Protocol, "empty answer");
        }
    }
}

#[test]
fn text_after_the_terminal_event() {
    for dialect in &DIALECTS {
        // Gemini has no terminal event: a finish reason has been seen on every chunk.
        if dialect.protocol == Protocol::Gemini {
            continue;
        }
        let late = [dialect.delta("late"), r#"{"error":"late"}"#.to_owned()];
        let mut events = dialect.ordinary_events();
        events.extend(late);
        dialect.same(&dialect.stream(&events));
    }
}
