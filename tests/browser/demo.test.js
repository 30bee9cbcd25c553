/** The page that `groundling build` writes, in a real browser, on a bundle of the lessons that the command built. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { staticServer } from "../../cli/static-server.js";
import { lessonsBundle } from "../node/support/command.js";
import { TIMEOUT_MS, launch } from "./support/widget.js";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const QUESTION = "What is a covering index?";

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {import("node:http").Server} */
let server;
let address = "";
let removeBundle = async () => {};

before(async () => {
  const bundle = await lessonsBundle();
  removeBundle = bundle.remove;
  server = staticServer(bundle.folder, "not found").listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/`;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
  await removeBundle();
});

/**
 * Opens the page. When the test ends nothing may have been written to the console, and no request
 * may have gone to another origin than this page and the one allowed.
 *
 * @param {import("node:test").TestContext} t
 * @param {{ allowed?: string, path?: string, context?: import("playwright-core").BrowserContextOptions }} [options]
 */
async function openPage(t, { allowed, path = "", context = {} } = {}) {
  const page = await browser.newPage(context);
  page.setDefaultTimeout(TIMEOUT_MS);
  /** @type {string[]} */
  const problems = [];
  page.on("console", (message) => problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const isAllowed = [address, "data:,", ...(allowed ? [allowed] : [])].some((start) => request.url().startsWith(start));
    if (!isAllowed) problems.push(`request: ${request.url()}`);
  });
  t.after(async () => {
    await page.close();
    assert.deepEqual(problems, []);
  });
  await page.goto(address + path);
  await field(page).waitFor();
  return page;
}

/** @param {import("playwright-core").Page} page */
function field(page) {
  return page.locator("groundling-search").getByRole("combobox");
}

/** @param {import("playwright-core").Page} page */
async function ask(page, question = QUESTION) {
  await field(page).fill(question);
  await field(page).press("Enter");
}

/** @param {import("playwright-core").Page} page */
function footnote(page) {
  return page.getByRole("button", { name: /^(?:Source|Источник) 1: /u }).first();
}

test("results appear while the reader types, and a question is answered offline", async (t) => {
  const page = await openPage(t);
  await field(page).pressSequentially("covering ind");
  await page.getByRole("option", { name: /covering/iu }).first().waitFor();
  await ask(page);
  await footnote(page).waitFor();
  await page.getByText("Quoted from the docs, without a model.", { exact: true }).waitFor();
});

test("nothing of the engine is loaded before the reader goes to the field", async (t) => {
  /** @type {string[]} */
  const seen = [];
  const listen = (/** @type {import("node:http").IncomingMessage} */ { url = "" }) => void seen.push(url);
  server.on("request", listen);
  t.after(() => server.off("request", listen));
  const page = await openPage(t);
  await page.waitForLoadState("networkidle");
  assert.deepEqual(seen.filter((url) => url.endsWith(".wasm")), []);
  await field(page).focus();
  await page.waitForRequest((request) => request.url().endsWith("docs.wasm"));
});

test("what is retrieved, the exact prompt, times and sizes are shown", async (t) => {
  const page = await openPage(t);
  await ask(page);
  const retrieved = page.locator("#retrieved li");
  await retrieved.filter({ hasText: "Covering indexes" }).filter({ hasText: "cited" }).waitFor();
  await page.getByText("Sources and question").click();
  await page.getByLabel("Sources and question").getByText('<source id="1" title="SQL ›').waitFor();
  await page.getByText("Sent nowhere").waitFor();
  await page.locator("#times").getByText("Passages found").waitFor();
  const figures = (await page.locator("#figures").innerText()).replaceAll(/\s+/gu, " ");
  assert.match(figures, /\d+ pages \d+ passages to quote [\d.,]+ [kM]B to download.* ms to find the passages/u);
});

test("the words of the page are those of its language", async (t) => {
  const page = await openPage(t, { path: "ru.html" });
  await ask(page, "What does the GIL do?");
  await footnote(page).waitFor();
  await page.locator("#times").getByText("Отрывки найдены").waitFor();
  assert.match(await page.locator("#figures").innerText(), /страниц/u);
  await page.getByRole("link", { name: "English" }).click();
  await page.getByRole("heading", { name: "Under the hood" }).waitFor();
});

test("the pages of all languages have the same parts and the same words", async () => {
  const [en, ru] = await Promise.all(["index.html", "ru.html"].map(async (name) => (await fetch(address + name)).text()));
  const parts = (/** @type {string} */ html) => [...html.matchAll(/ (?:id|data-for|value|src|href|class)="[^"]*"/gu)].map(String);
  const words = (/** @type {string} */ html) => Object.keys(JSON.parse(/id="words">([^]*?)<\/script>/u.exec(html)?.[1] ?? ""));
  assert.deepEqual(parts(ru), parts(en));
  assert.deepEqual(words(ru), words(en));
});

for (const width of [320, 768, 1280]) {
  test(`nothing is wider than a window of ${width} px`, async (t) => {
    const page = await openPage(t, { context: { viewport: { width, height: 800 } } });
    await page.locator("#model-action").click();
    await ask(page);
    await page.locator("#retrieved li").first().waitFor();
    for (const summary of await page.locator("#inspector summary:visible").all()) await summary.click();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  });
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`assistive technology finds no fault: ${colorScheme}`, async (t) => {
    const page = await openPage(t, { context: { colorScheme } });
    await page.locator("#model-action").click();
    await ask(page);
    await footnote(page).waitFor();
    await page.locator("#retrieved li").first().waitFor();
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run(document, { resultTypes: ["violations"] }));
    assert.deepEqual(violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map((/** @type {any} */ node) => node.target)}`), []);
  });
}

