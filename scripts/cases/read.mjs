// Reads case files.

import { readFile, readdir } from "node:fs/promises";
import path from "node:path";

/** Wrong usage, or input that cannot be used. The message says what is wrong. */
export class UsageError extends Error {}

/**
 * @typedef {object} Case
 * @property {string} id
 * @property {string} theme
 * @property {{ kind: string } & Record<string, any>} input
 * @property {Record<string, any>} expected
 */

/**
 * The cases of a folder in the order of their file names.
 *
 * @param {string} folder
 * @param {string} [theme] only those of this theme
 * @returns {Promise<Case[]>}
 * @throws {UsageError} where there is nothing to run, or a file is no case
 */
export async function readCases(folder, theme) {
  const names = await caseFiles(folder);
  if (names.length === 0) throw new UsageError(`there is no case file (*.json) in ${folder}`);
  const cases = await Promise.all(names.map((name) => readCase(path.join(folder, name))));
  const chosen = theme === undefined ? cases : cases.filter((testCase) => testCase.theme === theme);
  if (chosen.length === 0) {
    const themes = [...new Set(cases.map((testCase) => testCase.theme))].sort();
    throw new UsageError(`no case has the theme ${theme}; there are: ${themes.join(", ")}`);
  }
  return chosen;
}

/** @param {string} folder */
async function caseFiles(folder) {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(".json")).sort();
  } catch (error) {
    throw new UsageError(`the folder of cases cannot be read: ${error.message}`);
  }
}

/** @param {string} file */
async function readCase(file) {
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  }
  const problem = problemOf(value);
  if (problem) throw new UsageError(`${file} is no case: ${problem}`);
  return /** @type {Case} */ (value);
}

/** @param {any} value */
function problemOf(value) {
  if (!isObject(value)) return "it must be an object";
  for (const name of ["id", "theme"]) {
    if (typeof value[name] !== "string" || value[name] === "") return `\`${name}\` must be a text`;
  }
  if (!isObject(value.input) || typeof value.input.kind !== "string") return "`input.kind` must be a text";
  if (!isObject(value.expected)) return "`expected` must be an object";
  if (Object.keys(value.expected).length === 0) return "`expected` is empty, so it could not fail";
  return undefined;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
