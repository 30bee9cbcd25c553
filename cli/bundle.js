/** Opening a bundle that `groundling build` wrote. */

import { readFile, stat } from "node:fs/promises";
import path from "node:path";
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

/** Loaded only when a command needs it, so that `--help` is quick and works without a build. */
async function importEngine() {
  try {
    return await import("../dist/load.js");
  } catch (cause) {
    throw notBuilt(cause);
  }
}

/**
 * In a clone the compiled parts are missing until they are built; the npm package holds them.
 *
 * @param {unknown} cause
 */
export function notBuilt(cause) {
  if (!(cause instanceof Error && "code" in cause)) return cause;
  if (cause.code !== "ERR_MODULE_NOT_FOUND" && cause.code !== "ENOENT") return cause;
  return new UsageError("the compiled engine is missing: run `npm run build` in this clone of groundling", { cause });
}
