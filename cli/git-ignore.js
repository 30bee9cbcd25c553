/** Which files the `.gitignore` files of a project leave out. */

import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { isSystemError } from "./errors.js";

/** @typedef {import("../dist/builder.js").GitIgnorePatterns} Patterns */

/**
 * The patterns that hold in a folder: of the `.gitignore` files in it, and of those above it up
 * to the top of its repository.
 *
 * Where the folder itself is left out by those above, they do not count: it is the output of a
 * generator, and whoever names it wants it read.
 */
export class GitIgnore {
  #root;
  #prefix;
  #patterns;

  /**
   * @param {string} root
   * @param {string} prefix path of `root` below the top of the repository, with `/` at its end
   * @param {Patterns} patterns
   */
  constructor(root, prefix, patterns) {
    this.#root = root;
    this.#prefix = prefix;
    this.#patterns = patterns;
  }

  /**
   * @param {string} root
   * @param {new () => Patterns} Patterns
   */
  static async above(root, Patterns) {
    const real = await realpath(root);
    const names = await namesBelowRepository(real);
    const top = path.resolve(real, ...names.map(() => ".."));
    const patterns = new Patterns();
    let folder = "";
    for (const name of names) {
      await addFile(patterns, path.join(top, folder), folder);
      folder = folder ? `${folder}/${name}` : name;
      if (patterns.ignores(folder, true)) return new GitIgnore(root, "", new Patterns());
    }
    return new GitIgnore(root, folder && `${folder}/`, patterns);
  }

  /**
   * Reads the patterns of a folder that is entered.
   *
   * @param {string} folder path below the root, empty for the root itself
   */
  async enter(folder) {
    const place = path.join(this.#root, folder);
    await addFile(this.#patterns, place, (this.#prefix + folder).replace(/\/$/u, ""));
  }

  /**
   * @param {string} name path below the root, with `/`
   * @param {boolean} isFolder
   */
  ignores(name, isFolder) {
    return this.#patterns.ignores(this.#prefix + name, isFolder);
  }
}

/**
 * The names of the folders from the top of the repository down to `folder`; none outside of one.
 *
 * @param {string} folder
 */
async function namesBelowRepository(folder) {
  /** @type {string[]} */
  const names = [];
  for (let at = folder; ; at = path.dirname(at)) {
    const isTop = await stat(path.join(at, ".git")).then(
      () => true,
      () => false,
    );
    if (isTop) return names;
    if (path.dirname(at) === at) return [];
    names.unshift(path.basename(at));
  }
}

/**
 * @param {Patterns} patterns
 * @param {string} place
 * @param {string} folder
 */
async function addFile(patterns, place, folder) {
  try {
    patterns.add(folder, await readFile(path.join(place, ".gitignore"), "utf8"));
  } catch (error) {
    // Most folders have none; one that cannot be read leaves nothing out.
    if (!isSystemError(error)) throw error;
  }
}
