/**
 * Measures of a ranking, as `trec_eval` defines them (https://github.com/usnistgov/trec_eval).
 *
 * A ranking is a list of document ids, best first and each once. A document that was not judged
 * counts as not relevant, and so does a grade of 0 or below.
 */

/** @typedef {Map<string, number>} Grades by document */

/** @typedef {typeof MEASURES[number]["name"]} Measure */

/** The measures that are printed, in this order. */
export const MEASURES = /** @type {const} */ ([
  { name: "nDCG@10", of: ndcg, cutoff: 10 },
  { name: "Recall@10", of: recall, cutoff: 10 },
  { name: "Recall@100", of: recall, cutoff: 100 },
  { name: "MRR@10", of: reciprocalRank, cutoff: 10 },
]);

/**
 * Normalized discounted cumulative gain: the gain of a document is its grade, divided by
 * log2(rank + 1) (Järvelin and Kekäläinen 2002, with `trec_eval`'s discount). It is compared to the best
 * order of all judged documents, found or not.
 *
 * @param {string[]} ranking
 * @param {Grades} grades at least one above 0
 * @param {number} cutoff ranks that count
 * @returns {number} from 0 to 1
 */
export function ndcg(ranking, grades, cutoff) {
  const gains = ranking.map((id) => gainOf(grades.get(id)));
  const ideal = [...grades.values()].map(gainOf).sort((a, b) => b - a);
  return discountedGain(gains, cutoff) / discountedGain(ideal, cutoff);
}

/**
 * The part of the relevant documents that is among the first.
 *
 * @param {string[]} ranking
 * @param {Grades} grades at least one above 0
 * @param {number} cutoff ranks that count
 * @returns {number} from 0 to 1
 */
export function recall(ranking, grades, cutoff) {
  const found = ranking.slice(0, cutoff).filter((id) => isRelevant(grades.get(id)));
  return found.length / [...grades.values()].filter(isRelevant).length;
}

/**
 * One divided by the rank of the first relevant document; 0 where it is not among the first.
 *
 * @param {string[]} ranking
 * @param {Grades} grades
 * @param {number} cutoff ranks that count
 * @returns {number} from 0 to 1
 */
export function reciprocalRank(ranking, grades, cutoff) {
  const index = ranking.slice(0, cutoff).findIndex((id) => isRelevant(grades.get(id)));
  return index === -1 ? 0 : 1 / (index + 1);
}

/**
 * The means over the queries that have a relevant document. A query that found nothing counts with
 * zeros, as with `trec_eval -c`; else leaving a query unanswered would raise the mean.
 *
 * @param {Map<string, string[]>} rankings by query
 * @param {Map<string, Grades>} qrels by query
 * @returns {{ judged: number, means: Record<Measure, number> } | undefined} `judged`: how many queries
 *   the means are of; nothing where that is none
 */
export function meanMeasures(rankings, qrels) {
  let judged = 0;
  /** @type {Record<Measure, number>} */
  const means = { "nDCG@10": 0, "Recall@10": 0, "Recall@100": 0, "MRR@10": 0 };
  for (const [query, ranking] of rankings) {
    const grades = qrels.get(query);
    if (!grades || ![...grades.values()].some(isRelevant)) continue;
    judged += 1;
    for (const { name, of, cutoff } of MEASURES) means[name] += of(ranking, grades, cutoff);
  }
  if (judged === 0) return undefined;
  for (const { name } of MEASURES) means[name] /= judged;
  return { judged, means };
}

/** @param {number} [grade] */
function gainOf(grade = 0) {
  return Math.max(grade, 0);
}

/** @param {number} [grade] */
function isRelevant(grade = 0) {
  return grade > 0;
}

/**
 * @param {number[]} gains in the order of the ranks
 * @param {number} cutoff
 */
function discountedGain(gains, cutoff) {
  return gains.slice(0, cutoff).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}
