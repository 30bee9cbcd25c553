/**
 * The inline part of the Markdown that answers may use: emphasis, code spans, links, citations.
 * Everything else, raw HTML above all, is text. One pass; the time grows in proportion to the text.
 */

import { markerAt, withoutPlaceholders } from "./lines.js";

/**
 * What is shown, as data. A tree has no way to say an attribute that the parser did not set.
 *
 * @typedef {string | Element | { tag: "footnote", numbers: number[], start: number } | { tag: "code-block", language: string, text: string }} Tree
 */

/**
 * @typedef {object} Element
 * @property {"p" | "h4" | "hr" | "ul" | "ol" | "li" | "blockquote" | "div" | "table" | "thead" | "tbody" | "tr" | "th" | "td" | "strong" | "em" | "del" | "code" | "a" | "br" | "span"} tag
 * @property {Record<string, string>} [attributes] set by the parser, never taken from the text but for
 *   an address that {@link Context} has let pass
 * @property {Tree[]} children
 */

/**
 * @typedef {object} Context
 * @property {import("./lines.js").Marker[]} markers
 * @property {(address: string) => string | undefined} linkTo where a link of the text may lead; nothing
 *   for every address that is not of the documentation
 */

/** Longer addresses are no links, and the look-ahead for one stays short. */
const LONGEST_ADDRESS = 1024;

/** Emphasis within emphasis beyond this is shown as it was written. */
const DEEPEST = 8;

/** The entities that models copy out of escaped sources. @type {Record<string, string>} */
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\xA0", "#39": "'", "#x27": "'" };

