// Measures size, opening and query time beside a peer and writes bench/RESULTS.md.
//
//   node bench/run.mjs [DOCS]    (npm run bench); DOCS: the toolchain's HTML, default that of rustc
//
// A bench also checks what it timed and fails if the answers are wrong: bench/README.md tells what.

import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { createGlue } from "../dist/engine.js";
import { ROOT, runMain, setUp } from "../scripts/lib/environment.mjs";
import { brotliSize, gzipSize } from "../scripts/lib/sizes.mjs";
import { building } from "./lib/building.mjs";
import { buildCorpus, buildLessons, docsFolder, pagesOf } from "./lib/corpora.mjs";
import { minisearch } from "./lib/engines.mjs";
import { readIndex } from "./lib/index-file.mjs";
import { keys } from "./lib/keys.mjs";
import { knownItems } from "./lib/known-items.mjs";
import { queries } from "./lib/queries.mjs";
import { judging } from "./lib/judging.mjs";
import { count, kilobytes, milliseconds, percentile, table } from "./lib/report.mjs";
import { stopping } from "./lib/stopping.mjs";

const ROUNDS = 5;
const STOPPED_QUESTIONS = 50;
/** Beyond this many milliseconds a reader would feel that a stopped question goes on. */
const MOST_TO_STOP = 100;
const TYPED = ["ownership rules", "trait objects", "how do I handle errors", "iterators"];
const JUDGED_ANSWERS = 100;
/** Milliseconds that comparing an answer with its sources may take at the median, so that a reader does not feel it. */
const MOST_TO_JUDGE = 5;

await runMain(async () => {
  setUp("test");
  const docs = docsFolder(process.argv[2]);
  const lessons = await buildLessons();
  const book = await buildCorpus("book", docs);
  const mdbooks = await buildCorpus("mdbooks", docs);
  const files = await pagesOf("mdbooks", docs);
  const parts = [];
  for (const part of [
    () => sizes([book, mdbooks]),
    () => building(mdbooks, files, docs),
    () => opening([lessons, book, mdbooks]),
    () => queries(mdbooks),
    () => knownItems([book, mdbooks]),
    () => judges([[lessons, "When does a hash index help?"], [book, "What does ownership mean for the heap?"]]),
    () => typing(book),
    () => stops(lessons),
  ]) {
    parts.push(await part());
    console.log(`${parts.at(-1)}\n`);
  }
  const report = [`# Measurements\n\n${machine()}`, ...parts].join("\n\n");
  writeFileSync(`${ROOT}bench/RESULTS.md`, `${report}\n`);
});

function machine() {
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));
  const peer = JSON.parse(readFileSync(`${ROOT}node_modules/minisearch/package.json`, "utf8"));
  const pagefind = JSON.parse(readFileSync(`${ROOT}node_modules/pagefind/package.json`, "utf8"));
  const [{ model }] = cpus();
  return (
    `Written by \`npm run bench\`; bench/README.md tells how each figure is made.\n` +
    `${model}, ${cpus().length} cores, ${process.platform}; Node ${process.versions.node}; ` +
    `groundling ${version}, MiniSearch ${peer.version}, Pagefind ${pagefind.version}.`
  );
}

function sizes(corpora) {
  const rows = corpora.map(({ name, pages, chunks, index, bundle, buildCpuMs }) => {
    const parts = readIndex(index);
    const peer = minisearch(parts.chunks());
    const [ours, theirs, texts] = [parts.search, peer.index, parts.texts].map((bytes) => ({
      brotli: brotliSize(bytes),
      gzip: gzipSize(bytes),
    }));
    const both = ({ brotli, gzip }) => `${kilobytes(brotli)} / ${kilobytes(gzip)}`;
    return [
      name,
      ...[pages, chunks, parts.postings].map(count),
      both(texts),
      both(ours),
      (ours.brotli / parts.postings).toFixed(3),
      (ours.brotli / texts.brotli).toFixed(3),
      both(theirs),
      (ours.brotli / theirs.brotli).toFixed(2),
      `${kilobytes(brotliSize(bundle))}`,
      `${(buildCpuMs / 1000).toFixed(1)} s / ${(peer.buildCpuMs / 1000).toFixed(1)} s`,
    ];
  });
  const engine = readFileSync(`${ROOT}dist/engine.wasm`);
  const head = [
    ...["corpus", "pages", "sections", "postings", "texts", "index", "bytes a posting", "index / texts"],
    ...["MiniSearch's index", "index / MiniSearch's", "bundle", "build CPU, ours / MiniSearch"],
  ];
  return (
    `## Size\n\nkB after brotli 11 / gzip 9. The index finds; texts, titles and addresses are apart, and the bundle has all\n` +
    `and the engine. MiniSearch's build is given sections, ours reads HTML.\n\n${table(head, rows)}\n\n` +
    `The engine: ${kilobytes(brotliSize(engine))} / ${kilobytes(gzipSize(engine))} kB.`
  );
}

