/** The results of a search as the options of a listbox, in a group for each page. */

import { element } from "./dom.js";
import { webLink } from "./links.js";

/** @typedef {import("./engine.js").Found} Found */
/** @typedef {import("./engine.js").Hit} Hit */
/** @typedef {import("./types.js").Ui} Ui */

/**
 * @param {Ui} ui
 * @param {Found} found
 * @param {(hit: Hit, url: string, event: MouseEvent) => void} onOpen
 * @returns {HTMLElement[]} groups
 */
export function resultGroups(ui, found, onOpen) {
  return found.pages.map(({ title, hits }, page) => {
    const id = `page-${page}`;
    const [{ collection }] = hits;
    const heading = element(
      "div",
      { class: "page", id, role: "presentation", dir: "auto" },
      element("span", { class: "page-title" }, title),
      collection ? element("span", { class: "collection" }, collection.name) : null,
    );
    const group = element("div", { role: "group", "aria-labelledby": id, part: "result-group" }, heading);
    hits.forEach((hit, place) => group.append(option(ui, hit, `hit-${page}-${place}`, onOpen)));
    return group;
  });
}

/**
 * A link with the role of an option: it can be opened in a new tab as every link.
 *
 * @param {Ui} ui
 * @param {Hit} hit
 * @param {string} id
 * @param {(hit: Hit, url: string, event: MouseEvent) => void} onOpen
 */
function option(ui, hit, id, onOpen) {
  const url = webLink(hit.url, ui.base);
  // The group is named after the page already.
  const path = [...hit.headings, hit.title].filter((heading) => heading !== hit.pageTitle);
  const made = element(
    "a",
    { role: "option", id, class: "option", part: "result", tabindex: "-1", "aria-selected": "false", ...(url && { href: url }) },
    element("span", { class: "option-title", dir: "auto" }, path.length > 0 ? path.join(" › ") : hit.title),
    element("span", { class: "snippet", dir: "auto" }, ...marked(hit.snippet)),
  );
  if (url) made.addEventListener("click", (event) => onOpen(hit, url, event));
  return made;
}

/**
 * @param {Hit["snippet"]} snippet
 * @returns {(Node | string)[]}
 */
function marked({ text, marks }) {
  /** @type {(Node | string)[]} */
  const parts = [];
  let end = 0;
  for (const mark of marks) {
    parts.push(text.slice(end, mark.start), element("mark", {}, text.slice(mark.start, mark.end)));
    end = mark.end;
  }
  parts.push(text.slice(end));
  return parts;
}
