/** Links to quotes, followed in a real browser on pages as eleven site generators make them. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../dist/load.js";
import { bundleOf } from "../node/support/bundle.js";
import { TIMEOUT_MS, launch } from "./support/widget.js";

const GENERATORS = fileURLToPath(new URL("../fixtures/generators", import.meta.url));
/** Quotes of one generator. */
const QUOTES = 6;
/** Marks what is selected, and nothing else on a page has this colour. */
const MARK = "background-color: rgb(255, 0, 255); color: rgb(255, 0, 255)";

/** @typedef {{ quote: string, link: string, url: string }} Quoted */

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** @param {string} folder */
async function pagesOf(folder) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".html")).sort();
  /** @type {Record<string, Buffer>} */
  const files = {};
  for (const name of names) files[name.split(path.sep).join("/")] = await readFile(path.join(folder, name));
  return files;
}

/**
 * What the sources of answers quote, as an answer would that says just what some sentences of the pages say.
 *
 * @param {Record<string, Buffer>} files
 * @returns {Promise<Quoted[]>}
 */
async function quotesOf(files) {
  const docs = await load(bundleOf(files));
  /** @type {Quoted[]} */
  const quotes = [];
  for (const name of await docs.pages()) {
    for (const { id, text } of (await docs.page(name))?.chunks ?? []) {
      const lines = text.split("\n").filter((line) => /^\p{Lu}.{30,}[.]$/u.test(line));
      for (const line of lines) {
        // Of the passages found the one that the sentence is from, whatever else says nearly the same.
        const found = (await docs.retrieve(line, { perPage: 9, budgetWords: 9000 })).find((source) => source.id === id);
        if (!found) continue;
        const { sources } = await docs.ask(line, { perPage: 9, budgetWords: 9000, provider: () => `${line.replace(/\.$/u, "")} [${found.n}].` });
        if (sources[0]?.quote) quotes.push({ quote: sources[0].quote, link: sources[0].link, url: sources[0].url });
      }
    }
  }
  return quotes;
}

/** @param {Record<string, Buffer>} files */
async function serve(files) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://host.test");
    const name = decodeURI(pathname.slice(1));
    const body = files[name] ?? files[`${name}index.html`] ?? files[`${name}/index.html`];
    response.writeHead(body ? 200 : 404, { "content-type": "text/html; charset=utf-8" }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/**
 * Selects the quote in the page by a search of its own: the first place at or after the anchor that has its
 * characters, white space aside. Runs in the page.
 *
 * @param {string} quote
 */
function markExpected(quote) {
  const anchor = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  /** @type {{ node: Node, offset: number }[]} */
  const places = [];
  let text = "";
  let from = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement?.checkVisibility() || node.parentElement.closest("script, style, template")) continue;
    if (anchor && from === 0 && (anchor.contains(node) || anchor.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING)) from = text.length;
    const data = /** @type {Text} */ (node).data;
    for (let offset = 0; offset < data.length; offset++) {
      if (/\s/u.test(data[offset])) continue;
      text += data[offset];
      places.push({ node, offset });
    }
  }
  const wanted = quote.replace(/\s+/gu, "");
  const at = text.indexOf(wanted, from);
  if (at === -1) return false;
  const range = new Range();
  range.setStart(places[at].node, places[at].offset);
  const last = places[at + wanted.length - 1];
  range.setEnd(last.node, last.offset + 1);
  CSS.highlights.set("expected", new Highlight(range));
  return true;
}

/**
 * How many pixels are marked in either of two screenshots, and in how many they differ. Runs in a page.
 *
 * @param {[string, string]} images PNG in base64
 */
async function compare(images) {
  const [ours, theirs] = await Promise.all(
    images.map(async (image) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${image}`)).blob());
      const context = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d"));
      context.drawImage(bitmap, 0, 0);
      return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
    }),
  );
  const marked = { selected: 0, expected: 0, different: 0 };
  const isMarked = (/** @type {Uint8ClampedArray} */ data, /** @type {number} */ i) => data[i] === 255 && data[i + 1] === 0 && data[i + 2] === 255;
  for (let i = 0; i < Math.max(ours.length, theirs.length); i += 4) {
    const [a, b] = [isMarked(ours, i), isMarked(theirs, i)];
    if (a) marked.selected++;
    if (b) marked.expected++;
    if (a !== b) marked.different++;
  }
  return marked;
}

/**
 * What is marked on a page, where it is scrolled to.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} pseudo
 */
async function screenshot(page, pseudo) {
  await page.addStyleTag({ content: `${pseudo} { ${MARK} }` });
  return (await page.screenshot()).toString("base64");
}

let followed = 0;

for (const generator of await readdir(GENERATORS)) {
  test(`links select their quotes on pages of ${generator}`, async (t) => {
    const files = await pagesOf(path.join(GENERATORS, generator));
    const server = await serve(files);
    const page = await browser.newPage();
    const other = await browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    t.after(async () => {
      await Promise.all([page.close(), other.close()]);
      server.close();
    });
    // The pages name styles and scripts elsewhere.
    await page.route("**", (route) => (route.request().url().startsWith(server.origin) ? route.continue() : route.abort()));
    const all = await quotesOf(files);
    assert.ok(all.length >= QUOTES, `${all.length} quotes`);
    const step = all.length / QUOTES;
    const chosen = Array.from({ length: QUOTES }, (_, i) => all[Math.floor(i * step)]);
    /** @type {string[]} */
    const wrong = [];
    let fallbacks = 0;
    for (const { quote, link, url } of chosen) {
      await page.goto("about:blank");
      await page.goto(server.origin + link);
      const ours = await screenshot(page, "::target-text");
      const top = await page.evaluate(() => scrollY);
      await page.goto("about:blank");
      await page.goto(server.origin + url);
      const isThere = await page.evaluate(markExpected, quote);
      await page.evaluate((to) => scrollTo(0, to), top);
      const theirs = await screenshot(page, "::highlight(expected)");
      const marked = await other.evaluate(compare, /** @type {[string, string]} */ ([ours, theirs]));
      // Signs such as a raised number are not on the page as the index writes them; then nothing is selected.
      if (!isThere) fallbacks++;
      else followed++;
      const isRight = isThere ? marked.expected > 0 && marked.different < 0.02 * marked.expected : marked.selected === 0;
      if (!isRight) wrong.push(`${link} for ${JSON.stringify(quote)}: ${JSON.stringify({ isThere, marked, top })}`);
    }
    assert.deepEqual(wrong, []);
    assert.ok(fallbacks <= 1, `${fallbacks} quotes are not on their page`);
  });
}

test("at least fifty links were followed to their quotes", () => assert.ok(followed >= 50, String(followed)));
