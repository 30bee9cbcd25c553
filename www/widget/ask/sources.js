/** The passages that an answer is made from. */

import { element } from "../dom.js";
import { webLink } from "../links.js";

/** What is shown of a source of an answer, or of a page in place of one. @typedef {Pick<import("../../load.js").Source, "n" | "url" | "title" | "text"> & Partial<import("../../load.js").Source>} Source */
/** @typedef {import("../types.js").Ui} Ui */

/** Of a passage whose best sentence is not known; some three lines. */
const EXCERPT_UNITS = 220;

/** @param {Source} source */
export function excerptOf({ quote, text }) {
  if (quote) return quote;
  const words = text.replace(/\s+/gu, " ").trim();
  return words.length <= EXCERPT_UNITS ? words : `${words.slice(0, EXCERPT_UNITS).replace(/\s\S*$/u, "")}…`;
}

/**
 * A link to the passage itself. The page hears of it first, and may open it in its own way.
 *
 * @param {Ui} ui
 * @param {string} question
 * @param {Source} source
 * @param {Record<string, string>} attributes
 * @param {...(Node | string | null)} children
 * @returns {HTMLElement} plain text where the index has no web address for it
 */
export function sourceLink(ui, question, source, attributes, ...children) {
  const url = webLink(source.link ?? source.url, ui.base);
  if (!url) return element("span", attributes, ...children);
  const link = element("a", { href: url, ...attributes }, ...children);
  link.addEventListener("click", (event) => {
    if (!ui.emit("groundling-source-open", { question, url, source })) event.preventDefault();
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) ui.close();
  });
  return link;
}

/**
 * @param {Ui} ui
 * @param {string} question
 * @param {Source} source
 */
function sourceItem(ui, question, source) {
  return element(
    "li",
    {},
    sourceLink(
      ...[ui, question, source],
      { class: "source" },
      element("span", { class: "number" }, String(source.n)),
      element(
        "span",
        { class: "source-text" },
        element("span", { class: "source-title", dir: "auto" }, source.title),
        source.collection ? element("span", { class: "collection" }, source.collection.name) : null,
        element("span", { class: "snippet", dir: "auto" }, excerptOf(source)),
      ),
    ),
  );
}

export class SourceList {
  #ui;
  #question;
  #title = element("h4", { class: "sources-title" });
  #list = element("ol", { class: "source-list" });
  #rest = element("details", { class: "rest", hidden: "" });
  element = element("section", { class: "sources", part: "sources", hidden: "" }, this.#title, this.#list, this.#rest);

  /**
   * @param {Ui} ui
   * @param {string} question
   */
  constructor(ui, question) {
    this.#ui = ui;
    this.#question = question;
  }

  /**
   * @param {Source[]} sources
   * @param {string} title
   */
  show(sources, title) {
    this.#title.textContent = title;
    this.#list.replaceChildren(...this.#items(sources));
    this.#rest.hidden = true;
    this.element.hidden = sources.length === 0;
  }

  /**
   * Puts those that an answer does not cite behind a line to open.
   *
   * @param {Source[]} cited
   * @param {Source[]} others
   */
  divide(cited, others) {
    const { messages } = this.#ui;
    this.show(cited, messages.text("sources", { n: cited.length }));
    if (others.length === 0) return;
    const list = element("ol", { class: "source-list" }, ...this.#items(others));
    this.#rest.replaceChildren(element("summary", {}, messages.text("uncited", { n: others.length })), list);
    this.#rest.hidden = false;
  }

  /** @param {Source[]} sources */
  #items(sources) {
    return sources.map((source) => sourceItem(this.#ui, this.#question, source));
  }
}
