/** A key is a canary: however a question fails, it is in nothing that comes back, is told or is logged. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { bundleOf } from "./support/bundle.js";
import { KEY, allTextOf } from "./support/model.js";
import { serverFor } from "./support/server.js";

const tea = bundleOf({ "tea.md": "# Kettles\n\nA kettle boils the water for tea.\n" });
const docs = await load(tea);

const PATHS = {
  "openai-responses": "/v1/responses",
  "openai-chat": "/v1/chat/completions",
  anthropic: "/v1/messages",
  ollama: "/api/chat",
  gemini: "/v1beta/models/m",
  "ui-message-stream": "/api/chat",
};

/** The ways in which a key is given. */
const GIVEN = {
  "as the key": { key: KEY },
  "in a header": { headers: { "x-own-token": KEY } },
  "in a made header": { headers: async () => ({ authorization: `Bearer ${KEY}` }) },
};

/** @typedef {import("node:http").ServerResponse} Response */

/** A body of this type with this status, in which and beside which the server repeats the key. */
const told = (/** @type {number} */ status, /** @type {string} */ type, /** @type {string} */ body) => (/** @type {Response} */ response) =>
  void response.writeHead(status, { "content-type": type, "x-request-id": `req-${KEY}`, "retry-after": "3600" }).end(body);

const JSON_TYPE = "application/json";
const EVENTS = "text/event-stream";

/** Every way to fail, by what the server does. */
const FAILURES = /** @type {Record<string, (response: Response) => void>} */ ({
  ...Object.fromEntries(
    [400, 401, 403, 404, 408, 413, 429, 500, 503, 529].map((status) => [
      `status ${status}`,
      told(status, JSON_TYPE, JSON.stringify({ error: { message: `Incorrect key: ${KEY}.`, code: KEY, type: KEY, status: KEY } })),
    ]),
  ),
  "an error that is a text": told(401, JSON_TYPE, JSON.stringify({ error: `No ${KEY} here` })),
  "an error of a framework": told(422, JSON_TYPE, JSON.stringify({ detail: [{ loc: [KEY], msg: `bad ${KEY}`, type: KEY }] })),
  "an error page": told(502, "text/html", `<title>${KEY}</title><p>Bearer ${KEY}</p>`),
  "a page in place of an answer": told(200, "text/html", `<title>${KEY}</title><p>${KEY}</p>`),
  "plain words in place of an answer": told(200, "text/plain", `who is ${KEY}?`),
  "another protocol": told(200, JSON_TYPE, JSON.stringify({ [KEY]: KEY })),
  "an error in the stream": told(200, EVENTS, `event: error\ndata: ${JSON.stringify({ type: "error", error: { type: KEY, code: KEY, message: KEY } })}\n\n`),
  "an unreadable event": told(200, EVENTS, `data: {"${KEY}\n\ndata: [DONE]\n\n`),
  "an empty stream": told(200, EVENTS, `: ${KEY}\n\n`),
  "an unknown finish": told(
    200,
    EVENTS,
    `data: ${JSON.stringify({ model: KEY, choices: [{ delta: { content: "It boils [1]." }, finish_reason: KEY }] })}\n\ndata: [DONE]\n\n`,
  ),
  "a redirect": (response) => void response.writeHead(307, { location: `/${KEY}?key=${KEY}` }).end(),
  "a connection that breaks": (response) => void response.destroy(),
  "no response": () => {},
});

for (const [protocol, path] of Object.entries(PATHS)) {
  for (const [how, given] of Object.entries(GIVEN)) {
    test(`${protocol}, the key given ${how}: no failure tells it`, async (t) => {
      /** @type {unknown[]} */
      const logged = [];
      for (const method of /** @type {const} */ (["log", "info", "warn", "error", "debug", "trace"])) {
        t.mock.method(console, method, (/** @type {unknown[]} */ ...words) => void logged.push(words));
      }
      const results = await Promise.all(
        Object.entries(FAILURES).map(async ([name, fail]) => {
          const server = await serverFor(t, fail);
          const provider = { protocol, endpoint: server.url + path, model: "m", connectTimeoutMs: 300, ...given };
          const options = /** @type {any} */ ({ provider, timeoutMs: 1_500 });
          const prompt = await docs.prompt("kettle", options);
          const events = [];
          for await (const event of docs.stream("kettle", options)) events.push(event);
          assert.ok(server.requests.length > 0, name);
          assert.ok(allTextOf(server.requests.map(({ headers }) => headers)).includes(KEY), `${name}: the key was sent`);
          assert.ok(!allTextOf(server.requests.map(({ url, body }) => [url, body])).includes(KEY), `${name}: in a header alone`);
          return { name, seen: allTextOf([prompt, events]), last: events.at(-1)?.type };
        }),
      );
      for (const { name, seen } of results) assert.ok(!seen.includes(KEY), `${name}: ${seen}`);
      const failed = results.filter(({ last }) => last === "error").map(({ name }) => name);
      const whole = protocol === "openai-chat" ? ["an unknown finish"] : [];
      assert.deepEqual(failed, Object.keys(FAILURES).filter((name) => !whole.includes(name)));
      assert.ok(!allTextOf(logged).includes(KEY), "logged");
    });
  }
}

test("settings that are refused do not tell the key", async () => {
  const refused = [
    { endpoint: "http://llm.example/v1/responses", model: "m", key: KEY },
    { endpoint: `https://user:${KEY}@llm.example/v1/responses`, model: "m" },
    { endpoint: "https://llm.example/v1/responses", model: "m", key: `${KEY}\n` },
    { endpoint: "https://llm.example/v1/responses", model: 7, key: KEY },
    { endpoint: "https://llm.example/v1/responses", model: "m", headers: { "x-own": `${KEY}\u0000` } },
    { protocol: "none", endpoint: "https://llm.example/", model: "m", key: KEY },
    { endpoint: "no address", model: "m", key: KEY },
  ];
  for (const provider of refused) {
    const thrown = await docs.ask("kettle", /** @type {any} */ ({ provider })).catch((error) => error);
    assert.equal(thrown?.name, "GroundlingError", JSON.stringify(provider));
    assert.ok(!allTextOf(thrown).includes(KEY), thrown.message);
  }
});
