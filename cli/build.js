/** `groundling build`: turns documentation into a bundle and all that a static page needs. */

import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { BUNDLE_NAME } from "./bundle.js";
import { ExitCode, UsageError } from "./errors.js";
import { buildBundle } from "./indexing.js";
import { findConfig, findInputs } from "./inputs.js";
import { checkOutputFolder, writeOutputFolder } from "./output-folder.js";
import { note, plainLine, printJson, printLine } from "./terminal.js";
import { Progress } from "./progress.js";
import { siteFiles } from "./site-files.js";

/**
 * @typedef {object} BuildValues
 * @property {string} out
 * @property {string} [config]
 * @property {string} [base]
 * @property {string} [lang]
 * @property {boolean} [json]
 * @property {boolean} [quiet]
 */

/** More warnings than these, or reasons for leaving files out, are counted and not printed. */
const MOST_LINES = 20;

/** Brotli's quality for the size in the summary; hosts that compress on the fly use about this. */
const BROTLI_QUALITY = 5;

/** Larger bundles are not compressed for the summary, because that would take seconds. */
const MOST_BROTLI_BYTES = 32 * 1024 * 1024;

/** @type {import("./args.js").Command} */
export const command = {
  name: "build",
  summary: "Turns documentation into a bundle: one .wasm file with engine and index.",
  usage: "DOCS... --out DIR [OPTIONS]",
  options: {
    out: { value: "DIR", help: "Folder to write; other files in it are left alone.", required: true },
    config: { value: "FILE", help: "Configuration. Default: groundling.json in DOCS, if DOCS is one folder." },
    base: { value: "URL", help: "Path or address below which the site is served. Default: /." },
    lang: { value: "CODE", help: "Language of pages that name none, such as en." },
    json: { help: "Print the summary as JSON, with every skipped file and warning." },
    quiet: { help: "Print warnings and errors only." },
  },
  notes: `DOCS are folders, or single files such as records.jsonl. With several folders the path of
each page begins with the name of its folder. Hidden folders, node_modules and DIR itself
are not read. A link to a folder or file is followed, but nothing is read twice.

DIR/index.html is a page to search and ask in; it works from any static host.

Exit codes: 0 built, with or without warnings; 2 wrong usage or bad input. With --json an
error is a JSON object on standard error: { "error": { "code", "message" } }.`,
  run,
};

/**
 * @param {BuildValues} values
 * @param {string[]} docs
 */
async function run(values, docs) {
  if (docs.length === 0) throw new UsageError("the documents are missing: name a folder or file before --out");
  const started = performance.now();
  const inputs = await findInputs(docs, values.out);
  const config = await findConfig(docs, values.config);
  inputs.files = inputs.files.filter(({ file }) => file !== config.file);
  const files = await siteFiles();
  await checkOutputFolder(values.out, [...files.keys(), BUNDLE_NAME]);

  const progress = new Progress(!values.quiet && !values.json);
  const overrides = { baseUrl: values.base, lang: values.lang };
  const report = await buildBundle(inputs, { config: config.text, overrides }, (done, total) =>
    progress.show(done, total),
  ).finally(() => progress.clear());
  for (const file of config.ignored) {
    report.warnings.push({ path: file, message: "not used, because several folders are built: give one with --config" });
  }
  files.set(BUNDLE_NAME, report.bundle);
  await writeOutputFolder(values.out, files);

  const size = { bytes: report.bundle.length, brotliBytes: await brotliSize(report.bundle) };
  const { summary, skipped, warnings } = report;
  if (values.json) {
    printJson({ bundle: path.join(values.out, BUNDLE_NAME), ...size, ...summary, skipped, warnings });
    return ExitCode.ok;
  }
  showWarnings(warnings);
  if (!values.quiet) showSummary(values.out, report, size, performance.now() - started);
  return ExitCode.ok;
}

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<number | undefined>}
 */
async function brotliSize(bytes) {
  if (bytes.length > MOST_BROTLI_BYTES) return undefined;
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
  return (await promisify(brotliCompress)(bytes, options)).length;
}

/** @param {import("./indexing.js").BuildReport["warnings"]} warnings */
function showWarnings(warnings) {
  for (const { path: file, line, message } of warnings.slice(0, MOST_LINES)) {
    note(`warning: ${plainLine(file)}${line === undefined ? "" : `:${line}`}: ${plainLine(message)}`);
  }
  if (warnings.length > MOST_LINES) {
    note(`warning: ${warnings.length - MOST_LINES} more warnings; --json lists them all`);
  }
}

/**
 * @param {string} out
 * @param {import("./indexing.js").BuildReport} report
 * @param {{ bytes: number, brotliBytes?: number }} size
 * @param {number} elapsedMs
 */
function showSummary(out, { summary, skipped }, { bytes, brotliBytes }, elapsedMs) {
  const languages = summary.languages.length > 0 ? ` · ${summary.languages.join(", ")}` : "";
  printLine(`${count(summary.pages, "page")} · ${count(summary.chunks, "chunk")} · ${count(summary.words, "word")}${languages}`);
  if (skipped.length > 0) {
    printLine(`${count(skipped.length, "file or folder", "files or folders")} left out:`);
    for (const line of reasons(skipped)) printLine(`  ${line}`);
  }
  const compressed = brotliBytes === undefined ? "" : `, ${kilobytes(brotliBytes)} with brotli ${BROTLI_QUALITY}`;
  printLine(`${path.join(out, BUNDLE_NAME)}: ${kilobytes(bytes)}${compressed} · ${(elapsedMs / 1000).toFixed(1)} s`);
  printLine(`Try it: groundling serve --bundle ${out}`);
}

/**
 * One line a reason, the most frequent first, with the first path as an example.
 *
 * @param {{ path: string, reason: string }[]} skipped
 */
function reasons(skipped) {
  /** @type {Map<string, string[]>} */
  const byReason = new Map();
  for (const { path: name, reason } of skipped) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  }
  const lines = [...byReason]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, [first, ...others]]) => {
      const more = others.length > 0 ? ` and ${others.length} more` : "";
      return plainLine(`${reason}: ${first}${more}`);
    });
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `and ${lines.length - MOST_LINES} more reasons; --json lists them all`];
}

/**
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 */
function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return `${Math.ceil(bytes / 1000).toLocaleString("en")} kB`;
}
