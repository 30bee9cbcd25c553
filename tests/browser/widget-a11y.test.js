/** The web component by keyboard, by assistive technology, on narrow windows and with the reader's own settings. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { lessonsBundle } from "../node/support/bundle.js";
import { TIMEOUT_MS, answerOf, launch, pageWith, scriptedAnswers, serve } from "./support/widget.js";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const RICH =
  "## So\n\nIt is **so** `x` [1] and [2].\n\n- one\n- two\n\n1. three\n\n> four\n\n```sh\nls --all --recursive --human-readable --sort=time --reverse --almost-all\n```\n\n" +
  "| a long heading | another long heading | a third long heading |\n|---|---|--:|\n| 1 | 2 | 3 |\n\nSee [it](https://other.test/a-very-long-address-without-any-space-in-it-at-all).";

const SOURCES = [1, 2, 3].map((n) => ({ n, url: `/p${n}.html`, title: `Page ${n}`, text: `Text of page ${n}.` }));

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
 * @param {Parameters<typeof pageWith>[0] & { context?: import("playwright-core").BrowserContextOptions }} [options]
 */
async function open(t, { context = {}, ...parts } = {}) {
  const host = await serve({ "/": pageWith(parts), "/docs.wasm": { body: bundle } });
  const page = await browser.newPage(context);
  page.setDefaultTimeout(TIMEOUT_MS);
  t.after(async () => {
    await page.close();
    host.close();
  });
  await page.goto(host.origin);
  await page.waitForFunction(() => document.querySelector("groundling-search")?.shadowRoot?.firstElementChild?.firstElementChild);
  return page;
}

