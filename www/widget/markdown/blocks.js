/**
 * The blocks of the Markdown that answers may use: paragraphs, headings, lists, quotes, fenced
 * code, tables. Bounded in depth and in the cells of a table; the time grows in proportion to the text.
 */

import { parseInline } from "./inline.js";
import { withoutPlaceholders } from "./lines.js";

/** @typedef {import("./inline.js").Tree} Tree */
/** @typedef {import("./inline.js").Context} Context */

/** @typedef {{ tree: Tree, line: number }} Block `line`: index of its first line */

/** Lists and quotes within each other beyond this are shown as they were written. */
const DEEPEST = 6;

/** A table wider than this keeps the rest of a row in its last cell. */
const MOST_COLUMNS = 12;

/** Rows after this are shown as text. */
const MOST_ROWS = 200;

const FENCE = /^( {0,3})(`{3,}|~{3,})(?!.*`)(.*)$/u;
const HEADING = /^ {0,3}#{1,6}(?= |$)/u;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/u;
const QUOTE = /^ {0,3}> ?/u;
const ITEM = /^( {0,3})(?:([-*+])|(\d{1,9})([.)]))(?: +|$)/u;
const DELIMITER_CELL = /^:?-+:?$/u;

/**
 * @param {string[]} lines
 * @param {Context} context
 * @param {number} [depth] of lists and quotes around them
 * @returns {Block[]}
 */
export function parseBlocks(lines, context, depth = 0) {
  /** @type {Block[]} */
  const blocks = [];
  for (let line = 0; line < lines.length; ) {
    if (isBlank(lines[line])) {
      line += 1;
      continue;
    }
    const { tree, end } = block(lines, line, context, depth);
    blocks.push({ tree, line });
    line = end;
  }
  return blocks;
}

/** @typedef {{ tree: Tree, end: number }} Read a block, and the line behind it */

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {Context} context
 * @param {number} depth
 * @returns {Read}
 */
