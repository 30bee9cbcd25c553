/** Reading files with one entry a line; what is wrong with an entry is told with file and line. */

import { readFile } from "node:fs/promises";
import { UsageError } from "../errors.js";

/**
 * @typedef {object} Line
 * @property {string} text not blank
 * @property {string} at file and number of the line, such as `queries.jsonl:3`
 */

/**
 * @param {string} file
 * @returns {Promise<Line[]>} at least one; blank lines are passed over
 * @throws {UsageError} where the file is not UTF-8 or has no lines
 */
export async function readLines(file) {
  const lines = decode(await readNamed(file), file)
    .split(/\r?\n/u)
    .map((text, index) => ({ text, at: `${file}:${index + 1}` }))
    .filter(({ text }) => text.trim() !== "");
  if (lines.length === 0) throw new UsageError(`${file} is empty: give a file with one entry a line`);
  return lines;
}

/**
 * @param {string} file with one JSON object a line
 * @param {string} example of such a line, for the message about one that is none
 * @returns {Promise<{ fields: Record<string, unknown>, at: string }[]>}
 * @throws {UsageError}
 */
export async function readObjects(file, example) {
  return (await readLines(file)).map(({ text, at }) => {
    const value = parsed(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { fields: value, at };
    throw new UsageError(`${at} is not a JSON object: write one a line, such as ${example}`);
  });
}

/**
 * An id as it may stand in a run: the format of TREC divides its columns by white space, so an id
 * that holds some would shift them.
 *
 * @param {unknown} value text, or a whole number
 * @param {string} at
 */
export function idOf(value, at) {
  const id = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof id === "string" && /^\S+$/u.test(id)) return id;
  throw new UsageError(`${at}: an "id" must be text without white space, because white space divides the columns of a run`);
}

/**
 * Refuses the second entry with an id.
 *
 * @param {Set<string>} seen
 * @param {string} id
 * @param {string} at
 */
export function takeOnce(seen, id, at) {
  if (seen.has(id)) throw new UsageError(`${at}: "${id}" is there a second time: remove one of the two`);
  seen.add(id);
}

/** @param {string} file */
async function readNamed(file) {
  try {
    return await readFile(file);
  } catch (error) {
    // Node leaves the path out where the file is a folder.
    throw Object.assign(/** @type {Error} */ (error), { path: file });
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {string} file
 */
function decode(bytes, file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new UsageError(`${file} is not in UTF-8: save it in that encoding`, { cause });
  }
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
