/** The cases of the kinds `ui` and `deploy`, each under its id; `npm run cases` calls them by it. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { lessonsBundle } from "../node/support/bundle.js";
import { TIMEOUT_MS, answerOf, launch, pageWith, recordEvents, scriptedAnswers, serve } from "./support/widget.js";

const ENGINE_SCRIPT = new URL("../../dist/engine.js", import.meta.url);

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
 * @param {Parameters<typeof serve>[0]} files
 */
async function open(t, files) {
  const host = await serve({ "/docs.wasm": { body: bundle }, ...files });
  const page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  t.after(async () => {
    await page.close();
    host.close();
  });
  await page.goto(`${host.origin}/`);
  await page.locator("groundling-search").getByRole("button").or(page.getByRole("combobox")).first().waitFor();
  return { page, host };
}

/** @param {import("playwright-core").Page} page @param {string} question */
async function ask(page, question) {
  await page.getByRole("button", { name: "Ask", exact: true }).first().click();
  await page.getByRole("textbox").fill(question);
  await page.getByRole("textbox").press("Enter");
}

for (const mode of ["ask", "both"]) {
  test(`case 55-ui-ime-enter: Enter that commits a composition sends nothing (${mode})`, async (t) => {
    const { page } = await open(t, { "/": pageWith({ attributes: `mode="${mode}"` }) });
    await scriptedAnswers(page);
    await page.locator("groundling-search").getByRole("button").first().click();
    const field = mode === "ask" ? page.getByRole("textbox") : page.getByRole("combobox");
    await field.waitFor();
    const sent = await field.evaluate(async (element) => {
      const input = /** @type {HTMLInputElement} */ (element);
      const asked = () => /** @type {any} */ (globalThis).scripted.asked;
      /** @type {number[]} */
      const after = [];
      const step = async (/** @type {() => void} */ action) => {
        action();
        await new Promise((resolve) => setTimeout(resolve, 100));
        after.push(asked().length);
      };
      const enter = (/** @type {KeyboardEventInit} */ init) =>
        input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, composed: true, ...init }));
      const write = (/** @type {string} */ text, /** @type {boolean} */ isComposing) => {
        input.value = text;
        input.dispatchEvent(new InputEvent("input", { bubbles: true, isComposing }));
      };
      input.focus();
      await step(() => input.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true })));
      await step(() => write("おおさか", true));
      await step(() => enter({ isComposing: true }));
      await step(() => {
        write("大阪", true);
        input.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: "大阪" }));
        // Safari ends the composition first, and tells by the key code only what this Enter was for.
        enter({ keyCode: 229 });
      });
      await step(() => enter({ isComposing: false }));
      return { after, questions: asked() };
    });
    assert.deepEqual(sent, { after: [0, 0, 0, 0, 1], questions: ["大阪"] });
  });
}

test("case 56-ui-late-result-of-old-query: what is shown belongs to what is typed", async (t) => {
  const { page } = await open(t, { "/": pageWith({ attributes: 'mode="search"' }) });
  await page.evaluate(() => {
    const replies = /** @type {Record<string, (titles: string[]) => void>} */ ({});
    const docs = {
      info: { pages: 3, collections: [] },
      search: (/** @type {string} */ query) =>
        new Promise((resolve) => {
          replies[query] = (titles) =>
            resolve({
              ...{ total: titles.length, missing: [] },
              hits: titles.map((title) => ({ title, pageTitle: title, headings: [], path: title, url: `/${title}`, snippet: { text: "", marks: [] } })),
            });
        }),
    };
    Object.assign(globalThis, { replies });
    Object.assign(/** @type {any} */ (document.querySelector("groundling-search")), { docs });
  });
  await page.locator("groundling-search").getByRole("button").click();
  const field = page.getByRole("combobox");
  await field.fill("inst");
  await page.waitForFunction(() => "inst" in /** @type {any} */ (globalThis).replies);
  await field.fill("install");
  await page.waitForFunction(() => "install" in /** @type {any} */ (globalThis).replies);
  const reply = (/** @type {string} */ query, /** @type {string[]} */ titles) =>
    page.evaluate(([name, list]) => /** @type {any} */ (globalThis).replies[String(name)](list), [query, titles]);
  const shown = () => page.locator("[role=option] .option-title").allInnerTexts();
  await reply("install", ["install"]);
  await page.getByRole("option").waitFor();
  assert.deepEqual(await shown(), ["install"]);
  await reply("inst", ["instance", "install", "instruments"]);
  await page.waitForTimeout(200);
  assert.deepEqual(await shown(), ["install"]);
});

