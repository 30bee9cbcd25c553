/**
 * An answer as formatted text that grows. Blocks that can no longer change are not parsed again,
 * and nodes that are shown already stay, so that a reader's selection and focus survive.
 */

import { parseBlocks } from "./blocks.js";
import { linesOf, markersOf } from "./lines.js";

/** @typedef {import("./inline.js").Tree} Tree */
/** @typedef {import("./lines.js").Citation} Citation */

/** UTF-16 units that are shown of one answer; some eight thousand words. */
const MOST_UNITS = 50_000;

/**
 * What the answer's surroundings make.
 *
 * @typedef {object} Surroundings
 * @property {(address: string) => string | undefined} linkTo where a link of the text may lead
 * @property {(numbers: number[], start: number) => Node} footnote the marker at a place of the answer
 * @property {(language: string, text: string) => { node: HTMLElement, update: (text: string) => void }} codeBlock
 */

export class AnswerText {
  #container;
  #surroundings;
  #text = "";
  /** @type {Citation[]} */
  #citations = [];
  /** First unit that may still be read differently. */
  #open = 0;
  /** Nodes of the container before it. */
  #closed = 0;
  /** What the nodes of the container show. @type {Tree[]} */
  #shown = [];

  /**
   * @param {HTMLElement} container
   * @param {Surroundings} surroundings
   */
  constructor(container, surroundings) {
    this.#container = container;
    this.#surroundings = surroundings;
  }

  /** @param {string} text */
  append(text) {
    this.#text = (this.#text + text).slice(0, MOST_UNITS);
  }

  /** @param {Citation} citation in the text that has been appended */
  cite({ n, start, end }) {
    this.#citations.push({ n, start, end });
  }

  /**
   * The final text in place of all that came before.
   *
   * @param {string} text
   * @param {Citation[]} citations
   */
  replace(text, citations) {
    this.#text = text.slice(0, MOST_UNITS);
    this.#citations = citations;
    this.#open = 0;
    this.#closed = 0;
    this.draw();
  }

  /** Shows what has come since the last time. */
  draw() {
    const markers = markersOf(this.#text, this.#citations);
    const lines = linesOf(this.#text, this.#open, markers);
    const blocks = parseBlocks(
      lines.map(({ text }) => text),
      { markers, linkTo: this.#surroundings.linkTo },
    );
    const trees = blocks.map(({ tree }) => tree);
    this.#patch(this.#container, this.#closed, this.#shown.slice(this.#closed), trees);
    this.#shown.splice(this.#closed, Infinity, ...trees);
    // The last line may not be whole, so it cannot tell whether the block before it has ended.
    const open = blocks.at(-1)?.line === lines.length - 1 ? 2 : 1;
    const closed = Math.max(0, blocks.length - open);
    if (closed > 0) this.#open = lines[blocks[closed].line].start;
    this.#closed += closed;
  }

  /**
   * @param {Node} parent
   * @param {number} from index of the first node that `before` tells about
   * @param {Tree[]} before
   * @param {Tree[]} after
   */
  #patch(parent, from, before, after) {
    const wanted = joined(after);
    const had = joined(before);
    wanted.forEach((tree, index) => {
      const node = parent.childNodes[from + index];
      if (node && this.#update(node, had[index], tree)) return;
      const made = this.#make(tree);
      if (node) parent.replaceChild(made, node);
      else parent.appendChild(made);
    });
    while (parent.childNodes.length > from + wanted.length) parent.lastChild?.remove();
  }

  /**
   * @param {Node} node
   * @param {Tree} before
   * @param {Tree} after
   * @returns {boolean} whether the node shows `after` now
   */
  #update(node, before, after) {
    if (typeof before === "string" || typeof after === "string") {
      if (typeof before !== typeof after) return false;
      if (before !== after) node.nodeValue = String(after);
      return true;
    }
    if (before?.tag !== after.tag) return false;
    if ("children" in after && "children" in before) {
      if (JSON.stringify(before.attributes) !== JSON.stringify(after.attributes)) return false;
      this.#patch(node, 0, before.children, after.children);
      return true;
    }
    if (after.tag === "code-block" && before.tag === "code-block") {
      if (before.language !== after.language) return false;
      if (before.text !== after.text) updates.get(node)?.(after.text);
      return true;
    }
    return JSON.stringify(before) === JSON.stringify(after);
  }

  /** @param {Tree} tree @returns {Node} */
  #make(tree) {
    if (typeof tree === "string") return document.createTextNode(tree);
    if (tree.tag === "footnote") return this.#surroundings.footnote(tree.numbers, tree.start);
    if (tree.tag === "code-block") {
      const { node, update } = this.#surroundings.codeBlock(tree.language, tree.text);
      updates.set(node, update);
      return node;
    }
    const made = document.createElement(tree.tag);
    for (const [name, value] of Object.entries(tree.attributes ?? {})) made.setAttribute(name, value);
    if (DIRECTED.has(tree.tag)) made.dir = "auto";
    this.#patch(made, 0, [], tree.children);
    return made;
  }
}

/** Blocks whose direction is that of their own text. */
const DIRECTED = new Set(["p", "h4", "li", "blockquote", "th", "td"]);

/** How a shown code block takes further text. @type {WeakMap<Node, (text: string) => void>} */
const updates = new WeakMap();

/** Neighbouring texts become one, so that trees and nodes have the same places. @param {Tree[]} trees */
function joined(trees) {
  /** @type {Tree[]} */
  const out = [];
  for (const tree of trees) {
    const last = out.length - 1;
    const previous = out[last];
    if (typeof tree === "string" && typeof previous === "string") out[last] = previous + tree;
    else out.push(tree);
  }
  return out;
}
