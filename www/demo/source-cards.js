/** The passages that an answer is made from, one card each. */

import { button, byId, element } from "./dom.js";
import { linkTo } from "./links.js";

/** @typedef {import("../../dist/load.js").Source} Source */

export class SourceCards {
  #title = byId("sources-title", HTMLElement);
  #list = byId("cards", HTMLElement);
  #uncited = byId("uncited", HTMLDetailsElement);
  #uncitedTitle = byId("uncited-title", HTMLElement);
  #uncitedList = byId("uncited-cards", HTMLElement);
  /** @type {Map<number, HTMLElement>} */
  #cards = new Map();

  /** @param {Source[]} sources */
  show(sources) {
    this.#cards = new Map(sources.map((source) => [source.n, card(source)]));
    this.#list.replaceChildren(...this.#cards.values());
    this.#uncitedList.replaceChildren();
    this.#uncited.hidden = true;
    this.#uncited.open = false;
    for (const shown of this.#cards.values()) hideNeedlessButton(shown);
    this.#title.textContent = sources.length === 0 ? "No passage found" : "Passages found";
  }

  /**
   * Puts away the sources that were given to the model and that its answer does not cite.
   *
   * @param {number[]} cited
   */
  markCited(cited) {
    const rest = [...this.#cards].filter(([n]) => !cited.includes(n)).map(([, shown]) => shown);
    this.#uncitedList.replaceChildren(...rest);
    this.#uncitedTitle.textContent = `${rest.length} more found, not cited`;
    this.#uncited.hidden = rest.length === 0;
    this.#title.textContent = cited.length === 1 ? "1 source cited" : `${cited.length} sources cited`;
  }

  /**
   * The title of a source, for the label of a footnote.
   *
   * @param {number} n
   */
  titleOf(n) {
    return this.#cards.get(n)?.dataset.title ?? "";
  }

  /**
   * Leads from a footnote to its card, and back by a button in the card.
   *
   * @param {number} n
   * @param {HTMLElement} footnote
   */
  leadTo(n, footnote) {
    const shown = this.#cards.get(n);
    if (!shown) return;
    for (const back of this.#list.querySelectorAll(".back")) back.remove();
    const goBack = button(
      "Back to the answer",
      () => {
        goBack.remove();
        footnote.focus();
      },
      { class: "back" },
    );
    shown.append(goBack);
    shown.focus({ preventScroll: true });
    shown.scrollIntoView({ block: "nearest" });
  }
}

/** @param {Source} source */
function card(source) {
  const link = linkTo(source.url);
  const place = source.collection ? [source.collection.name, source.path] : [source.path];
  const passage = element("p", { class: "passage clipped" }, source.text);
  const more = button(
    "Read the passage",
    () => {
      const isClipped = passage.classList.toggle("clipped");
      more.textContent = isClipped ? "Read the passage" : "Show less";
      more.setAttribute("aria-expanded", String(!isClipped));
    },
    { class: "quiet", "aria-expanded": "false" },
  );
  return element(
    "li",
    { class: "card", tabindex: "-1", "data-n": String(source.n), "data-title": source.title },
    element("p", { class: "trail" }, element("span", { class: "number" }, String(source.n)), place.join(" · ")),
    element("h4", {}, link ? element("a", { href: link }, source.title) : source.title),
    passage,
    more,
  );
}

/**
 * A passage that is shown whole needs no button; that is known once it is laid out.
 *
 * @param {HTMLElement} shown
 */
function hideNeedlessButton(shown) {
  const passage = shown.querySelector(".passage");
  const more = shown.querySelector("button");
  if (passage && more) more.hidden = passage.scrollHeight <= passage.clientHeight;
}
