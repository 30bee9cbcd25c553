/** The demo page in a real browser, on a bundle of the lessons that the command built. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { staticServer } from "../../cli/static-server.js";
import { lessonsBundle } from "../node/support/command.js";

/** Nothing on the page takes longer, even on a slow machine. */
const TIMEOUT_MS = 15_000;

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
 * Opens the page. When the test ends nothing may have been written to the console, and no request
 * may have gone to another origin than this page and the ones allowed.
 *
 * @param {import("node:test").TestContext} t
 * @param {{ allowed?: string, width?: number }} [options]
 */
async function openPage(t, { allowed, width = 1280 } = {}) {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  page.setDefaultTimeout(TIMEOUT_MS);
  /** @type {string[]} */
  const problems = [];
  page.on("console", (message) => problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const isAllowed = request.url().startsWith(address) || request.url().startsWith("data:,");
    if (!isAllowed && !(allowed && request.url().startsWith(allowed))) problems.push(`request: ${request.url()}`);
  });
  t.after(async () => {
    await page.close();
    assert.deepEqual(problems, []);
  });
  await page.goto(address);
  await page.getByText("passages", { exact: false }).first().waitFor();
  return page;
}

/**
 * @param {import("playwright-core").Page} page
 * @param {string} question
 */
async function ask(page, question) {
  await page.getByRole("searchbox").fill(question);
  await page.getByRole("searchbox").press("Enter");
}

/**
 * Waits for a notice in place of the answer.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} text
 */
function notice(page, text) {
  return page.locator("#answer-notice").filter({ hasText: text }).waitFor();
}

test("results appear while the reader types, with the words marked", async (t) => {
  const page = await openPage(t);
  await page.getByRole("searchbox").pressSequentially("covering ind");
  const first = page.locator(".hit").first();
  await first.getByRole("link", { name: /covering/iu }).waitFor();
  assert.match(await first.locator("mark").first().innerText(), /covering|index/iu);
});

test("the words that the documentation does not have are named", async (t) => {
  const page = await openPage(t);
  await page.getByRole("searchbox").fill("qwzxv");
  await page.getByRole("heading", { name: "Nothing found · not in the docs: qwzxv" }).waitFor();
});

test("an emptied field shows no results", async (t) => {
  const page = await openPage(t);
  await page.getByRole("searchbox").fill("cache");
  await page.locator(".hit").first().waitFor();
  await page.getByRole("searchbox").fill("");
  await page.locator("#results").waitFor({ state: "hidden" });
});

test("more hits can be asked for, and the focus goes to the first of them", async (t) => {
  const page = await openPage(t);
  await page.getByRole("searchbox").fill("index");
  await page.getByRole("button", { name: "Show more" }).click();
  await page.locator(".hit").nth(8).waitFor();
  assert.equal(await page.locator(".hit").nth(8).locator("a").evaluate((link) => link === document.activeElement), true);
});

test("a search can be narrowed to one part of the documentation", async (t) => {
  const page = await openPage(t);
  await page.getByRole("searchbox").fill("cache");
  await page.getByLabel("In", { exact: true }).selectOption("Spark");
  await page.waitForFunction(() => {
    const trails = [...document.querySelectorAll(".hit .trail")];
    return trails.length > 0 && trails.every((trail) => trail.textContent?.startsWith("Spark"));
  });
});

test("a question is answered offline, and a footnote leads to its card and back", async (t) => {
  const page = await openPage(t);
  await ask(page, "What is a covering index?");
  const footnote = page.getByRole("button", { name: /^Source 1: / });
  await footnote.waitFor();
  assert.match(await page.locator("#answer-body").innerText(), /covering index/iu);
  await page.getByText("Quoted from the documentation, without a model.").waitFor();
  await page.getByRole("status").filter({ hasText: "Answer complete, with 1 source." }).waitFor({ state: "attached" });

  await footnote.click();
  const card = page.locator(".card").first();
  assert.equal(await card.evaluate((shown) => shown === document.activeElement), true);
  assert.match(await card.locator("a").getAttribute("href") ?? "", /\/sql\/covering-index\.html/u);
  await card.getByRole("button", { name: "Back to the answer" }).click();
  assert.equal(await footnote.evaluate((shown) => shown === document.activeElement), true);
});

test("a question that nothing answers gets an honest notice and no text", async (t) => {
  const page = await openPage(t);
  await ask(page, "qwzxv?");
  await notice(page, "Nothing in the documentation matches this question.");
  assert.equal(await page.locator("#answer-body").innerText(), "");
});

test("what is retrieved and the exact prompt can be looked at", async (t) => {
  const page = await openPage(t);
  await ask(page, "What is a covering index?");
  await page.getByText("What the model is given").click();
  await page.getByLabel("Input").getByText('<source id="1" title="SQL ›').waitFor();
  await page.getByText("nowhere: the answer is quoted offline").waitFor();
});