test("case 57-ui-slash-while-typing: the slash key opens only where no text is typed", async (t) => {
  const body =
    '<textarea id="a"></textarea><div id="b" contenteditable="true">x</div><input id="c"><select id="d"><option>1</option></select>' +
    '<div id="outer"></div><div id="closed-host"></div>';
  const { page } = await open(t, { "/": pageWith({ body }) });
  await page.evaluate(() => {
    const outer = /** @type {HTMLElement} */ (document.getElementById("outer")).attachShadow({ mode: "open" });
    const inner = outer.appendChild(document.createElement("div")).attachShadow({ mode: "open" });
    inner.appendChild(document.createElement("input")).id = "e";
    customElements.define("closed-form", class extends HTMLElement {
      constructor() {
        super();
        const field = this.attachShadow({ mode: "closed" }).appendChild(document.createElement("textarea"));
        Object.assign(this, { enter: () => field.focus() });
      }
    });
    document.getElementById("closed-host")?.append(document.createElement("closed-form"));
    Object.assign(globalThis, { prevented: [] });
    document.addEventListener("keydown", (event) =>
      setTimeout(() => /** @type {any} */ (globalThis).prevented.push(event.defaultPrevented)));
  });
  const state = async () => {
    await page.waitForTimeout(50);
    return [
      await page.evaluate(() => /** @type {any} */ (document.querySelector("groundling-search")).open),
      await page.evaluate(() => /** @type {any} */ (globalThis).prevented.at(-1)),
    ];
  };
  for (const focus of ["#a", "#b", "#c", "#d", "#e"]) {
    await page.locator(focus).focus();
    for (const key of ["/", "Control+k"]) {
      await page.keyboard.press(key);
      assert.deepEqual(await state(), [false, false], `${focus} ${key}`);
    }
  }
  await page.evaluate(() => /** @type {any} */ (document.querySelector("closed-form")).enter());
  await page.keyboard.press("/");
  assert.deepEqual(await state(), [false, false], "closed shadow tree");
  await page.evaluate(() => /** @type {any} */ (document.querySelector("closed-form")).blur());
  await page.locator("body").click({ position: { x: 1, y: 1 } });
  await page.keyboard.press("/");
  assert.deepEqual(await state(), [true, true]);
});

for (const opener of ["the page's own button", "the component's button"]) {
  test(`case 58-ui-focus-in-and-out-of-dialog: focus goes in, stays in, comes back to ${opener}`, async (t) => {
    const body = `<button id="own" onclick="document.querySelector('groundling-search').show()">Help</button><a href="#x">behind</a>`;
    const { page } = await open(t, { "/": pageWith({ attributes: 'mode="ask" bundle="/docs.wasm"', body }) });
    const button = opener === "the page's own button" ? page.locator("#own") : page.locator("groundling-search").getByRole("button", { name: "Ask" });
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Ask the documentation" });
    await dialog.waitFor();
    await page.getByRole("textbox", { name: "Your question" }).waitFor();
    /** Where the focus is: in the dialog, on the page behind it, or with the browser's own controls. */
    const place = () =>
      page.evaluate(() => {
        const widget = document.querySelector("groundling-search");
        if (document.activeElement === document.body || !document.activeElement) return "nowhere";
        return widget?.shadowRoot?.activeElement?.closest("dialog") ? "dialog" : "behind";
      });
    await page.waitForFunction(() => document.querySelector("groundling-search")?.shadowRoot?.activeElement?.closest("dialog"));
    for (const key of ["Tab", "Shift+Tab"]) {
      const places = [];
      for (let press = 0; press < 10; press += 1) {
        await page.keyboard.press(key);
        places.push(await place());
      }
      assert.ok(!places.includes("behind") && places.includes("dialog"), `${key}: ${places}`);
    }
    const { role, isModal } = await dialog.evaluate((element) => ({ role: element.localName, isModal: element.matches(":modal") }));
    assert.deepEqual({ role, isModal }, { role: "dialog", isModal: true });
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    assert.equal(await button.evaluate((element) => {
      const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
      return root.activeElement === element;
    }), true);
  });
}

test("case 59-ui-stop-is-not-an-error: stopping is quiet, and what was stopped is not shown as checked", async (t) => {
  const { page } = await open(t, { "/": pageWith({ attributes: 'mode="ask"' }) });
  const answers = await scriptedAnswers(page);
  const events = await recordEvents(page);
  await ask(page, "How do I restart it?");
  await page.getByText("Waiting for the answer").waitFor();
  await answers.push({ type: "delta", text: "First stop the service " });
  await page.getByText("First stop the service").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("You stopped the answer.").waitFor();
  assert.equal((await answers.state()).aborted, 1);
  await answers.push({ type: "delta", text: "[1]." });
  await answers.push({ type: "done", answer: answerOf("First stop the service [1].") });
  await page.waitForTimeout(200);
  assert.equal(await page.locator(".problem").count(), 0);
  assert.equal(await page.locator(".footnote").count(), 0);
  assert.equal((await page.locator(".answer").innerText()).trim(), "First stop the service");
  assert.equal(await page.locator(".turn").getAttribute("data-state"), "stopped");
  assert.equal(await page.locator(".basis").isVisible(), false);
  assert.equal(await page.getByRole("textbox").isEnabled(), true);
  assert.equal(await page.getByRole("textbox").evaluate((field) => /** @type {ShadowRoot} */ (field.getRootNode()).activeElement === field), true);
  await page.getByRole("textbox").fill("And the log?");
  await page.getByRole("textbox").press("Enter");
  await page.getByText("Waiting for the answer").waitFor();
  await answers.push({ type: "done", answer: answerOf("The log is empty [1].") });
  await page.getByText("The log is empty").waitFor();
  assert.deepEqual((await events()).map((/** @type {{ name: string }} */ { name }) => name).filter((/** @type {string} */ name) => name !== "open"), ["ask", "stop", "ask", "answer"]);
});

