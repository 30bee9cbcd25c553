/** Making elements. Text is only ever set as text; nothing here parses markup or sets a style. */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string | null | undefined)} children strings become text nodes, nothing is left out
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/**
 * @param {Node | string} label
 * @param {(event: MouseEvent) => void} onClick
 * @param {Record<string, string>} [attributes]
 */
export function button(label, onClick, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", onClick);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** Strokes in a square of 24 units. */
const ICONS = {
  search: ["M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Z", "m20 20-4.9-4.9"],
  close: ["m6 6 12 12", "M18 6 6 18"],
  back: ["M19 12H5", "m11 6-6 6 6 6"],
  send: ["M12 19V5", "m6 11 6-6 6 6"],
  stop: ["M7 7h10v10H7z"],
  spark: ["M12 4c.6 4.4 2.6 6.9 8 8-5.4 1.1-7.4 3.6-8 8-.6-4.4-2.6-6.9-8-8 5.4-1.1 7.4-3.6 8-8Z"],
  copy: ["M9 9h10v11H9z", "M15 9V4H5v11h4"],
  retry: ["M19 12a7 7 0 1 1-2.2-5.1L19 9", "M19 4v5h-5"],
  up: ["M7 11v9H4v-9h3Zm0 0 4-7c1.5 0 2.5 1 2.2 2.6L12.5 10H18c1.3 0 2.2 1.2 1.8 2.5l-1.8 6c-.3.9-1 1.5-2 1.5H7"],
  down: ["M17 13V4h3v9h-3Zm0 0-4 7c-1.5 0-2.5-1-2.2-2.6l.7-3.4H6c-1.3 0-2.2-1.2-1.8-2.5l1.8-6C6.300 4.600 7 4 8 4h9"],
  clock: ["M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16Z", "M12 8v4l3 2"],
};

/**
 * A drawing that goes with words and says nothing by itself.
 *
 * @param {keyof typeof ICONS} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", `icon icon-${name}`);
  for (const d of ICONS[name]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}
