/** The browser's own model, played by a class of the same shape (Prompt API). */

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { load } from "../../dist/load.js";
import { bundleOf } from "./support/bundle.js";

const docs = await load(bundleOf({ "tea.md": "# Kettles\n\nA kettle boils the water for tea.\n" }));
const PROVIDER = { protocol: /** @type {const} */ ("browser") };

afterEach(() => delete globalThis.LanguageModel);

/** Puts a model on the page. What it was asked is in the list that comes back. */
function install({ availability = "available", pieces = ["It ", "boils [1]."], window = 4096, progress = [], failure, stuck = false, old = false } = {}) {
  const calls = [];
  const session = {
    ...(old ? {} : { contextWindow: window, contextUsage: 100, measureContextUsage: async (input) => Math.ceil(input.length / 4) }),
    promptStreaming(input, { signal }) {
      calls.push(["prompt", input]);
      return new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece);
          signal.addEventListener("abort", () => controller.error(signal.reason));
          if (!stuck) controller.close();
        },
      });
    },
    destroy: () => calls.push(["destroy"]),
  };
  globalThis.LanguageModel = {
    async availability(options) {
      calls.push(["availability", options]);
      return availability;
    },
    async create({ monitor, signal, ...options }) {
      calls.push(["create", options]);
      if (failure) throw new DOMException("the reason", failure);
      const download = new EventTarget();
      monitor(download);
      for (const loaded of progress) download.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded }));
      return session;
    },
  };
  return calls;
}

async function collected(options = {}) {
  const events = [];
  for await (const event of docs.stream("kettle", { provider: PROVIDER, ...options })) events.push(event);
  return events;
}

test("it answers in pieces, with sources that are checked", async () => {
  const calls = install();
  const events = await collected();
  assert.deepEqual(events.map(({ type }) => type), ["sources", "delta", "delta", "citation", "done"]);
  assert.equal(events.at(-1).answer.answer, "It boils [1].");
  const { instructions, input } = await docs.prompt("kettle", { provider: PROVIDER });
  const texts = [{ type: "text", languages: ["en"] }];
  const languages = { expectedInputs: texts, expectedOutputs: texts };
  assert.deepEqual(calls, [
    ["availability", languages],
    ["create", { ...languages, initialPrompts: [{ role: "system", content: instructions }] }],
    ["prompt", input],
    ["destroy"],
  ]);
});

test("its download is told as it goes on", async () => {
  install({ availability: "downloadable", progress: [0, 0.5, 1] });
  const events = await collected();
  const progress = events.filter(({ type }) => type === "progress");
  assert.deepEqual(progress.map(({ loaded }) => loaded), [0, 0.5, 1]);
  assert.equal(events.at(-1).type, "done");
});

test("an older version, whose pieces have all the text so far, gives the same answer", async () => {
  install({ old: true, pieces: ["It ", "It boils", "It boils [1]."] });
  const { answer } = (await collected()).at(-1);
  assert.equal(answer.answer, "It boils [1].");
});

test("a browser without it, and one that has none for the languages, say so", async () => {
  await assert.rejects(docs.ask("kettle", { provider: PROVIDER }), { code: "provider-model-not-found" });
  const calls = install({ availability: "unavailable" });
  const provider = { ...PROVIDER, languages: ["eo"] };
  await assert.rejects(docs.ask("kettle", { provider }), { code: "provider-model-not-found" });
  assert.deepEqual(calls.map(([name]) => name), ["availability"]);
  assert.deepEqual(calls[0][1].expectedOutputs, [{ type: "text", languages: ["eo"] }]);
});

for (const [failure, code] of [
  ["NotAllowedError", "provider-blocked-by-browser"],
  ["NotSupportedError", "provider-bad-request"],
  ["NetworkError", "provider-network"],
  ["QuotaExceededError", "provider-context-too-long"],
  ["NotReadableError", "provider-bad-request"],
  ["UnknownError", "provider-server"],
]) {
  test(`${failure} is told as ${code}`, async () => {
    install({ failure });
    await assert.rejects(docs.ask("kettle", { provider: PROVIDER }), { code, message: /the reason/u, providerCode: failure });
  });
}

test("a prompt that its window has no room for is not sent", async () => {
  const calls = install({ window: 120 });
  await assert.rejects(docs.ask("kettle", { provider: PROVIDER }), { code: "provider-context-too-long" });
  assert.deepEqual(calls.map(([name]) => name), ["availability", "create", "destroy"]);
});

test("sources that its window has no room for are left out", async () => {
  install({ window: 99_999 });
  const sources = [1, 2, 3].map((n) => ({ url: `/${n}`, title: "Tea", text: "A kettle boils water. ".repeat(300) }));
  assert.equal((await docs.ask("kettle", { provider: PROVIDER, sources })).droppedSources, 2);
  assert.equal((await docs.ask("kettle", { provider: { ...PROVIDER, contextWindow: 99_999 }, sources })).droppedSources, 0);
});

test("an abort rejects at once and ends its session", async () => {
  const calls = install({ stuck: true });
  const stop = new AbortController();
  const onEvent = ({ type }) => type === "delta" && setTimeout(() => stop.abort("enough"));
  await assert.rejects(docs.ask("kettle", { provider: PROVIDER, signal: stop.signal, onEvent }), (thrown) => thrown === "enough");
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(calls.at(-1), ["destroy"]);
});