/** @param {import("playwright-core").Page} page */
async function assertFinds(page) {
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("covering indexes");
  await page.getByRole("option", { name: "Covering indexes" }).first().waitFor();
}

test("case 60-deploy-wrong-wasm-media-type: the bytes of the same response are compiled", async (t) => {
  const { page, host } = await open(t, {
    "/": pageWith({ attributes: 'bundle="/search/x.wasm"' }),
    "/search/x.wasm": { body: bundle, headers: { "content-type": "application/octet-stream" } },
  });
  await assertFinds(page);
  assert.deepEqual(host.requests.filter((name) => name.endsWith(".wasm")), ["/search/x.wasm"]);
});

test("case 61-deploy-import-without-window: importing it in Node touches no browser object", async (t) => {
  const names = ["load.js", "widget/widget.js"].map((name) => new URL(`../../dist/${name}`, import.meta.url).href);
  const script = `
    const touched = [];
    for (const name of ["window", "document", "customElements", "navigator", "location", "localStorage", "fetch", "matchMedia"]) {
      Object.defineProperty(globalThis, name, { get() { touched.push(name); throw new Error(name + " was touched"); } });
    }
    for (const name of ${JSON.stringify(names)}) await import(name);
    console.log(JSON.stringify(touched));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  assert.deepEqual(JSON.parse(stdout), []);
  const { page } = await open(t, { "/": pageWith() });
  await assertFinds(page);
});

test("case 62-deploy-old-script-new-module: one clear message asks to reload", async (t) => {
  const script = await readFile(ENGINE_SCRIPT, "utf8");
  const [id] = /(?<=BUILD_ID ?= ?")[^"]+/u.exec(script) ?? [];
  assert.ok(id, "the script has a build id");
  const { page } = await open(t, {
    "/": pageWith(),
    "/dist/engine.js": { body: script.replace(id, "0000000000000001") },
  });
  const events = await recordEvents(page);
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("covering indexes");
  const problem = page.locator(".problem");
  await problem.waitFor();
  const text = await problem.innerText();
  assert.match(text, /reload the page/u);
  assert.ok(text.includes(id) && text.includes("0000000000000001"), text);
  assert.doesNotMatch(text, /unreachable|LinkError|is not a function|memory access out of bounds/u);
  const errors = (await events()).filter((/** @type {{ name: string }} */ { name }) => name === "error");
  assert.equal(errors[0].detail.error.code, "engine-mismatch");
});

test("case 63-deploy-strict-csp-works: search and answers run under a strict policy without a violation", async (t) => {
  const host = await serve({
    "/v1/chat/completions": (request, response) => {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-allow-headers", "*, authorization, content-type");
      if (request.method === "OPTIONS") return void response.writeHead(204).end();
      const content = "# Short\n\nIt holds **every** column [1].\n\n```sql\nselect 1\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n";
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] }));
      return undefined;
    },
  });
  t.after(() => host.close());
  const policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; " +
    `connect-src 'self' ${host.origin}; require-trusted-types-for 'script'; trusted-types 'none'`;
  const html = pageWith({ attributes: `bundle="/docs.wasm" endpoint="${host.origin}/v1/chat/completions" model="m" recent` });
  const { page } = await open(t, {
    "/": { body: html.body.replace(/<link[^>]*>/u, ""), headers: { "content-security-policy": policy } },
    "/favicon.ico": { body: "" },
    "/watch.js": { body: "" },
  });
  await page.evaluate(() => {
    Object.assign(globalThis, { violations: [] });
    document.addEventListener("securitypolicyviolation", (event) =>
      /** @type {any} */ (globalThis).violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
  });
  /** @type {string[]} */
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.reload();
  await page.evaluate(() => {
    Object.assign(globalThis, { violations: [] });
    document.addEventListener("securitypolicyviolation", (event) =>
      /** @type {any} */ (globalThis).violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
  });
  await assertFinds(page);
  await page.getByRole("combobox").fill("What is a covering index?");
  await page.getByRole("combobox").press("Enter");
  await page.locator(".footnote").first().waitFor();
  await page.getByText("Every footnote leads").waitFor();
  await page.locator(".footnote").first().click();
  await page.getByText("Open the passage").waitFor();
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).violations), []);
  assert.deepEqual(complaints, []);
});
