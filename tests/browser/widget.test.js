/** The web component in a real browser: what loads when, search, answers, events, theme, languages. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { bundleOf, lessonsBundle } from "../node/support/bundle.js";
import { TIMEOUT_MS, answerOf, launch, pageWith, recordEvents, scriptedAnswers, serve } from "./support/widget.js";

/** What may load before the reader wants anything, after Brotli as `npm run size` measures it. */
const INTENT_FREE = /^\/dist\/widget\/(?:define|component|widget|ru)\.js$/u;

/** A page that a refusal points to. */
const NEAR = { n: 1, id: 1, url: "/p1.html", path: "p1.html", title: "Section one", pageTitle: "Page one", text: "Text of page one.", score: 1 };

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Uint8Array} */
let bundle;

before(async () => {
  bundle = await lessonsBundle();
  browser = await launch();
});
after(() => browser?.close());

/**
 * @param {import("node:test").TestContext} t
 * @param {Parameters<typeof pageWith>[0] & { files?: Parameters<typeof serve>[0], path?: string, context?: import("playwright-core").BrowserContextOptions }} [options]
 */
async function open(t, { files = {}, path = "/", context = {}, ...parts } = {}) {
  const host = await serve({ "/": pageWith(parts), "/docs.wasm": { body: bundle }, ...files });
  const page = await browser.newPage(context);
  page.setDefaultTimeout(TIMEOUT_MS);
  /** @type {string[]} */
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  t.after(async () => {
    await page.close();
    host.close();
    assert.deepEqual(problems, []);
  });
  await page.goto(host.origin + path);
  await page.waitForFunction(() => document.querySelector("groundling-search")?.shadowRoot?.firstElementChild?.firstElementChild);
  return { page, host };
}

const names = (/** @type {{ name: string }[]} */ events) => events.map(({ name }) => name);

test("nothing but the component itself is loaded until the reader means to search", async (t) => {
  const { page, host } = await open(t);
  await page.waitForTimeout(300);
  const loaded = host.requests.filter((name) => name !== "/");
  assert.deepEqual(loaded.filter((name) => !INTENT_FREE.test(name)), []);
  await page.locator("groundling-search").getByRole("button").hover();
  await page.waitForFunction(() => performance.getEntriesByName(`${location.origin}/docs.wasm`).length === 1);
  assert.ok(!host.requests.includes("/dist/widget/conversation.js"));
});

test("focus is an intent as well, and with preload the bundle is opened at once", async (t) => {
  const { page } = await open(t);
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => performance.getEntriesByName(`${location.origin}/docs.wasm`).length === 1);
  const { page: eager } = await open(t, { attributes: 'bundle="/docs.wasm" preload' });
  await eager.waitForFunction(() => performance.getEntriesByName(`${location.origin}/docs.wasm`).length === 1);
});

for (const mode of ["both", "ask"]) {
  test(`inline it leaves the page's focus alone, and opens the bundle when it gets it: ${mode}`, async (t) => {
    const { page, host } = await open(t, { attributes: `bundle="/docs.wasm" inline mode="${mode}"` });
    const field = page.getByRole(mode === "ask" ? "textbox" : "combobox");
    await field.waitFor();
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
    assert.ok(!host.requests.includes("/docs.wasm"));
    await field.focus();
    await page.waitForFunction(() => performance.getEntriesByName(`${location.origin}/docs.wasm`).length === 1);
  });
}

test("without scripts the content of the element is shown", async (t) => {
  const host = await serve({ "/": pageWith({ content: '<a href="/toc">All pages</a>' }) });
  const page = await browser.newPage({ javaScriptEnabled: false });
  t.after(async () => {
    await page.close();
    host.close();
  });
  await page.goto(host.origin);
  assert.equal(await page.getByRole("link", { name: "All pages" }).isVisible(), true);
});

