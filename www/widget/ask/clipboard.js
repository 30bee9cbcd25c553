/** Copying, with word of whether it worked. */

import { button } from "../dom.js";

/** @typedef {import("../types.js").Ui} Ui */

/** How long a button says that it worked. */
const SAID_MS = 2000;

/**
 * @param {Ui} ui
 * @param {string} label
 * @param {() => string} text what is copied
 * @param {(text: string) => void} [onCopied]
 */
export function copyButton(ui, label, text, onCopied) {
  const { messages, announcer } = ui;
  const made = button(
    label,
    async () => {
      const copied = text();
      let said = messages.text("copied");
      try {
        await navigator.clipboard.writeText(copied);
        onCopied?.(copied);
      } catch {
        // Without https there is no clipboard, and a reader may have refused it.
        said = messages.text("not-copied");
      }
      announcer.say(said);
      made.textContent = said;
      setTimeout(() => (made.textContent = label), SAID_MS);
    },
    { class: "link" },
  );
  return made;
}
