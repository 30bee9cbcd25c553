/** How the component uses an open bundle; the one place that knows which options the engine takes. */

/** @typedef {import("../load.js").Docs} Docs */
/** @typedef {import("../load.js").AskOptions} AskOptions */
/** @typedef {import("../load.js").Answer} Answer */
/** @typedef {NonNullable<AskOptions["history"]>[number]} HistoryTurn */
/** @typedef {import("../load.js").SearchResults} SearchResults */
/** @typedef {SearchResults["hits"][number]} Hit */
/** @typedef {{ collections?: string[] }} Filter */

/** @typedef {{ title: string, hits: Hit[] }} PageHits */

/**
 * @typedef {object} Found
 * @property {PageHits[]} pages best first
 * @property {number} total hits, also those that are left out
 * @property {string[]} missing words that the documentation does not have
 * @property {string} [didYouMean] the query as it was probably meant
 */

/** More than a window shows at once. Each hit costs the time to make its snippet, at every key. */
const MOST_HITS = 16;
const HITS_PER_PAGE = 3;

/**
 * @param {Docs} docs
 * @param {string} query
 * @param {Filter} filter
 * @returns {Promise<Found>}
 */
export async function findPages(docs, query, filter) {
  const results = await docs.search(query, { limit: MOST_HITS, filter });
  const { didYouMean } = /** @type {{ didYouMean?: string }} */ (results);
  return { pages: byPage(results.hits), total: results.total, missing: results.missing, didYouMean };
}

/** @param {Hit[]} hits @returns {PageHits[]} */
function byPage(hits) {
  /** @type {Map<string, PageHits>} */
  const pages = new Map();
  for (const hit of hits) {
    const page = pages.get(hit.path) ?? { title: hit.pageTitle, hits: [] };
    pages.set(hit.path, page);
    if (page.hits.length < HITS_PER_PAGE) page.hits.push(hit);
  }
  return [...pages.values()];
}

/**
 * What later questions of a thread have to know of one that was asked.
 *
 * @param {string} question
 * @param {Answer | undefined} answer the answer that the reader sees, if there is one
 * @returns {HistoryTurn}
 */
export function historyTurn(question, answer) {
  return { question, answer: answer?.answer ?? "", titles: answer?.sources.map(({ title }) => title) ?? [] };
}

/**
 * What is off in `ask` unless it is set is on here, where a reader waits: neighbours of a passage that the
 * budget has room for, no call where the docs do not have it, and a second try for a reply whose citations
 * do not hold. A sentence that its sources do not bear out is marked, not withdrawn: the comparison goes by
 * words, and now and then takes a right sentence for a wrong one.
 *
 * @param {{ provider: AskOptions["provider"], prompt?: AskOptions["prompt"], lang: string, filter: Filter, history: HistoryTurn[] }} settings
 * @returns {AskOptions}
 */
export function questionOptions({ provider, prompt, lang, filter, history }) {
  const preset = lang.startsWith("ru") ? "cited-ru" : "cited";
  return { provider, prompt: prompt ?? preset, filter, history, neighbours: true, refuse: true, citations: "repair" };
}
