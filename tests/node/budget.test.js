/** What a page may ask of a model: questions a minute, tokens, one at a time, and the same question once. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { bundleOf } from "./support/bundle.js";
import { responsesReply, sendJson, serverFor } from "./support/server.js";

const tea = bundleOf({ "tea.md": "# Kettles\n\nA kettle boils the water for tea.\n" });
const REPLY = "It boils [1].";

/** A provider whose replies wait for `go`. */
function held() {
  const waiting = [];
  const provider = (_, { signal }) =>
    new Promise((resolve, reject) => {
      waiting.push(() => resolve(REPLY));
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  return { provider, waiting, go: () => waiting.shift()() };
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

test("questions beyond those of a minute are refused with the time to wait", async () => {
  const docs = await load(tea, { budget: { questionsPerMinute: 2 } });
  const asked = (question) => docs.ask(question, { provider: () => REPLY });
  await asked("kettle");
  await asked("water");
  const error = await asked("tea").catch((thrown) => thrown);
  assert.equal(error.code, "budget-questions");
  assert.ok(error.retryAfterMs > 50_000 && error.retryAfterMs <= 60_000, error.retryAfterMs);
  assert.equal((await docs.ask("tea")).grounded, true, "the offline answer costs nothing");
});

test("a question that is not sent does not count", async () => {
  const docs = await load(tea, { budget: { questionsPerMinute: 1 } });
  const provider = () => REPLY;
  assert.equal((await docs.ask("zeppelin", { provider })).status, "no_answer");
  await assert.rejects(docs.ask("kettle", { provider, topp: 1 }), { code: "bad-options" });
  assert.equal((await docs.ask("kettle", { provider })).grounded, true);
  await assert.rejects(docs.ask("water", { provider }), { code: "budget-questions" });
});

test("tokens are counted as the server reports them", async (t) => {
  const server = await serverFor(t, (response) => sendJson(response, responsesReply(REPLY, { input_tokens: 90, output_tokens: 10 })));
  const docs = await load(tea, { budget: { tokensPerSession: 150 } });
  const provider = { endpoint: `${server.url}/v1/responses`, model: "m" };
  await docs.ask("kettle", { provider });
  await docs.askContext("water", { provider });
  await assert.rejects(docs.ask("tea", { provider }), { code: "budget-tokens" });
  assert.equal(server.requests.length, 2);
});

test("tokens that nobody reports are estimated by what was sent and came back", async () => {
  const docs = await load(tea, { budget: { tokensPerSession: 5 } });
  await docs.ask("kettle", { provider: () => REPLY });
  await assert.rejects(docs.ask("water", { provider: () => REPLY }), { code: "budget-tokens" });
});

test("one question is under way at a time; a stopped one leaves the line", async () => {
  const docs = await load(tea, { budget: {} });
  const { provider, waiting, go } = held();
  const stop = new AbortController();
  const [first, second, third] = [docs.ask("kettle", { provider }), docs.ask("water", { provider, signal: stop.signal }), docs.ask("tea", { provider })];
  await soon();
  assert.equal(waiting.length, 1);
  stop.abort("enough");
  await assert.rejects(second, (thrown) => thrown === "enough");
  go();
  assert.equal((await first).grounded, true);
  await soon();
  assert.equal(waiting.length, 1);
  go();
  assert.equal((await third).grounded, true);
});

test("the same question is asked once, and each caller hears all of it", async () => {
  const docs = await load(tea, { budget: { questionsPerMinute: 1 } });
  const { provider, waiting, go } = held();
  const types = [[], []];
  const first = docs.ask("kettle", { provider, onEvent: ({ type }) => types[0].push(type) });
  await soon();
  const second = docs.ask("kettle", { provider, onEvent: ({ type }) => types[1].push(type) });
  await soon();
  assert.equal(waiting.length, 1);
  go();
  const [one, two] = await Promise.all([first, second]);
  assert.deepEqual(one, two);
  assert.notEqual(one, two, "a caller may change what is its own");
  assert.deepEqual(types, Array(2).fill(["sources", "delta", "citation", "done"]));
});

test("questions whose answers may differ are not joined", async () => {
  const docs = await load(tea, { budget: {} });
  const asked = [];
  const provider = (prompt) => (asked.push(prompt.name), REPLY);
  const other = (prompt) => (asked.push("other"), REPLY);
  await Promise.all([
    docs.ask("kettle", { provider }), docs.ask("kettle", { provider, prompt: "context" }),
    docs.ask("kettle", { provider: other }), docs.askContext("kettle", { provider }),
  ]);
  assert.deepEqual(asked, ["cited", "context", "other", "context-ru"]);
});

test("a joined question is stopped when the last who waits for it leaves", async () => {
  const docs = await load(tea, { budget: {} });
  let stopped = false;
  const provider = (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => (stopped = true)));
  const [one, two] = [new AbortController(), new AbortController()];
  const first = docs.ask("kettle", { provider, signal: one.signal });
  const second = docs.ask("kettle", { provider, signal: two.signal });
  await soon();
  one.abort("one");
  await assert.rejects(first, (thrown) => thrown === "one");
  assert.equal(stopped, false);
  two.abort("two");
  await assert.rejects(second, (thrown) => thrown === "two");
  await soon();
  assert.equal(stopped, true);
});

test("a caller's own mistake is the caller's alone", async () => {
  const docs = await load(tea, { budget: {} });
  const { provider, go } = held();
  const thrown = new Error("the page is gone");
  const first = docs.ask("kettle", { provider, onEvent: () => { throw thrown; } });
  const second = docs.ask("kettle", { provider });
  await assert.rejects(first, (error) => error === thrown);
  await soon();
  go();
  assert.equal((await second).grounded, true);
});

test("an error ends the question for the next one too, and is told to all", async () => {
  const docs = await load(tea, { budget: {} });
  const provider = () => { throw new Error("no"); };
  const both = await Promise.allSettled([docs.ask("kettle", { provider }), docs.ask("kettle", { provider })]);
  assert.deepEqual(both.map(({ reason }) => reason.code), ["provider-function", "provider-function"]);
  assert.equal((await docs.ask("kettle", { provider: () => REPLY })).grounded, true);
});

test("limits that are none are refused", async () => {
  for (const budget of [{ questionsPerMinute: 0 }, { tokensPerSession: "many" }, { questionsPerMinute: NaN }]) {
    await assert.rejects(load(tea, { budget }), { code: "bad-options" });
  }
});