const SPECIAL = /[\\`*_~[\]!<&h\n\uE000]/gu;
const PUNCTUATION = /[!-/:-@[-`{-~]/u;
const WORD = /[\p{L}\p{N}]/u;
/** As in `__init__.py` and `__call__()`; stricter than CommonMark, for the sake of names in prose. */
const IDENTIFIER_GOES_ON = /^(?:\.\w|\()/u;

/** @typedef {"*" | "**" | "_" | "__" | "~~" | "["} Mark */

/** @type {Record<string, "em" | "strong" | "del">} */
const EMPHASIS = { "*": "em", _: "em", "**": "strong", __: "strong", "~~": "del" };

/**
 * @param {string} text
 * @param {Context} context
 * @returns {Tree[]}
 */
export function parseInline(text, context) {
  return new InlineParser(text, context).parse();
}

class InlineParser {
  #text;
  #context;
  #at = 0;
  /** Where the text that is not yet in `#out` begins. */
  #plain = 0;
  /** @type {Tree[]} */
  #out = [];
  /**
   * Marks that may open something, by their place in `#out`, ascending. What opened after a place
   * that is wrapped is dropped, so every mark is pushed and taken off at most once.
   *
   * @type {Record<Mark, { at: number, isImage?: boolean }[]>}
   */
  #open = { "*": [], "**": [], _: [], __: [], "~~": [], "[": [] };
  /** The next `)`; looked for once for all links before it. */
  #closing = -1;
  #codes;

  /**
   * @param {string} text
   * @param {Context} context
   */
  constructor(text, context) {
    this.#text = text;
    this.#context = context;
    this.#codes = codeSpans(text);
  }

  parse() {
    SPECIAL.lastIndex = 0;
    for (let found = SPECIAL.exec(this.#text); found; found = SPECIAL.exec(this.#text)) {
      this.#at = found.index;
      const end = this.#special(found[0]);
      if (end > found.index) this.#plain = end;
      SPECIAL.lastIndex = Math.max(end, found.index + 1);
    }
    this.#at = this.#text.length;
    this.#flush();
    return this.#out;
  }

  /** Puts out the text before the current place. */
  #flush() {
    if (this.#at > this.#plain) this.#out.push(this.#text.slice(this.#plain, this.#at));
    this.#plain = this.#at;
  }

  /**
   * @param {Tree[]} trees
   * @param {number} end
   */
  #put(trees, end) {
    this.#flush();
    this.#out.push(...trees);
    return end;
  }

  /**
   * @param {string} character at the current place
   * @returns {number} the end of what was understood; the current place where it is text
   */
  #special(character) {
    const text = this.#text;
    const at = this.#at;
    switch (character) {
      case "\\":
        if (text[at + 1] === "\n") return this.#put([{ tag: "br", children: [] }], at + 2);
        return PUNCTUATION.test(text[at + 1] ?? "") ? this.#put([text[at + 1]], at + 2) : at;
      case "`": {
        const code = this.#codes.get(at);
        if (!code) return this.#literal(runLength(text, at));
        return this.#put([{ tag: "code", children: [withoutPlaceholders(code.text, this.#context.markers)] }], code.end);
      }
      case "*":
      case "_":
      case "~":
        return this.#emphasis(character, runLength(text, at));
      case "!":
        return text[at + 1] === "[" ? this.#push("[", "![", { isImage: true }) : at;
      case "[":
        return this.#push("[", "[");
      case "]":
        return this.#link();
      case "<": {
        const address = /^<(https?:\/\/[^\s<>\uE000]{1,1024})>/u.exec(text.slice(at, at + LONGEST_ADDRESS))?.[1];
        return address ? this.#put([this.#address(address)], at + address.length + 2) : at;
      }
      case "&": {
        const name = /^&(#?\w{2,4});/u.exec(text.slice(at, at + 8))?.[1] ?? "";
        return Object.hasOwn(ENTITIES, name) ? this.#put([ENTITIES[name]], at + name.length + 2) : at;
      }
      case "h":
        return this.#bareAddress();
      case "\n": {
        const isHard = text.slice(Math.max(0, at - 2), at) === "  ";
        return isHard ? this.#put([{ tag: "br", children: [] }], at + 1) : this.#put([" "], at + 1);
      }
      default: {
        const marker = markerAt(text, at, this.#context.markers);
        if (!marker) return this.#put([], at + 2);
        return this.#put([{ tag: "footnote", numbers: marker.numbers, start: marker.start }], at + 2);
      }
    }
  }

  /** @param {number} length */
  #literal(length) {
    return this.#put([this.#text.slice(this.#at, this.#at + length)], this.#at + length);
  }

  /**
   * @param {Mark} mark
   * @param {string} written
   * @param {{ isImage?: boolean }} [kind]
   */
  #push(mark, written, kind) {
    const end = this.#put([written], this.#at + written.length);
    this.#open[mark].push({ at: this.#out.length - 1, ...kind });
    return end;
  }

  /**
   * @param {"*" | "_" | "~"} character
   * @param {number} length of the run
   */
  #emphasis(character, length) {
    const text = this.#text;
    const end = this.#at + length;
    if (length > 3 || (character === "~" && length !== 2)) return this.#literal(length);
    const before = text[this.#at - 1] ?? " ";
    const after = text[end] ?? " ";
    // An underscore within a word belongs to its name.
    const isInWord = character === "_" && WORD.test(before) && WORD.test(after);
    const goesOn = character === "_" && (WORD.test(after) || IDENTIFIER_GOES_ON.test(text.slice(end, end + 2)));
    const canClose = !/\s/u.test(before) && !goesOn;
    const canOpen = !/\s/u.test(after) && !isInWord && !(character === "_" && WORD.test(before));
    const [single, double] = /** @type {[Mark, Mark]} */ ([character, character + character]);
    let left = length;
    this.#flush();
    while (canClose && left > 0) {
      const one = character === "~" ? undefined : this.#open[single].at(-1);
      const two = left >= 2 ? this.#open[double].at(-1) : undefined;
      const mark = two && !(one && one.at > two.at) ? double : one ? single : undefined;
      if (!mark || !this.#wrap(mark)) break;
      left -= mark.length;
    }
    this.#plain = this.#at = end - left;
    if (left > 0 && canOpen) {
      if (left >= 2) this.#at = this.#plain = this.#push(double, double);
      if (this.#at < end) this.#push(single, single);
    } else {
      this.#at = end;
      this.#flush();
    }
    return end;
  }

  /**
   * Wraps all since the last opening mark of a kind.
   *
   * @param {Mark} mark
   * @returns {boolean} whether there was anything to wrap
   */
  #wrap(mark) {
    const opening = /** @type {{ at: number }} */ (this.#open[mark].at(-1));
    const children = this.#taken(opening.at);
    const element = /** @type {Element} */ ({ tag: EMPHASIS[mark], children });
    if (children.length === 0 || depth(element) > DEEPEST) {
      this.#out.push(mark, ...children);
      return false;
    }
    depths.set(element, depth(element));
    this.#out.push(element);
    return true;
  }

  /**
   * Takes out what was put out at and after a place, and gives all but the opening mark there.
   *
   * @param {number} at
   */
  #taken(at) {
    for (const marks of Object.values(this.#open)) {
      while (marks.length > 0 && marks[marks.length - 1].at >= at) marks.pop();
    }
    return this.#out.splice(at).slice(1);
  }

  /** A `]`: the end of a link or an image if an address in parentheses follows. */
  #link() {
    const opening = this.#open["["].at(-1);
    if (!opening) return this.#at;
    const target = this.#target(this.#at + 1);
    if (!target) {
      this.#open["["].pop();
      return this.#at;
    }
    this.#flush();
    const children = this.#taken(opening.at);
    // Nothing is fetched for a model's text: an image is what it was to say in words.
    this.#out.push(...(opening.isImage ? children : this.#linked(children, target.address)));
    // A link holds no link and an image no image, as in CommonMark; a link may hold an image.
    this.#open["["] = this.#open["["].filter(({ isImage }) => opening.isImage && !isImage);
    return target.end;
  }

  /**
   * @param {Tree[]} children
   * @param {string} address
   * @returns {Tree[]}
   */
  #linked(children, address) {
    const href = this.#context.linkTo(address);
    if (href && !children.some(isLink)) return [{ tag: "a", attributes: { href }, children }];
    // A reader may copy an address that is not of the documentation, but sees where it leads.
    const isShown = children.length === 1 && children[0] === address;
    return isShown ? children : [...children, { tag: "span", attributes: { class: "address" }, children: [` (${address})`] }];
  }

  /** @param {string} address @returns {Tree} */
  #address(address) {
    const href = this.#context.linkTo(address);
    return href ? { tag: "a", attributes: { href }, children: [address] } : address;
  }

  #bareAddress() {
    const text = this.#text;
    const at = this.#at;
    if (!text.startsWith("http", at) || WORD.test(text[at - 1] ?? " ")) return at;
    const rest = text.slice(at, at + LONGEST_ADDRESS);
    const address = /^https?:\/\/[^\s<>"'`()[\]*\uE000]+/u.exec(rest)?.[0].replace(/[.,;:!?]+$/u, "");
    return address ? this.#put([this.#address(address)], at + address.length) : at;
  }

  /**
   * The address in `(…)`, with or without a title behind it.
   *
   * @param {number} at
   */
  #target(at) {
    const text = this.#text;
    if (text[at] !== "(") return undefined;
    if (this.#closing !== Infinity && this.#closing < at) this.#closing = indexFrom(text, ")", at);
    let end = this.#closing;
    if (end - at > LONGEST_ADDRESS) return undefined;
    // One pair of parentheses may stand inside.
    if (text.slice(at + 1, end).includes("(")) {
      const more = text.slice(end + 1, at + LONGEST_ADDRESS).indexOf(")");
      if (more === -1) return undefined;
      end += 1 + more;
    }
    const inner = withoutPlaceholders(text.slice(at + 1, end), this.#context.markers).trim();
    const address = /^(\S*)(?:\s+["'(].*)?$/su.exec(inner)?.[1];
    return address === undefined ? undefined : { address: address.replace(/^<(.*)>$/u, "$1"), end: end + 1 };
  }
}

/** @param {Tree} tree */
function isLink(tree) {
  return typeof tree !== "string" && (tree.tag === "a" || ("children" in tree && tree.children.some(isLink)));
}

/** How deep emphasis stands within emphasis. @type {WeakMap<object, number>} */
const depths = new WeakMap();

/** @param {Element} element */
function depth(element) {
  let deepest = 0;
  for (const child of element.children) if (typeof child !== "string") deepest = Math.max(deepest, depths.get(child) ?? 0);
  return deepest + 1;
}

/**
 * @param {string} text
 * @param {string} searched
 * @param {number} from
 */
function indexFrom(text, searched, from) {
  const found = text.indexOf(searched, from);
  return found === -1 ? Infinity : found;
}

/**
 * @param {string} text
 * @param {number} at
 */
function runLength(text, at) {
  let end = at + 1;
  while (text[end] === text[at]) end += 1;
  return end - at;
}

/**
 * Code spans as in CommonMark: a run of backticks up to the next run of the same length.
 *
 * @param {string} text
 * @returns {Map<number, { end: number, text: string }>} by the start of the first run
 */
function codeSpans(text) {
  const runs = [...text.matchAll(/`+/gu)].map((run) => ({ at: run.index, length: run[0].length }));
  /** For each run the index of the next one of its length; found from the end, in one pass. */
  const closing = new Array(runs.length).fill(-1);
  /** @type {Map<number, number>} */
  const later = new Map();
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    closing[index] = later.get(runs[index].length) ?? -1;
    later.set(runs[index].length, index);
  }
  const spans = new Map();
  for (let index = 0; index < runs.length; index += 1) {
    if (closing[index] === -1) continue;
    const { at, length } = runs[index];
    const close = runs[closing[index]];
    const inner = text.slice(at + length, close.at).replaceAll("\n", " ");
    // One space inside each end only sets the backticks off from backticks in the code.
    const isPadded = inner.length > 2 && inner.startsWith(" ") && inner.endsWith(" ") && inner.trim() !== "";
    spans.set(at, { end: close.at + length, text: isPadded ? inner.slice(1, -1) : inner });
    index = closing[index];
  }
  return spans;
}
