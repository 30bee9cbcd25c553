/** `groundling eval`: measures how well a search finds what it should. */

import { UsageError } from "./errors.js";
import { GATES } from "./eval/answers.js";
import { reportCollection } from "./eval/collection-report.js";
import { reportQuestions } from "./eval/questions-report.js";
import { PROVIDER_OPTIONS } from "./provider.js";

/** @typedef {import("./args.js").Option} Option */

/** Options for a test collection. @type {Record<string, Option>} */
const COLLECTION_OPTIONS = {
  corpus: { value: "FILE", help: 'Documents, one a line: {"id", "title", "text"}. Each is indexed whole.' },
  queries: { value: "FILE", help: 'Queries, one a line: {"id", "text"}.' },
  qrels: { value: "FILE", help: "Judgements, one a line: query, document and grade, divided by tabs." },
  lang: { value: "CODE", help: "Language of all documents. Default: told from each." },
  k: { value: "N", help: "Most documents to rank for a query. Default 100.", range: [1, 1000] },
  run: { value: "FILE", help: "Write the rankings as a TREC run; - is standard output." },
};

/** Options for a bundle. @type {Record<string, Option>} */
const BUNDLE_OPTIONS = {
  bundle: { value: "DIR", help: "Folder that `groundling build` wrote, or its .wasm file." },
  questions: { value: "FILE", help: 'Questions, one a line: {"question", "answers", "answerable", "style"}.' },
  threshold: { value: "PERCENT", help: "End with exit code 1 if page@3 of all questions is lower.", range: [0, 100] },
};

/** Options for the answers to the questions. @type {Record<string, Option>} */
const ANSWER_OPTIONS = {
  answers: { help: "Judge the answers too: grounded, borne out by what they cite, citing a page that answers." },
  ...PROVIDER_OPTIONS,
  refuse: { help: "Refuse before the call what the sources hardly cover." },
  ...Object.fromEntries(
    GATES.map(({ option, of }) => [option, { value: "PERCENT", help: `End with exit code 1 if fewer ${of}.`, range: [0, 100] }]),
  ),
};

/** @type {import("./args.js").Command} */
export const command = {
  name: "eval",
  summary: "Measures how well questions find their pages, or queries their documents.",
  usage: "(--bundle DIR --questions FILE | --corpus FILE --queries FILE) [OPTIONS]",
  options: {
    ...BUNDLE_OPTIONS,
    ...ANSWER_OPTIONS,
    ...COLLECTION_OPTIONS,
    json: { help: "Print the result as one JSON object and nothing else." },
  },
  notes: `With --bundle: page@k is the part of the answerable questions with one of their "answers" among
the first k pages found. A page is named by its path or address; fragment, base path and the
endings .md and .html do not matter. A question is refused if \`ask\` gives no grounded answer.

With --answers each question is put to the endpoint, or answered offline without one. The key
is read from the environment variable GROUNDLING_KEY.

With --corpus: nDCG@10, Recall@10, Recall@100 and MRR@10 as trec_eval defines them, as means over
the queries that have a relevant document. With --run - standard output holds the run alone, and
the measures go to standard error.

Exit codes: 0 measured, 1 below --threshold or a --min option, 2 wrong usage or bad input, 3 the
endpoint failed. With --json an error is
a JSON object on standard error: { "error": { "code", "message" } }.`,
  run,
};

/**
 * @param {any} values
 * @param {string[]} positionals
 */
async function run(values, positionals) {
  if (positionals.length > 0) {
    throw new UsageError(`"${positionals[0]}" is not understood: eval takes files by its options, see \`groundling eval --help\``);
  }
  const ofBundle = given(values, { ...BUNDLE_OPTIONS, ...ANSWER_OPTIONS });
  const ofCollection = given(values, COLLECTION_OPTIONS);
  if (ofBundle.length > 0 && ofCollection.length > 0) {
    throw new UsageError(`${ofBundle[0]} and ${ofCollection[0]} do not go together: evaluate a bundle or a corpus`);
  }
  if (ofCollection.length > 0) {
    needs(values, ["corpus", "queries"]);
    return reportCollection(values);
  }
  needs(values, ["bundle", "questions"]);
  const [ofAnswers] = given(values, ANSWER_OPTIONS);
  if (ofAnswers !== undefined && !values.answers) {
    throw new UsageError(`${ofAnswers} is about answers: add --answers, or leave it out`);
  }
  return reportQuestions(values);
}

/**
 * @param {Record<string, unknown>} values
 * @param {Record<string, Option>} options
 */
function given(values, options) {
  return Object.keys(options).filter((name) => values[name] !== undefined).map((name) => `--${name}`);
}

/**
 * @param {Record<string, unknown>} values
 * @param {string[]} names
 */
function needs(values, names) {
  const missing = names.find((name) => !values[name]);
  if (missing === undefined) return;
  const flags = names.map((name) => `--${name}`).join(" and ");
  throw new UsageError(`--${missing} is missing: ${flags} go together, see \`groundling eval --help\``);
}