test("case 55-ui-ime-enter: Enter that commits a composition asks nothing", async (t) => {
  const page = await openPage(t);
  const asked = await page.evaluate(() => {
    const field = /** @type {HTMLInputElement} */ (document.getElementById("question"));
    const questions = /** @type {string[]} */ ([]);
    const shown = () => document.getElementById("answer")?.hidden === false;
    const enter = (/** @type {KeyboardEventInit} */ init) =>
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...init }));
    field.focus();
    field.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
    field.value = "おおさか";
    field.dispatchEvent(new InputEvent("input", { bubbles: true, isComposing: true }));
    enter({ isComposing: true });
    questions.push(String(shown()));
    field.value = "大阪";
    field.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: "大阪" }));
    enter({ keyCode: 229 });
    questions.push(String(shown()));
    enter({});
    questions.push(document.getElementById("answer-question")?.textContent ?? "");
    return questions;
  });
  assert.deepEqual(asked, ["false", "false", "大阪"]);
});

test("case 57-ui-slash-while-typing: the slash key leads to the field only from outside of fields", async (t) => {
  const page = await openPage(t);
  await page.getByRole("searchbox").fill("and");
  await page.getByRole("searchbox").press("/");
  assert.equal(await page.getByRole("searchbox").inputValue(), "and/");
  await page.getByLabel("In", { exact: true }).focus();
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "scope");
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "question");
  assert.equal(await page.getByRole("searchbox").inputValue(), "and/");
});

for (const width of [320, 768, 1280]) {
  test(`nothing is wider than a window of ${width} px`, async (t) => {
    const page = await openPage(t, { width });
    await page.getByText("Connect a model", { exact: true }).click();
    await ask(page, "What is a covering index?");
    await page.getByText("What the model is given").click();
    await page.getByLabel("Input").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
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
  await ask(page, "What is a covering index?");
  await page.getByRole("button", { name: /^Source 1: / }).waitFor();
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
  const state = { aborted: false, authorization: "", finish: () => {} };
  const event = (/** @type {unknown} */ data) => `data: ${JSON.stringify(data)}\n\n`;
  const host = createServer((request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*, authorization, content-type");
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    state.authorization = request.headers.authorization ?? "";
    open = response;
    response.on("close", () => (state.aborted ||= !response.writableFinished));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const content of pieces) response.write(event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
  }).listen(0, "127.0.0.1");
  await once(host, "listening");
  t.after(() => {
    host.closeAllConnections();
    host.close();
  });
  state.finish = () => {
    open?.end(`${event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}data: [DONE]\n\n`);
  };
  const { port } = /** @type {import("node:net").AddressInfo} */ (host.address());
  return { state, origin: `http://127.0.0.1:${port}` };
}

/**
 * @param {import("playwright-core").Page} page
 * @param {string} origin
 */
async function connect(page, origin) {
  await page.getByText("Connect a model", { exact: true }).click();
  await page.getByLabel("Endpoint").fill(`${origin}/v1/chat/completions`);
  await page.getByLabel("Model", { exact: true }).fill("test");
  await page.getByLabel("Key").fill("sk-visitor");
  await page.getByRole("button", { name: "Use this model" }).click();
}

test("a model's answer streams in as text and becomes checked at its end", async (t) => {
  const { state, origin } = await model(t, ["It holds `all` columns <img src=x onerror=alert(1)> ", "[1]."]);
  const page = await openPage(t, { allowed: origin });
  await connect(page, origin);
  await ask(page, "What is a covering index?");
  await page.getByText("Writing, not yet checked").waitFor();
  await page.getByText("It holds all columns <img src=x onerror=alert(1)>").waitFor();
  state.finish();
  await page.getByText("Checked: every footnote leads to a passage").waitFor();
  assert.equal(state.authorization, "Bearer sk-visitor");
  assert.equal(await page.locator("#answer-body img").count(), 0);
});

test("an answer that cites a made-up source is taken back", async (t) => {
  const { state, origin } = await model(t, ["Kettles whistle ", "[42]."]);
  const page = await openPage(t, { allowed: origin });
  await connect(page, origin);
  await ask(page, "What is a covering index?");
  await page.getByText("Kettles whistle").waitFor();
  state.finish();
  await notice(page, "cited a source that it was never given");
  assert.doesNotMatch(await page.locator("body").innerText(), /Kettles whistle/u);
});

test("case 59-ui-stop-is-not-an-error: what was stopped is not shown as checked", async (t) => {
  const { state, origin } = await model(t, ["First stop the service "]);
  const page = await openPage(t, { allowed: origin });
  await connect(page, origin);
  await ask(page, "What is a covering index?");
  await page.getByText("First stop the service").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await notice(page, "You stopped the answer.");
  state.finish();
  await page.waitForTimeout(200);
  assert.equal(state.aborted, true);
  assert.equal(await page.getByRole("alert").innerText(), "");
  assert.equal(await page.locator("#answer.unchecked").count(), 1);
  assert.equal(await page.locator(".footnote").count(), 0);
  assert.equal(await page.getByRole("searchbox").isEnabled(), true);

  await page.getByRole("button", { name: "Answer offline" }).click();
  await ask(page, "What does the GIL do?");
  await page.getByRole("button", { name: /^Source 1: / }).waitFor();
});

test("an endpoint that fails is told as an alert, and the question can be asked again", async (t) => {
  const page = await openPage(t);
  // Wrong on purpose: no model can be reached by this scheme.
  await connect(page, "ftp://127.0.0.1");
  await ask(page, "What is a covering index?");
  await page.getByRole("button", { name: "Ask again" }).waitFor();
  await page.getByRole("alert").filter({ hasText: "No answer came" }).waitFor({ state: "attached" });
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
