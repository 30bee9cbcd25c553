/** What answers are worth: whether they are grounded, borne out by what they cite, and cite a page that answers. */

import { printLine } from "../terminal.js";
import { isOnPage } from "./page-names.js";

/** @typedef {import("../../dist/load.js").Answer} Answer */

/** How far a sentence is borne out, best first. */
const SUPPORT = /** @type {const} */ (["supported", "weak", "unsupported", "uncited"]);

/** @typedef {Record<typeof SUPPORT[number], number>} SupportCounts */

/**
 * What came of one answer.
 *
 * @typedef {object} Judged
 * @property {boolean} grounded
 * @property {string} [reason] why it is not
 * @property {number} cited how many sources it cites
 * @property {number} right how many of them lie on a page that answers
 * @property {SupportCounts} support its sentences
 */

/**
 * @param {Answer} answer
 * @param {Set<string>} names of the pages that answer
 * @returns {Judged}
 */
export function judged({ grounded, reason, sources, sentences }, names) {
  const support = noSentences();
  for (const sentence of sentences) support[sentence.support] += 1;
  const right = sources.filter((source) => isOnPage(source, names)).length;
  return { grounded, reason, cited: sources.length, right, support };
}

/**
 * @typedef {object} AnswerTotals
 * @property {Share} grounded of the answerable questions
 * @property {Share} refused of the unanswerable questions: no grounded answer
 * @property {Share} precision of the sources that answers to answerable questions cite: on a page that answers
 * @property {Share} supported of the sentences of grounded answers
 * @property {SupportCounts} sentences
 */

/** @typedef {{ part: number, whole: number }} Share */

/**
 * @param {{ answerable: boolean, answer?: Judged }[]} results
 * @returns {AnswerTotals}
 */
export function totals(results) {
  const grounded = { part: 0, whole: 0 };
  const refused = { part: 0, whole: 0 };
  const precision = { part: 0, whole: 0 };
  const sentences = noSentences();
  for (const { answerable, answer } of results) {
    if (!answer) continue;
    const share = answerable ? grounded : refused;
    share.whole += 1;
    share.part += Number(answer.grounded === answerable);
    if (answerable) {
      precision.whole += answer.cited;
      precision.part += answer.right;
    }
    for (const level of SUPPORT) sentences[level] += answer.support[level];
  }
  const whole = SUPPORT.reduce((sum, level) => sum + sentences[level], 0);
  return { grounded, refused, precision, supported: { part: sentences.supported, whole }, sentences };
}

/** The least that a gate asks for, in percent, by the name of its option. */
export const GATES = /** @type {const} */ ([
  { option: "min-grounded", share: "grounded", of: "answerable questions get a grounded answer" },
  { option: "min-refused", share: "refused", of: "unanswerable questions get no grounded answer" },
  { option: "min-precision", share: "precision", of: "cited sources are on a page that answers" },
  { option: "min-supported", share: "supported", of: "sentences are supported" },
]);

/**
 * What lies below its gate, a line each.
 *
 * @param {AnswerTotals} all
 * @param {Record<string, any>} values of the options
 */
export function failures(all, values) {
  const failed = GATES.filter(({ option, share }) => {
    const { part, whole } = all[share];
    // Multiplied out, because a quotient can lie a rounding error below the least that it equals.
    return part * 100 < (values[option] ?? 0) * whole;
  });
  return failed.map(({ option, share, of }) => `--${option} ${values[option]} is missed: ${all[share].part} of ${all[share].whole} ${of}.`);
}

/** @param {AnswerTotals} all */
export function showAnswers({ grounded, precision, sentences }) {
  printLine(`Answered ${grounded.part} of ${grounded.whole} answerable questions with valid citations.`);
  if (precision.whole > 0) printLine(`Cited a page that answers with ${precision.part} of ${precision.whole} sources.`);
  const counts = SUPPORT.map((level) => `${sentences[level]} ${level}`);
  printLine(`Sentences: ${counts.join(", ")}.`);
}

/** @returns {SupportCounts} */
function noSentences() {
  return { supported: 0, weak: 0, unsupported: 0, uncited: 0 };
}
