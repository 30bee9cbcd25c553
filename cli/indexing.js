/** Turning files into the bytes of a bundle, with the builder that is compiled to WebAssembly. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { AnalysisPool } from "./analysis-pool.js";
import { compileBuilder, startBuilder } from "./builder.js";
import { Cache, cacheFolder } from "./cache.js";
import { readDist } from "./dist.js";
import { UsageError, isSystemError, systemMessage } from "./errors.js";
import { CONFIG_NAME, findConfig, findInputs } from "./inputs.js";

/** @typedef {import("../dist/builder.js").SiteBuilder} SiteBuilder */
/** @typedef {{ path: string, line?: number, kind: string, message: string }} BuildWarning */

/** How often Ctrl-C and other threads are listened to, and the progress drawn, while files are read. */
const PAUSE_EVERY_MS = 10;

/** A build that takes longer than this starts other threads; for a shorter one that would take longer. */
const ALONE_MS = 200;

/**
 * @typedef {object} FileReport
 * @property {string} [skipped]
 * @property {{ line?: number, kind: string, message: string }[]} warnings
 */

/**
 * @typedef {object} BuildReport
 * @property {Uint8Array} bundle
 * @property {SiteBuilder["summary"]} summary
 * @property {{ path: string, reason: string }[]} skipped
 * @property {BuildWarning[]} warnings
 * @property {import("../dist/builder.js").Glue} glue the builder that made it
 * @property {string[]} questions that the site suggests
 * @property {number} cached how many files an earlier build had analysed
 */

/**
 * @typedef {object} BuildSettings
 * @property {string} out folder that is written to
 * @property {string} [config] configuration file
 * @property {{ baseUrl?: string, lang?: string }} overrides
 * @property {boolean} gitIgnore whether `.gitignore` files count
 * @property {boolean} cache whether what earlier builds analysed is used and kept
 * @property {number} workers how many threads may help
 * @property {(task: string, done: number, total: number) => void} onProgress
 */

/**
 * @param {string[]} named folders and files; none: those that the configuration names
 * @param {BuildSettings} settings
 * @returns {Promise<BuildReport>}
 */
