/** The words that scripts write into the page, in the page's language; they stand in the page itself. */

import { byId } from "./dom.js";

/** @typedef {Partial<Record<Intl.LDMLPluralRule, string>>} Forms a text for each plural form of the language */

const language = document.documentElement.lang;
/** @type {Record<string, string | Forms>} */
const words = JSON.parse(byId("words", HTMLScriptElement).textContent ?? "{}");
const plural = new Intl.PluralRules(language);

/**
 * @param {string} key
 * @param {Record<string, string | number>} [values] for the places in braces; `n` chooses the plural form
 */
export function say(key, values = {}) {
  const entry = words[key] ?? key;
  const text = typeof entry === "string" ? entry : (entry[plural.select(Number(values.n))] ?? entry.other ?? key);
  return text.replace(/\{(\w+)\}/gu, (place, name) => {
    const value = values[name];
    return value === undefined ? place : typeof value === "number" ? number(value) : value;
  });
}

/**
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 */
export function number(value, options) {
  return value.toLocaleString(language, options);
}

/** @param {number} ms */
export function milliseconds(ms) {
  const isLong = ms >= 1000;
  const options = { style: "unit", unit: isLong ? "second" : "millisecond", unitDisplay: "short" };
  return number(isLong ? ms / 1000 : ms, { .../** @type {Intl.NumberFormatOptions} */ (options), maximumFractionDigits: ms < 10 || isLong ? 1 : 0 });
}

/** @param {number} bytes */
export function size(bytes) {
  const isLarge = bytes >= 1e6;
  const options = { style: "unit", unit: isLarge ? "megabyte" : "kilobyte", unitDisplay: "short" };
  return number(bytes / (isLarge ? 1e6 : 1e3), { .../** @type {Intl.NumberFormatOptions} */ (options), maximumFractionDigits: isLarge ? 1 : 0 });
}
