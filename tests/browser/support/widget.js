/** Pages with the web component, served as a static host does, in a real browser. */

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const DIST = fileURLToPath(new URL("../../../dist", import.meta.url));

/** Nothing on a page takes longer, even on a slow machine. */
export const TIMEOUT_MS = 20_000;

const MEDIA_TYPES = { ".js": "text/javascript", ".json": "application/json", ".wasm": "application/wasm" };

/**
 * @typedef {object} Reply
 * @property {string | Uint8Array} body
 * @property {Record<string, string>} [headers]
 */

/**
 * A host with the package's files below `/dist/` and the given ones.
 *
 * @param {Record<string, Reply | ((request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => void)>} files by path
 */
export async function serve(files) {
  /** @type {string[]} */
  const requests = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://host.test");
    requests.push(pathname);
    const given = files[pathname];
    if (typeof given === "function") return given(request, response);
    try {
      const body = given?.body ?? (await readFile(path.join(DIST, path.normalize(pathname.replace(/^\/dist/u, "")))));
      const type = pathname.endsWith("/") || pathname.endsWith(".html") ? "text/html" : MEDIA_TYPES[path.extname(pathname)];
      response.writeHead(200, { "content-type": `${type}; charset=utf-8`.replace("wasm; charset=utf-8", "wasm"), ...given?.headers });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
    return undefined;
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Paths asked for, in order. */
    requests,
    files,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** @returns {Promise<import("playwright-core").Browser>} */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    // Chromium's sandbox does not work as root, as which containers run tests.
    args: ["--no-sandbox"],
  });
}

/**
 * A page with the component in it.
 *
 * @param {object} [parts]
 * @param {string} [parts.attributes] of the component
 * @param {string} [parts.content] of the component
 * @param {string} [parts.body] before the component
 * @param {string} [parts.html] attributes of `<html>`
 */
export function pageWith({ attributes = 'bundle="/docs.wasm"', content = "", body = "", html = 'lang="en"' } = {}) {
  return {
    body:
      `<!doctype html><html ${html}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>Docs</title><link rel="icon" href="data:,"></head><body><main><h1>Docs</h1>${body}` +
      `<groundling-search ${attributes}>${content}</groundling-search></main>` +
      `<script type="module" src="/dist/widget/define.js"></script></body></html>`,
  };
}

/**
 * Keeps the component's events of a page, in order.
 *
 * @param {import("playwright-core").Page} page
 */
export async function recordEvents(page) {
  await page.evaluate(() => {
    const names = ["open", "close", "ready", "search", "no-result", "result-open", "ask", "answer", "withdrawn", "stop", "source-open", "copy", "feedback", "error"];
    const events = /** @type {{ name: string, detail: any }[]} */ ([]);
    Object.assign(globalThis, { events });
    for (const name of names) {
      document.addEventListener(`groundling-${name}`, (event) => {
        events.push({ name, detail: JSON.parse(JSON.stringify(/** @type {CustomEvent} */ (event).detail)) });
      });
    }
  });
  return () => page.evaluate(() => /** @type {any} */ (globalThis).events);
}

/**
 * Puts a bundle in place that answers as the test says, so that each step can be waited for. What
 * the test sends through `globalThis.events_` is what `stream` gives.
 *
 * @param {import("playwright-core").Page} page
 * @param {{ n: number, url: string, title: string, text: string }[]} [sources]
 */
export async function scriptedAnswers(page, sources = [{ n: 1, url: "/p1.html", title: "Page one", text: "Text of page one." }]) {
  await page.evaluate((given) => {
    const state = {
      asked: /** @type {string[]} */ ([]),
      /** What each question was given as the conversation before it. */
      histories: /** @type {unknown[]} */ ([]),
      aborted: 0,
      push: /** @type {(event: any) => void} */ (() => {}),
    };
    const docs = {
      info: { pages: 1, collections: [], languages: ["en"] },
      pages: async () => [],
      page: async () => undefined,
      search: async () => ({ hits: [], total: 0, missing: [] }),
      async *stream(/** @type {string} */ question, /** @type {{ signal: AbortSignal, history?: unknown }} */ { signal, history }) {
        state.asked.push(question);
        state.histories.push(history);
        signal.addEventListener("abort", () => (state.aborted += 1));
        const events = /** @type {any[]} */ ([{ type: "sources", sources: given.map((source) => ({ id: source.n, path: source.url, score: 1, ...source })) }]);
        let wake = () => {};
        state.push = (event) => {
          events.push(event);
          wake();
        };
        for (;;) {
          const event = events.shift();
          if (!event) await new Promise((resolve) => (wake = () => resolve(undefined)));
          else {
            yield event;
            if (["done", "withdrawn", "error"].includes(event.type)) return;
          }
        }
      },
    };
    Object.assign(globalThis, { scripted: state });
    Object.assign(/** @type {any} */ (document.querySelector("groundling-search")), { docs });
  }, sources);
  return {
    /** @param {unknown} event */
    push: (event) => page.evaluate((value) => /** @type {any} */ (globalThis).scripted.push(value), event),
    state: () => page.evaluate(() => /** @type {any} */ (globalThis).scripted),
  };
}

/**
 * A grounded answer as the engine gives it.
 *
 * @param {string} answer
 * @param {{ n: number, start: number, end: number, support?: string }[]} [citations] by default every `[n]`
 * @param {Record<string, unknown>} [more]
 */
export function answerOf(answer, citations, more = {}) {
  const found = citations ?? [...answer.matchAll(/\[(\d+)\]/gu)].map((marker) => ({
    n: Number(marker[1]),
    start: marker.index,
    end: marker.index + marker[0].length,
  }));
  const cited = [...new Set(found.map(({ n }) => n))];
  return {
    ...{ status: "complete", answer, citations: found, cited, invalid: [], sentences: [], nearest: [], grounded: true, promptVersion: "test", warnings: [] },
    sources: cited.map((n) => ({ n, id: n, url: `/p${n}.html`, path: `p${n}.html`, title: `Page ${n}`, text: `Text of page ${n}.`, score: 1 })),
    ...{ timings: { retrievalMs: 1, totalMs: 2 }, ...more },
  };
}
