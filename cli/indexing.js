/** Turning files into the bytes of a bundle, with the builder that is compiled to WebAssembly. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { Cache, cacheFolder } from "./cache.js";
import { importBuilder, readDist } from "./dist.js";
import { UsageError, isSystemError, systemMessage } from "./errors.js";
import { CONFIG_NAME, findConfig, findInputs } from "./inputs.js";

/** @typedef {import("../dist/builder.js").SiteBuilder} SiteBuilder */
/** @typedef {{ path: string, line?: number, kind: string, message: string }} BuildWarning */

/** How often Ctrl-C is listened for, and the progress drawn, while files are read. */
const PAUSE_EVERY_MS = 50;

/**
 * @typedef {object} BuildReport
 * @property {Uint8Array} bundle
 * @property {SiteBuilder["summary"]} summary
 * @property {{ path: string, reason: string }[]} skipped
 * @property {BuildWarning[]} warnings
 * @property {import("../dist/builder.js").Glue} glue the builder that made it
 * @property {number} cached how many files an earlier build had analysed
 */

/**
 * @typedef {object} BuildSettings
 * @property {string} out folder that is written to
 * @property {string} [config] configuration file
 * @property {{ baseUrl?: string, lang?: string }} overrides
 * @property {boolean} gitIgnore whether `.gitignore` files count
 * @property {boolean} cache whether what earlier builds analysed is used and kept
 * @property {(task: string, done: number, total: number) => void} onProgress
 */

/**
 * @param {string[]} named folders and files; none: those that the configuration names
 * @param {BuildSettings} settings
 * @returns {Promise<BuildReport>}
 */
export async function buildBundle(named, { out, config: configFile, overrides, gitIgnore, cache: isCached, onProgress }) {
  const config = await findConfig(named, configFile);
  const glue = await loadBuilder();
  const builder = new glue.SiteBuilder(config.text, overrides);
  const docs = named.length > 0 ? named : builder.docs.map((entry) => path.join(path.dirname(config.file ?? ""), entry));
  if (docs.length === 0) {
    throw new UsageError(`the documents are missing: name a folder or file before --out, or as "docs" in ${CONFIG_NAME}`);
  }
  const inputs = await findInputs(docs, { out, builder, gitIgnore: gitIgnore ? glue.GitIgnorePatterns : undefined });
  inputs.files = inputs.files.filter(({ file }) => file !== config.file);
  /** @type {BuildReport} */
  const report = {
    bundle: new Uint8Array(),
    summary: builder.summary,
    skipped: inputs.skipped,
    warnings: inputs.warnings.map((warning) => ({ ...warning, kind: "content" })),
    cached: 0,
    glue,
  };
  for (const file of config.ignored) {
    const message = "not used, because several folders are built: give one with --config";
    report.warnings.push({ path: file, kind: "content", message });
  }

  const cache = isCached ? await openCache(inputs.name, [config.text ?? null, overrides]) : undefined;
  const interrupt = () => {
    cache?.discard();
    process.exit(130);
  };
  process.once("SIGINT", interrupt);
  try {
    await addFiles(inputs, builder, report, cache, (done) => onProgress("Reading file", done, inputs.files.length));
    cache?.commit();
  } finally {
    cache?.discard();
    process.off("SIGINT", interrupt);
  }
  report.cached = cache?.hits ?? 0;

  onProgress("Writing the index of page", builder.summary.pages, builder.summary.pages);
  // Finishing empties the builder.
  report.summary = builder.summary;
  report.bundle = glue.embed(await readDist("engine.wasm"), builder.finish());
  return report;
}

/**
 * @param {import("./inputs.js").Inputs} inputs
 * @param {SiteBuilder} builder
 * @param {BuildReport} report
 * @param {Cache | undefined} cache
 * @param {(done: number) => void} onProgress
 */
async function addFiles({ files, named }, builder, { skipped, warnings }, cache, onProgress) {
  let pause = 0;
  for (const [index, { path: name, file }] of files.entries()) {
    onProgress(index);
    const refusal = builder.skips(name);
    if (refusal !== undefined) {
      if (named.has(name)) throw new UsageError(`${file} cannot be indexed: ${refusal}`);
      skipped.push({ path: name, reason: refusal });
      continue;
    }
    if (performance.now() >= pause) {
      await setImmediate();
      pause = performance.now() + PAUSE_EVERY_MS;
    }
    const bytes = readUnlessRefused(file);
    if (typeof bytes === "string") {
      skipped.push({ path: name, reason: bytes });
      warnings.push({ path: file, kind: "unreadable", message: `not indexed: ${bytes}` });
      continue;
    }
    const added = cache ? addThrough(cache, builder, name, bytes) : builder.add(name, bytes);
    if (added.skipped !== undefined) skipped.push({ path: name, reason: added.skipped });
    for (const warning of added.warnings) warnings.push({ path: file, ...warning });
  }
}

/**
 * @param {Cache} cache
 * @param {SiteBuilder} builder
 * @param {string} name
 * @param {Uint8Array} bytes
 */
function addThrough(cache, builder, name, bytes) {
  const key = cache.key(name, bytes);
  const analyzed = cache.get(key) ?? builder.analyze(name, bytes);
  cache.keep(key, analyzed);
  return builder.addAnalyzed(name, analyzed);
}

/**
 * @param {string} inputs
 * @param {unknown} options all that decides what becomes of a file besides the builder
 */
async function openCache(inputs, options) {
  return new Cache(cacheFolder(), inputs, [await readDist("builder.wasm"), Buffer.from(JSON.stringify(options))]);
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
 * @returns {Uint8Array | string} its bytes, or why it cannot be read
 */
function readUnlessRefused(file) {
  try {
    // Ten times less work for Node than a promise for each of many small files.
    return readFileSync(file);
  } catch (error) {
    if (isSystemError(error)) return systemMessage(error);
    throw error;
  }
}
