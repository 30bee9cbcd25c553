/** `groundling eval --corpus`: searches a test collection, scores the rankings and writes the run. */

import { writeFile } from "node:fs/promises";
import { UsageError, ExitCode } from "../errors.js";
import { note, printLine } from "../terminal.js";
import { readDocuments, readQrels, readQueries } from "./collection.js";
import { MEASURES, meanMeasures } from "./measures.js";
import { indexCollection, rank } from "./ranker.js";
import { runLines } from "./run-file.js";

/** Deep enough for the deepest measure. */
const DEFAULT_DEPTH = 100;

/** In place of a file's name: standard output. */
const STANDARD_OUTPUT = "-";

/**
 * @typedef {object} CollectionValues
 * @property {string} corpus
 * @property {string} queries
 * @property {string} [qrels]
 * @property {string} [lang]
 * @property {number} [k]
 * @property {string} [run]
 * @property {boolean} [json]
 */

/**
 * @param {CollectionValues} values
 * @returns {Promise<number>} the exit code
 */
export async function reportCollection({ corpus, queries: queriesFile, qrels: qrelsFile, lang, k = DEFAULT_DEPTH, run, json }) {
  if (qrelsFile === undefined && run === undefined) {
    throw new UsageError("nothing is asked for: add --qrels FILE to score the search, or --run FILE to write its run");
  }
  const documents = await readDocuments(corpus);
  const queries = await readQueries(queriesFile);
  const qrels = qrelsFile === undefined ? undefined : await readQrels(qrelsFile);
  if (qrels && !queries.some(({ id }) => qrels.has(id))) {
    throw new UsageError(`${qrelsFile} judges no query of ${queriesFile}: give the files of one collection`);
  }

  const { docs, left } = await indexCollection(documents, lang);
  if (left.length > 0) note(`${left.length} of ${documents.length} documents have no text and cannot be found: ${someIds(left)}`);
  /** @type {Map<string, string[]>} */
  const rankings = new Map();
  let lines = "";
  try {
    for (const { id, text } of queries) {
      const ranking = await rank(docs, documents, text, k);
      rankings.set(id, ranking.map((ranked) => ranked.id));
      lines += runLines(id, ranking);
    }
  } finally {
    docs.free();
  }

  const isPiped = run === STANDARD_OUTPUT;
  if (isPiped) process.stdout.write(lines);
  else if (run !== undefined) await writeFile(run, lines);
  if (qrels) {
    noteGaps(qrels, documents, rankings);
    showMeans(meanMeasures(rankings, qrels), queries.length, json, isPiped ? note : printLine);
  }
  return ExitCode.ok;
}

/**
 * Judgements that do not fit the other files are most often a mix-up of files.
 *
 * @param {import("./collection.js").Qrels} qrels
 * @param {import("./collection.js").TestDocument[]} documents
 * @param {Map<string, string[]>} rankings
 */
function noteGaps(qrels, documents, rankings) {
  const unasked = [...qrels.keys()].filter((query) => !rankings.has(query));
  if (unasked.length > 0) note(`${unasked.length} judged queries are not among the queries and do not count.`);
  const known = new Set(documents.map(({ id }) => id));
  const judged = new Set([...qrels.values()].flatMap((grades) => [...grades.keys()]));
  const missing = [...judged].filter((id) => !known.has(id));
  if (missing.length > 0) note(`${missing.length} judged documents are not in the corpus; they count as not found.`);
}

/**
 * @param {ReturnType<typeof meanMeasures>} result
 * @param {number} queries how many were asked
 * @param {boolean | undefined} json
 * @param {(line: string) => void} print
 */
function showMeans(result, queries, json, print) {
  if (!result) throw new UsageError("no query has a relevant document: give a qrels file with grades above 0");
  if (json) {
    print(JSON.stringify({ queries, judged: result.judged, ...result.means }, null, 2));
    return;
  }
  const width = Math.max(...MEASURES.map(({ name }) => name.length));
  for (const { name } of MEASURES) print(`${name.padEnd(width)}  ${result.means[name].toFixed(4)}`);
  note(`Means of ${result.judged} judged queries, of ${queries} asked.`);
}

/** @param {import("./collection.js").TestDocument[]} documents */
function someIds(documents) {
  const ids = documents.slice(0, 5).map(({ id }) => id);
  return ids.join(", ") + (documents.length > ids.length ? ", …" : "");
}
