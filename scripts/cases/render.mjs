// Cases of the kinds `render` and `render_results`: shows answers and results in the component, in
// a real browser, and looks at what they became.

import { answerOf, launch, pageWith, scriptedAnswers, serve } from "../../tests/browser/support/widget.js";
import { containsEach, differences, isEqual, shown } from "./compare.mjs";
import { anyDocs, bundleOf } from "./product.mjs";
import { recordFile } from "./search.mjs";

/** How long an image or a script would need to be asked for. */
const SETTLED_MS = 100;

/**
 * An answer or a list of results as it is shown.
 *
 * @typedef {object} Rendered
 * @property {string} text what a reader sees
 * @property {string[]} titles of results
 * @property {string[]} snippets of results
 * @property {string[]} tags of all elements in it
 * @property {string[]} attributes of all elements in it
 * @property {string[]} hrefs of its links, as they are written
 * @property {string[]} requests that showing it caused, as addresses
 */

/** @type {import("./compare.mjs").Fields<Rendered[]>} */
const FIELDS = {
  no_elements: { read: (all) => all.flatMap(({ tags }) => tags), check: hasNone },
  no_attributes: { read: (all) => all.flatMap(({ attributes }) => attributes), check: hasNone },
  link_schemes_only: { read: (all) => all.flatMap(({ hrefs }) => hrefs.map(schemeOf)), check: onlyThese },
  no_requests: { read: (all) => all.flatMap(({ requests }) => requests).length === 0 },
  no_request_to: { read: (all) => all.flatMap(({ requests }) => requests.map((url) => new URL(url).host)), check: hasNone },
  answers_links: { read: (all) => all.map(({ hrefs }) => hrefs), check: linksEach },
  visible_contains: {
    read: (all) => all.map(({ text }) => text),
    check: (wanted, texts) => texts.flatMap((text) => containsEach(wanted, text)),
  },
  visible_contains_each: {
    read: (all) => all.map(({ text }) => text),
    check: (wanted, texts) => wanted.flatMap((each, index) => (each === null ? [] : containsEach(each, texts[index]))),
  },
  visible_title: { read: (all) => all.flatMap(({ titles }) => titles), check: isAmong },
  visible_text_contains: {
    read: (all) => all.flatMap(({ snippets }) => snippets).join("\n"),
    check: containsEach,
  },
};

/** @type {Promise<import("playwright-core").Browser> | undefined} */
let browser;

/** Ends the browser, if a case has started it. */
export async function closeBrowser() {
  await (await browser)?.close();
  browser = undefined;
}

/**
 * @param {{ input: any, expected: Record<string, any> }} testCase
 * @returns {Promise<string[]>} what differs
 */
export async function run({ input, expected }) {
  const docs = await anyDocs();
  const answers = [];
  for (const { markdown } of input.answers) {
    // What the case calls checked is grounded here; the engine says where its markers are.
    const { citations } = await docs.verify(markdown, 1);
    answers.push(answerOf(markdown, citations));
  }
  docs.free();
  return inPage({}, async (page, requests) => {
    const scripted = await scriptedAnswers(page);
    /** @type {Rendered[]} */
    const all = [];
    for (const answer of answers) {
      await page.evaluate(() => /** @type {any} */ (document.querySelector("groundling-search")).ask("Why?"));
      const turn = page.locator(".turn").nth(all.length);
      await turn.getByText("Waiting for the answer").waitFor();
      // The component's own files have come.
      const before = requests.length;
      // Streamed, so that what is shown on the way is judged as well.
      for (const text of answer.answer.match(/[^]{1,7}/gu) ?? []) await scripted.push({ type: "delta", text });
      await scripted.push({ type: "done", answer });
      await turn.and(page.locator("[data-state=complete]")).waitFor();
      await page.waitForTimeout(SETTLED_MS);
      all.push(await rendered(turn.locator(".answer"), requests.slice(before)));
    }
    return differences(expected, all, FIELDS);
  });
}