export async function buildBundle(named, { out, config: configFile, overrides, gitIgnore, cache: isCached, workers, onProgress }) {
  const config = await findConfig(named, configFile);
  const module = await compileBuilder();
  const glue = await startBuilder(module);
  const builder = new glue.SiteBuilder(config.text, overrides);
  const synonyms = readSynonyms(builder, config.file);
  const docs = named.length > 0 ? named : builder.docs.map((entry) => path.join(path.dirname(config.file ?? ""), entry));
  if (docs.length === 0) {
    throw new UsageError(`the documents are missing: name a folder or file before --out, or as "docs" in ${CONFIG_NAME}`);
  }
  const inputs = await findInputs(docs, { out, builder, gitIgnore: gitIgnore ? glue.GitIgnorePatterns : undefined });
  inputs.files = inputs.files.filter(({ file }) => file !== config.file && file !== synonyms);
  /** @type {BuildReport} */
  const report = {
    bundle: new Uint8Array(),
    summary: builder.summary,
    skipped: inputs.skipped,
    warnings: inputs.warnings.map((warning) => ({ ...warning, kind: "content" })),
    questions: builder.questions,
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
  const files = new FileReader(builder, cache, workers, { module, config: config.text, overrides });
  try {
    await files.addAll(inputs, report, (done) => onProgress("Reading file", done, inputs.files.length));
    cache?.commit();
  } finally {
    await files.close();
    cache?.discard();
    process.off("SIGINT", interrupt);
  }
  report.cached = cache?.hits ?? 0;

  onProgress("Writing the index of page", builder.summary.pages, builder.summary.pages);
  // Finishing empties the builder.
  report.summary = builder.summary;
  report.bundle = await embedded(glue, builder.finish());
  return report;
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

/** Reads files, has them analysed here or in other threads, and adds them to a builder. */
class FileReader {
  #builder;
  #cache;
  #workers;
  #setup;
  /** @type {AnalysisPool | undefined} */
  #pool;

  /**
   * @param {SiteBuilder} builder
   * @param {Cache | undefined} cache
   * @param {number} workers how many threads may be started
   * @param {ConstructorParameters<typeof AnalysisPool>[1]} setup
   */
  constructor(builder, cache, workers, setup) {
    this.#builder = builder;
    this.#cache = cache;
    this.#workers = workers;
    this.#setup = setup;
  }

  /**
   * @param {import("./inputs.js").Inputs} inputs
   * @param {BuildReport} report what became of the files is added in their order
   * @param {(done: number) => void} onProgress
   */
  async addAll({ files, named }, { skipped, warnings }, onProgress) {
    const started = performance.now();
    let pause = started;
    /** @type {(FileReport | undefined)[]} */
    const reports = [];
    /** @type {Promise<void>[]} */
    const waiting = [];
    for (const [index, { path: name, file }] of files.entries()) {
      const now = performance.now();
      if (now >= pause) {
        onProgress(index);
        await setImmediate();
        pause = now + PAUSE_EVERY_MS;
        const isLong = now - started > ALONE_MS;
        if (isLong && this.#workers > 0) this.#pool ??= new AnalysisPool(this.#workers, this.#setup);
      }
      const refusal = this.#builder.skips(name);
      if (refusal !== undefined) {
        if (named.has(name)) throw new UsageError(`${file} cannot be indexed: ${refusal}`);
        reports[index] = { skipped: refusal, warnings: [] };
        continue;
      }
      const bytes = readUnlessRefused(file);
      if (typeof bytes === "string") {
        reports[index] = { skipped: bytes, warnings: [{ kind: "unreadable", message: `not indexed: ${bytes}` }] };
        continue;
      }
      const added = this.#add(name, bytes);
      if (added instanceof Promise) waiting.push(added.then((added) => void (reports[index] = added)));
      else reports[index] = added;
    }
    await (this.#pool ? Promise.race([Promise.all(waiting), this.#pool.failure]) : undefined);
    for (const [index, { path: name, file }] of files.entries()) {
      const added = reports[index];
      if (added?.skipped !== undefined) skipped.push({ path: name, reason: added.skipped });
      for (const warning of added?.warnings ?? []) warnings.push({ path: file, ...warning });
    }
  }

  /**
   * @param {string} name
   * @param {Uint8Array} bytes
   * @returns {FileReport | Promise<FileReport>}
   */
  #add(name, bytes) {
    const key = this.#cache?.key(name, bytes);
    const keep = (/** @type {Uint8Array} */ analyzed) => {
      if (key) this.#cache?.keep(key, analyzed);
      return this.#builder.addAnalyzed(name, analyzed);
    };
    const known = key && this.#cache?.get(key);
    if (known) return keep(known);
    return this.#pool?.offer(name, bytes)?.then(keep) ?? keep(this.#builder.analyze(name, bytes));
  }

  close() {
    return this.#pool?.close();
  }
}

/**
 * Gives a builder the synonyms that the configuration names.
 *
 * @param {SiteBuilder} builder
 * @param {string | undefined} config the configuration file
 * @returns {string | undefined} the file that they are in
 */
function readSynonyms(builder, config) {
  const name = builder.synonymsFile;
  if (name === undefined) return undefined;
  const file = path.join(path.dirname(config ?? ""), name);
  const text = readUnlessRefused(file);
  if (typeof text === "string") throw new UsageError(`"synonyms" of ${config}: ${file}: ${text}`);
  try {
    builder.setSynonyms(new TextDecoder().decode(text));
  } catch (error) {
    throw new UsageError(`${file}: ${/** @type {Error} */ (error).message}`);
  }
  return file;
}

/**
 * @param {string} inputs
 * @param {unknown} options all that decides what becomes of a file besides the builder
 */
async function openCache(inputs, options) {
  return new Cache(cacheFolder(), inputs, [await readDist("builder.wasm"), Buffer.from(JSON.stringify(options))]);
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
