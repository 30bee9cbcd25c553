/**
 * The parts that are compiled from Rust. They are loaded only when a command needs them, so that
 * `--help` is quick and works in a clone that is not built yet.
 */

import { readFile } from "node:fs/promises";
import { UsageError } from "./errors.js";

const DIST = new URL("../dist/", import.meta.url);

/**
 * @param {string} name
 * @returns {Promise<Uint8Array>}
 */
export function readDist(name) {
  return explaining(readFile(new URL(name, DIST)));
}

/** The package as others import it, to open bundles. */
export function importEngine() {
  return explaining(import("../dist/load.js"));
}

/** The builder is a WebAssembly file of its own, so that readers of a site do not download it. */
export function importBuilder() {
  return explaining(import("../dist/builder.js"));
}

/**
 * The npm package holds the compiled parts; in a clone they are missing until they are built.
 *
 * @template T
 * @param {Promise<T>} part
 * @returns {Promise<T>}
 */
async function explaining(part) {
  try {
    return await part;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "ENOENT") throw cause;
    throw new UsageError("the compiled engine is missing: run `npm run build` in this clone of groundling", { cause });
  }
}
