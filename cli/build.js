/** `groundling build`: turns documentation into a bundle and all that a static page needs. */

import path from "node:path";
import { defaultWorkers } from "./analysis-pool.js";
import { BUNDLE_NAME } from "./bundle.js";
import { BROTLI_QUALITY, bundleParts } from "./bundle-parts.js";
import { ExitCode } from "./errors.js";
import { buildBundle } from "./indexing.js";
import { checkOutputFolder, writeOutputFolder } from "./output-folder.js";
import { count, kilobytes, note, plainLine, printJson, printLine } from "./terminal.js";
import { Progress } from "./progress.js";
import { siteFiles, suggest } from "./site-files.js";

/**
 * @typedef {object} BuildValues
 * @property {string} out
 * @property {string} [config]
 * @property {string} [base]
 * @property {string} [lang]
 * @property {boolean} [strict]
 * @property {boolean} [no-gitignore]
 * @property {boolean} [no-cache]
 * @property {number} [workers]
 * @property {boolean} [json]
 * @property {boolean} [quiet]
 */

/** @typedef {import("./indexing.js").BuildWarning} BuildWarning */

/** More warnings than these, or reasons for leaving files out, are counted and not printed. */
const MOST_LINES = 20;

/** @type {import("./args.js").Command} */
export const command = {
  name: "build",
  summary: "Turns documentation into a bundle: one .wasm file with engine and index.",
  usage: "[DOCS...] --out DIR [OPTIONS]",
  options: {
    out: { value: "DIR", help: "Folder to write; other files in it are left alone.", required: true },
    config: { value: "FILE", help: "Configuration. Default: groundling.json in DOCS, if DOCS is one folder, or in the current one, if there are none." },
    base: { value: "URL", help: "Path or address below which the site is served. Default: /." },
    lang: { value: "CODE", help: "Language of pages that name none, such as en." },
    strict: { help: "Write nothing where there are warnings, and end with exit code 2." },
    "no-gitignore": { help: "Read files that .gitignore leaves out." },
    "no-cache": { help: "Analyse all files anew, and keep nothing for the next build." },
    workers: { value: "N", help: "Threads that help to analyse files. Default: one less than there are processors, at most 3.", range: [0, 64] },
    json: { help: "Print the summary as JSON, with every skipped file and warning." },
    quiet: { help: "Print warnings and errors only." },
  },
  notes: `Without DOCS, those are read that the configuration names. DOCS are folders, single files such as records.jsonl, or a sitemap.xml, which stands for the
pages of its folder that it names. With several folders the path of each page begins with
the name of its folder. Hidden folders, node_modules, DIR itself and what .gitignore leaves
out are not read. A link to a folder or file is followed, but nothing is read twice.

DIR/index.html is a page to search and ask in; it works from any static host.

Exit codes: 0 built, with or without warnings; 2 wrong usage, bad input, or warnings with
--strict. With --json an
error is a JSON object on standard error: { "error": { "code", "message" } }.`,
  run,
};

/**
 * @param {BuildValues} values
 * @param {string[]} docs
 */
async function run(values, docs) {
  const started = performance.now();
  const files = await siteFiles();
  await checkOutputFolder(values.out, [...files.keys(), BUNDLE_NAME]);

  const progress = new Progress(!values.quiet && !values.json);
  const report = await buildBundle(docs, {
    out: values.out,
    config: values.config,
    overrides: { baseUrl: values.base, lang: values.lang },
    gitIgnore: !values["no-gitignore"],
    cache: !values["no-cache"],
    workers: values.workers ?? defaultWorkers(),
    onProgress: (task, done, total) => progress.show(task, done, total),
  }).finally(() => progress.clear());
  const { bundle, summary, skipped, warnings, cached } = report;
  const isRefused = Boolean(values.strict) && warnings.length > 0;
  if (!isRefused) {
    suggest(files, report.questions);
    files.set(BUNDLE_NAME, bundle);
    await writeOutputFolder(values.out, files);
  }
  if (values.json) {
    const parts = await bundleParts(bundle, report.glue);
    printJson({ bundle: isRefused ? null : path.join(values.out, BUNDLE_NAME), ...sizes(parts), ...summary, cached, parts, skipped, warnings });
  } else {
    showWarnings(warnings, isRefused ? "error" : "warning");
    if (!values.quiet) {
      showSummary(report);
      if (!isRefused) {
        showSizes(path.join(values.out, BUNDLE_NAME), await bundleParts(bundle, report.glue), performance.now() - started);
        printLine(`Try it: groundling serve --bundle ${values.out}`);
      }
    }
  }
  if (isRefused) note(`groundling: nothing was written, because --strict makes ${count(warnings.length, "warning")} an error`);
  return isRefused ? ExitCode.usage : ExitCode.ok;
}

/** @param {import("./bundle-parts.js").Part[]} parts */
function sizes(parts) {
  const sum = (/** @type {(number | undefined)[]} */ list) => list.reduce((a, b) => (a === undefined || b === undefined ? undefined : a + b), 0);
  return { bytes: sum(parts.map(({ bytes }) => bytes)), brotliBytes: sum(parts.map(({ brotliBytes }) => brotliBytes)) };
}

/**
 * @param {BuildWarning[]} warnings
 * @param {"warning" | "error"} word
 */
function showWarnings(warnings, word) {
  for (const { path: file, line, message } of warnings.slice(0, MOST_LINES)) {
    note(`${word}: ${plainLine(file)}${line === undefined ? "" : `:${line}`}: ${plainLine(message)}`);
  }
  if (warnings.length <= MOST_LINES) return;
  /** @type {Map<string, number>} */
  const byKind = new Map();
  for (const { kind } of warnings.slice(MOST_LINES)) byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
  const kinds = [...byKind].map(([kind, times]) => `${times} ${kind}`).join(", ");
  note(`${word}: ${warnings.length - MOST_LINES} more (${kinds}); --json lists them all`);
}

/** @param {import("./indexing.js").BuildReport} report */
function showSummary({ summary, skipped, cached }) {
  const languages = summary.languages.length > 0 ? ` · ${summary.languages.join(", ")}` : "";
  const reused = cached > 0 ? ` · ${count(cached, "file")} unchanged` : "";
  printLine(`${count(summary.pages, "page")} · ${count(summary.chunks, "chunk")} · ${count(summary.words, "word")}${languages}${reused}`);
  if (skipped.length > 0) {
    printLine(`${count(skipped.length, "file or folder", "files or folders")} left out:`);
    for (const line of reasons(skipped)) printLine(`  ${line}`);
  }
}

/**
 * @param {string} file
 * @param {import("./bundle-parts.js").Part[]} parts
 * @param {number} elapsedMs
 */
function showSizes(file, parts, elapsedMs) {
  const { bytes, brotliBytes } = sizes(parts);
  const compressed = brotliBytes === undefined ? "" : `, ${kilobytes(brotliBytes)} with brotli ${BROTLI_QUALITY}`;
  printLine(`${file}: ${kilobytes(bytes ?? 0)}${compressed} · ${(elapsedMs / 1000).toFixed(1)} s`);
  for (const part of parts) {
    const small = part.brotliBytes === undefined ? "" : `, ${kilobytes(part.brotliBytes)} with brotli`;
    printLine(`  ${part.name}: ${kilobytes(part.bytes)}${small}`);
  }
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
