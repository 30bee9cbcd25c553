/** What becomes of a reply whose citations do not hold. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { lessonsBundle } from "./support/bundle.js";
import { responsesReply, sendJson, serverFor } from "./support/server.js";

const docs = await load(await lessonsBundle());
const sources = [
  { url: "/ports", title: "Ports", text: "The port is 8080." },
  { url: "/reset", title: "Reset", text: "Hold the key." },
];

/** Asks a function that gives these replies, one a call. */
async function ask(citations, ...replies) {
  const prompts = [];
  const events = [];
  const provider = (prompt) => {
    prompts.push(prompt);
    return replies[prompts.length - 1];
  };
  const answer = await docs.ask("Which port?", { sources, provider, citations, onEvent: (event) => events.push(event) });
  return { answer, prompts, events };
}

test("reject, the default, withdraws a reply with one made-up number, in a group too", async () => {
  for (const citations of ["reject", undefined]) {
    for (const reply of ["The port is 8080 [1]. It is never 80 [7].", "The port is 8080 [1, 7]."]) {
      const { answer, prompts } = await ask(citations, reply);
      assert.deepEqual([answer.answer, answer.reason, answer.sources], ["I don't know.", "unknown_source", []]);
      assert.deepEqual([answer.cited, answer.invalid, prompts.length], [[1, 7], [7], 1]);
    }
  }
});

test("strip takes out the markers of sources that were not given", async () => {
  const { answer, events } = await ask("strip", "The port is 8080 [1]. It is never 80 [7].");
  assert.equal(answer.answer, "The port is 8080 [1]. It is never 80.");
  assert.equal(answer.grounded, true);
  assert.deepEqual(answer.sources.map(({ n }) => n), [1]);
  assert.deepEqual([answer.cited, answer.invalid], [[1], [7]]);
  assert.equal(answer.citations.length, 1);
  assert.match(answer.warnings[0], /taken out/u);
  assert.equal(events.at(-1).type, "done");
});

test("strip withdraws a reply of which no citation remains", async () => {
  const { answer, events } = await ask("strip", "The port is 80 [7].");
  assert.deepEqual([answer.answer, answer.grounded, answer.reason], ["I don't know.", false, "unknown_source"]);
  assert.equal(events.at(-1).type, "withdrawn");
});

test("repair asks once more, names the fault and takes back what was shown", async () => {
  const { answer, prompts, events } = await ask("repair", "The port is 80 [7].", "The port is 8080 [1].");
  assert.equal(answer.answer, "The port is 8080 [1].");
  assert.equal(answer.grounded, true);
  assert.match(prompts[1].instructions, /cites numbers that no source has: 7\.$/u);
  assert.ok(prompts[1].input.startsWith(prompts[0].input));
  assert.match(prompts[1].input, /<rejected>The port is 80 \[7\]\.<\/rejected>$/u);
  const types = events.map(({ type }) => type);
  assert.deepEqual(types, ["sources", "delta", "restart", "delta", "citation", "done"]);
  const { start, end } = events[4];
  assert.equal(answer.answer.slice(start, end), "[1]");
});

test("repair is tried once", async () => {
  const { answer, prompts } = await ask("repair", "80.", "80 [9].", "8080 [1].");
  assert.equal(prompts.length, 2);
  assert.deepEqual([answer.grounded, answer.reason, answer.invalid], [false, "unknown_source", [9]]);
});

test("a repaired answer of a server counts the tokens of both replies", async (t) => {
  const replies = ["The port is 80.", "The port is 8080 [1]."];
  const server = await serverFor(t, (response) => sendJson(response, responsesReply(replies.shift())));
  const provider = { protocol: "openai-responses", endpoint: `${server.url}/v1/responses`, model: "m", stream: false };
  const answer = await docs.ask("Which port?", { sources, provider, citations: "repair" });
  assert.equal(answer.grounded, true);
  assert.deepEqual(answer.usage, { input: 642, output: 24 });
  assert.equal(server.requests.length, 2);
});

test("a policy that does not exist is refused", async () => {
  await assert.rejects(ask("ignore", "8080 [1]."), { code: "bad-options", message: /citations.*"reject", "strip" or "repair"/u });
});
