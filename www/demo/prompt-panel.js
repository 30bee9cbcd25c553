/** Shows what is retrieved for a question and exactly what a model would be sent. */

import { byId, element } from "./dom.js";

/** @typedef {import("../../dist/load.js").Docs} Docs */
/** @typedef {import("../../dist/load.js").AskOptions} AskOptions */
/** @typedef {import("../../dist/load.js").Answer} Answer */
/** @typedef {import("../../dist/load.js").Prompt} Prompt */

export class PromptPanel {
  #details = byId("inspect", HTMLDetailsElement);
  #body = byId("inspect-body", HTMLElement);
  #docs;
  /** @type {{ question: string, options: AskOptions } | undefined} */
  #asked;
  /** @type {Answer["timings"] | undefined} */
  #timings;

  /** @param {Promise<Docs>} docs */
  constructor(docs) {
    this.#docs = docs;
    this.#details.addEventListener("toggle", () => this.#refresh());
  }

  /**
   * @param {string} question
   * @param {AskOptions} options
   */
  start(question, options) {
    this.#asked = { question, options };
    this.#timings = undefined;
    this.#refresh();
  }

  /** @param {Answer["timings"]} timings */
  finish(timings) {
    this.#timings = timings;
    this.#refresh();
  }

  /** The prompt is made only for a reader who looks at it. */
  async #refresh() {
    const asked = this.#asked;
    if (!this.#details.open || !asked) return;
    try {
      const prompt = await (await this.#docs).prompt(asked.question, asked.options);
      if (asked === this.#asked) this.#body.replaceChildren(...this.#contents(prompt));
    } catch (error) {
      if (asked === this.#asked) this.#body.replaceChildren(String(error instanceof Error ? error.message : error));
    }
  }

  /** @param {Prompt} prompt */
  #contents(prompt) {
    const facts = [
      ["Prompt", `${prompt.name}, version ${prompt.version}`],
      ["Sent to", prompt.request?.url ?? "nowhere: the answer is quoted offline"],
      ...timingFacts(this.#timings),
    ];
    return [
      element("dl", { class: "facts-list" }, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
      heading("Retrieved passages"),
      element("ol", { class: "retrieved" }, ...prompt.sources.map(({ path, title, score }) =>
        element("li", {}, `${title} · ${path} · score ${score.toFixed(2)}`))),
      heading("Instructions"),
      listing("Instructions", prompt.instructions),
      heading("Input"),
      listing("Input", prompt.input),
      ...(prompt.request ? [heading("Request"), listing("Request", pretty(prompt.request.body))] : []),
    ];
  }
}

/** @param {Answer["timings"] | undefined} timings */
function timingFacts(timings) {
  if (!timings) return [];
  const facts = [["Retrieval", `${timings.retrievalMs.toFixed(1)} ms`]];
  if (timings.firstTextMs !== undefined) facts.push(["First word", `${timings.firstTextMs.toFixed(0)} ms`]);
  facts.push(["In all", `${timings.totalMs.toFixed(0)} ms`]);
  return facts;
}

/** @param {string} text */
function heading(text) {
  return element("h4", { class: "small-title" }, text);
}

/**
 * @param {string} name
 * @param {string} text
 */
function listing(name, text) {
  return element("pre", { tabindex: "0", role: "group", "aria-label": name }, text);
}

/**
 * @param {unknown} body the request's body, as text or as the object that the text stands for
 */
function pretty(body) {
  try {
    return JSON.stringify(typeof body === "string" ? JSON.parse(body) : body, null, 2);
  } catch {
    return String(body);
  }
}
