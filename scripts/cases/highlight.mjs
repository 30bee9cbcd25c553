// Cases of the kind `highlight`: cuts the marked ranges out of the text that a result shows.

import { ANY_CALL, differences, timed } from "./compare.mjs";
import { indexed } from "./search.mjs";

/** @type {import("./compare.mjs").Fields<import("./compare.mjs").Ended<string[]>>} */
const FIELDS = { marked: { read: ({ value }) => value }, ...ANY_CALL };

/**
 * @param {{ input: any, expected: Record<string, any> }} testCase
 * @returns {Promise<string[]>} what differs
 */
export async function run({ input, expected }) {
  const { value: docs, error } = await indexed([input.doc]);
  if (!docs) return [`the build failed: ${error.message}`];
  const marked = await timed(async () => {
    const { hits } = await docs.search(input.query);
    if (hits.length === 0) throw new Error("the query finds nothing");
    const { text, marks } = hits[0].snippet;
    return marks.map(({ start, end }) => text.slice(start, end));
  });
  docs.free();
  return differences(expected, marked, FIELDS);
}
