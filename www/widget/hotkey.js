/** Keys that open the search from anywhere on the page, but where something is typed. */

/** @typedef {{ key: string, needsModifier: boolean }} Hotkey `needsModifier`: Ctrl, or Cmd on Apple's machines */

/**
 * @param {string | null} written keys by comma, such as `/, mod+k` (the default); `none` for no key
 * @returns {Hotkey[]}
 */
export function parseHotkeys(written) {
  return (written ?? "/, mod+k")
    .toLowerCase()
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "" && key !== "none")
    .map((key) => ({ key: key.replace(/^mod\+/u, ""), needsModifier: key.startsWith("mod+") }));
}

/**
 * @param {KeyboardEvent} event
 * @param {Hotkey[]} hotkeys
 */
export function isHotkey(event, hotkeys) {
  if (event.defaultPrevented || event.isComposing || event.repeat || event.altKey) return false;
  const hasModifier = event.ctrlKey || event.metaKey;
  return (
    hotkeys.some(({ key, needsModifier }) => event.key.toLowerCase() === key && hasModifier === needsModifier) &&
    !isTyping(event)
  );
}

/**
 * The label of a key, as a reader knows it from the keyboard.
 *
 * @param {Hotkey} hotkey
 */
export function labelOf({ key, needsModifier }) {
  if (!needsModifier) return key.toUpperCase();
  return /Mac|iPhone|iPad/u.test(navigator.platform) ? `⌘${key.toUpperCase()}` : `Ctrl ${key.toUpperCase()}`;
}

const BUTTONS = new Set(["button", "checkbox", "color", "file", "image", "radio", "range", "reset", "submit"]);
const TYPED_ROLES = new Set(["textbox", "searchbox", "combobox", "spinbutton"]);

/**
 * Whether the event comes from a place where text is typed, in this or any other shadow tree.
 *
 * @param {KeyboardEvent} event
 */
function isTyping(event) {
  const [target] = event.composedPath();
  if (document.designMode === "on") return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !BUTTONS.has(target.type);
  return (
    target.isContentEditable ||
    target.matches("textarea, select") ||
    TYPED_ROLES.has(target.getAttribute("role") ?? "") ||
    Boolean(/** @type {{ editContext?: object }} */ (target).editContext) ||
    isClosed(target)
  );
}

/**
 * Into a closed shadow tree nobody sees from outside. An element that holds the focus although it
 * cannot take it itself has such a tree with a focused part, which may be a field.
 *
 * @param {HTMLElement} target
 */
function isClosed(target) {
  return target.localName.includes("-") && !target.shadowRoot && target.tabIndex < 0 && target === document.activeElement;
}
