/** What the tests of the documentation read out of a Markdown page. */

import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * @typedef {object} Block
 * @property {string} language
 * @property {string} code
 * @property {number} line of the opening fence, counted from 1
 */

/**
 * @typedef {object} Page
 * @property {string} name path relative to the repository, with `/`
 * @property {string} prose the text with an empty line for each line of code, so that lines keep
 *   their numbers
 * @property {Block[]} blocks fenced code
 * @property {Set<string>} anchors of its headings, as GitHub makes them
 */

/**
 * README, the pages of `docs/` and the other documents that they link to.
 *
 * @returns {Promise<Page[]>}
 */
export async function readPages() {
  const names = (await readdir(path.join(ROOT, "docs"))).filter((name) => name.endsWith(".md"));
  const docs = names.sort().map((name) => `docs/${name}`);
  return Promise.all(["README.md", "ARCHITECTURE.md", ...docs].map(readPage));
}

/**
 * @param {string} name path relative to the repository
 * @returns {Promise<Page>}
 */
export async function readPage(name) {
  const text = await readFile(path.join(ROOT, name), "utf8");
  /** @type {string[]} */
  const prose = [];
  /** @type {Block[]} */
  const blocks = [];
  /** @type {Block | undefined} */
  let open;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^```(\w*)\s*$/u.exec(line);
    if (fence && !open) open = { language: fence[1], code: "", line: index + 1 };
    else if (fence && open) {
      blocks.push(open);
      open = undefined;
    } else if (open) open.code += `${line}\n`;
    prose.push(fence || open ? "" : line);
  }
  if (open) throw new Error(`${name}:${open.line}: the code has no end`);
  return { name, prose: prose.join("\n"), blocks, anchors: anchorsOf(prose) };
}

/** @param {string[]} lines */
function anchorsOf(lines) {
  /** @type {Set<string>} */
  const anchors = new Set();
  for (const line of lines) {
    const heading = /^#{1,6} (.+)$/u.exec(line);
    if (!heading) continue;
    const words = heading[1].replace(/[^\p{L}\p{N}\s_-]/gu, "").trim();
    const slug = words.toLowerCase().replace(/\s/gu, "-");
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/**
 * The links of a page that lead to a file or a heading of this repository.
 *
 * @param {Page} page
 * @returns {{ file: string, anchor: string, shown: string }[]} `file` relative to the repository
 */
export function linksOf({ name, prose }) {
  const withoutCode = prose.replace(/`[^`\n]*`/gu, "");
  const targets = [...withoutCode.matchAll(/\]\(([^)\s]+)\)/gu)].map(([, target]) => target);
  return targets
    .filter((target) => !/^[a-z]+:/u.test(target))
    .map((target) => {
      const [file, anchor = ""] = target.split("#", 2);
      const found = file ? path.posix.join(path.posix.dirname(name), file) : name;
      return { file: found, anchor, shown: `${name}: ${target}` };
    });
}

/**
 * The first cells of a page's tables whose header begins with a word, without code marks.
 *
 * @param {Page} page
 * @param {string} header first cell of the header
 * @param {string} [section] heading under which the table stands; any, if none is given
 * @returns {string[]}
 */
export function firstCells({ prose }, header, section) {
  /** @type {string[]} */
  const cells = [];
  let heading = "";
  let isWanted = false;
  for (const line of prose.split("\n")) {
    heading = /^#+ (.+)$/u.exec(line)?.[1] ?? heading;
    // A bar in a cell is written with a backslash.
    const cell = /^\| ?((?:[^|\\]|\\.)+?) ?\|/u.exec(line)?.[1];
    if (cell === undefined) isWanted = false;
    else if (cell === header && (section === undefined || heading === section)) isWanted = true;
    else if (isWanted && !/^-+$/u.test(cell)) cells.push(cell.replaceAll("`", ""));
  }
  return cells;
}
