// Prints the sizes of what a reader downloads, and fails when a file is over its budget in
// size-budget.json (bytes after brotli).
//
//   node scripts/size.mjs [FILE...]    (npm run size); FILE: further files to measure

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ROOT, runMain } from "./lib/environment.mjs";
import { brotliSize, gzipSize, kilobytes } from "./lib/sizes.mjs";

await runMain(() => {
  const budgets = JSON.parse(readFileSync(`${ROOT}scripts/size-budget.json`, "utf8"));
  const files = [
    ...Object.keys(budgets).map((name) => ({ name, path: ROOT + name, budget: budgets[name] })),
    ...process.argv.slice(2).map((name) => ({ name, path: resolve(name), budget: Infinity })),
  ];
  console.log(row("file", ["raw", "gzip", "brotli", "budget"]));
  const over = files.filter(({ name, path, budget }) => {
    const bytes = readFileSync(path);
    const sent = brotliSize(bytes);
    const limit = budget === Infinity ? "" : kilobytes(budget);
    console.log(row(name, [kilobytes(bytes.length), kilobytes(gzipSize(bytes)), kilobytes(sent), limit]));
    return sent > budget;
  });
  if (over.length > 0) {
    throw new Error(`over the budget of scripts/size-budget.json: ${over.map(({ name }) => name).join(", ")}`);
  }
});

function row(name, cells) {
  return (name.padEnd(24) + cells.map((cell) => cell.padStart(12)).join("")).trimEnd();
}
