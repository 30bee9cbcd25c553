/** Writing the folder of a bundle so that it never holds a half-written file. */

import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { UsageError } from "./errors.js";
import { BUNDLE_NAME } from "./bundle.js";

/**
 * Refuses to overwrite files that another program wrote. A folder with a bundle is ours; in any
 * other, none of our names may be taken.
 *
 * @param {string} folder
 * @param {string[]} names paths relative to the folder, with `/`
 * @throws {UsageError}
 */
export async function checkOutputFolder(folder, names) {
  const present = new Set(await entriesOf(folder));
  if (present.has(BUNDLE_NAME)) return;
  const taken = names.find((name) => present.has(name.split("/", 1)[0]));
  if (taken !== undefined) {
    throw new UsageError(
      `${folder} already holds ${taken}, which groundling did not write: give --out a folder of its own`,
    );
  }
}

/** @param {string} folder */
async function entriesOf(folder) {
  try {
    return await readdir(folder);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Writes all files beside their places, then moves each to its place. Files of other names in the
 * folder stay. Ctrl-C removes what was written so far and leaves the old files.
 *
 * @param {string} folder
 * @param {Map<string, Uint8Array>} files by path relative to the folder, with `/`
 */
export async function writeOutputFolder(folder, files) {
  await mkdir(folder, { recursive: true });
  // Hidden, so that neither a build of the same documents nor a server takes it for content.
  const staging = path.join(folder, `.groundling-${randomUUID()}`);
  const interrupt = () => {
    rmSync(staging, { recursive: true, force: true });
    process.exit(130);
  };
  process.once("SIGINT", interrupt);
  try {
    for (const [name, bytes] of files) await writeInto(staging, name, bytes);
    for (const name of files.keys()) {
      const place = path.join(folder, name);
      await mkdir(path.dirname(place), { recursive: true });
      await rename(path.join(staging, name), place);
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
    process.off("SIGINT", interrupt);
  }
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {Uint8Array} bytes
 */
async function writeInto(folder, name, bytes) {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
}
