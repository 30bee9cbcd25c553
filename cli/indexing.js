/** Turning files into the bytes of a bundle, with the builder that is compiled to WebAssembly. */

import { readFile } from "node:fs/promises";
import { importBuilder, readDist } from "./dist.js";
import { UsageError, isSystemError, systemMessage } from "./errors.js";

/** @typedef {import("../dist/builder.js").SiteBuilder} SiteBuilder */

/**
 * @typedef {object} BuildReport
 * @property {Uint8Array} bundle
 * @property {SiteBuilder["summary"]} summary
 * @property {{ path: string, reason: string }[]} skipped
 * @property {{ path: string, line?: number, message: string }[]} warnings
 */

/**
 * @param {import("./inputs.js").Inputs} inputs
 * @param {object} settings
 * @param {string} [settings.config] text of the configuration file
 * @param {{ baseUrl?: string, lang?: string }} settings.overrides
 * @param {(done: number, total: number) => void} onProgress
 * @returns {Promise<BuildReport>}
 */
export async function buildBundle(inputs, { config, overrides }, onProgress) {
  const glue = await loadBuilder();
  const builder = new glue.SiteBuilder(config, overrides);
  const skipped = [...inputs.skipped];
  /** @type {BuildReport["warnings"]} */
  const warnings = [];
  for (const [index, { path, file }] of inputs.files.entries()) {
    onProgress(index, inputs.files.length);
    const refusal = builder.skips(path);
    if (refusal !== undefined) {
      if (inputs.named.has(path)) throw new UsageError(`${file} cannot be indexed: ${refusal}`);
      skipped.push({ path, reason: refusal });
      continue;
    }
    const bytes = await readUnlessRefused(file);
    if (typeof bytes === "string") {
      skipped.push({ path, reason: bytes });
      warnings.push({ path: file, message: `not indexed: ${bytes}` });
      continue;
    }
    const added = builder.add(path, bytes);
    if (added.skipped !== undefined) skipped.push({ path, reason: added.skipped });
    for (const warning of added.warnings) warnings.push({ path: file, ...warning });
  }
  // Finishing empties the builder.
  const summary = builder.summary;
  const index = builder.finish();
  return { bundle: await embedded(glue, index), summary, skipped, warnings };
}

/**
 * An index in the smallest prebuilt engine that has the stemmers of its languages. All engines fit the same script.
 *
 * @param {import("../dist/builder.js").Glue} glue
 * @param {Uint8Array} index
 * @returns {Promise<Uint8Array>} the bundle
 */
export async function embedded(glue, index) {
  const engine = await readDist(glue.needsAllLanguages(index) ? "engine-all.wasm" : "engine.wasm");
  return glue.embed(engine, index);
}

/** The builder as WebAssembly, ready to use. */
export async function loadBuilder() {
  const [{ createGlue }, bytes] = await Promise.all([importBuilder(), readDist("builder.wasm")]);
  const glue = createGlue(WebAssembly, fetch);
  await glue({ module_or_path: await WebAssembly.compile(/** @type {BufferSource} */ (bytes)) });
  return glue;
}

/**
 * @param {string} file
 * @returns {Promise<Uint8Array | string>} its bytes, or why it cannot be read
 */
async function readUnlessRefused(file) {
  try {
    return await readFile(file);
  } catch (error) {
    if (isSystemError(error)) return systemMessage(error);
    throw error;
  }
}
