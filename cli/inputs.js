/** What `groundling build` reads: the folders and files named on the command line. */

import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { UsageError, isSystemError, systemMessage } from "./errors.js";
import { walk } from "./files.js";

/** Name of the configuration file that is looked for in the documentation folder. */
const CONFIG_NAME = "groundling.json";

/**
 * @typedef {object} Inputs
 * @property {import("./files.js").FoundFile[]} files in the order in which they are indexed
 * @property {{ path: string, reason: string }[]} skipped
 * @property {Set<string>} named paths of the files that were named one by one
 */

/**
 * The files below `docs`. Paths are relative to the folder. With several folders each path begins
 * with the name of its folder; that holds whether names clash or not, so that a new file in one
 * folder never changes the addresses of another. A file named by itself keeps its bare name.
 *
 * @param {string[]} docs folders and files
 * @param {string} out folder that is written to; it is not read where it lies in one of `docs`
 * @returns {Promise<Inputs>}
 * @throws {UsageError} where a name does not exist or two inputs would give the same path
 */
export async function findInputs(docs, out) {
  const seen = new Set(await realPathIfAny(out));
  /** @type {Inputs} */
  const inputs = { files: [], skipped: [], named: new Set() };
  const kinds = await Promise.all(docs.map(kindOf));
  const several = kinds.filter((kind) => kind === "folder").length > 1;
  for (const [index, input] of docs.entries()) {
    if (kinds[index] === "file") {
      const name = path.basename(input);
      inputs.named.add(name);
      inputs.files.push({ path: name, file: input });
      continue;
    }
    if (seen.has(await realpath(input))) {
      throw new UsageError(`${input} is named twice, or is the folder of --out: name each folder once`);
    }
    const { files, skipped } = await walk(input, seen);
    const prefix = several ? `${folderName(input)}/` : "";
    inputs.files.push(...files.map((found) => ({ ...found, path: prefix + found.path })));
    inputs.skipped.push(...skipped.map((left) => ({ ...left, path: prefix + left.path })));
  }
  checkDistinct(inputs.files);
  return inputs;
}

/**
 * A folder that is named is not hidden, so its pages must not look like hidden ones.
 *
 * @param {string} folder
 */
function folderName(folder) {
  return path.basename(path.resolve(folder)).replace(/^\.+/u, "");
}

/**
 * The text of the configuration: of the named file, else of `groundling.json` where there is one
 * folder only. With several folders it would not be clear which one counts.
 *
 * @param {string[]} docs
 * @param {string | undefined} named
 * @returns {Promise<{ text?: string, file?: string, ignored: string[] }>} `ignored`: files that
 *   were found and not used
 */
export async function findConfig(docs, named) {
  if (named !== undefined) return { text: await readFile(named, "utf8"), file: named, ignored: [] };
  /** @type {{ text: string, file: string }[]} */
  const found = [];
  let folders = 0;
  for (const input of docs) {
    if ((await kindOf(input)) !== "folder") continue;
    folders += 1;
    const file = path.join(input, CONFIG_NAME);
    try {
      found.push({ text: await readFile(file, "utf8"), file });
    } catch (error) {
      if (!isSystemError(error) || error.code !== "ENOENT") throw error;
    }
  }
  if (folders === 1) return { ...found[0], ignored: [] };
  return { ignored: found.map(({ file }) => file) };
}

/** @param {string} input */
async function kindOf(input) {
  try {
    const entry = await stat(input);
    return entry.isDirectory() ? "folder" : "file";
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UsageError(`the documents cannot be read: ${systemMessage(error)}`, { cause: error });
  }
}

/** @param {string} folder */
async function realPathIfAny(folder) {
  try {
    return [await realpath(folder)];
  } catch {
    return [];
  }
}

/** @param {import("./files.js").FoundFile[]} files */
function checkDistinct(files) {
  /** @type {Map<string, string>} */
  const taken = new Map();
  for (const { path: name, file } of files) {
    const other = taken.get(name);
    if (other !== undefined) {
      throw new UsageError(
        `${other} and ${file} would both be indexed as ${name}: rename one, or name their common folder instead`,
      );
    }
    taken.set(name, file);
  }
}