/** Three steps, each the best of the rounds: other processes can only make a time longer. */
async function opening(corpora) {
  const rows = [];
  for (const { name, chunks, bundle } of corpora) {
    const best = { compile: Infinity, instantiate: Infinity, open: Infinity };
    const timed = async (step, run) => {
      const start = performance.now();
      const result = await run();
      best[step] = Math.min(best[step], performance.now() - start);
      return result;
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const module = await timed("compile", () => WebAssembly.compile(bundle));
      const glue = createGlue(WebAssembly, fetch);
      await timed("instantiate", () => glue({ module_or_path: module }));
      const engine = await timed("open", () => new glue.Docs());
      if (engine.info.chunks !== chunks) throw new Error(`${name}: opened ${engine.info.chunks} of ${chunks} sections`);
    }
    rows.push([name, count(chunks), kilobytes(bundle.length), ...Object.values(best).map(milliseconds)]);
  }
  const head = ["corpus", "sections", "bundle, kB raw", "compile, ms", "instantiate, ms", "open, ms"];
  return `## Opening\n\nBest of ${ROUNDS}.\n\n${table(head, rows)}`;
}

async function judges(corpora) {
  const rows = [];
  for (const [{ name, bundle }, question] of corpora) {
    const { words, compared, plain } = await judging(bundle, question, JUDGED_ANSWERS);
    const cost = compared.map((ms, i) => ms - plain[i]);
    const middle = percentile(cost, 0.5);
    if (middle > MOST_TO_JUDGE) throw new Error(`${name}: comparing takes ${middle} ms, expected at most ${MOST_TO_JUDGE}`);
    const times = [compared, plain].map((list) => percentile(list, 0.5));
    rows.push([name, count(words), ...[...times, middle, percentile(cost, 0.95)].map(milliseconds)]);
  }
  const head = ["corpus", "words of the sources", "compared p50, ms", "not compared p50", "difference p50", "difference p95"];
  return (
    `## Comparing an answer with its sources\n\nAn answer of four sentences and five sources, from the call with a function for a model, ${JUDGED_ANSWERS} times in turn with\n` +
    `the comparison and without, in Node. One sentence is invented, so it is compared with all sources.\n\n${table(head, rows)}`
  );
}

/** Results as a reader types, in the page that `build` writes. */
async function typing({ name, bundle }) {
  const times = await keys(bundle, TYPED);
  const row = [count(times.length), ...[0.5, 0.95, 1].map((part) => milliseconds(percentile(times, part)))];
  return (
    `## Typing\n\nFrom a key to the results on the page, in Chromium on ${name}; best of 3 rounds. A frame has 16.7 ms.\n\n` +
    table(["keys", "p50, ms", "p95, ms", "longest, ms"], [row])
  );
}

async function stops({ bundle }) {
  const times = await stopping(bundle, "What is a covering index?", STOPPED_QUESTIONS);
  const rows = Object.entries({ "the call rejects": times.caller, "the server sees it": times.server }).map(([what, list]) => {
    const [best, middle, late] = [Math.min(...list), percentile(list, 0.5), percentile(list, 0.95)];
    if (middle > MOST_TO_STOP) throw new Error(`${what} ${middle} ms after the abort, expected at most ${MOST_TO_STOP}`);
    return [what, ...[best, middle, late].map(milliseconds)];
  });
  return (
    `## Stopping\n\nFrom the abort of a question in the middle of a stream, ${STOPPED_QUESTIONS} times, in Node with the server on the same machine.\n\n` +
    table(["until", "best, ms", "p50, ms", "p95, ms"], rows)
  );
}
