/** Opening a bundle that `groundling build` wrote. */

import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { importEngine } from "./dist.js";
import { UsageError, isSystemError, systemMessage } from "./errors.js";

/** Name of the bundle in the folder that `build` writes. */
export const BUNDLE_NAME = "docs.wasm";

/**
 * The bundle's file, for a folder or the file itself.
 *
 * @param {string} folderOrFile
 * @returns {Promise<string>}
 * @throws {UsageError}
 */
export async function bundleFile(folderOrFile) {
  const advice = "give the folder or the .wasm file that `groundling build` wrote";
  try {
    const isFolder = (await stat(folderOrFile)).isDirectory();
    const file = isFolder ? path.join(folderOrFile, BUNDLE_NAME) : folderOrFile;
    if (isFolder) await stat(file);
    return file;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UsageError(`there is no bundle at ${systemMessage(error)}; ${advice}`, { cause: error });
  }
}

/**
 * @param {string} folderOrFile
 * @returns {Promise<import("../dist/load.js").Docs>}
 */
export async function openBundle(folderOrFile) {
  const [{ load }, bytes] = await Promise.all([
    importEngine(),
    bundleFile(folderOrFile).then((file) => readFile(file)),
  ]);
  return load(bytes);
}
