/** The example of a proxy: what it passes on, what it fixes, and what it refuses. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { proxy } from "../../examples/proxy/proxy.mjs";
import { bundleOf } from "./support/bundle.js";
import { beginResponsesStream, endResponsesStream, responsesReply, sendJson, serverFor } from "./support/server.js";

const docs = await load(bundleOf({ "tea.md": "# Kettles\n\nA kettle boils the water for tea.\n" }));
const ORIGIN = "https://docs.example.com";
const KEY = "sk-canary-proxy-2f81";

/** A proxy in front of a server that answers as told. */
async function proxyFor(t, answer, more = {}) {
  const upstream = await serverFor(t, answer);
  const fixed = { upstream: `${upstream.url}/v1/responses`, key: KEY, model: "fixed", instructions: "Be brief." };
  const server = proxy({ ...fixed, origin: ORIGIN, ...more }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => (server.closeAllConnections(), server.close()));
  return { url: `http://127.0.0.1:${server.address().port}/ask`, upstream };
}

const post = (url, body, headers = {}) =>
  fetch(url, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), headers: { "content-type": "application/json", ...headers } });

const answering = (response) => sendJson(response, responsesReply("It boils [1]."));

test("a question passes through it, streamed, with the key added and all but the input fixed", async (t) => {
  const { url, upstream } = await proxyFor(t, (response) => {
    beginResponsesStream(response, "It ", "boils [1].");
    endResponsesStream(response, "It boils [1].");
  });
  const provider = { protocol: "openai-responses", endpoint: url, model: "dear", maxOutputTokens: 90_000 };
  const answer = await docs.ask("kettle", { provider });
  assert.equal(answer.answer, "It boils [1].");
  assert.equal(answer.grounded, true);
  const [{ headers, body }] = upstream.requests;
  assert.equal(headers.authorization, `Bearer ${KEY}`);
  const { input } = await docs.prompt("kettle");
  assert.deepEqual(JSON.parse(body), {
    ...{ model: "fixed", instructions: "Be brief.", input, stream: true, max_output_tokens: 600, store: false },
  });
});

test("a stream comes through it piece by piece", async (t) => {
  let end = () => {};
  const { url } = await proxyFor(t, (response) => {
    beginResponsesStream(response, "It ");
    end = () => endResponsesStream(response, "It boils [1].");
  });
  const types = [];
  for await (const event of docs.stream("kettle", { provider: { protocol: "openai-responses", endpoint: url, model: "m" } })) {
    types.push(event.type);
    if (event.type === "delta") end();
  }
  assert.deepEqual(types, ["sources", "delta", "delta", "citation", "done"]);
});

test("a reader who leaves ends the upstream's work", async (t) => {
  const { url, upstream } = await proxyFor(t, (response) => beginResponsesStream(response, "It "));
  for await (const event of docs.stream("kettle", { provider: { protocol: "openai-responses", endpoint: url, model: "m" } })) {
    if (event.type === "delta") break;
  }
  await (await upstream.arrived()).closed;
});

test("an upstream that breaks off breaks off here too", async (t) => {
  const { url } = await proxyFor(t, (response) => {
    beginResponsesStream(response, "It boils [1].");
    setTimeout(() => response.destroy(), 50);
  });
  const answer = await docs.ask("kettle", { provider: { protocol: "openai-responses", endpoint: url, model: "m" } });
  assert.equal(answer.status, "partial");
});

test("an address has its budget, and is told when to come back", async (t) => {
  const { url, upstream } = await proxyFor(t, answering, { perMinute: 2 });
  for (const expected of [200, 200, 429]) assert.equal((await post(url, { input: "x" })).status, expected);
  const refused = await post(url, { input: "x" });
  const seconds = Number(refused.headers.get("retry-after"));
  assert.ok(seconds > 0 && seconds <= 60);
  assert.match(refused.headers.get("access-control-expose-headers"), /retry-after/u);
  assert.equal(upstream.requests.length, 2);
});

test("all addresses together have the budget of a day", async (t) => {
  let address = 0;
  const { url, upstream } = await proxyFor(t, answering, { perDay: 2, addressOf: () => String(address++) });
  for (const expected of [200, 200, 429]) assert.equal((await post(url, { input: "x" })).status, expected);
  assert.ok(Number((await post(url, { input: "x" })).headers.get("retry-after")) > 3600);
  assert.equal(upstream.requests.length, 2);
});

test("what is no question is refused before the upstream hears of it", async (t) => {
  const { url, upstream } = await proxyFor(t, answering, { maxBodyBytes: 100 });
  for (const [body, expected] of [["{", 400], [{ input: 1 }, 400], ["null", 400], [{ input: "x".repeat(200) }, 413]]) {
    assert.equal((await post(url, body)).status, expected, JSON.stringify(body));
  }
  assert.equal((await fetch(url)).status, 405);
  assert.equal((await post(url, { input: "x" }, { origin: "https://elsewhere.example" })).status, 403);
  assert.equal(upstream.requests.length, 0);
});

test("the browser's own question is answered for one origin only", async (t) => {
  const { url } = await proxyFor(t, answering);
  const preflight = (origin) => fetch(url, { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } });
  const allowed = await preflight(ORIGIN);
  assert.equal(allowed.status, 204);
  assert.equal(allowed.headers.get("access-control-allow-origin"), ORIGIN);
  assert.equal(allowed.headers.get("access-control-allow-headers"), "content-type");
  assert.equal((await preflight("https://elsewhere.example")).status, 403);
});

test("the key is in nothing that comes back, and neither is the upstream's address", async (t) => {
  const { url } = await proxyFor(t, (response) => response.destroy());
  const reply = await post(url, { input: "x" });
  const shown = (await reply.text()) + JSON.stringify([...reply.headers]);
  assert.equal(reply.status, 502);
  assert.doesNotMatch(shown, new RegExp(`${KEY}|v1/responses`, "u"));
});

test("an error of the upstream is passed on with its wait", async (t) => {
  const { url } = await proxyFor(t, (response) => {
    response.setHeader("retry-after", "90");
    sendJson(response, { error: { message: "Rate limit reached", type: "requests" } }, 429);
  });
  const provider = { protocol: "openai-responses", endpoint: url, model: "m" };
  await assert.rejects(docs.ask("kettle", { provider }), { code: "provider-rate-limited", retryAfterMs: 90_000 });
});
