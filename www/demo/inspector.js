/** Shows what became of a question: the passages found, the exact prompt, the time of each step. */

import { byId, element } from "./dom.js";
import { milliseconds, say } from "./words.js";

/** @typedef {import("../load.js").Docs} Docs */
/** @typedef {import("../load.js").AskOptions} AskOptions */
/** @typedef {import("../load.js").AskEvent} AskEvent */
/** @typedef {import("../load.js").Answer} Answer */
/** @typedef {import("../load.js").Prompt} Prompt */

export class Inspector {
  #body = byId("inspector", HTMLElement);
  #hint = byId("inspector-hint", HTMLElement);
  #times = byId("times", HTMLOListElement);
  #retrieved = byId("retrieved", HTMLOListElement);
  #none = byId("retrieved-none", HTMLElement);
  #facts = byId("prompt-facts", HTMLElement);
  /** The question that is shown; what comes late for an older one is not. */
  #question = 0;
  /** @type {Prompt | undefined} */
  #prompt;

  /**
   * @param {Docs} docs
   * @param {string} question
   * @param {AskOptions} options
   */
  async start(docs, question, options) {
    this.#question += 1;
    const shown = this.#question;
    this.#times.replaceChildren();
    this.#hint.hidden = true;
    this.#body.hidden = false;
    try {
      // Without the signal: an answer that is stopped had a prompt all the same.
      const { signal, onEvent, ...same } = options;
      const prompt = await docs.prompt(question, same);
      if (shown === this.#question) this.#showPrompt(prompt);
    } catch (error) {
      if (shown === this.#question) this.#facts.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  /** @param {AskEvent} event */
  take(event) {
    if (event.type !== "done" && event.type !== "withdrawn") return;
    this.#showTimes(event.answer);
    this.#showSources(event.answer.cited);
    const { usage } = event.answer;
    if (usage) this.#facts.append(" ", say("tokens", { ...usage }));
  }

  /** @param {Prompt} prompt */
  #showPrompt(prompt) {
    this.#prompt = prompt;
    this.#showSources([]);
    const { request } = prompt;
    this.#facts.textContent = `${say("prompt-name", { name: prompt.name, version: prompt.version })}. ${
      request ? say("to-server", { url: request.url }) : say("to-nowhere")
    }`;
    byId("prompt-instructions", HTMLPreElement).textContent = prompt.instructions;
    byId("prompt-input", HTMLPreElement).textContent = prompt.input;
    byId("request", HTMLDetailsElement).hidden = request === undefined;
    if (request) byId("prompt-request", HTMLPreElement).textContent = pretty(request.body);
  }

  /** @param {number[]} cited */
  #showSources(cited) {
    const sources = this.#prompt?.sources ?? [];
    this.#none.hidden = sources.length > 0;
    this.#none.textContent = say("nothing-found");
    const best = sources[0]?.score ?? 1;
    this.#retrieved.replaceChildren(
      ...sources.map(({ n, title, pageTitle, path, text, score }) => {
        const bar = element("meter", { min: "0", max: String(best), value: String(score), "aria-hidden": "true" });
        const names = pageTitle && pageTitle !== title ? `${pageTitle} › ${title}` : title;
        const words = say("words", { n: text.split(/\s+/u).length });
        const mark = cited.includes(n) ? [element("span", { class: "cited" }, say("cited"))] : [];
        return element(
          "li",
          { value: String(n) },
          element("span", { class: "name", dir: "auto" }, names),
          ...mark,
          element("span", { class: "where", dir: "ltr" }, path),
          element("span", { class: "score" }, bar, `${score.toFixed(2)} · ${words}`),
        );
      }),
    );
  }

  /** @param {Answer} answer */
  #showTimes({ timings }) {
    const { retrievalMs, firstTextMs, totalMs } = timings;
    /** @type {[string, number][]} */
    const rows = [["time-retrieval", retrievalMs]];
    if (firstTextMs !== undefined) rows.push(["time-first", firstTextMs]);
    rows.push(["time-total", totalMs]);
    this.#times.replaceChildren(
      ...rows.map(([key, ms]) =>
        element(
          "li",
          {},
          element("span", {}, say(key)),
          element("meter", { min: "0", max: String(Math.max(totalMs, 0.001)), value: String(ms), "aria-hidden": "true" }),
          element("b", {}, milliseconds(ms)),
        ),
      ),
    );
  }
}

/** @param {string} body */
function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