test("results are grouped by page, and the arrow keys and Enter open one", async (t) => {
  const { page } = await open(t, { attributes: 'bundle="/docs.wasm" mode="search"' });
  const events = await recordEvents(page);
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search" });
  await field.pressSequentially("covering ind");
  await page.getByRole("group", { name: "Covering indexes" }).waitFor();
  assert.equal(await field.getAttribute("aria-expanded"), "true");
  assert.match(await page.getByRole("option").first().locator("mark").first().innerText(), /covering|index/iu);
  await field.press("ArrowDown");
  const active = await field.getAttribute("aria-activedescendant");
  assert.equal(await page.getByRole("option", { selected: true }).getAttribute("id"), active);
  await field.press("ArrowUp");
  assert.equal(await field.getAttribute("aria-activedescendant"), null);
  await page.evaluate(() => document.addEventListener("groundling-result-open", (event) => event.preventDefault()));
  await field.press("Enter");
  await page.waitForFunction(() => !document.querySelector("groundling-search")?.open);
  const opened = (await events()).find((/** @type {{ name: string }} */ { name }) => name === "result-open");
  assert.match(opened.detail.url, /\/sql\/covering-index\.html/u);
  assert.ok(names(await events()).indexOf("search") < names(await events()).indexOf("result-open"));
});

test("a search for nothing that is there helps on, and is told once", async (t) => {
  const { page } = await open(t, { attributes: 'bundle="/docs.wasm" mode="search"', content: '<p slot="empty">Write to us.</p>' });
  const events = await recordEvents(page);
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("qwzxv");
  await page.getByText("Nothing found for “qwzxv”").first().waitFor();
  await page.getByText("Not in these docs: qwzxv").waitFor();
  assert.equal(await page.getByText("Write to us.").isVisible(), true);
  await page.getByRole("status").filter({ hasText: "Nothing found" }).waitFor({ state: "attached" });
  await page.waitForTimeout(1000);
  assert.deepEqual(names(await events()).filter((name) => /search|result/u.test(name)), ["search", "no-result"]);
});

test("a part of the documentation can be chosen", async (t) => {
  const { page } = await open(t);
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("cache");
  await page.getByRole("button", { name: "Spark" }).click();
  await page.waitForFunction(() => {
    const shown = [...(document.querySelector("groundling-search")?.shadowRoot?.querySelectorAll(".page .collection") ?? [])];
    return shown.length > 0 && shown.every((each) => each.textContent === "Spark");
  });
});

test("did-you-mean of an engine that offers it is a button that searches", async (t) => {
  const { page } = await open(t);
  await page.evaluate(() => {
    const docs = {
      info: { pages: 1, collections: [] },
      search: async (/** @type {string} */ query) => ({ hits: [], total: 0, missing: [], didYouMean: query === "indx" ? "index" : undefined }),
    };
    Object.assign(/** @type {any} */ (document.querySelector("groundling-search")), { docs });
  });
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("indx");
  await page.getByRole("button", { name: "Did you mean “index”?" }).click();
  assert.equal(await page.getByRole("combobox").inputValue(), "index");
});

test("recent searches are kept only where the site asks for it, and can be forgotten", async (t) => {
  const { page } = await open(t);
  const use = async () => {
    await page.keyboard.press("/");
    await page.getByRole("combobox").fill("shuffle");
    await page.getByRole("option", { name: /shuffle/iu }).nth(1).waitFor();
    await page.evaluate(() => document.addEventListener("groundling-result-open", (event) => event.preventDefault()));
    await page.getByRole("option").nth(1).click();
  };
  await use();
  assert.equal(await page.evaluate(() => localStorage.length), 0);
  await page.evaluate(() => document.querySelector("groundling-search")?.setAttribute("recent", ""));
  await page.waitForTimeout(100);
  await use();
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("");
  await page.getByRole("button", { name: "shuffle", exact: true }).waitFor();
  await page.getByRole("button", { name: "Forget them" }).click();
  assert.equal(await page.evaluate(() => localStorage.length), 0);
  assert.equal(await page.getByRole("button", { name: "shuffle", exact: true }).count(), 0);
});