function block(lines, at, context, depth) {
  const line = lines[at];
  const fence = FENCE.exec(line);
  if (fence) return fencedCode(lines, at, fence, context);
  if (HEADING.test(line)) {
    const text = line.replace(HEADING, "").trim().replace(/ #+$|^#+$/u, "");
    // One level for all: what a model's levels mean on the page around the answer nobody knows.
    return { tree: { tag: "h4", children: parseInline(text, context) }, end: at + 1 };
  }
  if (RULE.test(line)) return { tree: { tag: "hr", children: [] }, end: at + 1 };
  if (depth < DEEPEST) {
    if (QUOTE.test(line)) return quote(lines, at, context, depth);
    const item = itemOf(line);
    if (item) return list(lines, at, item, context, depth);
  }
  return isTableAt(lines, at) ? table(lines, at, context) : paragraph(lines, at, context, depth);
}

/** @param {string} line */
function isBlank(line) {
  return line.trim() === "";
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {RegExpExecArray} fence
 * @param {Context} context
 * @returns {Read}
 */
function fencedCode(lines, at, [, { length: indent }, mark, info], context) {
  const code = [];
  let end = at + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end];
    const trimmed = line.trim();
    if (trimmed.startsWith(mark) && trimmed === mark[0].repeat(trimmed.length)) break;
    code.push(line.slice(Math.min(indent, indentOf(line))));
  }
  const text = withoutPlaceholders(code.join("\n"), context.markers);
  // While it streams, the end of a fence has not arrived yet.
  const [language] = info.trim().split(/\s/u, 1);
  return { tree: { tag: "code-block", language, text }, end: Math.min(end + 1, lines.length) };
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {Context} context
 * @param {number} depth
 * @returns {Read}
 */
function quote(lines, at, context, depth) {
  const inner = [];
  let end = at;
  for (; end < lines.length && QUOTE.test(lines[end]); end += 1) inner.push(lines[end].replace(QUOTE, ""));
  return { tree: { tag: "blockquote", children: trees(inner, context, depth + 1) }, end };
}

/** @typedef {{ indent: number, width: number, kind: string, number?: number }} Item `width`: of its marker, with what is around */

/**
 * @param {string} line
 * @returns {Item | undefined}
 */
function itemOf(line) {
  const found = ITEM.exec(line);
  if (!found) return undefined;
  const [whole, indent, bullet, number, delimiter] = found;
  return { indent: indent.length, width: whole.length, kind: bullet ?? delimiter, number: number ? Number(number) : undefined };
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {Item} first
 * @param {Context} context
 * @param {number} depth
 * @returns {Read}
 */
function list(lines, at, first, context, depth) {
  /** Models indent what belongs to an item by two to four spaces, whatever its marker's width. */
  const belongs = (/** @type {string} */ line) => indentOf(line) >= first.indent + 2;
  /** @type {Tree[]} */
  const items = [];
  let end = at;
  while (end < lines.length) {
    const item = itemOf(lines[end]);
    if (item?.kind !== first.kind || item.indent >= first.indent + 2) break;
    const own = [lines[end].slice(item.width)];
    for (end += 1; end < lines.length; end += 1) {
      const line = lines[end];
      if (isBlank(line)) own.push("");
      else if (belongs(line)) own.push(line.slice(Math.min(indentOf(line), item.width)));
      else if (own[own.length - 1] !== "" && !interrupts(line) && !itemOf(line)) own.push(line);
      else break;
    }
    items.push({ tag: "li", children: tight(trees(own, context, depth + 1)) });
  }
  if (first.number === undefined) return { tree: { tag: "ul", children: items }, end };
  const attributes = first.number === 1 ? undefined : { start: String(first.number) };
  return { tree: { tag: "ol", attributes, children: items }, end };
}

/** The text of an item stands in it without a paragraph around. @param {Tree[]} children */
function tight(children) {
  const [first, ...rest] = children;
  return typeof first === "object" && first.tag === "p" ? [...first.children, ...rest] : children;
}

/**
 * @param {string[]} lines
 * @param {number} at
 */
function isTableAt(lines, at) {
  const delimiters = lines[at].includes("|") && lines[at + 1]?.includes("-") ? cellsOf(lines[at + 1], Infinity) : [];
  return delimiters.length > 0 && delimiters.every((cell) => DELIMITER_CELL.test(cell));
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {Context} context
 * @returns {Read}
 */
function table(lines, at, context) {
  const aligns = cellsOf(lines[at + 1]).map((cell) => (cell.endsWith(":") ? (cell.startsWith(":") ? "center" : "end") : ""));
  /** @param {string} line @param {"th" | "td"} tag @returns {Tree} */
  const row = (line, tag) => ({
    tag: "tr",
    children: cellsOf(line).map((cell, column) => ({
      tag,
      attributes: { ...(tag === "th" && { scope: "col" }), ...(aligns[column] && { class: `align-${aligns[column]}` }) },
      children: parseInline(cell, context),
    })),
  });
  /** @type {Tree[]} */
  const rows = [];
  let end = at + 2;
  for (; end < lines.length && rows.length < MOST_ROWS && lines[end].includes("|"); end += 1) rows.push(row(lines[end], "td"));
  /** @type {Tree} */
  const made = {
    tag: "table",
    children: [
      { tag: "thead", children: [row(lines[at], "th")] },
      { tag: "tbody", children: rows },
    ],
  };
  // A table wider than the answer scrolls in a box of its own, also by keyboard.
  return { tree: { tag: "div", attributes: { class: "scroll", tabindex: "0" }, children: [made] }, end };
}

/**
 * The cells of a row, divided by `|` but not by `\|`.
 *
 * @param {string} line
 * @param {number} [most] cells; the last one keeps the rest
 */
function cellsOf(line, most = MOST_COLUMNS) {
  const row = line.trim().replace(/^\|/u, "").replace(/(?<!\\)\|$/u, "");
  const cells = row.split(/(?<!\\)\|/u);
  if (cells.length > most) cells.push(cells.splice(most - 1).join("|"));
  return cells.map((cell) => cell.replaceAll("\\|", "|").trim());
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {Context} context
 * @param {number} depth
 * @returns {Read}
 */
function paragraph(lines, at, context, depth) {
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end]) && !(depth < DEEPEST ? interrupts(lines[end]) : FENCE.test(lines[end]))) {
    if (isTableAt(lines, end)) break;
    end += 1;
  }
  const text = lines.slice(at, end).map((line) => line.trimStart()).join("\n").trimEnd();
  return { tree: { tag: "p", children: parseInline(text, context) }, end };
}

/** Whether a line begins a block where a paragraph has not ended. @param {string} line */
function interrupts(line) {
  if (FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line)) return true;
  const item = itemOf(line);
  // "in\n1986. Then" is no list.
  return item !== undefined && (item.number ?? 1) === 1;
}

/** @param {string} line */
function indentOf(line) {
  return line.length - line.trimStart().length;
}

/**
 * @param {string[]} lines
 * @param {Context} context
 * @param {number} depth
 */
function trees(lines, context, depth) {
  return parseBlocks(lines, context, depth).map(({ tree }) => tree);
}
