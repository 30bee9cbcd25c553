// The engines that are timed side by side, behind one shape:
// `search(query, isPrefix)` gives the URLs of the ten best sections.

import MiniSearch from "minisearch";
import { load } from "../../dist/load.js";

const LIMIT = 10;

/** Ours, as a page uses it: snippets are made too, which the peer's time does not include. */
export async function groundling(bundle) {
  const docs = await load(bundle);
  return {
    name: "groundling",
    search: async (query, isPrefix) => {
      const { hits } = await docs.search(query, { limit: LIMIT, prefix: isPrefix });
      return hits.map(({ url }) => url.split("#")[0]);
    },
  };
}

/** MiniSearch with its default settings and the title boosted, over the same sections. */
export function minisearch(chunks) {
  const options = { fields: ["title", "headings", "text"], storeFields: [], searchOptions: { boost: { title: 2 } } };
  const start = process.cpuUsage();
  const engine = new MiniSearch(options);
  engine.addAll(chunks);
  const { user, system } = process.cpuUsage(start);
  return {
    name: "minisearch",
    buildCpuMs: (user + system) / 1000,
    index: Buffer.from(JSON.stringify(engine)),
    reopen: (bytes) => MiniSearch.loadJSON(bytes.toString(), options),
    search: async (query, isPrefix) => {
      const found = engine.search(query, isPrefix ? { prefix: true } : undefined);
      return found.slice(0, LIMIT).map(({ id }) => chunks[id].url);
    },
  };
}
