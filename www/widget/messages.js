/** The component's words in the language of the page. */

import english from "./languages/en.json" with { type: "json" };

/**
 * The words of a language by key: a text with `{name}` places, or one for each plural category that
 * the language has, chosen by `{n}`.
 *
 * @typedef {Record<string, string | Partial<Record<Intl.LDMLPluralRule, string>>>} Texts
 */

/** Languages that come with the package, each fetched only where it is used. @type {Record<string, () => Promise<{ default: Texts }>>} */
const LANGUAGES = { ru: () => import("./languages/ru.json", { with: { type: "json" } }) };

/** Where `Intl.Locale` cannot tell the direction. */
const RIGHT_TO_LEFT = new Set(["ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"]);

export class Messages {
  /** BCP 47 tag. */
  lang;
  /** @type {"ltr" | "rtl"} */
  dir;
  #texts;
  #plural;
  #number;

  /**
   * @param {string} lang
   * @param {Texts} [texts] those that are missing are English
   */
  constructor(lang, texts = {}) {
    this.lang = known(lang);
    this.dir = directionOf(this.lang);
    this.#texts = texts;
    this.#plural = new Intl.PluralRules(this.lang);
    this.#number = new Intl.NumberFormat(this.lang);
  }

  /**
   * @param {keyof typeof english} key
   * @param {Record<string, string | number>} [values] for the places of the text
   */
  text(key, values = {}) {
    const own = this.#texts[key] ?? english[key];
    const rule = this.#plural.select(Number(values.n));
    const text = typeof own === "string" ? own : (own[rule] ?? own.other ?? "");
    return text.replace(/\{(\w+)\}/gu, (_, name) => {
      const value = values[name] ?? "";
      return typeof value === "number" ? this.#number.format(value) : value;
    });
  }

  /**
   * A time for which something has lasted.
   *
   * @param {number} seconds
   */
  seconds(seconds) {
    return new Intl.NumberFormat(this.lang, { style: "unit", unit: "second", unitDisplay: "narrow" }).format(seconds);
  }
}

/**
 * @param {string} lang
 * @param {Texts | undefined} own texts of the site
 * @returns {Promise<Messages>}
 */
export async function messagesFor(lang, own) {
  const language = lang.toLowerCase().split("-", 1)[0];
  if (own || !Object.hasOwn(LANGUAGES, language)) return new Messages(lang, own);
  return new Messages(lang, (await LANGUAGES[language]()).default);
}

/** A tag that `Intl` takes; pages have all kinds of them. @param {string} lang */
function known(lang) {
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? "en";
  } catch {
    return "en";
  }
}

/** @param {string} lang @returns {"ltr" | "rtl"} */
function directionOf(lang) {
  const locale = /** @type {Intl.Locale & { getTextInfo?: () => { direction?: string } }} */ (new Intl.Locale(lang));
  const direction = locale.getTextInfo?.().direction ?? (RIGHT_TO_LEFT.has(locale.language) ? "rtl" : "ltr");
  return direction === "rtl" ? "rtl" : "ltr";
}