/** @param {import("playwright-core").Page} page @param {string} state */
async function assertNothingFound(page, state) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run(document, { resultTypes: ["violations"] }));
  const told = violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map((/** @type {any} */ node) => `${node.target} ${node.failureSummary}`).join(" | ")}`);
  assert.deepEqual(told, [], state);
}

/** Every state that a reader can come to, by the steps that lead there. @type {[string, (page: import("playwright-core").Page) => Promise<unknown>][]} */
const STATES = [
  ["closed", async () => {}],
  ["start", (page) => page.keyboard.press("/")],
  [
    "results",
    async (page) => {
      await page.keyboard.press("/");
      await page.getByRole("combobox").fill("cache");
      await page.getByRole("option").nth(2).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
    },
  ],
  [
    "no results",
    async (page) => {
      await page.keyboard.press("/");
      await page.getByRole("combobox").fill("qwzxv");
      await page.locator(".empty").waitFor();
    },
  ],
  ["waiting", (page) => asked(page)],
  [
    "writing",
    async (page) => {
      const answers = await asked(page);
      await answers.push({ type: "delta", text: RICH });
      await page.locator(".answer table").waitFor();
    },
  ],
  [
    "complete",
    async (page) => {
      await complete(page);
      await page.locator(".rest summary").click();
    },
  ],
  [
    "a source's card",
    async (page) => {
      await complete(page);
      await page.locator(".footnote").first().click();
      await page.locator(".card").waitFor();
    },
  ],
  [
    "stopped",
    async (page) => {
      const answers = await asked(page);
      await answers.push({ type: "delta", text: RICH });
      await page.getByRole("button", { name: "Stop" }).click();
    },
  ],
  [
    "not in the docs",
    async (page) => {
      const answers = await asked(page);
      await answers.push({ type: "done", answer: answerOf("I don't know.", [], { grounded: false, status: "no_answer", reason: "not_in_sources" }) });
      await page.locator(".notice").waitFor();
    },
  ],
  [
    "withdrawn",
    async (page) => {
      const answers = await asked(page);
      await answers.push({ type: "withdrawn", answer: answerOf("I don't know.", [], { grounded: false, reason: "no_citation" }) });
      await page.locator(".notice").waitFor();
    },
  ],
  [
    "failed",
    async (page) => {
      const answers = await asked(page);
      await answers.push({ type: "error", error: { message: "busy", code: "provider-overloaded" } });
      await page.locator(".problem").waitFor();
    },
  ],
];

/** @param {import("playwright-core").Page} page */
async function asked(page) {
  const answers = await scriptedAnswers(page, SOURCES);
  await page.evaluate(() => /** @type {any} */ (document.querySelector("groundling-search")).ask("Why is it so?"));
  await page.getByText("Waiting for the answer").waitFor();
  return answers;
}

/** @param {import("playwright-core").Page} page */
async function complete(page) {
  const answers = await asked(page);
  const answer = answerOf(RICH);
  answer.citations[0] = { ...answer.citations[0], support: "weak" };
  await answers.push({ type: "done", answer });
  await page.locator(".turn[data-state=complete]").waitFor();
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  for (const [state, enter] of STATES) {
    test(`axe finds nothing: ${state}, ${colorScheme}`, async (t) => {
      const page = await open(t, {
        attributes: 'bundle="/docs.wasm" recent questions="What is a covering index?"',
        body: `<style>body { background: ${colorScheme === "dark" ? "#111" : "#fff"}; color: ${colorScheme === "dark" ? "#eee" : "#111"} }</style>`,
        context: { colorScheme, reducedMotion: "reduce" },
      });
      await enter(page);
      await assertNothingFound(page, state);
    });
  }
}

test("axe finds nothing inline", async (t) => {
  const page = await open(t, { attributes: 'bundle="/docs.wasm" inline', context: { colorScheme: "light" } });
  await page.getByRole("combobox").fill("cache");
  await page.getByRole("option").nth(2).waitFor();
  await assertNothingFound(page, "inline");
});

for (const [width, dir] of /** @type {const} */ ([[320, "ltr"], [320, "rtl"], [640, "ltr"], [1280, "ltr"]])) {
  test(`nothing is wider than a window of ${width} px, ${dir}`, async (t) => {
    const page = await open(t, { html: `lang="${dir === "rtl" ? "ar" : "en"}" dir="${dir}"`, context: { viewport: { width, height: 640 } } });
    const overflowing = () =>
      page.evaluate(() => {
        const root = document.querySelector("groundling-search")?.shadowRoot;
        const views = [document.documentElement, ...(root?.querySelectorAll(".panel, .head, .thread, .search-view, .composer") ?? [])];
        return views.filter((view) => view.checkVisibility() && view.scrollWidth > view.clientWidth).map((view) => view.className || view.localName);
      });
    await page.evaluate(() => document.querySelector("groundling-search")?.search("index"));
    await page.getByRole("option").nth(2).waitFor();
    assert.deepEqual(await overflowing(), []);
    await complete(page);
    assert.deepEqual(await overflowing(), []);
    await page.locator(".footnote").first().click();
    const box = await page.locator(".card").boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
  });
}

test("all of it works at twice the size of text", async (t) => {
  const page = await open(t, { attributes: 'bundle="/docs.wasm" style="--groundling-font-size: 32px"', context: { viewport: { width: 1024, height: 768 } } });
  await complete(page);
  const { scrollWidth, clientWidth } = await page.locator(".thread").evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
  assert.ok(scrollWidth <= clientWidth);
  assert.equal(await page.getByRole("textbox").isVisible(), true);
});

test("every control shows that it has the focus", async (t) => {
  const page = await open(t, { context: { reducedMotion: "reduce" } });
  await complete(page);
  const unseen = [];
  for (let press = 0; press < 24; press += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const focused = document.querySelector("groundling-search")?.shadowRoot?.activeElement;
      if (!focused) return undefined;
      const shows = [focused, focused.closest(".bar")].some((each) => each && getComputedStyle(each).outlineStyle !== "none");
      return { name: focused.className || focused.localName, shows };
    });
    if (found && !found.shows) unseen.push(found.name);
  }
  assert.deepEqual(unseen, []);
});

test("an answer is reached, read and left by keyboard alone", async (t) => {
  const page = await open(t);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.type("What is a covering index?");
  await page.keyboard.press("Enter");
  await page.locator(".turn[data-state=complete]").waitFor();
  const focused = () => page.evaluate(() => document.querySelector("groundling-search")?.shadowRoot?.activeElement?.className);
  for (let press = 0; press < 20 && (await focused()) !== "footnote"; press += 1) await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(), "footnote");
  await page.locator(".card").waitFor();
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "card");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "open-passage");
  await page.keyboard.press("Escape");
  assert.equal(await focused(), "footnote");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("groundling-search")?.open);
  assert.equal(await focused(), "open");
});

test("the live region hears start, count and end, and never the words of an answer", async (t) => {
  const page = await open(t);
  await page.keyboard.press("/");
  await page.evaluate(() => {
    const region = document.querySelector("groundling-search")?.shadowRoot?.querySelector("[role=status]");
    const heard = /** @type {string[]} */ ([]);
    Object.assign(globalThis, { heard });
    if (region) new MutationObserver(() => region.textContent && heard.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
  });
  await page.getByRole("combobox").pressSequentially("covering", { delay: 20 });
  await page.waitForTimeout(900);
  const answers = await asked(page);
  for (const word of ["It ", "is ", "so ", "[1]."]) await answers.push({ type: "delta", text: word });
  await answers.push({ type: "done", answer: answerOf("It is so [1].") });
  await page.locator(".turn[data-state=complete]").waitFor();
  const heard = await page.evaluate(() => /** @type {any} */ (globalThis).heard);
  assert.equal(heard.length, 3, heard.join(" / "));
  assert.match(heard.join(" / "), /^\d+ results? \/ Answering \/ Answer complete, with 1 source$/u);
  assert.equal(await page.locator("[aria-live], [role=alert], [role=log]").count(), 0);
});

test("nothing moves for a reader who wants no motion", async (t) => {
  const page = await open(t, { context: { reducedMotion: "reduce" } });
  await asked(page);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
});

test("with forced colours the chosen result is outlined", async (t) => {
  const page = await open(t, { context: { forcedColors: "active" } });
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("cache");
  await page.getByRole("option").nth(2).waitFor();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.getByRole("option", { selected: true }).evaluate((option) => getComputedStyle(option).outlineStyle), "solid");
});
