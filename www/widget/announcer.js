/**
 * Tells screen readers what happened: the start, the number of results, the end, a failure. Words
 * of an answer that streams are never announced. One region for all, because several at once
 * would speak over each other.
 */

import { element } from "./dom.js";

/** While someone types, only the result of the last key is worth hearing. */
const PAUSE_MS = 700;

export class Announcer {
  /** Goes into the dialog, since all outside of it is inert while it is open. */
  region = element("div", { role: "status", class: "unseen" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waiting;

  /** @param {string} text */
  say(text) {
    clearTimeout(this.#waiting);
    this.region.textContent = text;
  }

  /**
   * As {@link say}, unless something else comes within a moment.
   *
   * @param {string} text
   */
  saySoon(text) {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => this.say(text), PAUSE_MS);
  }
}
