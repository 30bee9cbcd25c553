/** Every example of a provider in the documentation is run, word for word, and gives a checked answer. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { load } from "../../dist/load.js";
import { bundleOf } from "./support/bundle.js";
import { readPage } from "./support/markdown.js";
import { responsesReply, sendJson, serverFor } from "./support/server.js";

const docs = await load(bundleOf({ "tea.md": "# Kettles\n\nA kettle boils the water for tea.\n" }));
const KEY = "sk-canary-example-40d2";
const [FIRST, REST] = ["A kettle ", "boils it [1]."];
const REPLY = FIRST + REST;

/** What the examples take from the page around them. */
const PAGE = {
  keyTypedByTheReader: KEY,
  freshToken: async () => KEY,
  myModel: {
    generate: async () => ({ text: REPLY }),
    async *stream() {
      yield { text: FIRST };
      yield { text: REST };
    },
  },
};

const sse = (...events) => events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join("");

/** A whole stream of each protocol: its path, and the header that carries a key. */
const SERVERS = [
  {
    path: /\/v1\/responses$|^\/$/u,
    reply: sse({ type: "response.output_text.delta", delta: REPLY, output_index: 0, content_index: 0 }, { type: "response.completed", response: responsesReply(REPLY) }),
  },
  { path: /\/chat\/completions$/u, reply: sse({ choices: [{ delta: { content: REPLY }, finish_reason: "stop" }] }, "[DONE]") },
  {
    path: /\/v1\/messages$/u,
    reply: sse(
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: REPLY } },
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
      { type: "message_stop" },
    ),
  },
  { path: /:streamGenerateContent$/u, reply: sse({ candidates: [{ content: { parts: [{ text: REPLY }] }, finishReason: "STOP" }] }) },
  // One port serves Ollama's path here, the other one the AI SDK's; the reply tells them apart by the host asked.
  { path: /\/api\/chat$/u, host: "localhost:11434", reply: `${JSON.stringify({ message: { content: REPLY }, done: true, done_reason: "stop" })}\n` },
  { path: /\/api\/chat$/u, reply: sse({ type: "start" }, { type: "text-delta", id: "1", delta: REPLY }, { type: "finish" }, "[DONE]") },
];

const { blocks } = await readPage("docs/providers.md");
const examples = blocks.filter(({ language, code }) => language === "js" && code.includes("const provider = "));

test("there is an example of each provider", () => {
  const shown = examples.map(({ code }) => code).join("\n");
  const words = ["openai-responses", "openai-chat", "anthropic", "gemini", "ui-message-stream", "browser", "11434", "async (prompt", "function*"];
  assert.deepEqual(words.filter((word) => !shown.includes(word)), []);
});

for (const { code, line } of examples) {
  test(`the example in line ${line} works`, async (t) => {
    const provider = new Function(...Object.keys(PAGE), `${code}\nreturn provider;`)(...Object.values(PAGE));
    if (provider.protocol === "browser") globalThis.LanguageModel = browserModel();
    const sent = [];
    const server = await serverFor(t, (response, { headers, url, body }) => {
      const path = url.split("?")[0];
      const found = SERVERS.find((known) => known.path.test(path) && (known.host ?? headers["x-asked-host"]) === headers["x-asked-host"]);
      if (!found) return sendJson(response, { error: { message: `no ${url}` } }, 404);
      sent.push({ headers, body: JSON.parse(body) });
      response.writeHead(200, { "content-type": found.reply.startsWith("data:") ? "text/event-stream" : "application/x-ndjson" }).end(found.reply);
    });
    if (provider.endpoint) {
      // A page of the site resolves a path; here there is none.
      provider.endpoint = new URL(provider.endpoint, "https://docs.example.com").href;
      provider.fetch = (request) => toServer(server.url, request);
    }
    const answer = await docs.ask("kettle", { provider });
    assert.deepEqual([answer.status, answer.grounded, answer.answer], ["complete", true, REPLY]);
    if (!provider.endpoint) return;
    assert.equal(sent.length, 1);
    const hasKey = JSON.stringify(sent[0].headers).includes(KEY);
    assert.equal(hasKey, /keyTypedByTheReader|freshToken/u.test(code), "the key is sent where the example has one");
    assert.ok(!JSON.stringify(sent[0].body).includes(KEY));
  });
}
after(() => delete globalThis.LanguageModel);

/** Sends a request for anywhere to the server of the test. */
async function toServer(origin, request) {
  const { host, pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("x-asked-host", host);
  return fetch(origin + pathname + search, { method: request.method, headers, body: await request.text(), signal: request.signal });
}

function browserModel() {
  const promptStreaming = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(REPLY);
        controller.close();
      },
    });
  const session = { contextUsage: 0, contextWindow: 9000, measureContextUsage: async () => 10, promptStreaming, destroy() {} };
  return { availability: async () => "available", create: async () => session };
}
