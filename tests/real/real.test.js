/** Questions to a real model through the protocols that llama.cpp's server speaks. Run by scripts/real.mjs. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { staticServer } from "../../cli/static-server.js";
import { load } from "../../dist/load.js";
import { lessonsBundle } from "../node/support/command.js";
import { ROOT } from "../node/support/markdown.js";

const QUESTION = "What is a covering index?";
/** So few that a slow machine needs seconds. */
const MOST_TOKENS = 24;
const PROTOCOLS = [
  { protocol: "openai-chat", path: "/v1/chat/completions" },
  { protocol: "openai-responses", path: "/v1/responses" },
  { protocol: "anthropic", path: "/v1/messages" },
];

/** @type {import("node:child_process").ChildProcess} */
let model;
let address = "";
/** @type {import("node:http").Server} */
let site;
let origin = "";
/** @type {import("playwright-core").Browser} */
let browser;
/** @type {import("../../dist/load.js").Docs} */
let docs;
let removeBundle = async () => {};

before(async () => {
  model = spawn(`${ROOT}.tmp/real-venv/bin/python`, [`${ROOT}tests/real/server.py`], { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: /** @type {import("node:stream").Readable} */ (model.stdout) });
  const ended = once(model, "exit").then(([code]) => assert.fail(`the model's server ended with code ${code}`));
  [address] = await Promise.race([once(lines, "line"), ended]);
  ended.catch(() => {});
  const bundle = await lessonsBundle();
  removeBundle = bundle.remove;
  docs = await load(await readFile(path.join(bundle.folder, "docs.wasm")));
  site = staticServer(bundle.folder, "not found").listen(0, "127.0.0.1");
  await once(site, "listening");
  origin = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (site.address()).port}`;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
});
after(async () => {
  model?.stdin?.end();
  await browser?.close();
  site?.close();
  await removeBundle();
});

/** @param {typeof PROTOCOLS[number]} protocol */
function options({ protocol, path }) {
  const provider = { protocol, endpoint: address + path, model: "smollm2", maxOutputTokens: MOST_TOKENS };
  return { provider, prompt: "context", top: 1 };
}

async function inNode(options) {
  const events = [];
  for await (const event of docs.stream(QUESTION, options)) events.push(event);
  return events;
}

async function inChromium(options) {
  const page = await browser.newPage();
  try {
    await page.goto(`${origin}/`);
    return await page.evaluate(
      async ({ question, options }) => {
        const { load } = await import(new URL("groundling/load.js", document.baseURI).href);
        const docs = await load("docs.wasm");
        const events = [];
        for await (const event of docs.stream(question, options)) {
          events.push(event.error ? { type: "error", error: `${event.error.code}: ${event.error.message}` } : event);
        }
        return events;
      },
      { question: QUESTION, options },
    );
  } finally {
    await page.close();
  }
}

for (const [place, ask] of Object.entries({ Node: inNode, Chromium: inChromium })) {
  for (const protocol of PROTOCOLS) {
    for (const stream of [true, false]) {
      test(`${protocol.protocol} in ${place}, ${stream ? "streamed" : "in one piece"}`, async () => {
        const asked = options(protocol);
        const events = await ask({ ...asked, provider: { ...asked.provider, stream } });
        const { type, answer, error } = events.at(-1);
        assert.equal(type, "done", String(error));
        // What so small a model says is its own affair; whether it came to an end is not.
        assert.equal(answer.status, answer.usage.output < MOST_TOKENS ? "complete" : "partial");
        if (answer.status === "partial") assert.equal(answer.reason, "length");
        assert.ok(answer.answer.trim().length > 0);
        assert.ok(answer.usage.input > 0 && answer.usage.output <= MOST_TOKENS, JSON.stringify(answer.usage));
        assert.ok(answer.model);
        const deltas = events.filter(({ type }) => type === "delta");
        assert.equal(deltas.map(({ text }) => text).join(""), answer.answer);
        assert.equal(deltas.length > 1, stream);
      });
    }
  }
}

for (const protocol of PROTOCOLS) {
  test(`${protocol.protocol}: a prompt that is too long for the model is told as that`, async () => {
    const text = "The kettle boils the water for tea. ".repeat(400);
    const sources = [{ url: "/", title: "Tea", text }];
    await assert.rejects(docs.ask(QUESTION, { ...options(protocol), sources }), { code: "provider-context-too-long" });
  });

  test(`${protocol.protocol}: leaving the loop stops the model`, async () => {
    for await (const event of docs.stream(QUESTION, options(protocol))) if (event.type === "delta") break;
    // With one slot the next answer has to wait for the last one to end.
    const { status } = await docs.ask(QUESTION, options(protocol));
    assert.match(status, /complete|partial/u);
  });
}
