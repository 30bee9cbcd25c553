/** Whether the page around is light or dark: by attribute or class, by its colour scheme, else by the reader's setting. */

/** Attributes by which site generators and frameworks tell it, on `<html>` or `<body>`. */
const ATTRIBUTES = ["class", "data-theme", "data-mode", "data-color-mode", "data-color-scheme", "data-bs-theme", "data-md-color-scheme", "theme"];

/** Colour schemes of Material for MkDocs say it by these names. */
const DARK = /(?:^|[\s_-])(?:dark|slate|night)(?:$|[\s_-])/u;
const LIGHT = /(?:^|[\s_-])(?:light|default|day)(?:$|[\s_-])/u;

export class PageTheme {
  #host;
  #onChange;
  #media = matchMedia("(prefers-color-scheme: dark)");
  #observer = new MutationObserver(() => this.#onChange());

  /**
   * @param {HTMLElement} host
   * @param {() => void} onChange
   */
  constructor(host, onChange) {
    this.#host = host;
    this.#onChange = onChange;
  }

  connect() {
    for (const part of [document.documentElement, document.body]) {
      this.#observer.observe(part, { attributes: true, attributeFilter: [...ATTRIBUTES, "style"] });
    }
    this.#media.addEventListener("change", this.#onChange);
  }

  disconnect() {
    this.#observer.disconnect();
    this.#media.removeEventListener("change", this.#onChange);
  }

  /** @returns {"light" | "dark"} */
  get current() {
    const own = this.#host.getAttribute("theme");
    if (own === "light" || own === "dark") return own;
    for (const part of [document.body, document.documentElement]) {
      for (const name of ATTRIBUTES) {
        const value = part.getAttribute(name)?.toLowerCase() ?? "";
        if (DARK.test(value)) return "dark";
        // "default" and "day" say it only where the attribute is about nothing else.
        if (name === "class" ? /(?:^|\s)(?:theme-)?light(?:$|[\s_-])/u.test(value) : LIGHT.test(value)) return "light";
      }
    }
    const scheme = getComputedStyle(this.#host).colorScheme;
    const isFixed = scheme.includes("dark") !== scheme.includes("light");
    if (isFixed) return scheme.includes("dark") ? "dark" : "light";
    return this.#media.matches ? "dark" : "light";
  }
}
