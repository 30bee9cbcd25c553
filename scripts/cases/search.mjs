// Cases of the kind `search`: indexes records and compares the order of what each query finds.

import { ANY_CALL, differences, listed, shown, timed } from "./compare.mjs";
import { build } from "./product.mjs";

/** More hits than any case has records. */
const ALL = 1000;

/** The ids of the records found, best first. @typedef {import("./compare.mjs").Ended<string[]>} Found */

/** @type {import("./compare.mjs").Fields<Found>} */
const FIELDS = {
  first: { read: ({ value }) => value?.[0] },
  includes: { read: ({ value }) => value ?? [], check: includesEach },
  excludes: { read: ({ value }) => value ?? [], check: excludesEach },
  ...ANY_CALL,
};

/**
 * @param {{ input: any, expected: Record<string, any> }} testCase
 * @returns {Promise<string[]>} what differs
 */
export async function run({ input, expected }) {
  const { queries = [], ...rest } = expected;
  const built = await indexed(input.docs);
  const found = differences(rest, built, ANY_CALL);
  const { value: docs, error } = built;
  if (!docs) return [`the build failed: ${error.message}`, ...found];
  for (const { q, q_built: name, ...wanted } of queries) {
    const query = name === undefined ? q : builtQuery(input.queries_built?.[name]);
    const actual = await timed(() => search(docs, query));
    if (actual.error && wanted.no_error === undefined) found.push(`${shown(query)} failed: ${actual.error.message}`);
    found.push(...differences(wanted, actual, FIELDS).map((difference) => `${shown(name ?? q)}: ${difference}`));
  }
  docs.free();
  return found;
}

/**
 * @param {Record<string, unknown>[]} records
 * @returns {ReturnType<typeof build>}
 */
export function indexed(records) {
  return build([recordFile(records)]);
}

/** The records as a file of a site. @param {Record<string, unknown>[]} records */
export function recordFile(records) {
  return { path: "records.jsonl", text: records.map((record) => `${JSON.stringify(record)}\n`).join("") };
}

/** @param {{ repeat: string, times: number, then?: string }} recipe */
function builtQuery({ repeat, times, then = "" }) {
  return repeat.repeat(times) + then;
}

/**
 * @param {import("../../dist/load.js").Docs} docs
 * @param {string} query
 */
async function search(docs, query) {
  const { hits } = await docs.search(query, { limit: ALL });
  return [...new Set(hits.map(({ path }) => path))];
}

function includesEach(wanted, ids) {
  return listed(wanted).filter((id) => !ids.includes(id)).map((id) => `${shown(id)} is not among ${shown(ids)}`);
}

function excludesEach(wanted, ids) {
  return listed(wanted).filter((id) => ids.includes(id)).map((id) => `${shown(id)} is among ${shown(ids)}`);
}
