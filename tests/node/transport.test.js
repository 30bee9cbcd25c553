/** What lies between a question and its endpoint: limits of time, headers, redirects, room, and the end of it all. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { promisify } from "node:util";
import { load } from "../../dist/load.js";
import { bundleOf } from "./support/bundle.js";
import { allTextOf } from "./support/model.js";
import { beginResponsesStream, endResponsesStream, responsesReply, sendJson, serverFor } from "./support/server.js";
import { withTrapIn } from "./support/trap.js";

const tea = bundleOf({ "tea.md": "# Kettles\n\nA kettle boils the water for tea.\n" });
const docs = await load(tea);
const TOKEN = "canary-token-83c1";

const provider = (server, more = {}) => ({ protocol: "openai-responses", endpoint: `${server.url}/v1/responses`, model: "m", ...more });
const answering = (response) => sendJson(response, responsesReply("It boils [1]."));
/** Begins a stream and goes no further. */
const stuck = (response) => beginResponsesStream(response, "It ");

test("a response that does not begin in time fails, and its connection is closed", async (t) => {
  const server = await serverFor(t, () => {});
  const question = docs.ask("kettle", { provider: provider(server, { connectTimeoutMs: 200 }), timeoutMs: 10_000 });
  const { closed } = await server.arrived();
  await assert.rejects(question, { code: "provider-timeout", message: /no response within 200 ms/u });
  await closed;
  assert.ok(server.requests.length > 1, "nothing was shown, so it was tried again");
});

test("a stream that falls silent fails, and is not asked for again where text was shown", async (t) => {
  const server = await serverFor(t, stuck);
  const question = docs.ask("kettle", { provider: provider(server, { idleTimeoutMs: 40 }) });
  const { closed } = await server.arrived();
  await assert.rejects(question, { code: "provider-timeout", message: /nothing arrived for 40 ms/u });
  await closed;
  assert.equal(server.requests.length, 1);
});

test("pieces that keep coming reach no idle limit", async (t) => {
  const server = await serverFor(t, async (response) => {
    beginResponsesStream(response, "It ");
    for (let i = 0; i < 8; i++) {
      await new Promise((resolve) => setTimeout(resolve, 40));
      response.write(": still here\n\n");
    }
    endResponsesStream(response, "It boils [1].");
  });
  const answer = await docs.ask("kettle", { provider: provider(server, { idleTimeoutMs: 250, connectTimeoutMs: 2_000 }) });
  assert.equal(answer.grounded, true);
});

test("headers are made anew for each request", async (t) => {
  const server = await serverFor(t, (response, { headers }) => {
    if (headers.authorization === `Bearer ${TOKEN}-1`) return sendJson(response, { error: { message: "again" } }, 503);
    answering(response);
  });
  let made = 0;
  const headers = async () => ({ authorization: `Bearer ${TOKEN}-${(made += 1)}` });
  const answer = await docs.ask("kettle", { provider: provider(server, { headers }) });
  assert.equal(answer.grounded, true);
  assert.deepEqual(server.requests.map(({ headers }) => headers.authorization), [`Bearer ${TOKEN}-1`, `Bearer ${TOKEN}-2`]);
});

test("what is wrong with made headers is told, and nothing is sent", async (t) => {
  const server = await serverFor(t, answering);
  const cause = new Error("no session");
  const asked = (headers) => docs.ask("kettle", { provider: provider(server, { headers }) });
  await assert.rejects(asked(() => Promise.reject(cause)), { code: "provider-headers", cause });
  await assert.rejects(asked(() => { throw cause; }), { code: "provider-headers", cause });
  await assert.rejects(asked(() => "x"), { code: "bad-options", message: /provider\.headers\(\)/u });
  await assert.rejects(asked(() => ({ "x-a": `${TOKEN}\n` })), (error) => error.code === "provider-header" && !allTextOf(error).includes(TOKEN));
  const stop = new AbortController();
  const waiting = docs.ask("kettle", { provider: provider(server, { headers: () => new Promise(() => {}) }), signal: stop.signal });
  stop.abort("enough");
  await assert.rejects(waiting, (thrown) => thrown === "enough");
  assert.equal(server.requests.length, 0);
});