test("storage that is refused does not stop a search", async (t) => {
  const { page } = await open(t, { attributes: 'bundle="/docs.wasm" recent' });
  await page.evaluate(() => {
    Object.defineProperty(globalThis, "localStorage", { get: () => { throw new DOMException("refused", "SecurityError"); } });
    document.addEventListener("groundling-result-open", (event) => event.preventDefault());
  });
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("shuffle");
  await page.getByRole("option", { name: /shuffle/iu }).nth(1).click();
  await page.waitForFunction(() => !document.querySelector("groundling-search")?.open);
});

test("?q= opens with that search, and asks nothing", async (t) => {
  const { page } = await open(t, { path: "/?q=What+is+a+covering+index%3F" });
  const events = await recordEvents(page);
  await page.getByRole("option", { name: "Covering indexes" }).first().waitFor();
  assert.equal(await page.getByRole("combobox").inputValue(), "What is a covering index?");
  await page.waitForTimeout(1000);
  assert.ok(!names(await events()).includes("ask"));
  assert.equal(await page.locator(".turn").count(), 0);
});

test("an offline answer comes with its source, and a footnote opens a card", async (t) => {
  const { page } = await open(t);
  const events = await recordEvents(page);
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("What is a covering index?");
  await page.getByRole("combobox").press("Enter");
  const footnote = page.getByRole("button", { name: "Source 1: Covering indexes" });
  await footnote.first().waitFor();
  await page.locator(".basis").filter({ hasText: "Quoted from the docs, without a model." }).waitFor();
  await page.getByRole("status").filter({ hasText: "Answer complete, with" }).waitFor({ state: "attached" });

  await footnote.first().click();
  const card = page.locator(".card");
  await card.waitFor();
  assert.equal(await footnote.first().getAttribute("aria-expanded"), "true");
  assert.match(await card.getByRole("link", { name: "Open the passage" }).getAttribute("href") ?? "", /\/sql\/covering-index\.html/u);
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => document.querySelector("groundling-search")?.open), true, "Escape closes the card alone");
  assert.equal(await footnote.first().evaluate((shown) => /** @type {ShadowRoot} */ (shown.getRootNode()).activeElement === shown), true);

  await page.getByRole("button", { name: "Helpful", exact: true }).click();
  assert.deepEqual(names(await events()).slice(-3), ["ask", "answer", "feedback"]);
  await page.getByRole("button", { name: "Clear the conversation" }).click();
  assert.equal(await page.locator(".turn").count(), 0);
});

test("a card is shown on hover and goes with the pointer", async (t) => {
  const { page } = await open(t, { attributes: 'bundle="/docs.wasm" mode="ask" questions="What is a covering index?"' });
  await page.locator("groundling-search").getByRole("button").click();
  await page.getByRole("button", { name: "What is a covering index?" }).click();
  await page.locator(".footnote").first().hover();
  await page.locator(".card").waitFor();
  await page.locator(".question").hover();
  await page.locator(".card").waitFor({ state: "hidden" });
});

/** @param {import("playwright-core").Page} page */
async function askScripted(page) {
  const answers = await scriptedAnswers(page);
  await page.evaluate(() => /** @type {any} */ (document.querySelector("groundling-search")).ask("Why?"));
  await page.getByText("Waiting for the answer").waitFor();
  return answers;
}

test("an answer streams as formatted text, and shown nodes stay", async (t) => {
  const { page } = await open(t);
  const answers = await askScripted(page);
  await answers.push({ type: "delta", text: "So **it" });
  await page.getByText("Writing, not yet checked").waitFor();
  await answers.push({ type: "delta", text: " is** [1].\n\n- one\n" });
  await answers.push({ type: "citation", n: 1, start: 13, end: 16 });
  await page.locator(".answer li").waitFor();
  await page.evaluate(() => {
    const root = document.querySelector("groundling-search")?.shadowRoot;
    Object.assign(globalThis, { kept: root?.querySelector(".answer li"), mark: root?.querySelector(".footnote") });
  });
  await answers.push({ type: "delta", text: "- two\n\n```js\nlet a" });
  await answers.push({ type: "delta", text: " = 1;\n```\n" });
  await page.getByText("let a = 1;").waitFor();
  await answers.push({ type: "done", answer: answerOf("So **it is** [1].\n\n- one\n- two\n\n```js\nlet a = 1;\n```\n") });
  await page.locator(".turn[data-state=complete]").waitFor();
  assert.equal(await page.locator(".answer strong").innerText(), "it is");
  assert.equal(await page.locator(".answer li").count(), 2);
  const stayed = await page.evaluate(() => [/** @type {any} */ (globalThis).kept.isConnected, /** @type {any} */ (globalThis).mark.isConnected]);
  assert.deepEqual(stayed, [true, true]);
});