test("the page works below a path", async (t) => {
  const inner = server;
  const outer = createServer((request, response) => {
    if (!request.url?.startsWith("/docs/search/")) return response.writeHead(404).end();
    request.url = request.url.slice("/docs/search".length);
    return inner.emit("request", request, response);
  }).listen(0, "127.0.0.1");
  await once(outer, "listening");
  t.after(() => outer.close());
  const page = await browser.newPage();
  t.after(() => page.close());
  const { port } = /** @type {import("node:net").AddressInfo} */ (outer.address());
  await page.goto(`http://127.0.0.1:${port}/docs/search/`);
  await ask(page);
  await footnote(page).waitFor();
});

test("once it was used the page works without a network", async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await ask(page);
  await footnote(page).waitFor();
  await context.setOffline(true);
  await page.reload();
  await ask(page, "What does the GIL do?");
  await footnote(page).waitFor();
  await page.goto(`${address}ru.html`);
  await page.getByRole("heading", { name: "Что внутри" }).waitFor();
});

/**
 * A streaming endpoint of Chat Completions on another origin, so the browser asks for permission
 * first. It sends the pieces and leaves the end to `finish`.
 *
 * @param {import("node:test").TestContext} t
 * @param {string[]} pieces
 */
async function model(t, pieces) {
  /** @type {import("node:http").ServerResponse | undefined} */
  let open;
  const state = { authorization: "", finish: () => {} };
  const event = (/** @type {unknown} */ data) => `data: ${JSON.stringify(data)}\n\n`;
  const host = createServer((request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*, authorization, content-type");
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    state.authorization = request.headers.authorization ?? "";
    open = response;
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const content of pieces) response.write(event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
  }).listen(0, "127.0.0.1");
  await once(host, "listening");
  t.after(() => {
    host.closeAllConnections();
    host.close();
  });
  state.finish = () => {
    if (open?.writableEnded === false) open.end(`${event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}data: [DONE]\n\n`);
  };
  const { port } = /** @type {import("node:net").AddressInfo} */ (host.address());
  return { state, origin: `http://127.0.0.1:${port}` };
}

/**
 * @param {import("playwright-core").Page} page
 * @param {string} origin
 */
async function connect(page, origin) {
  await page.locator("#model-action").click();
  await page.getByLabel("Endpoint").fill(`${origin}/v1/chat/completions`);
  await page.getByLabel("Model", { exact: true }).fill("test");
  await page.getByLabel("Key").fill("sk-visitor");
  await page.getByRole("button", { name: "Use this model" }).click();
}

test("a connected model answers, and the request is shown without the key", async (t) => {
  const { state, origin } = await model(t, ["A covering index holds every column ", "that a query needs [1]."]);
  const page = await openPage(t, { allowed: origin });
  await connect(page, origin);
  await page.getByText(`Answers are written by test at ${new URL(origin).host}.`).waitFor();
  await ask(page);
  await page.getByText("Writing, not yet checked").waitFor();
  state.finish();
  await footnote(page).waitFor();
  assert.equal(state.authorization, "Bearer sk-visitor");
  await page.getByText(`Sent to ${origin}/v1/chat/completions`).waitFor();
  await page.locator("#request summary").click();
  const body = JSON.parse(await page.getByLabel("Request").innerText());
  assert.match(body.messages.at(-1).content, /<source id="1"/u);
  assert.doesNotMatch(await page.locator("body").innerText(), /sk-visitor/u);
});

test("an answer that cites a made-up source is taken back", async (t) => {
  const { state, origin } = await model(t, ["Kettles whistle ", "[42]."]);
  const page = await openPage(t, { allowed: origin });
  await connect(page, origin);
  await ask(page);
  await page.getByText("Kettles whistle").waitFor();
  // The component asks once more before it gives up.
  const finishing = setInterval(state.finish, 50);
  t.after(() => clearInterval(finishing));
  await page.getByText("cited a source that does not exist").first().waitFor();
  assert.doesNotMatch(await page.locator("body").innerText(), /Kettles whistle/u);
});

test("a model is left for offline answers, and an endpoint that fails is told", async (t) => {
  const page = await openPage(t);
  // Wrong on purpose: no model can be reached by this scheme.
  await connect(page, "ftp://127.0.0.1");
  await ask(page);
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await page.getByRole("button", { name: "Answer offline" }).click();
  await page.getByRole("button", { name: "Try again" }).click();
  await footnote(page).waitFor();
});

test("each protocol shows the fields that it has", async (t) => {
  const page = await openPage(t);
  await page.locator("#model-action").click();
  const fields = async (/** @type {string} */ protocol) => {
    await page.getByLabel("Protocol").selectOption(protocol);
    return page.locator("#model-form [data-for]:visible").evaluateAll((labels) => labels.map((label) => label.getAttribute("data-for")));
  };
  assert.deepEqual(await fields("anthropic"), ["endpoint", "model", "key"]);
  assert.deepEqual(await fields("gemini"), ["endpoint", "key"]);
  assert.deepEqual(await fields("browser"), []);
});

test("the key is forgotten by the button and for another server, and is stored nowhere", async (t) => {
  const { origin } = await model(t, []);
  const page = await openPage(t, { allowed: origin });
  await connect(page, origin);
  assert.deepEqual(
    await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie, location.search + location.hash]),
    [0, 0, "", ""],
  );
  await page.getByRole("button", { name: "Forget the key" }).click();
  assert.equal(await page.getByLabel("Key").inputValue(), "");
  await page.getByLabel("Key").fill("sk-visitor");
  await page.getByLabel("Endpoint").fill("https://elsewhere.example/v1");
  await page.getByLabel("Endpoint").blur();
  assert.equal(await page.getByLabel("Key").inputValue(), "");
});
