/** Questions from a page to an endpoint on another origin, with the browser's rules in between. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { staticServer } from "../../cli/static-server.js";
import { lessonsBundle } from "../node/support/command.js";
import { CUT, FACTS, KEY, PROTOCOLS, modelEndpoint } from "../node/support/model.js";

const QUESTION = "What is a covering index?";
const CITED = "A covering index holds every column that the query needs [1].";

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {import("node:http").Server} */
let server;
/** The page's origin. */
let origin = "";
let removeBundle = async () => {};

before(async () => {
  const bundle = await lessonsBundle();
  removeBundle = bundle.remove;
  server = staticServer(bundle.folder, "not found").listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    // Chromium's sandbox does not work as root, as which containers run tests.
    args: ["--no-sandbox"],
  });
});
after(async () => {
  await browser?.close();
  server?.close();
  await removeBundle();
});

/**
 * The demo page, whose policy applies. Its console is checked at the end for the key, and for
 * anything at all unless the browser itself reports failed requests there.
 *
 * @param {import("node:test").TestContext} t
 * @param {{ reportsFailures?: boolean }} [options]
 */
async function openPage(t, { reportsFailures = false } = {}) {
  const page = await browser.newPage();
  /** @type {string[]} */
  const lines = [];
  page.on("console", (message) => lines.push(message.text()));
  page.on("pageerror", (error) => lines.push(error.message));
  t.after(async () => {
    await page.close();
    assert.ok(!lines.join("\n").includes(KEY), "the key is in the console");
    if (!reportsFailures) assert.deepEqual(lines, []);
  });
  await page.goto(`${origin}/`);
  return page;
}

/**
 * Asks with the package's own module on the page.
 *
 * @param {import("playwright-core").Page} page
 * @param {Record<string, unknown>} provider
 */
function ask(page, provider) {
  return page.evaluate(
    async ({ question, provider }) => {
      const { load } = await import(new URL("groundling/load.js", document.baseURI).href);
      const docs = await load("docs.wasm");
      const events = [];
      for await (const event of docs.stream(question, { provider })) {
        // An error crosses to the test as plain data.
        const error = event.error && { ...event.error, message: event.error.message, stack: event.error.stack };
        events.push(error ? { type: "error", error } : event);
      }
      docs.free();
      return events;
    },
    { question: QUESTION, provider },
  );
}

/** The headers that the browser asks the server for, in its words. @param {object} headers */
const preflighted = (headers) => ["content-type", ...Object.keys(headers)].sort().join();

for (const { protocol, path, keyed, keyless, tellsFacts } of PROTOCOLS) {
  for (const stream of [true, false]) {
    test(`${protocol}, ${stream ? "streamed" : "in one piece"}: a page on another origin gets its cited answer`, async (t) => {
      const endpoint = await modelEndpoint(t, { origin });
      endpoint.mock.onMessage(/./u, { content: CITED, ...FACTS });
      const page = await openPage(t);
      const events = await ask(page, { protocol, endpoint: endpoint.origin + path, model: "m", key: KEY, stream });
      const { type, answer } = events.at(-1);
      assert.equal(type, "done");
      assert.equal(answer.answer, CITED);
      assert.equal(answer.grounded, true);
      if (tellsFacts) assert.deepEqual(answer.usage, { input: 120, output: 17 });
      assert.equal(answer.model, tellsFacts ? FACTS.model : "m");
      assert.ok(!JSON.stringify(events).includes(KEY), "the key is in what comes back");

      // A header more, and servers that allow a fixed list would refuse the page.
      assert.equal(endpoint.preflights.length, 1);
      assert.equal(endpoint.preflights[0].origin, origin);
      assert.equal(endpoint.preflights[0]["access-control-request-method"], "POST");
      assert.equal(endpoint.preflights[0]["access-control-request-headers"], preflighted(keyed));
      assert.equal(endpoint.requests.length, 1);
      const { headers } = endpoint.requests[0];
      for (const [header, value] of Object.entries(keyed)) assert.equal(headers[header], value);
      assert.equal(headers.origin, origin);
      assert.equal(headers.referer, undefined, "the server learns on which page the reader is");
      assert.equal(headers.cookie, undefined);
    });
  }

  test(`${protocol}: a cut stream is told apart from a whole one`, async (t) => {
    const endpoint = await modelEndpoint(t, { origin });
    endpoint.mock.onMessage(/./u, { content: CITED + " Never drop it".repeat(20) }, CUT);
    const page = await openPage(t, { reportsFailures: true });
    const { answer, error } = (await ask(page, { protocol, endpoint: endpoint.origin + path, model: "m" })).at(-1);
    assert.equal(error, undefined);
    assert.equal(answer.status, "partial");
    assert.equal(answer.grounded, false);
    assert.deepEqual(answer.sources, []);
    assert.ok(answer.answer.startsWith(CITED), "the cut came before the citation, so it proves nothing");
    assert.equal(endpoint.preflights[0]["access-control-request-headers"], preflighted(keyless));
  });

  test(`${protocol}: the server's own words reach the page, without the key in them`, async (t) => {
    const endpoint = await modelEndpoint(t, { origin });
    endpoint.mock.onMessage(/./u, { error: { message: `Incorrect API key provided: ${KEY}.` }, status: 401 });
    const page = await openPage(t, { reportsFailures: true });
    const { error } = (await ask(page, { protocol, endpoint: endpoint.origin + path, model: "m", key: KEY })).at(-1);
    assert.equal(error.code, "provider-auth");
    assert.equal(error.status, 401);
    assert.match(error.message, /Incorrect API key provided/u);
    assert.ok(!JSON.stringify(error).includes(KEY), "the key is in the error");
  });
}