test("however an answer is cut into pieces, the end is the same", async (t) => {
  const { page } = await open(t);
  const text =
    "# T\n\nA **b** `c` [1]\nd\n\n1. x\n   - y [1]\n\n2. z\n\n| a | b |\n|---|---|\n| 1 | [2] |\n\n> q\n\n```sh\nls [1]\n\n# no\n```\n\nEnd _e_.";
  /** Pieces of each size, drawn after each piece, and what is shown at last before the end. */
  const shown = await page.evaluate(async (markdown) => {
    const widget = /** @type {any} */ (document.querySelector("groundling-search"));
    const all = [];
    for (const size of [1, 2, 3, 5, 1000]) {
      widget.docs = {
        info: { pages: 0 },
        async *stream() {
          let sent = 0;
          yield { type: "sources", sources: [] };
          for (let at = 0; at < markdown.length; at += size) {
            const piece = markdown.slice(at, at + size);
            yield { type: "delta", text: piece };
            const whole = markdown.slice(0, at + piece.length);
            for (const marker of whole.matchAll(/\[(\d)\]/gu)) {
              if (marker.index < sent) continue;
              sent = marker.index + 1;
              yield { type: "citation", n: Number(marker[1]), start: marker.index, end: marker.index + 3 };
            }
            await new Promise((resolve) => requestAnimationFrame(resolve));
          }
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          all.push(widget.shadowRoot.querySelector(".turn:last-child .answer").innerHTML);
          yield { type: "error", error: new Error("end") };
        },
      };
      widget.clear();
      widget.ask("Why?");
      await new Promise((resolve) => widget.addEventListener("groundling-error", resolve, { once: true }));
    }
    return all;
  }, text);
  assert.equal(shown.length, 5);
  assert.match(shown[0], /<h4[^>]*>T<\/h4>.*<table>.*<pre/su);
  for (const other of shown.slice(1)) assert.equal(other, shown[0]);
});

for (const [what, event, shown] of /** @type {[string, any, RegExp][]} */ ([
  ["a reply without sources", { type: "withdrawn", answer: answerOf("I don't know.", [], { grounded: false, reason: "no_citation" }) }, /Taken back.*named no source/su],
  ["a made-up source", { type: "withdrawn", answer: answerOf("I don't know.", [], { grounded: false, reason: "unknown_source" }) }, /Taken back.*does not exist/su],
  ["what the docs do not have", { type: "done", answer: answerOf("I don't know.", [], { grounded: false, status: "no_answer", reason: "not_in_sources", nearest: [NEAR] }) }, /Not in the docs.*Nearest pages.*Page one/su],
  ["nothing found", { type: "done", answer: answerOf("I don't know.", [], { grounded: false, status: "no_answer", reason: "nothing_found" }) }, /Not in the docs.*Other words/su],
  ["a refusal of the model", { type: "done", answer: answerOf("I cannot help.", [], { grounded: false, status: "refused", reason: "model_refused" }) }, /I cannot help\..*Declined/su],
  ["an answer that was cut off", { type: "done", answer: answerOf("So it", [], { grounded: false, status: "partial" }) }, /So it.*Cut off.*Do not rely/su],
  ["an unchecked answer", { type: "done", answer: answerOf("So it is.", [], { grounded: false, reason: "unchecked" }) }, /So it is\..*does not check/su],
  ["a failure", { type: "error", error: { message: "the server is busy", code: "provider-overloaded" } }, /No answer came.*the server is busy \(provider-overloaded\).*Try again/su],
])) {
  test(`the end is told honestly: ${what}`, async (t) => {
    const { page } = await open(t);
    const answers = await askScripted(page);
    const isWithdrawn = event.type === "withdrawn";
    if (isWithdrawn) await answers.push({ type: "delta", text: "Kettles whistle" });
    await answers.push(event);
    await page.locator(".turn:not([data-state=searching], [data-state=waiting], [data-state=writing])").waitFor();
    const text = await page.locator(".turn").innerText();
    assert.match(text, shown);
    assert.doesNotMatch(text, /Kettles whistle|Every footnote/u);
    assert.notEqual((await page.getByRole("status").textContent())?.trim(), "");
  });
}

