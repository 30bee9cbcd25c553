/** Every `load()` owns its instance, in a browser as in Node. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { bundleOf } from "../node/support/bundle.js";
import { exportedFunctions, withTrapIn } from "../node/support/trap.js";
import { serverFor } from "../node/support/server.js";

const tea = bundleOf({ "tea.md": "# Kettles\n\nA kettle boils the water for tea.\n" });
const sea = bundleOf({ "sea.md": "# Ships\n\nA ship crosses the sea.\n" });

/** What the page may fetch: the package's modules, and bundles. */
const files = new Map([
  ["/", { type: "text/html", bytes: '<!doctype html><link rel="icon" href="data:,"><title>Instances</title>' }],
  ["/tea.wasm", { type: "application/wasm", bytes: tea }],
  ["/sea.wasm", { type: "application/wasm", bytes: sea }],
  ["/trap.wasm", { type: "application/wasm", bytes: withTrapIn(tea, "docs_search") }],
]);
for (const name of ["load.js", "errors.js", "engine.js", "budget.js", "language-model.js"]) {
  const bytes = await readFile(new URL(`../../dist/${name}`, import.meta.url));
  files.set(`/${name}`, { type: "text/javascript", bytes });
}
const callbacks = exportedFunctions(tea).filter((name) => name.includes("invoke"));
for (const [i, name] of callbacks.entries()) {
  files.set(`/callback${i}.wasm`, { type: "application/wasm", bytes: withTrapIn(tea, name) });
}

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
});
after(() => browser?.close());

/**
 * Runs a function in a page of its own, where `load` is there as an argument. Uncaught errors and
 * rejections of the page fail the test.
 */
async function inPage(t, run, argument) {
  const server = await serverFor(t, (response, { url }) => {
    const file = files.get(url);
    response.writeHead(file ? 200 : 404, { "content-type": file?.type ?? "text/plain" }).end(file?.bytes);
  });
  const page = await browser.newPage();
  t.after(() => page.close());
  const uncaught = [];
  page.on("pageerror", (error) => uncaught.push(error.message));
  await page.goto(server.url);
  const script = `import("/load.js").then(({ load }) => (${run})(load, ${JSON.stringify(argument)}))`;
  const result = await page.evaluate(script);
  assert.deepEqual(uncaught, []);
  return result;
}

test("two bundles that are open on one page keep apart, used in turn and at once", async (t) => {
  const result = await inPage(t, async (load) => {
    const [tea, sea] = await Promise.all([load("/tea.wasm"), load("/sea.wasm")]);
    const totals = [];
    for (const [docs, query] of [[tea, "kettle"], [sea, "kettle"], [sea, "ship"], [tea, "ship"], [tea, "kettle"]]) {
      totals.push((await docs.search(query)).total);
    }
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const ask = (docs, question, ms) =>
      docs.ask(question, { provider: async ({ sources }) => (await wait(ms), `${sources[0].path} [1]`) });
    const answers = await Promise.all([ask(tea, "kettle", 20), ask(sea, "ship", 10), ask(tea, "water", 5)]);
    return { totals, answers: answers.map(({ answer }) => answer) };
  });
  assert.deepEqual(result.totals, [1, 0, 1, 0, 1]);
  assert.deepEqual(result.answers, ["tea.md [1]", "sea.md [1]", "tea.md [1]"]);
});

test("a trap stops one instance, and the bundle can be opened anew", async (t) => {
  const result = await inPage(t, async (load) => {
    const [docs, other] = await Promise.all([load("/trap.wasm"), load("/sea.wasm")]);
    const code = (promise) => promise.then(() => "none", (error) => error.code);
    const pending = code(docs.ask("kettle", { provider: () => new Promise(() => {}), timeoutMs: 500 }));
    const codes = [await code(docs.search("kettle")), await pending, await code(docs.ask("kettle")), await code(docs.search("kettle"))];
    const again = await load("/trap.wasm");
    // The time-out of the pending question passes, and must disturb nobody.
    await new Promise((resolve) => setTimeout(resolve, 700));
    return { codes, other: (await other.search("ship")).total, again: (await again.ask("kettle")).grounded };
  });
  assert.deepEqual(result, { codes: Array(4).fill("engine-crashed"), other: 1, again: true });
});

test("a trap after an await rejects the question and lets none hang", async (t) => {
  assert.ok(callbacks.length > 0);
  const codes = await inPage(
    t,
    async (load, count) => {
      const codes = [];
      for (let i = 0; i < count; i++) {
        const docs = await load(`/callback${i}.wasm`);
        const questions = [
          docs.ask("kettle", { provider: async () => "It boils [1].", timeoutMs: 500 }),
          docs.ask("kettle", { provider: () => new Promise(() => {}), timeoutMs: 50 }),
          docs.ask("kettle", { provider: () => new Promise(() => {}), timeoutMs: 500, signal: AbortSignal.timeout(30) }),
        ];
        const outcomes = await Promise.allSettled(questions);
        codes.push(outcomes.map(({ reason }) => reason?.code ?? "").join(" "));
      }
      await new Promise((resolve) => setTimeout(resolve, 600));
      return codes;
    },
    callbacks.length,
  );
  for (const [i, told] of codes.entries()) assert.match(told, /engine-crashed/u, `callback ${i}`);
});
