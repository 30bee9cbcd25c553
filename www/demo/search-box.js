/** The one field for searching and asking. */

import { byId } from "./dom.js";

/**
 * @param {{ onInput: (text: string) => void, onAsk: (text: string) => void }} actions
 */
export function connectSearchBox({ onInput, onAsk }) {
  const field = byId("question", HTMLInputElement);
  const ask = () => {
    const text = field.value.trim();
    if (text === "") field.focus();
    else onAsk(text);
  };
  // Text that an input method is still composing is searched too: on-screen keyboards compose
  // every word, also in alphabets.
  field.addEventListener("input", () => onInput(field.value.trim()));
  field.addEventListener("keydown", (event) => {
    // Enter that only commits a composition is not meant for the page. Safari sends it after the
    // composition has ended, and marks it by the key code 229 alone.
    if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    ask();
  });
  byId("ask-form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  document.addEventListener("keydown", (event) => {
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== "/" || hasModifier || event.defaultPrevented || isTyping(event.target)) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

/**
 * A one-key shortcut works only where no text is typed.
 *
 * @param {EventTarget | null} target
 */
function isTyping(target) {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"))
  );
}