test("after a failure the same question can be asked again", async (t) => {
  const { page } = await open(t);
  const answers = await askScripted(page);
  await answers.push({ type: "error", error: { message: "busy", code: "provider-overloaded" } });
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Waiting for the answer").waitFor();
  await answers.push({ type: "done", answer: answerOf("Now it is so [1].") });
  await page.getByText("Now it is so").waitFor();
  assert.deepEqual((await answers.state()).asked, ["Why?", "Why?"]);
  assert.equal(await page.locator(".turn").count(), 1);
});

test("a reply that is asked for once more takes back what was shown", async (t) => {
  const { page } = await open(t);
  const answers = await askScripted(page);
  await answers.push({ type: "delta", text: "Kettles whistle [9]." });
  await page.getByText("Kettles whistle").waitFor();
  await answers.push({ type: "restart" });
  await page.getByText("Kettles whistle").waitFor({ state: "detached" });
  await answers.push({ type: "delta", text: "It boils" });
  await page.getByText("It boils").waitFor();
  assert.equal((await page.locator(".answer").innerText()).trim(), "It boils");
});

test("a question carries the turns of its thread, without answers that were taken back", async (t) => {
  const { page } = await open(t);
  const answers = await scriptedAnswers(page);
  /** @param {string} question @param {string} type @param {unknown} answer @param {string} state */
  const ask = async (question, type, answer, state) => {
    await page.evaluate((asked) => /** @type {any} */ (document.querySelector("groundling-search")).ask(asked), question);
    await page.getByText("Waiting for the answer").last().waitFor();
    await answers.push({ type, answer });
    await page.locator(`.turn[data-state=${state}]`).last().waitFor();
  };
  await ask("What is it?", "done", answerOf("It is so [1]."), "complete");
  await ask("And why?", "withdrawn", { ...answerOf("I don't know."), grounded: false, reason: "no_citation", sources: [], citations: [] }, "withdrawn");
  await ask("And how?", "done", answerOf("So [1]."), "complete");
  await page.getByRole("button", { name: "Clear the conversation" }).click();
  await ask("Then what?", "done", answerOf("That [1]."), "complete");
  const first = { question: "What is it?", answer: "It is so [1].", titles: ["Page 1"] };
  const { histories } = await answers.state();
  assert.deepEqual(histories, [[], [first], [first, { question: "And why?", answer: "", titles: [] }], []]);
});

test("what a source bears out only in part is marked, and said in words", async (t) => {
  const { page } = await open(t);
  const answers = await askScripted(page);
  const answer = answerOf("It is 8081 [1].", [{ n: 1, start: 11, end: 14, support: "weak" }], {
    sentences: [{ start: 0, end: 15, support: "weak", score: 0.4, cited: [1], problems: [{ kind: "number", text: "8081" }] }],
  });
  await answers.push({ type: "done", answer });
  await page.locator(".basis").filter({ hasText: "see the marked footnotes" }).waitFor();
  const footnote = page.getByRole("button", { name: /bears this out in part/u });
  await footnote.click();
  assert.match(await page.locator(".card").innerText(), /in part.*Not in the passage: 8081/su);
});

