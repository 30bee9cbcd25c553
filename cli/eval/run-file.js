/** A run: the ranked documents of each query, in the format of TREC. */

/** @typedef {{ id: string, score: number }} Ranked */

/** Name of the system, the last column of each line. */
const TAG = "groundling";

/** Digits that tell any two neighbouring 32-bit floating point numbers apart. */
const SCORE_DIGITS = 9;

/**
 * How much lower a tied score is written than the one before, in parts of it. `trec_eval` keeps
 * scores in 32 bits, which tell apart what differs by 2^-23 of it.
 */
const TIE_STEP = 2 ** -20;

/**
 * The lines of one query: `query Q0 document rank score tag`.
 *
 * Readers of runs sort by score and break ties by the document's id, whatever the rank says. So
 * that they see our order, a score that does not fall is written slightly lower than the one before.
 *
 * @param {string} query
 * @param {Ranked[]} ranking best first, scores above 0
 * @returns {string} empty where nothing was found
 */
export function runLines(query, ranking) {
  let previous = Infinity;
  return ranking
    .map(({ id, score }, index) => {
      previous = Math.min(score, previous * (1 - TIE_STEP));
      return `${query} Q0 ${id} ${index + 1} ${previous.toPrecision(SCORE_DIGITS)} ${TAG}\n`;
    })
    .join("");
}
