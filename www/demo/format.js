/**
 * The light formatting of an answer: paragraphs, code spans, fenced code, and citations where the
 * engine found them. Everything else in a model's text is shown as it was written.
 *
 * Both steps take time in proportion to the text.
 */

import { element } from "./dom.js";

/** @typedef {{ n: number, start: number, end: number }} Citation UTF-16 range of a marker */

/**
 * @typedef {{ type: "text", text: string }
 *   | { type: "code", text: string }
 *   | { type: "citation", numbers: number[] }} Part
 */

/** @typedef {{ type: "paragraph", parts: Part[] } | { type: "fence", text: string }} Block */

/**
 * @param {string} text
 * @param {Citation[]} citations ascending by `start`; those of one marker share its range
 * @returns {Block[]}
 */
export function parse(text, citations) {
  /** @type {Block[]} */
  const blocks = [];
  const markers = joinMarkers(citations);
  /** Where the open paragraph starts, if one is open. */
  let paragraph = -1;
  /** @type {{ mark: string, lines: string[] } | undefined} */
  let fence;
  const closeParagraph = (/** @type {number} */ end) => {
    if (paragraph !== -1) blocks.push({ type: "paragraph", parts: inline(text, paragraph, end, markers) });
    paragraph = -1;
  };
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end);
    const mark = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence) {
      if (mark && mark.startsWith(fence.mark) && line.trim() === mark) {
        blocks.push({ type: "fence", text: fence.lines.join("\n") });
        fence = undefined;
      } else {
        fence.lines.push(line);
      }
    } else if (mark && !line.slice(line.indexOf(mark) + mark.length).includes("`")) {
      closeParagraph(start);
      fence = { mark, lines: [] };
    } else if (line.trim() === "") {
      closeParagraph(start);
    } else if (paragraph === -1) {
      paragraph = start;
    }
    start = end + 1;
  }
  closeParagraph(text.length);
  // While it streams, the end of a fence has not arrived yet.
  if (fence) blocks.push({ type: "fence", text: fence.lines.join("\n") });
  return blocks;
}

/**
 * @param {Citation[]} citations
 * @returns {{ numbers: number[], start: number, end: number }[]} one a marker
 */
function joinMarkers(citations) {
  /** @type {{ numbers: number[], start: number, end: number }[]} */
  const markers = [];
  for (const { n, start, end } of citations) {
    const last = markers.at(-1);
    if (last && last.start === start) last.numbers.push(n);
    else markers.push({ numbers: [n], start, end });
  }
  return markers;
}

/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @param {{ numbers: number[], start: number, end: number }[]} markers those before `end` are
 *   taken off
 * @returns {Part[]}
 */
function inline(text, start, end, markers) {
  /** @type {Part[]} */
  const parts = [];
  let at = start;
  const addText = (/** @type {number} */ until) => {
    if (until > at) parts.push({ type: "text", text: text.slice(at, until) });
    at = until;
  };
  const codes = codeSpans(text, start, end);
  let code = codes.shift();
  while (code || (markers[0] && markers[0].start < end)) {
    if (code && !(markers[0] && markers[0].start < code.start)) {
      addText(code.start);
      parts.push({ type: "code", text: code.text });
      at = code.end;
      code = codes.shift();
    } else {
      const marker = /** @type {typeof markers[number]} */ (markers.shift());
      // A marker that begins in what is shown already, such as a code span, is none.
      if (marker.start < at) continue;
      addText(marker.start);
      parts.push({ type: "citation", numbers: marker.numbers });
      at = marker.end;
    }
  }
  addText(end);
  return parts;
}

/**
 * Code spans as in CommonMark: a run of backticks up to the next run of the same length.
 *
 * @param {string} text
 * @param {number} start
 * @param {number} end
 */
function codeSpans(text, start, end) {
  const runs = [...text.slice(start, end).matchAll(/`+/gu)].map((run) => ({
    at: start + run.index,
    length: run[0].length,
  }));
  /** For each run the index of the next one of its length; found from the end, in one pass. */
  const closing = new Array(runs.length).fill(-1);
  /** @type {Map<number, number>} */
  const later = new Map();
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    closing[index] = later.get(runs[index].length) ?? -1;
    later.set(runs[index].length, index);
  }
  const spans = [];
  for (let index = 0; index < runs.length; index += 1) {
    if (closing[index] === -1) continue;
    const { at, length } = runs[index];
    const close = runs[closing[index]];
    const inner = text.slice(at + length, close.at).replaceAll("\n", " ");
    // One space inside each end only sets the backticks off from backticks in the code.
    const isPadded = inner.length > 2 && inner.startsWith(" ") && inner.endsWith(" ") && inner.trim() !== "";
    spans.push({ start: at, end: close.at + length, text: isPadded ? inner.slice(1, -1) : inner });
    index = closing[index];
  }
  return spans;
}

/**
 * Shows blocks in an element. A block that is shown already stays the same node, so that a reader's
 * selection and focus survive while the text grows.
 *
 * @param {Element} container
 * @param {Block[]} blocks
 * @param {(n: number) => Node} citationNode
 */
export function render(container, blocks, citationNode) {
  blocks.forEach((block, index) => {
    const key = JSON.stringify(block);
    const shown = container.children[index];
    if (shown && keys.get(shown) === key) return;
    const node = blockNode(block, citationNode);
    keys.set(node, key);
    if (shown) shown.replaceWith(node);
    else container.append(node);
  });
  while (container.children.length > blocks.length) container.lastElementChild?.remove();
}

/** What each rendered node shows. @type {WeakMap<Element, string>} */
const keys = new WeakMap();

/**
 * @param {Block} block
 * @param {(n: number) => Node} citationNode
 */
function blockNode(block, citationNode) {
  if (block.type === "fence") {
    return element("pre", { tabindex: "0", role: "group", "aria-label": "Code" }, element("code", {}, block.text));
  }
  const paragraph = element("p");
  for (const part of block.parts) {
    if (part.type === "text") paragraph.append(part.text);
    else if (part.type === "code") paragraph.append(element("code", {}, part.text));
    else paragraph.append(...part.numbers.map(citationNode));
  }
  return paragraph;
}