test("an answer is copied with its sources", async (t) => {
  const { page } = await open(t);
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (/** @type {string} */ text) => Object.assign(globalThis, { copied: text }) } });
  });
  const answers = await askScripted(page);
  await answers.push({ type: "done", answer: answerOf("So it is [1].") });
  await page.getByRole("button", { name: "Copy with sources" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate(() => /** @type {any} */ (globalThis).copied);
  assert.match(copied, /^So it is \[1\]\.\n\nSources\n\[1\] Page 1: http:\/\/127\.0\.0\.1:\d+\/p1\.html\n$/u);
});

test("a link in an answer lives only if it leads to a page of the docs", async (t) => {
  const { page } = await open(t);
  await page.evaluate(() => {
    /** @type {any} */ (document.querySelector("groundling-search")).provider = () =>
      `See [joins](${location.origin}/sql/joins.html#x), [them](//127.0.0.1/sql/joins.html), [q](/sql/joins.html?q=secret), [no](https://evil.test/) [1].`;
    /** @type {any} */ (document.querySelector("groundling-search")).ask("What is a covering index?");
  });
  await page.getByRole("link", { name: "joins" }).waitFor();
  const hrefs = await page.locator(".answer a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  assert.deepEqual(hrefs, [`${new URL(page.url()).origin}/sql/joins.html#x`]);
  assert.match(await page.locator(".answer").innerText(), /no \(https:\/\/evil\.test\/\)/u);
});

test("a bundle that is missing is told in the component and as an event, and the fallback is shown", async (t) => {
  const { page, host } = await open(t, { attributes: 'bundle="/later.wasm"', content: '<a href="/toc">All pages</a>' });
  const events = await recordEvents(page);
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("index");
  await page.locator(".problem").filter({ hasText: "status 404" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "All pages" }).isVisible(), true);
  assert.equal((await events()).find((/** @type {{ name: string }} */ { name }) => name === "error").detail.during, "open");
  host.files["/later.wasm"] = { body: bundle };
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("option", { name: "Covering indexes" }).first().waitFor();
});

test("without a bundle it says which attribute is missing", async (t) => {
  const { page } = await open(t, { attributes: "" });
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("index");
  await page.locator(".problem").filter({ hasText: "set the attribute “bundle”" }).waitFor();
});

test("properties that were set before it was defined count", async (t) => {
  const { page } = await open(t, {
    body: `<script>addEventListener("DOMContentLoaded", () => 0); document.addEventListener("readystatechange", () => {
      const search = document.querySelector("groundling-search");
      if (document.readyState === "interactive") Object.assign(search, { provider: () => "Told by a function [1].", questions: ["Why so?"] });
    });</script>`,
  });
  await page.keyboard.press("/");
  await page.getByRole("button", { name: "Why so?" }).waitFor();
  await page.getByRole("combobox").fill("What is a covering index?");
  await page.getByRole("combobox").press("Enter");
  await page.getByText("Told by a function").waitFor();
});

test("a removed component stops its question, and works when it is put back", async (t) => {
  const { page } = await open(t);
  const answers = await askScripted(page);
  await page.evaluate(() => {
    const search = /** @type {HTMLElement} */ (document.querySelector("groundling-search"));
    const parent = search.parentElement;
    search.remove();
    setTimeout(() => parent?.append(search), 50);
  });
  await page.waitForFunction(() => /** @type {any} */ (globalThis).scripted.aborted === 1);
  assert.equal((await answers.state()).aborted, 1);
  await page.locator("groundling-search").getByRole("button").first().waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox").waitFor();
});

for (const [what, html, attributes, scheme, expected] of /** @type {const} */ ([
  ["a class of the page", 'lang="en" class="dark"', "", "light", "dark"],
  ["an attribute of the page", 'lang="en" data-theme="light"', "", "dark", "light"],
  ["the page's colour scheme", 'lang="en" style="color-scheme: dark"', "", "light", "dark"],
  ["the reader's setting", 'lang="en"', "", "dark", "dark"],
  ["its own attribute", 'lang="en" class="dark"', 'theme="light"', "dark", "light"],
])) {
  test(`dark or light is decided by ${what}`, async (t) => {
    const { page } = await open(t, { html, attributes: `bundle="/docs.wasm" ${attributes}`, context: { colorScheme: scheme } });
    assert.equal(await page.locator("groundling-search").locator(".root").getAttribute("data-theme"), expected);
  });
}

