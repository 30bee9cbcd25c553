/** Tells screen readers what happened. Single words of a streaming answer are never announced. */

import { byId } from "./dom.js";

/** While someone types, only the result of the last key is worth hearing. */
const PAUSE_MS = 700;

const status = byId("status", HTMLElement);
const alert = byId("alert", HTMLElement);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/**
 * Says something when the reader is idle.
 *
 * @param {string} text
 */
export function announce(text) {
  clearTimeout(waiting);
  status.textContent = text;
}

/**
 * As {@link announce}, unless something else comes within a moment.
 *
 * @param {string} text
 */
export function announceSoon(text) {
  clearTimeout(waiting);
  waiting = setTimeout(() => announce(text), PAUSE_MS);
}

/**
 * Says at once that something failed.
 *
 * @param {string} text
 */
export function announceFailure(text) {
  clearTimeout(waiting);
  status.textContent = "";
  alert.textContent = text;
}
