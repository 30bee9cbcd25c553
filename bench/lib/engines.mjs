// The engines that are timed side by side, behind one shape:
// `search(query, isPrefix)` gives the URLs of the ten best sections.

import { Document } from "flexsearch";
import MiniSearch from "minisearch";
import { load } from "../../dist/load.js";

const LIMIT = 10;

/** Ours, with snippets as a page uses it, or without. */
export async function groundling(bundle, snippets) {
  const docs = await load(bundle);
  return {
    name: snippets ? "groundling, snippets" : "groundling",
    search: async (query, isPrefix) => {
      const { hits } = await docs.search(query, { limit: LIMIT, prefix: isPrefix, snippets });
      return hits.map(({ url }) => url.split("#")[0]);
    },
  };
}

/** FlexSearch over the same sections: `strict` finds whole words, `forward` what begins with them and serves for typing. */
export function flexsearch(chunks, tokenize) {
  const fields = ["title", "headings", "text"];
  const engine = new Document({ tokenize, document: { id: "id", index: fields, store: false } });
  for (const chunk of chunks) engine.add(chunk);
  return {
    name: tokenize === "forward" ? "flexsearch, forward" : "flexsearch",
    only: tokenize === "forward" ? "prefix" : undefined,
    search: async (query) => {
      const found = engine.search(query, { limit: LIMIT, suggest: true }).flatMap(({ result }) => result);
      return [...new Set(found)].slice(0, LIMIT).map((id) => chunks[id].url);
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
