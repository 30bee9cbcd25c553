/** Functions that answer: whole, as a stream, or as an iterable, of text or of bytes. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { GroundlingError, load } from "../../dist/load.js";
import { bundleOf } from "./support/bundle.js";

const docs = await load(bundleOf({ "tea.md": "# Kettles\n\nA kettle boils the water for tea.\n" }));
const CAUSE = new Error("no model");
const REPLY = "A “kettle” boils 水 🫖 [1].";

/** @param {AsyncIterable<any>} events */
async function collected(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

/** The bytes of the reply, each on its own, so that every character is cut. */
const bytes = () => [...new TextEncoder().encode(REPLY)].map((byte) => Uint8Array.of(byte));
const words = () => REPLY.split(/(?<= )/u);

async function* asynchronous(pieces) {
  for (const piece of pieces) yield piece;
}

function streamOf(pieces) {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

for (const [name, provider] of Object.entries({
  "a string": () => REPLY,
  "a promise of a string": async () => REPLY,
  "a stream of text": () => streamOf(words()),
  "a stream of bytes": () => streamOf(bytes()),
  "a promise of a stream": async () => streamOf(words()),
  "the body of a response": () => new Response(REPLY).body,
  "an async generator of text": () => asynchronous(words()),
  "an async generator of bytes": () => asynchronous(bytes()),
  "a promise of an async generator": async () => asynchronous(words()),
  "a list": () => words(),
})) {
  test(`${name} is a reply`, async () => {
    const events = await collected(docs.stream("kettle", { provider }));
    const { type, answer } = events.at(-1);
    assert.equal(type, "done");
    assert.deepEqual([answer.answer, answer.grounded, answer.status], [REPLY, true, "complete"]);
    const text = events.map((event) => (event.type === "delta" ? event.text : "")).join("");
    assert.equal(text, REPLY);
  });
}

test("pieces are told as they come", async () => {
  let go = () => {};
  const provider = async function* () {
    yield "A kettle ";
    await new Promise((resolve) => (go = () => resolve(undefined)));
    yield "boils [1].";
  };
  const texts = [];
  for await (const event of docs.stream("kettle", { provider })) {
    if (event.type !== "delta") continue;
    texts.push(event.text);
    go();
  }
  assert.deepEqual(texts, ["A kettle ", "boils [1]."]);
});

for (const [name, reply] of Object.entries({
  undefined: undefined,
  "a number": 7,
  "an object that lists nothing": { text: REPLY },
  "a list of numbers": [1, 2],
  "a stream of objects": streamOf([{ text: REPLY }]),
})) {
  test(`${name} is no reply`, () =>
    assert.rejects(docs.ask("kettle", { provider: () => reply }), { code: "provider-function", message: /must return a string, a stream/u }));
}

for (const [name, fails] of Object.entries({
  "a function": () => { throw CAUSE; },
  "its promise": () => Promise.reject(CAUSE),
  "its generator": async function* () { yield "A kettle "; throw CAUSE; },
  "its stream": () => new ReadableStream({ pull(controller) { controller.error(CAUSE); } }),
})) {
  test(`what ${name} throws is the cause, and there is no answer`, async () => {
    const events = await collected(docs.stream("kettle", { provider: fails }));
    const { type, error } = events.at(-1);
    assert.equal(type, "error");
    assert.ok(error instanceof GroundlingError);
    assert.deepEqual([error.code, error.cause], ["provider-function", CAUSE]);
  });
}
test("a GroundlingError of a function keeps its code and its facts", async () => {
  const provider = () => { throw new GroundlingError("provider-overloaded", "busy", { retryAfterMs: 7 }); };
  await assert.rejects(docs.ask("kettle", { provider }), { code: "provider-overloaded", message: "busy", retryAfterMs: 7 });
});

test("an abort ends a generator and cancels a stream, and the function's signal is aborted", async () => {
  for (const kind of ["generator", "stream"]) {
    const stop = new AbortController();
    const ended = [];
    const provider = (_, { signal }) => {
      signal.addEventListener("abort", () => ended.push("signal"));
      if (kind === "stream") return new ReadableStream({ start: (c) => c.enqueue("A "), cancel: () => void ended.push("cancel") });
      const next = () => (ended.length ? { done: true } : new Promise(() => {}));
      return { [Symbol.asyncIterator]: () => ({ next, return: () => (ended.push("return"), { done: true }) }) };
    };
    const question = docs.ask("kettle", { provider, signal: stop.signal });
    setTimeout(() => stop.abort("enough"), 20);
    await assert.rejects(question, (thrown) => thrown === "enough");
    assert.deepEqual(ended.sort(), [kind === "stream" ? "cancel" : "return", "signal"].sort());
  }
});

test("leaving the loop over a stream ends the function's generator", async () => {
  let ended = false;
  const provider = async function* () {
    try {
      for (;;) yield "tea ";
    } finally {
      ended = true;
    }
  };
  for await (const event of docs.stream("kettle", { provider })) if (event.type === "delta") break;
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(ended);
});

test("a callback that throws ends the function's generator and is passed on as it is", async () => {
  let ended = false;
  const provider = async function* () {
    try {
      for (;;) yield "tea ";
    } finally {
      ended = true;
    }
  };
  const thrown = new Error("the page is gone");
  const onEvent = ({ type }) => { if (type === "delta") throw thrown; };
  await assert.rejects(docs.ask("kettle", { provider, onEvent }), (error) => error === thrown);
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(ended);
});

test("a function that never ends its reply is stopped at the bound of an answer", () =>
  assert.rejects(docs.ask("kettle", { provider: async function* () { for (;;) yield "tea ".repeat(10_000); } }), {
    code: "provider-protocol",
    message: /longer than 1 MiB/u,
  }));

test("a function's window is kept to", async () => {
  const text = "A kettle boils water. ".repeat(100);
  const sources = [1, 2, 3].map((n) => ({ url: `/${n}`, title: "Tea", text }));
  const provider = Object.assign(() => REPLY, { contextWindow: 2_500 });
  const { droppedSources } = await docs.ask("kettle", { provider, sources });
  assert.ok(droppedSources > 0);
  await assert.rejects(docs.ask("kettle", { provider: Object.assign(() => REPLY, { contextWindow: "all" }) }), { code: "bad-options" });
});
