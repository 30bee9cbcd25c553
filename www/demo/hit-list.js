/** The results that appear while the reader types. */

import { announceSoon } from "./announcer.js";
import { byId, element } from "./dom.js";
import { linkTo } from "./links.js";

/** @typedef {import("../../dist/load.js").Docs} Docs */
/** @typedef {import("../../dist/load.js").SearchResults} SearchResults */
/** @typedef {SearchResults["hits"][number]} Hit */
/** @typedef {{ collections?: string[] }} Filter */

/** Hits that are shown at once; more come by the button. */
const PAGE = 8;

export class HitList {
  #section = byId("results", HTMLElement);
  #title = byId("results-title", HTMLElement);
  #list = byId("hits", HTMLElement);
  #more = byId("more-hits", HTMLButtonElement);
  #docs;
  #onFailure;
  /** What is shown belongs to what is typed now: the reply to an older search is dropped. */
  #latest = 0;

  /**
   * @param {Promise<Docs>} docs
   * @param {(error: unknown) => void} onFailure
   */
  constructor(docs, onFailure) {
    this.#docs = docs;
    this.#onFailure = onFailure;
  }

  /** Hides the results; one that is under way will not show itself either. */
  hide() {
    this.#latest += 1;
    this.#section.hidden = true;
  }

  /**
   * @param {string} query
   * @param {Filter} filter
   */
  async search(query, filter) {
    const turn = ++this.#latest;
    if (query === "") return this.hide();
    try {
      const docs = await this.#docs;
      if (turn !== this.#latest) return undefined;
      const results = await docs.search(query, { limit: PAGE, filter });
      if (turn === this.#latest) this.#show(query, filter, results);
    } catch (error) {
      if (turn === this.#latest) this.#onFailure(error);
    }
    return undefined;
  }

  /**
   * @param {string} query
   * @param {Filter} filter
   * @param {SearchResults} results
   */
  #show(query, filter, { hits, total, missing }) {
    const found = total === 0 ? "Nothing found" : total === 1 ? "1 passage" : `${total.toLocaleString("en")} passages`;
    this.#title.textContent = missing.length > 0 ? `${found} · not in the docs: ${missing.join(", ")}` : found;
    this.#list.replaceChildren(...hits.map(hitItem));
    this.#section.hidden = false;
    this.#offerMore(query, filter, total);
    announceSoon(found);
  }

  /**
   * @param {string} query
   * @param {Filter} filter
   * @param {number} total
   */
  #offerMore(query, filter, total) {
    this.#more.hidden = this.#list.children.length >= total;
    this.#more.onclick = async () => {
      const turn = this.#latest;
      try {
        const offset = this.#list.children.length;
        const { hits } = await (await this.#docs).search(query, { limit: PAGE, offset, filter });
        if (turn !== this.#latest) return;
        const items = hits.map(hitItem);
        this.#list.append(...items);
        this.#more.hidden = items.length === 0 || this.#list.children.length >= total;
        items[0]?.querySelector("a")?.focus();
      } catch (error) {
        this.#onFailure(error);
      }
    };
  }
}

/** @param {Hit} hit */
function hitItem(hit) {
  const link = linkTo(hit.url);
  const trail = [hit.collection?.name, hit.pageTitle, ...hit.headings].filter((name) => name && name !== hit.title);
  return element(
    "li",
    { class: "hit" },
    ...(trail.length > 0 ? [element("p", { class: "trail" }, trail.join(" › "))] : []),
    element("h3", {}, link ? element("a", { href: link }, hit.title) : hit.title),
    element("p", { class: "snippet" }, ...marked(hit.snippet)),
  );
}

/**
 * @param {Hit["snippet"]} snippet
 * @returns {(Node | string)[]}
 */
function marked({ text, marks }) {
  /** @type {(Node | string)[]} */
  const parts = [];
  let end = 0;
  for (const mark of marks) {
    parts.push(text.slice(end, mark.start), element("mark", {}, text.slice(mark.start, mark.end)));
    end = mark.end;
  }
  parts.push(text.slice(end));
  return parts;
}
