/** How far the sentences of an answer are borne out, as JavaScript sees it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { lessonsBundle } from "./support/bundle.js";

const docs = await load(await lessonsBundle());
const ports = "Сервер — the server listens on port 8080. Requests time out after 30 seconds.";
const sources = [
  { url: "/ports#listen", title: "Ports", text: ports },
  { url: "/cache", title: "Cache", text: "The cache keeps rendered pages in memory until the process stops." },
];

/** Asks a function that gives this reply. */
function ask(reply, options = {}) {
  return docs.ask("Which port?", { sources, provider: () => reply, ...options });
}

test("each sentence tells how far it is borne out, with the place that does it", async () => {
  const answer = await ask("Порт: it listens on port 8080 [1]. It times out after 20 seconds [1]. So it is.");
  assert.deepEqual(answer.sentences.map(({ support }) => support), ["supported", "unsupported", "uncited"]);
  const [first, second] = answer.sentences;
  assert.equal(answer.answer.slice(first.start, first.end), "Порт: it listens on port 8080 [1].");
  assert.equal(ports.slice(first.quote.start, first.quote.end), first.quote.text);
  assert.match(first.quote.text, /listens on port 8080\.$/u);
  assert.deepEqual(second.problems, [{ kind: "number", text: "20" }]);
  assert.deepEqual(second.missing, ["20"]);
  assert.deepEqual(answer.citations.map(({ support }) => support), ["supported", "unsupported"]);
});

test("a source carries its quote and a link that selects it", async () => {
  const answer = await ask("Requests time out after 30 seconds [1]. Pages stay in memory until the process stops [2].");
  const [first, second] = answer.sources;
  assert.equal(first.quote, "Requests time out after 30 seconds.");
  assert.equal(first.link, "/ports#listen:~:text=Requests%20time%20out%20after%2030%20seconds.");
  assert.equal(second.link, "/cache#:~:text=The%20cache%20keeps%20rendered%20pages%20in%20memory%20until%20the%20process%20stops.");
});

test("a sentence that another source bears out is told that source", async () => {
  const { sentences } = await ask("Requests time out after 30 seconds [2].");
  assert.equal(sentences[0].correction, 1);
});

test("strict withdraws an answer with an unsupported sentence", async () => {
  const events = [];
  const options = { support: "strict", onEvent: ({ type }) => events.push(type) };
  const answer = await ask("The server listens on port 80 [1].", options);
  assert.deepEqual([answer.answer, answer.grounded, answer.reason], ["I don't know.", false, "unsupported"]);
  assert.deepEqual([answer.sources, answer.sentences, answer.cited], [[], [], [1]]);
  assert.equal(events.at(-1), "withdrawn");
  assert.equal((await ask("The server listens on port 8080 [1].", options)).grounded, true);
});

test("off compares nothing", async () => {
  const answer = await ask("The server listens on port 80 [1].", { support: "off" });
  assert.equal(answer.grounded, true);
  assert.deepEqual(answer.sentences, []);
  assert.equal(answer.citations[0].support, undefined);
  assert.equal(answer.sources[0].link, "/ports#listen");
});

test("a support policy that does not exist is refused", async () => {
  await assert.rejects(ask("8080 [1].", { support: "yes" }), { code: "bad-options", message: /support/u });
});
