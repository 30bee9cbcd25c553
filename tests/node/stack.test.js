/** The deepest inputs leave at least half of the engine's stack unused. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createGlue } from "../../dist/engine.js";
import { lessonsBundle } from "./support/bundle.js";

/** As build.rs sets it. The stack lies at the start of memory, grows down, and is zero where it was never used. */
const STACK_BYTES = 128 * 1024;

const bundle = await WebAssembly.compile(await lessonsBundle());

/**
 * @param {(docs: import("../../dist/engine.js").Docs) => unknown} use
 * @param {string} [reply] what the endpoint answers
 * @returns {Promise<number>} bytes of the stack that were in use at most
 */
async function stackOf(use, reply = "") {
  const headers = { "content-type": "application/json" };
  const glue = createGlue(WebAssembly, async () => new Response(reply, { headers }));
  const { memory } = await glue({ module_or_path: bundle });
  await use(new glue.Docs());
  const lowest = new Uint8Array(memory.buffer, 0, STACK_BYTES).findIndex((byte) => byte !== 0);
  return lowest < 0 ? 0 : STACK_BYTES - lowest;
}

/** A question that the endpoint answers with `reply`. */
const asking = (protocol) => (docs) =>
  docs
    .ask("What is a covering index?", {
      provider: { protocol, endpoint: "https://example.com/v1", model: "m", key: "k", stream: false },
    })
    .catch(() => {});

const DEPTH = 200_000;
const nested = (open, close) => open.repeat(DEPTH) + close.repeat(DEPTH);
const chat = (content) => JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] });

for (const [name, use, reply] of [
  ["lists in lists in a reply", asking("openai-chat"), `{"choices":${nested("[", "]")}}`],
  ["objects in objects in a reply", asking("openai-responses"), `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`],
  ["objects as deep as they are read", asking("gemini"), `${'{"a":'.repeat(127)}1${"}".repeat(127)}`],
  ["brackets in brackets in an answer", asking("openai-chat"), chat(`${nested("[", "]")} It is [1].`)],
  ["quotations in quotations in an answer", asking("openai-chat"), chat(`${"> ".repeat(DEPTH)}It is [1].`)],
  ["lists in lists in an answer", asking("openai-chat"), chat(`${"- ".repeat(DEPTH)}It is [1].`)],
  ["emphasis in emphasis in an answer", asking("openai-chat"), chat(`${nested("*", "*")} It is [1].`)],
  ["a question of many words", (docs) => docs.search(Array.from({ length: 100_000 }, (_, i) => `w${i}`).join(" "))],
  ["a question of one long word", (docs) => docs.search("a-b_c.d::".repeat(100_000))],
  ["an endless run of combining marks", (docs) => docs.search(`a${"\u0301\u0323".repeat(100_000)}`)],
  ["a long source", (docs) => docs.prompt("tea", { sources: [{ url: "/", title: "Tea", text: "` < & ".repeat(200_000) }] })],
]) {
  test(`${name} need less than half of the stack`, async (t) => {
    const used = await stackOf(use, reply);
    t.diagnostic(`${used} bytes`);
    assert.ok(used > 0 && used < STACK_BYTES / 2, `${used} of ${STACK_BYTES} bytes were used`);
  });
}

test("the stack is as large as it is meant to be", async () => {
  const glue = createGlue(WebAssembly, fetch);
  const { memory } = await glue({ module_or_path: bundle });
  // The linker puts the data right above the stack, so that an overflow traps and overwrites nothing.
  const data = new Uint8Array(memory.buffer, STACK_BYTES, 4096);
  assert.ok(data.some((byte) => byte !== 0), "data begin where the stack ends");
});