/**
 * @param {{ input: any, expected: Record<string, any> }} testCase
 * @returns {Promise<string[]>} what differs
 */
export async function runResults({ input, expected }) {
  const bundle = await bundleOf([recordFile(input.docs)], []);
  return inPage({ "/docs.wasm": { body: bundle } }, async (page, requests) => {
    await page.evaluate(() => /** @type {any} */ (document.querySelector("groundling-search")).show());
    const field = page.getByRole("combobox");
    /** @type {Rendered[]} */
    const all = [];
    for (const query of input.queries ?? [input.query]) {
      await field.fill("");
      // The bundle and the modules that open it are asked for with the first key.
      await page.evaluate(() => import(new URL("/dist/load.js", location.href).href));
      await field.fill(query);
      await page.locator(".search-view [role=group] [role=option], .search-view .empty").first().waitFor();
      const before = requests.length;
      await page.waitForTimeout(SETTLED_MS);
      all.push(await rendered(page.locator(".search-view"), requests.slice(before)));
    }
    return differences(expected, all, FIELDS);
  });
}

/**
 * @param {Parameters<typeof serve>[0]} files
 * @param {(page: import("playwright-core").Page, requests: string[]) => Promise<string[]>} judge
 */
async function inPage(files, judge) {
  browser ??= launch();
  const host = await serve({ "/": pageWith(), ...files });
  const page = await (await browser).newPage();
  /** @type {string[]} */
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  /** @type {string[]} */
  const problems = [];
  page.on("dialog", (dialog) => {
    problems.push(`a script ran: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("pageerror", (error) => problems.push(`an exception: ${error.message}`));
  try {
    await page.goto(`${host.origin}/`);
    await page.locator("groundling-search").getByRole("button").waitFor();
    return [...(await judge(page, requests)), ...problems];
  } finally {
    await page.close();
    host.close();
  }
}

/**
 * @param {import("playwright-core").Locator} place
 * @param {string[]} requests
 * @returns {Promise<Rendered>}
 */
async function rendered(place, requests) {
  const found = await place.evaluate((element) => {
    const all = [...element.querySelectorAll("*")];
    const texts = (/** @type {string} */ selector) => [...element.querySelectorAll(selector)].map((each) => each.textContent ?? "");
    return {
      text: /** @type {HTMLElement} */ (element).innerText,
      titles: texts("[role=group] .option-title"),
      snippets: texts("[role=group] .snippet"),
      tags: all.map(({ localName }) => localName),
      attributes: all.flatMap((each) => each.getAttributeNames()),
      hrefs: all.flatMap((each) => each.getAttribute("href") ?? []),
    };
  });
  return { ...found, requests };
}

/** @param {string[]} wanted names; one that ends with `*` stands for all that begin so @param {string[]} names */
function hasNone(wanted, names) {
  const isUnwanted = (/** @type {string} */ name) =>
    wanted.some((each) => (each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : name === each));
  const found = names.filter(isUnwanted);
  return found.length === 0 ? [] : [`there is ${shown([...new Set(found)])}`];
}

/** @param {string[]} wanted @param {string[]} found */
function onlyThese(wanted, found) {
  const others = found.filter((each) => !wanted.includes(each));
  return others.length === 0 ? [] : [`there is ${shown(others)}`];
}

/** @param {(string[] | null)[]} wanted @param {string[][]} links */
function linksEach(wanted, links) {
  return wanted.flatMap((each, index) =>
    each === null || isEqual(each, links[index]) ? [] : [`answer ${index + 1} has ${shown(links[index])}`],
  );
}

/** @param {string} wanted @param {string[]} titles */
function isAmong(wanted, titles) {
  return titles.some((title) => isEqual(wanted, title)) ? [] : [`${shown(wanted)} is not among ${shown(titles)}`];
}

/** @param {string} href */
function schemeOf(href) {
  return /^([a-z][a-z\d+.-]*):/iu.exec(href)?.[1].toLowerCase() ?? "relative";
}
