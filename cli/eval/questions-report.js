/** `groundling eval --bundle`: asks a bundle questions and counts how many find their page. */

import { openBundle } from "../bundle.js";
import { ExitCode } from "../errors.js";
import { providerOf } from "../provider.js";
import { note, plainLine, printJson, printLine } from "../terminal.js";
import { failures, judged, showAnswers, totals } from "./answers.js";
import { isOnPage, pageName } from "./page-names.js";
import { readQuestions } from "./questions.js";

/** @typedef {import("./questions.js").Question} Question */
/** @typedef {import("../../dist/load.js").Docs} Docs */

/**
 * @typedef {import("../provider.js").ProviderValues & OwnValues} QuestionValues
 *
 * @typedef {object} OwnValues
 * @property {string} bundle
 * @property {string} questions
 * @property {number} [threshold]
 * @property {boolean} [answers]
 * @property {boolean} [refuse]
 * @property {boolean} [json]
 */

/**
 * What came of a question.
 *
 * @typedef {object} Result
 * @property {string} question
 * @property {string} style
 * @property {boolean} answerable
 * @property {number | null} rank of the first page that answers it, from 1; none where it is not among
 *   those looked at
 * @property {boolean} refused whether `ask` gave no grounded answer
 * @property {import("./answers.js").Judged} [answer] with `--answers`
 */

/** The ranks of page@1, page@3 and page@10. */
const CUTOFFS = [1, 3, 10];

/** The cutoff that `--threshold` is about: readers look at few results. */
const THRESHOLD_CUTOFF = 3;

/**
 * The sources of a question, but one of each page, and as many pages as are looked at. The first
 * thousand chunks hold ten pages unless a single page is very large.
 */
const PAGES = { top: 1000, perPage: 1, maxSources: Math.max(...CUTOFFS), budgetWords: 0xffff_ffff };

/**
 * @param {QuestionValues} values
 * @returns {Promise<number>} the exit code
 */
export async function reportQuestions(values) {
  const { bundle, questions: file, threshold = 0, answers, json } = values;
  // Support is told, and never a reason to withdraw what is measured.
  const asking = { provider: providerOf(values), refuse: values.refuse ?? false, support: /** @type {const} */ ("report") };
  const questions = await readQuestions(file);
  const docs = await openBundle(bundle);
  /** @type {Result[]} */
  const results = [];
  try {
    for (const question of questions) results.push(await resultOf(docs, question, asking));
    await noteUnknownPages(docs, questions, results);
  } finally {
    docs.free();
  }
  const report = summarized(results);
  const all = answers ? totals(results) : undefined;
  if (json) printJson({ ...report, answers: all, results: answers ? results : results.map(withoutAnswer) });
  else show(report);
  if (all && !json) showAnswers(all);

  const answerable = results.filter((result) => result.answerable);
  const found = foundWithin(answerable, THRESHOLD_CUTOFF);
  // Multiplied out, because a quotient can lie a rounding error below the threshold that it equals.
  const failed = all ? failures(all, values) : [];
  if (found * 100 < threshold * answerable.length) {
    failed.unshift(`page@${THRESHOLD_CUTOFF} is below ${threshold} percent: ${found} of ${answerable.length} questions find their page.`);
  }
  for (const line of failed) note(line);
  return failed.length === 0 ? ExitCode.ok : ExitCode.nothing;
}

/** @param {Result} result */
function withoutAnswer({ answer, ...result }) {
  return result;
}

/**
 * @param {Docs} docs
 * @param {Question} question
 * @param {import("../../dist/load.js").AskOptions} asking
 * @returns {Promise<Result>}
 */
async function resultOf(docs, { question, answers, answerable, style }, asking) {
  const names = new Set(answers.map(pageName));
  const index = (await docs.retrieve(question, PAGES)).findIndex((source) => isOnPage(source, names));
  const answer = judged(await docs.ask(question, asking), names);
  return { question, style, answerable, rank: index === -1 ? null : index + 1, refused: !answer.grounded, answer };
}

/**
 * A page that was renamed looks like a search that fails, so it is told apart. A page named by an
 * address ends with the page's path, whatever the base path is.
 *
 * @param {Docs} docs
 * @param {Question[]} questions
 * @param {Result[]} results in the order of `questions`
 */
async function noteUnknownPages(docs, questions, results) {
  const known = (await docs.pages()).map(pageName);
  for (const [index, { answers, at }] of questions.entries()) {
    if (answers.length === 0 || results[index].rank !== null) continue;
    const names = answers.map(pageName);
    if (names.some((name) => known.some((page) => page === name || name.endsWith(`/${page}`)))) continue;
    note(`${plainLine(at)}: no page of the bundle has the path ${answers.map(plainLine).join(" or ")}`);
  }
}

/** @typedef {{ questions: number, refused: number }} RefusalCounts */

/**
 * @typedef {object} Report
 * @property {Record<string, number>} all of the answerable questions
 * @property {Record<string, string | number>[]} styles as `all`, for one style each
 * @property {{ answerable: RefusalCounts, unanswerable: RefusalCounts }} refusals
 */

/**
 * @param {Result[]} results
 * @returns {Report}
 */
function summarized(results) {
  const answerable = results.filter((result) => result.answerable);
  const styles = [...new Set(answerable.map(({ style }) => style))];
  return {
    all: pageScores(answerable),
    styles: styles.map((style) => ({ style, ...pageScores(answerable.filter((result) => result.style === style)) })),
    refusals: {
      answerable: refusalsOf(answerable),
      unanswerable: refusalsOf(results.filter((result) => !result.answerable)),
    },
  };
}

/** @param {Result[]} results of answerable questions */
function pageScores(results) {
  /** @type {Record<string, number>} */
  const scores = { questions: results.length };
  for (const cutoff of CUTOFFS) {
    // Without questions there is nothing to divide by, and nothing was missed.
    scores[`page@${cutoff}`] = results.length === 0 ? 1 : foundWithin(results, cutoff) / results.length;
  }
  return scores;
}

/**
 * @param {Result[]} results
 * @param {number} cutoff
 */
function foundWithin(results, cutoff) {
  return results.filter(({ rank }) => rank !== null && rank <= cutoff).length;
}

/** @param {Result[]} results */
function refusalsOf(results) {
  return { questions: results.length, refused: results.filter(({ refused }) => refused).length };
}

/** @param {Report} report */
function show({ all, styles, refusals }) {
  if (all.questions > 0) {
    const rows = [...styles, { style: "all", ...all }].map(cellsOf);
    const header = ["", "questions", ...CUTOFFS.map((cutoff) => `page@${cutoff}`)];
    const [width] = [header, ...rows].map(([style]) => style.length).sort((a, b) => b - a);
    for (const [style, ...numbers] of [header, ...rows]) {
      printLine([style.padEnd(width), ...numbers.map((number, index) => number.padStart(header[index + 1].length))].join("  "));
    }
    printLine();
  }
  for (const [kind, { questions, refused }] of Object.entries(refusals)) {
    if (questions > 0) printLine(`Refused ${refused} of ${questions} ${kind} questions.`);
  }
}

/** @param {Record<string, string | number>} scores */
function cellsOf({ style, questions, ...scores }) {
  return [plainLine(String(style)), String(questions), ...Object.values(scores).map((score) => Number(score).toFixed(3))];
}
