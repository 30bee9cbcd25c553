/** The page around the component: figures of the documentation, who answers, and what happens inside. */

import { byId, element } from "./dom.js";
import { Inspector } from "./inspector.js";
import { ModelSettings } from "./model-settings.js";
import { milliseconds, number, say, size } from "./words.js";

/** @typedef {import("../load.js").Docs} Docs */

const search = byId("search", /** @type {typeof import("../widget/widget.js").GroundlingSearch} */ (HTMLElement));
const settings = new ModelSettings((provider) => (search.provider = provider));
const inspector = new Inspector();
/** What is known so far, by the words behind each figure. @type {Map<string, string>} */
const figures = new Map();

search.addEventListener("groundling-ready", ({ detail: { docs } }) => {
  const { pages, chunks } = docs.info;
  figures.set(say("pages", { n: pages }), number(pages));
  figures.set(say("passages", { n: chunks }), number(chunks));
  figures.set(say("download"), size(downloaded()));
  showFigures();
  watch(docs);
});
search.addEventListener("groundling-answer", ({ detail: { answer } }) => showTimes(answer));
search.addEventListener("groundling-withdrawn", ({ detail: { answer } }) => showTimes(answer));
addEventListener("load", keepForOffline);

/**
 * Lets the inspector see the questions that the component asks, and what becomes of them.
 *
 * @param {Docs} docs
 */
function watch(docs) {
  const stream = docs.stream.bind(docs);
  docs.stream = async function* (question, options = {}) {
    inspector.start(docs, question, options);
    for await (const event of stream(question, options)) {
      inspector.take(event);
      yield event;
    }
  };
}

/** @param {import("../load.js").Answer} answer */
function showTimes({ timings }) {
  figures.set(say("found-in"), milliseconds(timings.retrievalMs));
  figures.set(say("written-in"), milliseconds(timings.totalMs));
  showFigures();
}

function showFigures() {
  const items = [...figures].map(([words, figure]) => element("li", {}, element("b", {}, figure), ` ${words}`));
  byId("figures", HTMLUListElement).replaceChildren(...items);
}

/** Bytes of engine, texts and scripts as they came over the wire, compressed where the host compresses. */
function downloaded() {
  const entries = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType("resource"));
  const own = entries.filter(({ name }) => name.includes("/groundling/") || name.endsWith(".wasm"));
  return own.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
}

/** Where a worker cannot be had, as from a file, the page works as well, but not offline. */
function keepForOffline() {
  if (!("serviceWorker" in navigator)) return;
  const { trustedTypes } = /** @type {any} */ (globalThis);
  const policy = trustedTypes?.createPolicy("groundling-demo", { createScriptURL: () => "service-worker.js" });
  navigator.serviceWorker.register(policy?.createScriptURL("") ?? "service-worker.js").catch(() => {});
}

settings.show();
