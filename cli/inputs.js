/** What `groundling build` reads: the folders and files named on the command line. */

import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { UsageError, isSystemError, systemMessage } from "./errors.js";
import { walk } from "./files.js";
import { GitIgnore } from "./git-ignore.js";
import { isSitemapName, selectPages } from "./sitemap.js";

/** Name of the configuration file that is looked for in the documentation folder. */
export const CONFIG_NAME = "groundling.json";

/**
 * @typedef {object} Inputs
 * @property {string} name tells these inputs from others on this machine
 * @property {import("./files.js").FoundFile[]} files in the order in which they are indexed
 * @property {{ path: string, reason: string }[]} skipped
 * @property {{ path: string, message: string }[]} warnings
 * @property {Set<string>} named paths of the files that were named one by one
 */

/**
 * The files below `docs`. Paths are relative to the folder. With several folders each path begins
 * with the name of its folder; that holds whether names clash or not, so that a new file in one
 * folder never changes the addresses of another. A file named by itself keeps its bare name.
 * A sitemap stands for its folder, and leaves out what it does not name.
 *
 * @param {string[]} docs folders, sitemaps and other files
 * @param {object} settings
 * @param {string} settings.out folder that is written to; it is not read where it lies in one of `docs`
 * @param {import("../dist/builder.js").SiteBuilder} settings.builder
 * @param {new () => import("../dist/builder.js").GitIgnorePatterns} [settings.gitIgnore] none: the
 *   files of git are not looked at
 * @returns {Promise<Inputs>}
 * @throws {UsageError} where a name does not exist or two inputs would give the same path
 */
export async function findInputs(docs, { out, builder, gitIgnore }) {
  const seen = new Set(await realPathIfAny(out));
  /** @type {Inputs} */
  const inputs = { name: "", files: [], skipped: [], warnings: [], named: new Set() };
  inputs.name = docs.map((input) => path.resolve(input)).join("\n");
  const kinds = await Promise.all(docs.map(kindOf));
  const several = kinds.filter((kind) => kind !== "file").length > 1;
  for (const [index, input] of docs.entries()) {
    if (kinds[index] === "file") {
      const name = path.basename(input);
      inputs.named.add(name);
      inputs.files.push({ path: name, file: input });
      continue;
    }
    const folder = kinds[index] === "folder" ? input : path.dirname(input);
    if (seen.has(await realpath(folder))) {
      throw new UsageError(`${folder} is named twice, or is the folder of --out: name each folder once`);
    }
    const found = await walk(folder, seen, gitIgnore && (await GitIgnore.above(folder, gitIgnore)));
    if (kinds[index] === "sitemap") {
      inputs.warnings.push(...(await leaveOutUnnamed(input, found, builder)));
    }
    const prefix = several ? `${folderName(folder)}/` : "";
    inputs.files.push(...found.files.map((file) => ({ ...file, path: prefix + file.path })));
    inputs.skipped.push(...found.skipped.map((left) => ({ ...left, path: prefix + left.path })));
  }
  checkDistinct(inputs.files);
  return inputs;
}

/**
 * @param {string} sitemap
 * @param {import("./files.js").Walk} found its folder; what the sitemap does not name is taken out
 * @param {import("../dist/builder.js").SiteBuilder} builder
 */
async function leaveOutUnnamed(sitemap, found, builder) {
  const present = new Set(found.files.map((file) => file.path));
  const { paths, warnings } = await selectPages(sitemap, present, builder);
  const files = found.files;
  found.files = files.filter((file) => paths.has(file.path));
  const left = files.filter((file) => !paths.has(file.path) && builder.skips(file.path) === undefined);
  found.skipped.push(...left.map((file) => ({ path: file.path, reason: "not in the sitemap" })));
  return warnings;
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
 * folder only, or in the current one where none is named. With several folders it would not be
 * clear which one counts.
 *
 * @param {string[]} docs
 * @param {string | undefined} named
 * @returns {Promise<{ text?: string, file?: string, ignored: string[] }>} `ignored`: files that
 *   were found and not used
 */
export async function findConfig(docs, named) {
  if (named === undefined && docs.length === 0) return { ...(await configIn(".")), ignored: [] };
  if (named !== undefined) return { text: await readFile(named, "utf8"), file: named, ignored: [] };
  /** @type {{ text: string, file: string }[]} */
  const found = [];
  let folders = 0;
  for (const input of docs) {
    const kind = await kindOf(input);
    if (kind === "file") continue;
    folders += 1;
    const config = await configIn(kind === "folder" ? input : path.dirname(input));
    if (config) found.push(config);
  }
  if (folders === 1) return { ...found[0], ignored: [] };
  return { ignored: found.map(({ file }) => file) };
}

/** @param {string} folder */
async function configIn(folder) {
  const file = path.join(folder, CONFIG_NAME);
  try {
    return { text: await readFile(file, "utf8"), file };
  } catch (error) {
    if (!isSystemError(error) || error.code !== "ENOENT") throw error;
    return undefined;
  }
}

/** @param {string} input */
async function kindOf(input) {
  try {
    const entry = await stat(input);
    if (entry.isDirectory()) return "folder";
    return isSitemapName(input) ? "sitemap" : "file";
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
