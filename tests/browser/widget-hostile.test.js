/** Hostile outputs of a model, rendered in a real browser that reports every request. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hostileOutputs } from "./support/hostile.js";
import { launch, pageWith, serve } from "./support/widget.js";

/** All that an answer may be made of. */
const ELEMENTS = "p h4 hr ul ol li blockquote div table thead tbody tr th td strong em del code pre a br span button".split(" ");
const ATTRIBUTES = ["class", "dir", "start", "scope", "tabindex", "href", "role", "type", "part", "aria-label", "aria-expanded", "aria-controls", "data-n", "data-start"];

/** What would read otherwise than it is written. */
const UNSEEN = /[\0-\x08\x0B-\x1F\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uE000\uFEFF\u{E0000}-\u{E007F}]/u;

const outputs = await hostileOutputs();

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("there are at least 300 of them", () => assert.ok(outputs.length >= 300, String(outputs.length)));

for (const aim of new Set(outputs.map((output) => output.aim))) {
  test(`nothing comes of it: ${aim}`, async (t) => {
    const host = await serve({ "/": pageWith({ attributes: 'bundle="/docs.wasm" inline mode="ask"' }) });
    const page = await browser.newPage();
    t.after(async () => {
      await page.close();
      host.close();
    });
    /** @type {string[]} */
    const problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("dialog", (dialog) => dialog.dismiss());
    await page.goto(host.origin);
    await page.getByRole("textbox").waitFor();
    // The component's own request for its bundle, which the field's focus would cause later.
    await page.getByRole("textbox").focus();
    await page.waitForLoadState("networkidle");
    page.on("request", (request) => problems.push(`request: ${request.url()}`));
    page.on("framenavigated", (frame) => problems.push(`navigation: ${frame.url()}`));
    const texts = outputs.filter((output) => output.aim === aim).map(({ text }) => text);
    const all = await page.evaluate(async (answers) => {
      const run = () => ((/** @type {any} */ (globalThis)).ran += 1);
      Object.assign(globalThis, { ran: 0, zz: run, pwned: run });
      const widget = /** @type {any} */ (document.querySelector("groundling-search"));
      const shown = [];
      for (const answer of answers) {
        const citations = [...answer.matchAll(/\[1\]/gu)].map(({ index }) => ({ n: 1, start: index, end: index + 3 }));
        const sources = [{ n: 1, id: 1, url: "/p1.html", path: "p1.html", title: "Page one", text: "Text.", score: 1, link: "/p1.html" }];
        widget.docs = {
          info: { pages: 1, collections: [] },
          pages: async () => [],
          async *stream() {
            yield { type: "sources", sources };
            // In pieces that cut markup and are drawn, as a model's stream would be.
            for (let at = 0; at < answer.length; at += Math.ceil(answer.length / 3)) {
              yield { type: "delta", text: answer.slice(at, at + Math.ceil(answer.length / 3)) };
              await new Promise((resolve) => requestAnimationFrame(resolve));
            }
            yield { type: "done", answer: { status: "complete", answer, citations, sources, cited: [1], sentences: [], nearest: [], grounded: true } };
          },
        };
        const ended = new Promise((resolve) => widget.addEventListener("groundling-answer", resolve, { once: true }));
        widget.clear();
        await new Promise((resolve) => setTimeout(resolve));
        widget.ask("Why?");
        await ended;
        const holder = widget.shadowRoot.querySelector(".turn:last-child .answer");
        const elements = [...holder.querySelectorAll("*")];
        shown.push({
          text: holder.textContent,
          elements: [...new Set(elements.map(({ localName }) => localName))],
          attributes: [...new Set(elements.flatMap((each) => each.getAttributeNames()))],
          links: elements.filter((each) => each.localName === "a").map((each) => each.href),
        });
      }
      // A request or a script that was started would come by now.
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { shown, ran: /** @type {any} */ (globalThis).ran };
    }, texts);
    assert.deepEqual(problems, []);
    assert.equal(all.ran, 0);
    for (const [index, { text, elements, attributes, links }] of all.shown.entries()) {
      const about = JSON.stringify(texts[index].slice(0, 200));
      assert.deepEqual(elements.filter((/** @type {string} */ name) => !ELEMENTS.includes(name)), [], about);
      assert.deepEqual(attributes.filter((/** @type {string} */ name) => !ATTRIBUTES.includes(name)), [], about);
      assert.deepEqual(links.filter((/** @type {string} */ href) => href.split("#", 1)[0] !== `${host.origin}/p1.html`), [], about);
      assert.doesNotMatch(text, UNSEEN, about);
    }
  });
}
