/** Stopping a question: by signal, by time, and by leaving the loop over its events. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { load } from "../../dist/load.js";
import { bundleOf } from "./support/bundle.js";
import { beginResponsesStream, endResponsesStream, responsesReply, sendJson, serverFor } from "./support/server.js";

const tea = bundleOf({ "tea.md": "# Kettles\n\nA kettle boils the water for tea.\n" });
const docs = await load(tea);
const REASON = new Error("the reader left");

/** The options to ask a server. */
const asking = (server, more = {}) => ({
  provider: { protocol: "openai-responses", endpoint: `${server.url}/v1/responses`, model: "m" },
  ...more,
});

/** A server that takes a question and never answers. */
const silentServer = (t) => serverFor(t, () => {});

/** A server that begins a stream and goes no further. */
const stuckServer = (t) => serverFor(t, (response) => beginResponsesStream(response, "A kettle ", "boils"));

async function collected(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

test("a signal that is aborted already rejects with its reason, and nothing is sent", async (t) => {
  const server = await silentServer(t);
  const signal = AbortSignal.abort(REASON);
  await assert.rejects(docs.ask("kettle", asking(server, { signal })), (thrown) => thrown === REASON);
  await assert.rejects(docs.askContext("kettle", asking(server, { signal })), (thrown) => thrown === REASON);
  await assert.rejects(docs.ask("kettle", { signal }), (thrown) => thrown === REASON);
  assert.equal(server.requests.length, 0);
});

test("without a reason of the caller's it rejects as fetch does", async () => {
  const error = await docs.ask("kettle", { signal: AbortSignal.abort() }).catch((thrown) => thrown);
  assert.equal(error.name, "AbortError");
});

test("an abort when the sources are told rejects, and nothing is sent", async (t) => {
  const server = await silentServer(t);
  const stop = new AbortController();
  const onEvent = ({ type }) => type === "sources" && stop.abort(REASON);
  await assert.rejects(docs.ask("kettle", asking(server, { signal: stop.signal, onEvent })), (thrown) => thrown === REASON);
  assert.equal(server.requests.length, 0);
});

test("an abort while the response is waited for rejects at once and closes the connection", async (t) => {
  const server = await silentServer(t);
  const stop = new AbortController();
  const question = docs.ask("kettle", asking(server, { signal: stop.signal }));
  const { closed } = await server.arrived();
  stop.abort(REASON);
  await assert.rejects(question, (thrown) => thrown === REASON);
  await closed;
});

test("an abort in the middle of a stream rejects at once and closes the connection", async (t) => {
  const server = await stuckServer(t);
  const stop = new AbortController();
  let text = "";
  const onEvent = (event) => {
    if (event.type === "delta") text += event.text;
    if (text === "A kettle boils") stop.abort(REASON);
  };
  await assert.rejects(docs.ask("kettle", asking(server, { signal: stop.signal, onEvent })), (thrown) => thrown === REASON);
  assert.equal(text, "A kettle boils");
  const { closed } = await server.arrived();
  await closed;
});

test("an abort inside a callback rejects also where nothing is waited for", async () => {
  for (const type of ["sources", "delta"]) {
    const stop = new AbortController();
    const onEvent = (event) => event.type === type && stop.abort(REASON);
    await assert.rejects(docs.ask("kettle", { signal: stop.signal, onEvent }), (thrown) => thrown === REASON);
  }
  const stop = new AbortController();
  const provider = () => (stop.abort(REASON), "A kettle boils. [1]");
  await assert.rejects(docs.ask("kettle", { signal: stop.signal, provider }), (thrown) => thrown === REASON);
});

test("a time limit longer than a timer can wait is no time limit at once", async () => {
  const provider = () => new Promise((resolve) => setTimeout(resolve, 30, "A kettle boils. [1]"));
  const { grounded } = await docs.ask("kettle", { provider, timeoutMs: 2 ** 32 - 1 });
  assert.ok(grounded);
});

test("an abort while a function answers rejects at once", async () => {
  const stop = new AbortController();
  const question = docs.ask("kettle", { provider: () => new Promise(() => {}), signal: stop.signal });
  stop.abort(REASON);
  await assert.rejects(question, (thrown) => thrown === REASON);
});

test("an abort while a retry is waited for rejects at once", async (t) => {
  const server = await serverFor(t, (response) => {
    response.setHeader("retry-after", "20");
    sendJson(response, { error: { message: "slow down", type: "rate_limit_error" } }, 429);
  });
  const stop = new AbortController();
  const question = docs.ask("kettle", asking(server, { signal: stop.signal }));
  await server.arrived();
  setTimeout(() => stop.abort(REASON), 100);
  await assert.rejects(question, (thrown) => thrown === REASON);
  assert.equal(server.requests.length, 1);
});

test("an abort after the answer changes nothing", async (t) => {
  const server = await serverFor(t, (response) => sendJson(response, responsesReply("It boils [1].")));
  const stop = new AbortController();
  const answer = await docs.ask("kettle", asking(server, { signal: stop.signal }));
  stop.abort(REASON);
  assert.equal(answer.grounded, true);
});

for (const [where, serve] of [["the response", silentServer], ["the rest of a stream", stuckServer]]) {
  test(`waiting too long for ${where} is a time-out and closes the connection`, async (t) => {
    const server = await serve(t);
    const question = docs.ask("kettle", asking(server, { timeoutMs: 300 }));
    const { closed } = await server.arrived();
    await assert.rejects(question, { name: "GroundlingError", code: "provider-timeout", message: /300 ms/u });
    await closed;
  });
}

test("a function that takes too long is a time-out", () =>
  assert.rejects(docs.ask("kettle", { provider: () => new Promise(() => {}), timeoutMs: 20 }), { code: "provider-timeout" }));

test("a whole stream ends with one done", async (t) => {
  const server = await serverFor(t, (response) => {
    beginResponsesStream(response, "It ", "boils [1].");
    endResponsesStream(response, "It boils [1].");
  });
  const events = await collected(docs.stream("kettle", asking(server)));
  assert.deepEqual(events.map(({ type }) => type), ["sources", "delta", "delta", "citation", "done"]);
  assert.equal(events.at(-1).answer.answer, "It boils [1].");
  assert.equal(server.requests.length, 1);
});

test("a stream whose reply cites no given source ends with one withdrawn", async (t) => {
  const server = await serverFor(t, (response) => {
    beginResponsesStream(response, "It boils [5].");
    endResponsesStream(response, "It boils [5].");
  });
  const events = await collected(docs.stream("kettle", asking(server)));
  assert.deepEqual(events.map(({ type }) => type), ["sources", "delta", "withdrawn"]);
  assert.equal(events.at(-1).answer.answer, "I don't know.");
});

test("a stream that fails ends with one error", async (t) => {
  const server = await serverFor(t, (response) => sendJson(response, { error: { message: "bad key" } }, 401));
  const events = await collected(docs.stream("kettle", asking(server)));
  assert.deepEqual(events.map(({ type }) => type), ["sources", "error"]);
  assert.equal(events.at(-1).error.code, "provider-auth");
});

test("a stream that is aborted ends with the signal's reason as its error", async (t) => {
  const server = await stuckServer(t);
  const stop = new AbortController();
  const types = [];
  for await (const event of docs.stream("kettle", asking(server, { signal: stop.signal }))) {
    types.push(event.type);
    if (event.type === "delta") stop.abort(REASON);
    if (event.type === "error") assert.equal(event.error, REASON);
  }
  assert.deepEqual(types.filter((type) => type !== "delta"), ["sources", "error"]);
});

test("wrong options end a stream with one error", async () => {
  const events = await collected(docs.stream("kettle", { topp: 3 }));
  assert.deepEqual(events.map(({ type, error }) => [type, error.code]), [["error", "bad-options"]]);
});

test("leaving the loop over a stream closes the connection", async (t) => {
  const server = await stuckServer(t);
  for await (const event of docs.stream("kettle", asking(server))) {
    if (event.type === "delta") break;
  }
  const { closed } = await server.arrived();
  await closed;
});

test("a process ends by itself after answers, aborts and errors", async () => {
  const script = `
    import { readFileSync } from "node:fs";
    import { load } from ${JSON.stringify(new URL("../../dist/load.js", import.meta.url).href)};
    const docs = await load(readFileSync(0));
    const stop = new AbortController();
    const waiting = docs.ask("kettle", { provider: () => new Promise(() => {}), signal: stop.signal });
    setTimeout(() => stop.abort(), 10);
    await waiting.catch(() => {});
    await docs.ask("kettle", { provider() { throw new Error("no"); } }).catch(() => {});
    for await (const event of docs.stream("kettle")) if (event.type === "sources") break;
    console.log((await docs.ask("kettle")).grounded);`;
  const running = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { timeout: 20_000 });
  running.child.stdin.end(tea);
  assert.equal((await running).stdout, "true\n");
});
