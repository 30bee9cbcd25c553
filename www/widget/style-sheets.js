/** Constructed style sheets, which a strict content security policy allows, one for all components of a page. */

/** @type {Map<string, CSSStyleSheet>} */
const sheets = new Map();

/**
 * @param {ShadowRoot} root
 * @param {string} text of the sheet
 */
export function adopt(root, text) {
  let sheet = sheets.get(text);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    sheets.set(text, sheet);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}
