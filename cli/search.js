/** `groundling search`: finds chunks of a bundle. */

import { wordsOf } from "./args.js";
import { openBundle } from "./bundle.js";
import { ExitCode, UsageError } from "./errors.js";
import { bold, note, plain, plainLine, printJson, printLine } from "./terminal.js";

/** @typedef {import("../dist/load.js").SearchResults} SearchResults */

/**
 * @typedef {object} SearchValues
 * @property {string} bundle
 * @property {boolean} [json]
 * @property {number} [limit]
 * @property {string} [collection]
 * @property {string} [lang]
 * @property {boolean} [explain]
 */

/** @type {import("./args.js").Command} */
export const command = {
  name: "search",
  summary: "Finds the passages of a bundle that match a query, best first.",
  usage: '--bundle DIR [OPTIONS] "QUERY"',
  options: {
    bundle: { value: "DIR", help: "Folder that `groundling build` wrote, or its .wasm file.", required: true },
    json: { help: "Print the API's result object and nothing else." },
    limit: { value: "N", help: "Most hits to show. Default 10.", range: [1, 1000] },
    collection: { value: "ID", help: "Search this part of the documentation only." },
    lang: { value: "CODE", help: "Search pages in this language only, such as en." },
    explain: { help: "Show the parts of each hit's score." },
  },
  notes: `Exit codes: 0 found, 1 nothing found, 2 wrong usage or bad input. With --json an error is a
JSON object on standard error: { "error": { "code", "message" } }.`,
  run,
};

/**
 * @param {SearchValues} values
 * @param {string[]} positionals
 */
async function run(values, positionals) {
  const query = wordsOf(positionals, "query");
  const docs = await openBundle(values.bundle);
  try {
    checkFilter(values, docs.info);
    const results = await docs.search(query, {
      limit: values.limit ?? 10,
      explain: values.explain ?? false,
      filter: {
        collections: values.collection === undefined ? [] : [values.collection],
        languages: values.lang === undefined ? [] : [values.lang],
      },
    });
    if (values.json) printJson(results);
    else show(results);
    return results.hits.length > 0 ? ExitCode.ok : ExitCode.nothing;
  } finally {
    docs.free();
  }
}

/**
 * A mistyped filter would look like a search that finds nothing.
 *
 * @param {SearchValues} values
 * @param {import("../dist/load.js").Info} info
 */
function checkFilter({ collection, lang }, info) {
  const ids = info.collections.map(({ id }) => id);
  if (collection !== undefined && !ids.includes(collection)) {
    throw new UsageError(`the bundle has no collection "${collection}": it has ${ids.join(", ") || "none"}`);
  }
  if (lang !== undefined && !info.languages.includes(lang)) {
    throw new UsageError(`the bundle has no pages in "${lang}": it has ${info.languages.join(", ") || "no language"}`);
  }
}

/** @param {SearchResults} results */
function show({ hits, total, missing }) {
  hits.forEach((hit, index) => {
    if (index > 0) printLine();
    const path = [hit.collection?.name, hit.pageTitle, ...hit.headings, hit.title];
    const names = path.filter((name, at) => name && name !== path[at - 1]);
    printLine(bold(plainLine(names.join(" › "))));
    printLine(plainLine(hit.url));
    printLine(marked(hit.snippet));
    if (hit.explanation) explain(hit.score, hit.explanation);
  });
  if (hits.length === 0) note("Nothing was found.");
  else if (total > hits.length) note(`\n${total} passages match; --limit shows more.`);
  if (missing.length > 0) note(`No page has: ${missing.join(", ")}`);
}

/**
 * The parts of a score, one a line. Frequencies stand in the order of title, headings and text.
 *
 * @param {number} score
 * @param {NonNullable<SearchResults["hits"][number]["explanation"]>} explanation
 */
function explain(score, { words, proximity, written, title }) {
  const number = (/** @type {number} */ value) => value.toFixed(3);
  printLine(`  ${number(score)} score${title ? `, before others for its title (${title})` : ""}`);
  for (const word of words) {
    const from = `${word.kind} ${word.term}, in ${word.docFreq} passages; found ${word.frequencies.join("+")} times`;
    const parts = `${number(word.score)} = ${number(word.weight)} × ${number(word.saturation)}`;
    printLine(`  ${plainLine(`${parts} ${word.word} (${from})`)}`);
  }
  if (proximity > 0) printLine(`  ${number(proximity)} words that stand together`);
  if (written > 0) printLine(`  ${number(written)} words that are written as in the query`);
}

/** @param {SearchResults["hits"][number]["snippet"]} snippet */
function marked({ text, marks }) {
  let end = 0;
  let line = "";
  for (const mark of marks) {
    line += plain(text.slice(end, mark.start)) + bold(plain(text.slice(mark.start, mark.end)));
    end = mark.end;
  }
  return (line + plain(text.slice(end))).replace(/\s+/gu, " ").trim();
}
