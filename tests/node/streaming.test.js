/** What a reader of a stream sees, and when. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { bundleOf } from "./support/bundle.js";
import { responsesReply, sendJson, serverFor } from "./support/server.js";

const docs = await load(bundleOf({ "tea.md": "# Kettles\n\nA kettle boils the water for tea.\n" }));

const source = (/** @type {string} */ title) => ({ url: `/${title}`, title, text: `${title}: a kettle boils water.` });
const sources = ["a", "b", "c"].map(source);

/** All events of a reply that comes in these pieces. */
async function eventsOf(pieces, options = {}) {
  const events = [];
  for await (const event of docs.stream("kettle", { sources, provider: () => pieces, ...options })) events.push(event);
  return events;
}

/** Every way of writing citations that is understood, with the numbers. */
const FORMS = {
  "[1]": [1],
  "[1, 2]": [1, 2],
  "[1; 2]": [1, 2],
  "[1 and 3]": [1, 3],
  "[1][2]": [1, 2],
  "[1-3]": [1, 2, 3],
  "[1–3]": [1, 2, 3],
  "【1】": [1],
  "【2†source】": [2],
  "[^1]": [1],
  "[source 1]": [1],
  "[Sources 1, 2]": [1, 2],
};

for (const [form, numbers] of Object.entries(FORMS)) {
  test(`${form} is told as soon as it is complete, wherever it is cut`, async () => {
    const text = `It boils ${form}. Then.`;
    for (let cut = 1; cut < text.length; cut++) {
      const events = await eventsOf([text.slice(0, cut), text.slice(cut)]);
      const told = events.filter(({ type }) => type === "citation");
      assert.deepEqual(told.map(({ n }) => n), numbers, `cut at ${cut}`);
      for (const { start, end } of told) assert.ok(form.includes(text.slice(start, end)), `cut at ${cut}`);
      assert.deepEqual(events.at(-1).answer.citations.map(({ n, start, end }) => [n, start, end]), told.map(({ n, start, end }) => [n, start, end]));
    }
    const letters = await eventsOf([...text]);
    const dot = letters.findIndex(({ type, text }) => type === "delta" && text === "T");
    const last = letters.findLastIndex(({ type }) => type === "citation");
    assert.ok(last !== -1 && last < dot, "a citation waits for more than the sign after it");
  });
}

for (const code of ["`a[1]`", "a[1]", "\n```\n[1]\n```\n", "[1](/a)", "<think>[1]</think>"]) {
  test(`${JSON.stringify(code)} is no citation, wherever it is cut`, async () => {
    const text = code.startsWith("<think>") ? `${code}It boils.` : `It boils ${code}.`;
    for (let cut = 1; cut < text.length; cut++) {
      const events = await eventsOf([text.slice(0, cut), text.slice(cut)]);
      assert.ok(!events.some(({ type }) => type === "citation"), `cut at ${cut}`);
      assert.deepEqual([events.at(-1).type, events.at(-1).answer.reason], ["withdrawn", "no_citation"]);
    }
  });
}

test("the sources are told before the request goes out", async (t) => {
  const order = [];
  const server = await serverFor(t, (response) => {
    order.push("request");
    sendJson(response, responsesReply("It boils [1]."));
  });
  const fetch = (request) => {
    order.push("fetch");
    return globalThis.fetch(request);
  };
  const provider = { protocol: "openai-responses", endpoint: `${server.url}/v1/responses`, model: "m", fetch };
  await docs.ask("kettle", { provider, onEvent: ({ type }) => order.push(type) });
  assert.deepEqual(order, ["sources", "fetch", "request", "delta", "citation", "done"]);
});

test("a question that is stopped when its sources are told sends nothing", async () => {
  let calls = 0;
  const stop = new AbortController();
  const options = { provider: () => `${++calls} [1].`, signal: stop.signal, onEvent: () => stop.abort() };
  await assert.rejects(docs.ask("kettle", options), { name: "AbortError" });
  assert.equal(calls, 0);
});

const WITHDRAWN = { "It boils [9].": "unknown_source", "It boils [1]. Or not [9].": "unknown_source", "It boils.": "no_citation", " \n": "empty" };

for (const [reply, reason] of Object.entries(WITHDRAWN)) {
  test(`nothing of ${JSON.stringify(reply)} is left as an answer`, async () => {
    const { type, answer } = (await eventsOf([reply])).at(-1);
    assert.deepEqual([type, answer.reason, answer.grounded], ["withdrawn", reason, false]);
    assert.equal(answer.answer, "I don't know.");
    assert.deepEqual([answer.sources, answer.citations, answer.sentences], [[], [], []]);
    assert.ok(!JSON.stringify({ ...answer, nearest: [] }).includes("boils"));
  });
}

test("an unsupported sentence withdraws a strict answer, with the reason", async () => {
  const { type, answer } = (await eventsOf(["The moon is made of green cheese [1]."], { support: "strict" })).at(-1);
  assert.deepEqual([type, answer.reason, answer.answer], ["withdrawn", "unsupported", "I don't know."]);
  assert.deepEqual([answer.sources, answer.citations, answer.sentences], [[], [], []]);
});
