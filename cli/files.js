/** The files below a documentation folder, in an order that does not depend on the machine. */

import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { isSystemError, systemMessage } from "./errors.js";

/** Why a file is left out that a project does not keep. */
export const GIT_IGNORED = "left out by .gitignore";

/**
 * @typedef {object} FoundFile
 * @property {string} path relative to the folder, with `/` on every platform
 * @property {string} file where to read it
 */

/**
 * @typedef {object} Walk
 * @property {FoundFile[]} files sorted by `path`, by code unit
 * @property {{ path: string, reason: string }[]} skipped what could not be read or was not entered
 */

/**
 * Lists all files below a folder. Hidden folders and `node_modules` are not entered, because they
 * hold no documentation and may hold very many files.
 *
 * Every real file and folder is listed once, under its own name where that is below the folder,
 * else under the first link that leads to it. So links can neither loop nor double a page.
 *
 * @param {string} root
 * @param {Set<string>} seen real paths that are taken already; the ones listed are added
 * @param {import("./git-ignore.js").GitIgnore} [gitIgnore] what is left out; none: nothing
 * @returns {Promise<Walk>}
 */
export async function walk(root, seen, gitIgnore) {
  /** @type {Walk} */
  const found = { files: [], skipped: [] };
  /** @type {FoundFile[]} */
  const links = [];
  const state = { found, links, seen, gitIgnore };
  await enter({ path: "", file: root }, await realpath(root), state);
  // A link may lead to a folder with further links, which join the end of this list.
  for (const link of links) await follow(link, state);
  found.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return found;
}

/**
 * @typedef {object} State
 * @property {Walk} found
 * @property {FoundFile[]} links
 * @property {Set<string>} seen
 * @property {import("./git-ignore.js").GitIgnore} [gitIgnore]
 */

/**
 * @param {FoundFile} folder
 * @param {string} real the folder's real path
 * @param {State} state
 */
async function enter(folder, real, state) {
  if (state.seen.has(real)) return;
  state.seen.add(real);
  const entries = await readdir(folder.file, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (entries.some(({ name }) => name === ".gitignore")) await state.gitIgnore?.enter(folder.path);
  for (const entry of entries) {
    const child = {
      path: folder.path ? `${folder.path}/${entry.name}` : entry.name,
      file: path.join(folder.file, entry.name),
    };
    const realChild = path.join(real, entry.name);
    if (entry.isSymbolicLink()) {
      state.links.push(child);
    } else if (entry.isDirectory()) {
      await reportingFailure(child, state, () => enterUnlessLeftOut(child, realChild, state));
    } else if (entry.isFile()) {
      list(child, realChild, state);
    }
  }
}

/**
 * @param {FoundFile} link
 * @param {State} state
 */
async function follow(link, state) {
  await reportingFailure(link, state, async () => {
    const real = await realpath(link.file);
    const target = await stat(real);
    if (target.isDirectory()) await enterUnlessLeftOut(link, real, state);
    else if (target.isFile()) list(link, real, state);
  });
}

/**
 * @param {FoundFile} folder
 * @param {string} real
 * @param {State} state
 */
async function enterUnlessLeftOut(folder, real, state) {
  const name = path.basename(folder.path);
  if (name.startsWith(".")) state.found.skipped.push({ path: folder.path, reason: "hidden folder" });
  else if (name === "node_modules") state.found.skipped.push({ path: folder.path, reason: "folder of a tool" });
  else if (state.gitIgnore?.ignores(folder.path, true)) state.found.skipped.push({ path: folder.path, reason: GIT_IGNORED });
  else await enter(folder, real, state);
}

/**
 * @param {FoundFile} file
 * @param {string} real
 * @param {State} state
 */
function list(file, real, { found, seen, gitIgnore }) {
  if (seen.has(real)) return;
  seen.add(real);
  if (gitIgnore?.ignores(file.path, false)) found.skipped.push({ path: file.path, reason: GIT_IGNORED });
  else found.files.push(file);
}

/**
 * What cannot be read, such as a link to nowhere, does not stop the build.
 *
 * @param {FoundFile} entry
 * @param {State} state
 * @param {() => Promise<void>} read
 */
async function reportingFailure(entry, state, read) {
  try {
    await read();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    state.found.skipped.push({ path: entry.path, reason: systemMessage(error) });
  }
}
