/** The page: opens the bundle beside it and joins field, results, answer and settings. */

import { announceFailure } from "./announcer.js";
import { AnswerView } from "./answer-view.js";
import { byId, element } from "./dom.js";
import { HitList } from "./hit-list.js";
import { ModelSettings } from "./model-settings.js";
import { PromptPanel } from "./prompt-panel.js";
import { connectSearchBox } from "./search-box.js";
import { SourceCards } from "./source-cards.js";

/** @typedef {import("../../dist/load.js").Docs} Docs */
/** @typedef {import("../../dist/load.js").AskOptions} AskOptions */

/** @returns {Promise<Docs>} */
async function openDocs() {
  // The address is made here, because the script lies beside the page only after `build`.
  const { load } = await import(new URL("groundling/load.js", document.baseURI).href);
  return load(new URL("docs.wasm", document.baseURI));
}

const docs = openDocs();
const scope = byId("scope", HTMLSelectElement);
const settings = new ModelSettings();
const hits = new HitList(docs, showProblem);
const view = new AnswerView(new SourceCards());
const panel = new PromptPanel(docs);

/** The question under way or the last one. @type {{ question: string, controller: AbortController } | undefined} */
let current;

connectSearchBox({ onInput: (text) => hits.search(text, filter()), onAsk: ask });
scope.addEventListener("change", () => {
  const text = byId("question", HTMLInputElement).value.trim();
  hits.search(text, filter());
});
byId("stop", HTMLButtonElement).addEventListener("click", () => {
  current?.controller.abort();
  view.stop();
});
byId("again", HTMLButtonElement).addEventListener("click", () => current && ask(current.question));
docs.then(showFacts).catch(showProblem);

function filter() {
  return scope.value ? { collections: [scope.value] } : {};
}

/** @param {string} question */
async function ask(question) {
  current?.controller.abort();
  const controller = new AbortController();
  const asked = { question, controller };
  current = asked;
  hits.hide();
  // An on-screen keyboard would cover the answer.
  if (matchMedia("(pointer: coarse)").matches) byId("question", HTMLInputElement).blur();
  view.start(question, settings.isOffline);
  try {
    const opened = await docs;
    /** @type {AskOptions} */
    const options = {
      provider: settings.provider,
      prompt: opened.info.languages[0] === "ru" ? "cited-ru" : "cited",
      filter: filter(),
    };
    panel.start(question, options);
    for await (const event of opened.stream(question, { ...options, signal: controller.signal })) {
      // A newer question has the page now; a stopped one shows nothing that comes late.
      if (current !== asked || controller.signal.aborted) break;
      show(event);
    }
  } catch (error) {
    if (current === asked && !controller.signal.aborted) view.fail(error);
  }
}

/** @param {import("../../dist/load.js").AskEvent} event */
function show(event) {
  switch (event.type) {
    case "sources":
      return view.showSources(event.sources);
    case "delta":
      return view.add(event.text);
    case "citation":
      return view.cite(event);
    case "done":
    case "withdrawn":
      view.finish(event.answer);
      return panel.finish(event.answer.timings);
    case "error":
      return view.fail(event.error);
  }
}

/** @param {Docs} opened */
function showFacts({ info }) {
  const numbers = `${info.pages.toLocaleString("en")} pages · ${info.chunks.toLocaleString("en")} passages`;
  byId("facts", HTMLElement).textContent = numbers;
  if (info.collections.length < 2) return;
  scope.append(...info.collections.map(({ id, name }) => element("option", { value: id }, name)));
  byId("scope-choice", HTMLElement).hidden = false;
}

/** @param {unknown} error */
function showProblem(error) {
  const { message = String(error), code } = /** @type {{ message?: string, code?: string }} */ (error ?? {});
  const problem = byId("problem", HTMLElement);
  problem.textContent = `The documentation could not be searched: ${message}${code ? ` (${code})` : ""}`;
  problem.hidden = false;
  announceFailure(problem.textContent);
}
