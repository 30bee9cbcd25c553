/**
 * The lines of an answer, cleaned, with a placeholder for each citation marker. The engine says
 * where the markers are, in units of the raw text; with placeholders the parser needs no offsets.
 */

import { clean } from "./clean.js";

/** @typedef {{ n: number, start: number, end: number }} Citation UTF-16 range of a marker, and its source */

/**
 * @typedef {object} Marker
 * @property {number[]} numbers the sources that it cites
 * @property {number} start UTF-16 unit in the answer
 * @property {number} end
 * @property {string} raw as the model wrote it
 */

/** @typedef {{ text: string, start: number }} Line `start`: UTF-16 unit of the raw text */

/** Begins a placeholder; cleaning takes it out of everything that a model writes. */
export const PLACEHOLDER = "\uE000";

/** The second unit of a placeholder is this plus the marker's index. */
const FIRST_INDEX = 0xe001;

/** As many as fit into the private use area behind {@link FIRST_INDEX}; further ones stay text. */
const MOST_MARKERS = 6000;

/**
 * Citations of one range are one marker, as in `[1, 2]`.
 *
 * @param {string} text
 * @param {Citation[]} citations ascending by `start`
 * @returns {Marker[]}
 */
export function markersOf(text, citations) {
  /** @type {Marker[]} */
  const markers = [];
  for (const { n, start, end } of citations) {
    const last = markers.at(-1);
    if (last?.start === start) last.numbers.push(n);
    else if (markers.length < MOST_MARKERS) markers.push({ numbers: [n], start, end, raw: clean(text.slice(start, end)) });
  }
  return markers;
}

/**
 * @param {string} text
 * @param {number} from first unit that is read
 * @param {Marker[]} markers
 * @returns {Line[]}
 */
export function linesOf(text, from, markers) {
  /** @type {Line[]} */
  const lines = [];
  let next = markers.findIndex(({ start }) => start >= from);
  if (next === -1) next = markers.length;
  let read = from;
  for (let start = from; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    let line = "";
    read = Math.max(read, start);
    for (; next < markers.length && markers[next].start < end; next += 1) {
      const marker = markers[next];
      if (marker.start < read) continue;
      line += clean(text.slice(read, marker.start)) + PLACEHOLDER + String.fromCharCode(FIRST_INDEX + next);
      read = marker.end;
    }
    line += clean(text.slice(read, Math.max(read, end)));
    lines.push({ text: line.replace(/^[ \t]+/u, (indent) => indent.replaceAll("\t", "    ")), start });
    start = end + 1;
  }
  return lines;
}

/**
 * The marker whose placeholder begins at a unit of a line.
 *
 * @param {string} line
 * @param {number} at
 * @param {Marker[]} markers
 * @returns {Marker | undefined}
 */
export function markerAt(line, at, markers) {
  return markers[line.charCodeAt(at + 1) - FIRST_INDEX];
}

/**
 * A text in which markers are shown as they were written, as in code.
 *
 * @param {string} text
 * @param {Marker[]} markers
 */
export function withoutPlaceholders(text, markers) {
  return text.replace(/\uE000(.)/gsu, (_, index) => markers[index.charCodeAt(0) - FIRST_INDEX]?.raw ?? "");
}