test("a made token is kept out of the server's words", async (t) => {
  const server = await serverFor(t, (response) => sendJson(response, { error: { message: `bad ${TOKEN}` } }, 401));
  const headers = () => ({ authorization: `Bearer ${TOKEN}` });
  const error = await docs.ask("kettle", { provider: provider(server, { headers }) }).catch((thrown) => thrown);
  assert.equal(error.code, "provider-auth");
  assert.ok(!allTextOf(error).includes(TOKEN));
});

test("a provider's own fetch is used for it alone", async (t) => {
  const server = await serverFor(t, answering);
  const seen = [];
  const own = (request) => {
    seen.push([request.method, request.redirect, request.credentials, request.referrerPolicy, new URL(request.url).pathname]);
    return fetch(request);
  };
  await docs.ask("kettle", { provider: provider(server, { fetch: own }) });
  await docs.ask("kettle", { provider: provider(server) });
  assert.deepEqual(seen, [["POST", "manual", "same-origin", "no-referrer", "/v1/responses"]]);
});

test("an own fetch may give a response of another class, or none at all", async () => {
  const asked = (own) => docs.ask("kettle", { provider: { endpoint: "https://llm.test/v1/responses", model: "m", fetch: own } });
  const text = new TextEncoder().encode(JSON.stringify(responsesReply("It boils [1].")));
  const foreign = { status: 200, headers: new Headers(), body: new Blob([text]).stream() };
  assert.equal((await asked(async () => foreign)).grounded, true);
  await assert.rejects(asked(async () => undefined), { code: "provider-network", message: /gave no response/u });
  await assert.rejects(asked(() => { throw new TypeError("no network"); }), { code: "provider-network", message: /no network/u });
});

test("a redirect is told as one, and neither followed nor asked again", async (t) => {
  const elsewhere = await serverFor(t, answering);
  const server = await serverFor(t, (response) => response.writeHead(307, { location: elsewhere.url }).end());
  await assert.rejects(docs.ask("kettle", { provider: provider(server, { key: TOKEN }) }), { code: "provider-protocol", message: /redirects/u });
  assert.deepEqual([server.requests.length, elsewhere.requests.length], [1, 0]);
});

test("a connection that breaks before any text is tried again as one that failed", async (t) => {
  let times = 0;
  const server = await serverFor(t, (response) => {
    times += 1;
    if (times > 1) return answering(response);
    beginResponsesStream(response);
    setTimeout(() => response.destroy(), 20);
  });
  assert.equal((await docs.ask("kettle", { provider: provider(server) })).grounded, true);
  assert.equal(server.requests.length, 2);
});

