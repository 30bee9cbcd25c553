/** `groundling inspect`: shows what is in a bundle. */

import { readFile } from "node:fs/promises";
import { loadBuilder } from "./builder.js";
import { bundleFile } from "./bundle.js";
import { bundleParts } from "./bundle-parts.js";
import { ExitCode, UsageError } from "./errors.js";
import { bold, count, kilobytes, note, plain, plainLine, printJson, printLine } from "./terminal.js";

/** Chunks that are listed for a word unless `--json` asks for all. */
const MOST_POSTINGS = 20;

/** Enough for every chunk of an index. */
const ALL_POSTINGS = 0xffffffff;

/** @typedef {import("../dist/builder.js").Inspector} Inspector */
/** @typedef {{ json?: boolean, page?: string, term?: string, verify?: boolean, pages?: boolean }} InspectValues */

/** @type {import("./args.js").Command} */
export const command = {
  name: "inspect",
  summary: "Shows what is in a bundle: its parts, a page, a word.",
  usage: "BUNDLE [OPTIONS]",
  options: {
    pages: { help: "List the paths of all pages." },
    page: { value: "PATH", help: "Show one page as the index holds it, by its path or address." },
    term: { value: "WORD", help: "Show the terms of a word and the passages that have them." },
    verify: { help: "Check the checksums of the whole index." },
    json: { help: "Print the result as JSON." },
  },
  notes: `BUNDLE is the folder that \`groundling build\` wrote, or its .wasm file. Give at most one of
--pages, --page, --term and --verify.

Exit codes: 0 shown, or whole; 1 no such page or word; 2 wrong usage or bad input, or damaged.`,
  run,
};

/**
 * @param {InspectValues} values
 * @param {string[]} positionals
 */
async function run(values, positionals) {
  if (positionals.length !== 1) throw new UsageError("inspect takes one bundle: the folder that `groundling build` wrote, or its .wasm file");
  const asked = ["pages", "page", "term", "verify"].filter((name) => values[/** @type {keyof InspectValues} */ (name)] !== undefined);
  if (asked.length > 1) throw new UsageError(`--${asked[0]} and --${asked[1]} do not go together`);
  const file = await bundleFile(positionals[0]);
  const bundle = await readFile(file);
  const glue = await loadBuilder();
  const inspector = new glue.Inspector(bundle);
  try {
    if (values.verify) return verify(inspector, file, Boolean(values.json));
    if (values.pages) return listPages(inspector, Boolean(values.json));
    if (values.page !== undefined) return showPage(inspector, values.page, Boolean(values.json));
    if (values.term !== undefined) return showTerm(inspector, values.term, Boolean(values.json));
    return showFacts(inspector.facts, await bundleParts(bundle, glue), file, Boolean(values.json));
  } finally {
    inspector.free();
  }
}

/**
 * @param {Inspector["facts"]} facts
 * @param {import("./bundle-parts.js").Part[]} parts
 * @param {string} file
 * @param {boolean} json
 */
function showFacts(facts, parts, file, json) {
  const sections = facts.sections.map(({ name, start, end }) => ({ name, bytes: end - start }));
  if (json) {
    printJson({ bundle: file, ...facts, sections, parts });
    return ExitCode.ok;
  }
  printLine(`${file}: ${facts.builtBy}, format ${facts.formatVersion}, analyzer ${facts.analyzer}`);
  printLine(
    `${count(facts.pages, "page")} · ${count(facts.chunks, "chunk")} · ${count(facts.terms, "term")} · ${count(facts.postings, "posting")} · ${facts.languages.join(", ")}`,
  );
  for (const { id, name } of facts.collections) printLine(`collection ${plainLine(id)}: ${plainLine(name)}`);
  printLine();
  for (const { name, bytes, brotliBytes } of parts) {
    printLine(row(name, bytes) + (brotliBytes === undefined ? "" : ` ${kilobytes(brotliBytes).padStart(12)} with brotli`));
  }
  printLine();
  for (const { name, bytes } of sections) printLine(row(name, bytes));
  return ExitCode.ok;
}

/**
 * @param {string} name
 * @param {number} bytes
 */
function row(name, bytes) {
  return `${name.padEnd(18)}${bytes.toLocaleString("en").padStart(14)} bytes`;
}

/**
 * @param {Inspector} inspector
 * @param {string} file
 * @param {boolean} json
 */
function verify(inspector, file, json) {
  inspector.verify();
  if (json) printJson({ bundle: file, whole: true });
  else printLine(`${file}: all checksums are right`);
  return ExitCode.ok;
}

/**
 * @param {Inspector} inspector
 * @param {boolean} json
 */
function listPages(inspector, json) {
  const paths = inspector.paths();
  if (json) printJson(paths);
  else for (const path of paths) printLine(plainLine(path));
  return ExitCode.ok;
}

/**
 * @param {Inspector} inspector
 * @param {string} name
 * @param {boolean} json
 */
function showPage(inspector, name, json) {
  const page = inspector.page(name);
  if (page === undefined) {
    note(`The bundle has no page ${name}; --pages lists those that it has.`);
    return ExitCode.nothing;
  }
  if (json) {
    printJson(page);
    return ExitCode.ok;
  }
  printLine(bold(plainLine(page.title)));
  const facts = [page.path, page.url, page.lang, page.collection, ...page.tags].filter(Boolean);
  printLine(plainLine(facts.join(" · ")));
  for (const chunk of page.chunks) {
    printLine();
    printLine(`${bold(plainLine(chunk.title))} · ${count(chunk.words, "word")}`);
    printLine(plainLine(chunk.url));
    printLine(plain(chunk.text));
  }
  return ExitCode.ok;
}

/**
 * @param {Inspector} inspector
 * @param {string} word
 * @param {boolean} json
 */
function showTerm(inspector, word, json) {
  const terms = inspector.word(word, json ? ALL_POSTINGS : MOST_POSTINGS);
  const isFound = terms.some(({ chunks }) => chunks > 0);
  if (json) {
    printJson(terms);
    return isFound ? ExitCode.ok : ExitCode.nothing;
  }
  if (terms.length === 0) note(`"${word}" holds no word.`);
  for (const { term, chunks, postings, neighbours } of terms) {
    printLine(`${bold(plainLine(term))}: in ${count(chunks, "chunk")}`);
    if (neighbours.length > 0) printLine(`  terms that begin alike: ${plainLine(neighbours.join(", "))}`);
    for (const { url, title, inTitle, inHeadings, inText } of postings) {
      const times = [
        [inTitle, "title"],
        [inHeadings, "headings"],
        [inText, "text"],
      ];
      const where = times.filter(([number]) => Number(number) > 0).map(([number, place]) => `${number}× ${place}`);
      printLine(plainLine(`  ${title} · ${where.join(", ")} · ${url}`).padStart(2));
    }
    if (chunks > postings.length) printLine(`  and ${chunks - postings.length} more; --json lists them all`);
  }
  return isFound ? ExitCode.ok : ExitCode.nothing;
}
