/** What is shown when something fails: what, why, and a way on. */

import { button, element } from "./dom.js";

/** @typedef {import("./types.js").Ui} Ui */

/**
 * @param {unknown} error
 * @returns {string} its message with its code, which a site's owner can look up
 */
export function reasonOf(error) {
  const { message = String(error), code } = /** @type {{ message?: string, code?: string }} */ (error ?? {});
  return code ? `${message} (${code})` : message;
}

/**
 * @param {Ui} ui
 * @param {string} title
 * @param {unknown} error
 * @param {() => void} retry
 */
export function problemNotice(ui, title, error, retry) {
  const reason = reasonOf(error);
  ui.announcer.say(`${title}: ${reason}`);
  return element(
    "div",
    { class: "notice problem", part: "error" },
    element("strong", {}, title),
    element("p", { dir: "auto" }, reason),
    button(ui.messages.text("try-again"), retry, { class: "pill" }),
  );
}