test("a connection that breaks after the last word of a server that has no other mark is cut", async (t) => {
  // Gemini's last piece is like any other; only a whole body tells that it was the last.
  const piece = { candidates: [{ content: { parts: [{ text: "It boils [1]." }] }, finishReason: "STOP" }] };
  const server = await serverFor(t, (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${JSON.stringify(piece)}\n\n`);
    setTimeout(() => response.destroy(), 30);
  });
  const gemini = { protocol: "gemini", endpoint: `${server.url}/v1beta/models/m` };
  const { status, reason, sources } = await docs.ask("kettle", { provider: gemini });
  assert.deepEqual([status, reason, sources], ["partial", "cut", []]);
});

test("the server's word on retries counts", async (t) => {
  const asked = async (status, word) => {
    const server = await serverFor(t, (response) => {
      response.setHeader("x-should-retry", word);
      response.setHeader("retry-after-ms", "1");
      sendJson(response, { error: { message: "no" } }, status);
    });
    await docs.ask("kettle", { provider: provider(server) }).catch(() => {});
    return server.requests.length;
  };
  assert.equal(await asked(500, "false"), 1);
  assert.equal(await asked(400, "true"), 3);
});

test("an answer has the server's name for its request", async (t) => {
  const server = await serverFor(t, (response) => {
    response.setHeader("x-request-id", "req-7");
    answering(response);
  });
  assert.equal((await docs.ask("kettle", { provider: provider(server) })).requestId, "req-7");
});

test("a reply that took all the tokens it was allowed is not whole, whatever the server calls it", async (t) => {
  const server = await serverFor(t, (response) => sendJson(response, responsesReply("It boils [1].", { input_tokens: 9, output_tokens: 20 })));
  const asked = (maxOutputTokens) => docs.ask("kettle", { provider: provider(server, { maxOutputTokens }) });
  assert.equal((await asked(21)).status, "complete");
  const { status, reason } = await asked(20);
  assert.deepEqual([status, reason], ["partial", "length"]);
});

const many = await load(bundleOf(Object.fromEntries([1, 2, 3, 4].map((n) => [`tea${n}.md`, `# Kettle ${n}\n\n${"A kettle boils water. ".repeat(30)}\n`]))));

test("sources that the window has no room for are left out, from the last, and counted", async (t) => {
  const server = await serverFor(t, answering);
  const asked = (contextWindow) => many.ask("kettle", { provider: provider(server, { contextWindow, maxOutputTokens: 100 }) });
  const told = async (answer) => [answer.droppedSources, answer.warnings.filter((warning) => warning.includes("context window")).length];
  assert.deepEqual(await told(await asked(undefined)), [0, 0]);
  const { droppedSources, warnings } = await asked(1200);
  assert.ok(droppedSources > 0 && droppedSources < 4, String(droppedSources));
  assert.match(warnings.join(), new RegExp(`last ${droppedSources} of the sources`, "u"));
  const sent = server.requests.map(({ body }) => JSON.parse(body).input.match(/<source /gu).length);
  assert.deepEqual(sent, [4, 4 - droppedSources]);
  await assert.rejects(asked(200), { code: "provider-context-too-long" });
  assert.equal(server.requests.length, 2, "what cannot fit is not sent");
});

test("Ollama is given no more than its least window, and is told a window that is set", async (t) => {
  const server = await serverFor(t, (response) => sendJson(response, { message: { content: "It boils." }, done: true, done_reason: "stop" }));
  const text = "A kettle boils water. ".repeat(300);
  const sources = [1, 2, 3].map((n) => ({ url: `/${n}`, title: "Tea", text }));
  const ollama = { protocol: "ollama", endpoint: `${server.url}/api/chat`, model: "m" };
  assert.equal((await docs.ask("kettle", { provider: ollama, sources })).droppedSources, 2);
  assert.equal((await docs.ask("kettle", { provider: { ...ollama, contextWindow: 16_000 }, sources })).droppedSources, 0);
  const options = server.requests.map(({ body }) => JSON.parse(body).options);
  assert.deepEqual(options, [undefined, { num_ctx: 16_000 }]);
});

for (const [end, ending] of [
  ["free()", (open) => open.free()],
  ["a trap", (open) => open.search("kettle").catch(() => {})],
]) {
  test(`${end} during a question closes its connection and its timers`, async (t) => {
    const server = await serverFor(t, stuck);
    const open = await load(withTrapIn(tea, "docs_search"));
    const question = open.ask("kettle", { provider: provider(server) });
    const { closed } = await server.arrived();
    const failed = assert.rejects(question, { code: /docs-freed|engine-crashed/u });
    await ending(open);
    await Promise.all([failed, closed]);
  });

  test(`${end} during a question lets the process end`, async (t) => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    t.after(() => silent.close());
    const script = `
      import { readFileSync } from "node:fs";
      import { load } from ${JSON.stringify(new URL("../../dist/load.js", import.meta.url).href)};
      const docs = await load(readFileSync(0));
      const endpoint = "http://127.0.0.1:${silent.address().port}/v1/responses";
      const asked = [docs.ask("kettle", { provider: { endpoint, model: "m" } }), docs.ask("kettle", { provider: () => new Promise(() => {}) })];
      setTimeout(() => ${end === "free()" ? "docs.free()" : 'docs.search("kettle").catch(() => {})'}, 50);
      console.log((await Promise.allSettled(asked)).map(({ reason }) => reason.code).join());`;
    const started = performance.now();
    const running = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { timeout: 20_000 });
    running.child.stdin.end(withTrapIn(tea, "docs_search"));
    assert.match((await running).stdout, /^(docs-freed,docs-freed|engine-crashed,engine-crashed)\n$/u);
    assert.ok(performance.now() - started < 15_000);
  });
}
