// Measures the two ways to store a posting's weight that ARCHITECTURE.md decides between.
//
//   node bench/weights/run.mjs [DOCS]    DOCS: the toolchain's HTML, default that of rustc
//
// Prints a Markdown table. Every size is in bytes after brotli 11 and gzip 9.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { ROOT, runMain } from "../../scripts/lib/environment.mjs";
import { brotliSize, gzipSize } from "../../scripts/lib/sizes.mjs";

const COLUMNS = `${ROOT}.tmp/weights`;

await runMain(() => {
  const args = ["run", "--quiet", "--release", "--example", "weights", "--", COLUMNS, ...process.argv.slice(2)];
  // Nothing is downloaded here, so it is compiled for speed and not, as the engine, for size.
  const env = { ...process.env, CARGO_PROFILE_RELEASE_OPT_LEVEL: "3", CARGO_PROFILE_RELEASE_LTO: "off" };
  const output = execFileSync("cargo", args, { cwd: ROOT, env, encoding: "utf8" });
  const results = output.trim().split("\n").map((line) => JSON.parse(line));
  for (const { corpus, pages, chunks, terms, postings, queries } of results.filter((r) => r.scheme === "term-freqs")) {
    const counts = [pages, chunks, terms, postings, queries].map((count) => count.toLocaleString("en"));
    const names = ["pages", "chunks", "terms", "postings", "queries"];
    console.log(`${corpus}: ${names.map((name, i) => `${counts[i]} ${name}`).join(", ")}`);
  }
  console.log(`
| corpus | stored | column br / gz | beside br / gz | all br | bits a posting, br | overlap@10 | same ten | same first |
|---|---|---|---|---|---|---|---|---|`);
  for (const result of results) console.log(row(result));
});

function row({ corpus, scheme, postings, overlap, sameTen, sameFirst }) {
  const [column, beside] = ["column", "beside"].map((part) => {
    const bytes = readFileSync(`${COLUMNS}/${corpus}.${scheme}.${part}`);
    return { brotli: brotliSize(bytes), gzip: gzipSize(bytes) };
  });
  const all = column.brotli + beside.brotli;
  const sizes = [column, beside].map(({ brotli, gzip }) => `${brotli.toLocaleString("en")} / ${gzip.toLocaleString("en")}`);
  const bits = ((all * 8) / postings).toFixed(2);
  const shares = [overlap, sameTen, sameFirst].map((share) => share.toFixed(3));
  return `| ${[corpus, scheme, ...sizes, all.toLocaleString("en"), bits, ...shares].join(" | ")} |`;
}
