// Times queries of several kinds beside peers, all engines in turn.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { ROOT } from "../../scripts/lib/environment.mjs";
import { flexsearch, groundling, minisearch } from "./engines.mjs";
import { readIndex } from "./index-file.mjs";
import { count, percentile, table } from "./report.mjs";

const ROUNDS = 5;
const WORK = `${ROOT}.tmp/bench/queries`;
/** The least part of the queries with a known page that must find it among the ten. */
const LEAST_HIT = { three: 0.95, question: 0.95, prefix: 0.95, typo: 0.9 };

/** @param {{ name: string, index: Uint8Array, bundle: Uint8Array }} corpus */
export async function queries({ name, index, bundle }) {
  const kinds = JSON.parse(readFileSync(`${ROOT}bench/queries.json`, "utf8"));
  const chunks = readIndex(index).chunks();
  const peers = [flexsearch(chunks, "strict"), flexsearch(chunks, "forward"), minisearch(chunks)];
  const engines = [await groundling(bundle, false), await groundling(bundle, true), ...peers];
  const native = tantivy(chunks, kinds);
  const [times, hits] = [[], []];
  for (const [kind, list] of Object.entries(kinds)) {
    const results = await side(engines.filter(({ only }) => only === undefined || only === kind), list, kind === "prefix");
    const [ours] = results;
    if (ours.hit < LEAST_HIT[kind]) throw new Error(`${kind}: hit@10 is ${ours.hit}, expected ${LEAST_HIT[kind]}`);
    if (native[kind] && kind !== "prefix") results.push({ name: "tantivy, native", times: native[kind].map((us) => us / 1000) });
    for (const result of results) {
      const ratio = [0.5, 0.95].map((part) => (percentile(ours.times, part) / percentile(result.times, part)).toFixed(3));
      const microseconds = [0.5, 0.95, 0.99].map((part) => count(Math.round(percentile(result.times, part) * 1000)));
      times.push([kind, result.name, ...microseconds, ...(result === ours ? ["", ""] : ratio)]);
    }
    if (!Number.isNaN(ours.hit)) hits.push([kind, ...engines.map(({ name }) => results.find((result) => result.name === name)?.hit.toFixed(2) ?? "")]);
  }
  return (
    `## Queries\n\nOn ${name}, ten hits each, in Node; ${Object.values(kinds).flat().length} queries. A query's time is its best of ${ROUNDS} rounds with the engines in turn;\n` +
    `percentiles are over the queries. All but "groundling, snippets" give ten ids. A ratio is our time for ids by that of the row.\n\n` +
    `${table(["kind", "engine", "p50, µs", "p95", "p99", "ratio p50", "ratio p95"], times)}\n\n` +
    `The page whose heading a query was made of is among the ten (hit@10):\n\n${table(["kind", ...engines.map(({ name }) => name)], hits)}`
  );
}

/** Times of the native library in microseconds by kind; nothing where its bench was not built (bench/README.md). */
function tantivy(chunks, kinds) {
  const program = process.env.TANTIVY_BENCH;
  if (program === undefined) return {};
  mkdirSync(WORK, { recursive: true });
  writeFileSync(`${WORK}/sections.jsonl`, chunks.map((chunk) => JSON.stringify(chunk)).join("\n"));
  const texts = Object.entries(kinds).map(([kind, list]) => [kind, list.map(({ query }) => query)]);
  writeFileSync(`${WORK}/queries.json`, JSON.stringify(Object.fromEntries(texts)));
  const args = [`${WORK}/sections.jsonl`, `${WORK}/queries.json`, `${ROUNDS}`];
  return JSON.parse(execFileSync(program, args, { encoding: "utf8" }));
}

/** Times the engines in turn, so that what else the machine does meets all alike. */
async function side(engines, list, isPrefix) {
  const results = engines.map(({ name }) => ({ name, times: list.map(() => Infinity), found: 0 }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [number, { query, url }] of list.entries()) {
      for (const [i, engine] of engines.entries()) {
        const start = performance.now();
        const urls = await engine.search(query, isPrefix);
        const time = performance.now() - start;
        results[i].times[number] = Math.min(results[i].times[number], time);
        if (round === 0 && url !== undefined && urls.includes(url)) results[i].found += 1;
      }
    }
  }
  const known = list.filter(({ url }) => url !== undefined).length;
  return results.map(({ found, ...rest }) => ({ ...rest, hit: found / known }));
}
