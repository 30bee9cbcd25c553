/** Searches a test collection with the builder, the engine and the API that a site uses. */

import { loadBuilder } from "../builder.js";
import { importEngine } from "../dist.js";
import { embedded } from "../indexing.js";

/** @typedef {import("../../dist/load.js").Docs} Docs */
/** @typedef {import("./collection.js").TestDocument} TestDocument */

/** Lets `retrieve` leave out none of the chunks that it finds. */
const WHOLE_RANKING = { perPage: 0xffff_ffff, budgetWords: 0xffff_ffff };

/**
 * Indexes a collection in memory. Each document is a record, so it is one chunk whatever its length.
 *
 * A record's address is its position and not the document's id: an id may look like an address with
 * a fragment, and then several documents would be one page.
 *
 * @param {TestDocument[]} documents
 * @param {string} [lang] BCP 47 code of all documents; told from each text unless given
 * @returns {Promise<{ docs: Docs, left: TestDocument[] }>} `left`: documents without a word, which
 *   cannot be found
 */
export async function indexCollection(documents, lang) {
  const glue = await loadBuilder();
  const builder = new glue.SiteBuilder(undefined, { lang });
  const records = documents.map(({ title, text }, position) => JSON.stringify({ id: position, title, text }));
  const { warnings } = builder.add("records.jsonl", new TextEncoder().encode(records.join("\n")));
  const bundle = await embedded(glue, builder.finish());
  builder.free();
  const { load } = await importEngine();
  const left = warnings.flatMap(({ line }) => (line === undefined ? [] : [documents[line - 1]]));
  return { docs: await load(bundle), left };
}

/**
 * @param {Docs} docs
 * @param {TestDocument[]} documents those that `docs` was made of
 * @param {string} text of the query
 * @param {number} limit
 * @returns {Promise<import("./run-file.js").Ranked[]>} best first
 */
export async function rank(docs, documents, text, limit) {
  // The order is that of a search without prefix, but no snippets are cut, which take most of its time.
  const sources = await docs.retrieve(text, { top: limit, ...WHOLE_RANKING });
  return sources.map(({ path, score }) => ({ id: documents[Number(path)].id, score }));
}