test("it follows the page when that becomes dark", async (t) => {
  const { page } = await open(t, { context: { colorScheme: "light" } });
  await page.evaluate(() => document.documentElement.classList.add("dark"));
  await page.locator('groundling-search .root[data-theme="dark"]').waitFor({ state: "attached" });
});

test("both languages have the same keys, places and the plurals that they need", async () => {
  const read = async (/** @type {string} */ lang) => JSON.parse(await readFile(new URL(`../../www/widget/languages/${lang}.json`, import.meta.url), "utf8"));
  const [english, russian] = [await read("en"), await read("ru")];
  assert.deepEqual(Object.keys(russian), Object.keys(english));
  const places = (/** @type {string} */ text) => [...text.matchAll(/\{\w+\}/gu)].map(String).sort();
  for (const [key, text] of Object.entries(english)) {
    const own = russian[key];
    assert.equal(typeof own, typeof text, key);
    if (typeof text === "string") assert.deepEqual(places(own), places(text), key);
    else assert.deepEqual(Object.keys(own), ["one", "few", "many", "other"], key);
  }
});

test("the words are those of the page's language, with its plurals", async (t) => {
  const { page } = await open(t, { html: 'lang="ru"' });
  await page.keyboard.press("/");
  await page.getByPlaceholder("Найти или задать вопрос").fill("covering");
  await page.getByRole("status").filter({ hasText: /^\d+ результат(?:а|ов)?$/u }).waitFor({ state: "attached" });
});

test("another language is one file, its direction follows, and what is missing is English", async (t) => {
  const { page } = await open(t, {
    html: 'lang="ar" dir="rtl"',
    attributes: 'bundle="/docs.wasm" messages="/ar.json"',
    files: { "/ar.json": { body: JSON.stringify({ button: "بحث", count: { zero: "لا", one: "نتيجة", two: "نتيجتان", few: "{n} نتائج", other: "{n} نتيجة" } }) } },
  });
  await page.getByRole("button", { name: "بحث" }).click();
  assert.equal(await page.locator("groundling-search .root").getAttribute("dir"), "rtl");
  await page.getByRole("combobox").fill("covering");
  await page.getByRole("status").filter({ hasText: /نتيجة|نتائج|نتيجتان/u }).waitFor({ state: "attached" });
  assert.equal(await page.getByRole("button", { name: "Close" }).isVisible(), true);
});

test("a site's words and titles stay text, whatever they hold", async (t) => {
  const hostile = await bundleOf({ "a.md": "# <img src=x onerror=alert(1)>\n\nA `<script>alert(2)</script>` kettle.\n" });
  const { page } = await open(t, { files: { "/docs.wasm": { body: hostile } }, attributes: 'bundle="/docs.wasm" placeholder="<b>x</b>" questions="<i>y</i>"' });
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("kettle");
  await page.getByRole("option").nth(1).waitFor();
  assert.equal(await page.locator(".list :is(img, script, b, i)").count(), 0);
});

test("the page's styles do not get in, and the component's do not get out", async (t) => {
  const { page } = await open(t, { body: "<style>button { color: rgb(1, 2, 3) !important; font-size: 40px } .round { display: none }</style><button id=own>x</button>" });
  await page.keyboard.press("/");
  const close = page.getByRole("button", { name: "Close" });
  assert.equal(await close.isVisible(), true);
  assert.notEqual(await close.evaluate((element) => getComputedStyle(element).color), "rgb(1, 2, 3)");
  assert.equal(await page.locator("#own").evaluate((element) => getComputedStyle(element).fontSize), "40px");
});

test("two components on a page keep apart, and one of them takes the key", async (t) => {
  const { page } = await open(t, { body: '<groundling-search id="first" bundle="/docs.wasm"></groundling-search>' });
  await page.keyboard.press("/");
  await page.getByRole("combobox").waitFor();
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("groundling-search")].map((each) => each.open)), [true, false]);
});