test("a server that does not allow the page's origin is named as the likely cause", async (t) => {
  const endpoint = await modelEndpoint(t, { origin: "http://elsewhere.example" });
  endpoint.mock.onMessage(/./u, { content: CITED });
  const page = await openPage(t, { reportsFailures: true });
  const { path } = PROTOCOLS[1];
  const { error } = (await ask(page, { endpoint: endpoint.origin + path, model: "m", key: KEY })).at(-1);
  assert.equal(error.code, "provider-blocked-by-browser");
  assert.match(error.message, /CORS/u);
  assert.equal(endpoint.requests.length, 0, "the browser let the request through");
});

test("a redirect is told as one although the browser hides all of it, and is not asked again", async (t) => {
  let times = 0;
  const redirecting = createServer((request, response) => {
    response.setHeader("access-control-allow-origin", origin).setHeader("access-control-allow-headers", "content-type");
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    times += 1;
    response.writeHead(307, { location: `${origin}/elsewhere` }).end();
  }).listen(0, "127.0.0.1");
  await once(redirecting, "listening");
  t.after(() => redirecting.close());
  const { port } = /** @type {import("node:net").AddressInfo} */ (redirecting.address());
  const page = await openPage(t);
  const { error } = (await ask(page, { endpoint: `http://127.0.0.1:${port}/v1/responses`, model: "m" })).at(-1);
  assert.equal(error.code, "provider-protocol");
  assert.match(error.message, /redirects/u);
  assert.equal(times, 1);
});

test("a browser without a model of its own says so, and one that has it answers", async (t) => {
  const page = await openPage(t);
  await page.evaluate(() => delete /** @type {any} */ (globalThis).LanguageModel);
  const { error } = (await ask(page, { protocol: "browser" })).at(-1);
  assert.equal(error.code, "provider-model-not-found");
  await page.evaluate((reply) => {
    const promptStreaming = () => new Blob([reply]).stream().pipeThrough(new TextDecoderStream());
    const session = { contextUsage: 0, contextWindow: 9000, measureContextUsage: async () => 1, promptStreaming, destroy() {} };
    Object.assign(globalThis, { LanguageModel: { availability: async () => "available", create: async () => session } });
  }, CITED);
  const { answer } = (await ask(page, { protocol: "browser" })).at(-1);
  assert.deepEqual([answer.answer, answer.grounded], [CITED, true]);
});

test("an abort in the middle of a stream closes the page's connection", async (t) => {
  let tell = () => {};
  const closed = new Promise((resolve) => (tell = () => resolve(undefined)));
  const stuck = createServer((request, response) => {
    response.setHeader("access-control-allow-origin", origin).setHeader("access-control-allow-headers", "content-type");
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    response.on("close", tell);
    const delta = { choices: [{ delta: { content: "It " } }] };
    response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${JSON.stringify(delta)}\n\n`);
  }).listen(0, "127.0.0.1");
  await once(stuck, "listening");
  t.after(() => stuck.close());
  const { port } = /** @type {import("node:net").AddressInfo} */ (stuck.address());
  const page = await openPage(t);
  const thrown = await page.evaluate(
    async ({ question, endpoint }) => {
      const { load } = await import(new URL("groundling/load.js", document.baseURI).href);
      const docs = await load("docs.wasm");
      const stop = new AbortController();
      const onEvent = ({ type }) => type === "delta" && stop.abort("enough");
      return docs.ask(question, { provider: { endpoint, model: "m" }, signal: stop.signal, onEvent }).catch((reason) => reason);
    },
    { question: QUESTION, endpoint: `http://127.0.0.1:${port}/v1/chat/completions` },
  );
  assert.equal(thrown, "enough");
  await closed;
});

test("the demo page shows the endpoint's answer as checked", async (t) => {
  const endpoint = await modelEndpoint(t, { origin });
  endpoint.mock.onMessage(/./u, { content: CITED, ...FACTS });
  const page = await openPage(t);
  await page.getByText("Connect a model", { exact: true }).click();
  await page.getByLabel("Protocol").selectOption("openai-responses");
  await page.getByLabel("Endpoint").fill(`${endpoint.origin}/v1/responses`);
  await page.getByLabel("Model", { exact: true }).fill("m");
  await page.getByLabel("Key").fill(KEY);
  await page.getByRole("button", { name: "Use this model" }).click();
  const field = page.locator("groundling-search").getByRole("combobox");
  await field.fill(QUESTION);
  await field.press("Enter");
  await page.getByText("Every footnote leads to a passage that the model was given.").waitFor();
  assert.equal(endpoint.requests[0].headers.authorization, `Bearer ${KEY}`);
  assert.ok(!(await page.content()).includes(KEY), "the key is in the page");
});
