/** Code in an answer, with its language and a button to copy it. */

import { element } from "../dom.js";
import { copyButton } from "./clipboard.js";

/**
 * @param {import("../types.js").Ui} ui
 * @param {string} language as the model named it
 * @param {string} text
 * @returns {{ node: HTMLElement, update: (text: string) => void }}
 */
export function codeBlock(ui, language, text) {
  const code = element("code", {}, text);
  const label = ui.messages.text("code");
  const node = element(
    "div",
    { class: "code-block", dir: "ltr" },
    element(
      "div",
      { class: "code-head" },
      element("span", {}, language.slice(0, 24) || label),
      copyButton(ui, ui.messages.text("copy-code"), () => code.textContent ?? ""),
    ),
    // It scrolls sideways, also by keyboard.
    element("pre", { tabindex: "0", role: "group", "aria-label": label }, code),
  );
  return { node, update: (more) => (code.textContent = more) };
}
