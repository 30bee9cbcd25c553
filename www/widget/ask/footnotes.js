/** Footnote markers as buttons, and the card that shows the source of one. */

import { button, element, icon } from "../dom.js";
import { excerptOf, sourceLink } from "./sources.js";

/** @typedef {import("./sources.js").Source} Source */
/** @typedef {import("../types.js").Ui} Ui */
/** @typedef {import("../../load.js").Answer["citations"][number]["support"]} Support how well the source bears out the sentence */
/** @typedef {{ source: Source, question: string, support: Support, problems: string[] }} Reference */

/** Long enough to pass over a marker without a card, and to get from the marker into the card. */
const SHOW_MS = 120;
const HIDE_MS = 250;

/** Between a card and its marker, and between a card and the window's edge. */
const GAP = 8;

export class FootnoteCard {
  #ui;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {HTMLElement | undefined} */
  #marker;
  /** Whether it stays when the pointer leaves. */
  #isPinned = false;
  /** A popover lies above the dialog and closes by Escape before it does. */
  element = element("div", { popover: "auto", class: "card", part: "card", role: "group", id: "card", tabindex: "-1" });

  /** @param {Ui} ui */
  constructor(ui) {
    this.#ui = ui;
    this.element.addEventListener("toggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState !== "closed") return;
      this.#marker?.setAttribute("aria-expanded", "false");
      this.#marker = undefined;
      this.#isPinned = false;
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      // The browser would give the focus back to what had it before the pointer showed the card.
      event.preventDefault();
      event.stopPropagation();
      this.#giveBack();
    });
    this.element.addEventListener("pointerenter", () => clearTimeout(this.#timer));
    this.element.addEventListener("pointerleave", () => this.#hideSoon());
  }

  /**
   * @param {number} n number of the source
   * @param {() => Reference | undefined} reference what is known about it by the time it is shown
   */
  marker(n, reference) {
    const made = button(String(n), () => this.#pin(made, reference()), {
      ...{ class: "footnote", part: "footnote", "aria-expanded": "false", "aria-controls": "card" },
      "aria-label": this.#ui.messages.text("footnote", { number: n, title: reference()?.source.title ?? "" }),
    });
    made.addEventListener("pointerenter", ({ pointerType }) => {
      if (pointerType === "mouse") this.#after(SHOW_MS, () => this.#show(made, reference()));
    });
    made.addEventListener("pointerleave", () => this.#hideSoon());
    made.addEventListener("focus", () => made.matches(":focus-visible") && this.#show(made, reference()));
    made.addEventListener("blur", () => this.#hideSoon());
    return made;
  }

  hide() {
    clearTimeout(this.#timer);
    if (this.element.matches(":popover-open")) this.element.hidePopover();
  }

  /**
   * @param {number} ms
   * @param {() => void} action
   */
  #after(ms, action) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(action, ms);
  }

  #hideSoon() {
    this.#after(HIDE_MS, () => {
      if (!this.#isPinned) this.hide();
    });
  }

  /**
   * Shows the card and moves the focus into it, so that a keyboard gets to its link.
   *
   * @param {HTMLElement} marker
   * @param {Reference | undefined} reference
   */
  #pin(marker, reference) {
    if (!reference) return;
    this.#show(marker, reference);
    this.#isPinned = true;
    this.element.focus();
  }

  /**
   * @param {HTMLElement} marker
   * @param {Reference | undefined} reference
   */
  #show(marker, reference) {
    clearTimeout(this.#timer);
    if (!reference || !marker.isConnected) return;
    if (this.#marker !== marker) {
      this.hide();
      this.#fill(reference);
      this.#marker = marker;
    }
    if (!this.element.matches(":popover-open")) this.element.showPopover();
    marker.setAttribute("aria-expanded", "true");
    this.#place(marker);
  }

  /** @param {Reference} reference */
  #fill({ source, question, support, problems }) {
    const { messages } = this.#ui;
    this.element.setAttribute("aria-label", messages.text("footnote", { number: source.n, title: source.title }));
    this.element.replaceChildren(
      element(
        "div",
        { class: "card-head" },
        element("span", { class: "number" }, String(source.n)),
        element("span", { class: "source-title", dir: "auto" }, source.title),
        button(icon("close"), () => this.#giveBack(), { class: "round", "aria-label": messages.text("close-card") }),
      ),
      element("blockquote", { dir: "auto" }, excerptOf(source)),
      ...(support && support !== "uncited" ? [element("p", { class: `support ${support}` }, messages.text(`support-${support}`))] : []),
      ...problems.map((text) => element("p", { class: "support unsupported", dir: "auto" }, messages.text("problem", { text }))),
      sourceLink(this.#ui, question, source, { class: "open-passage" }, messages.text("open-passage")),
    );
  }

  #giveBack() {
    const marker = this.#marker;
    this.hide();
    marker?.focus();
    this.hide();
  }

  /** Below the marker, or above it where there is no room. @param {HTMLElement} marker */
  #place(marker) {
    const at = marker.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = Math.max(GAP, Math.min(at.left + at.width / 2 - width / 2, innerWidth - width - GAP));
    const isBelow = at.bottom + GAP + height <= innerHeight || at.top < height + GAP;
    this.element.style.left = `${left}px`;
    this.element.style.top = `${isBelow ? at.bottom + GAP : at.top - GAP - height}px`;
  }
}
