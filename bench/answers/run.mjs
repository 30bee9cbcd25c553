// Asks sites their questions offline: how well the confidence tells what they answer, what is
// refused, and whether the page that an answer cites first is a right one.
//
//   node bench/answers/run.mjs [DOCS QUESTIONS]   writes bench/ANSWERS.md
//   node bench/answers/run.mjs --fit              prints the constants of src/ask/confidence.rs
//
// DOCS: the toolchain's HTML; QUESTIONS: a file of questions about its books.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { ROOT, runMain } from "../../scripts/lib/environment.mjs";
import { table } from "../lib/report.mjs";
import { areaUnderCurve, bootstrapInterval, logisticRegression } from "./statistics.mjs";

const SIGNALS = ["coverage", "mass", "missingName"];

const isAnswerable = ({ kind }) => kind === "plain" || kind === "paraphrase";

await runMain(() => {
  const [first, ...rest] = process.argv.slice(2);
  if (first === "--fit") fit(asked([]).filter(({ set }) => set === "tuning"));
  else writeFileSync(`${ROOT}bench/ANSWERS.md`, report(asked(first === undefined ? [] : [first, ...rest])));
});

function asked(args) {
  const command = ["run", "--quiet", "--example", "answers", "--", ...args];
  const output = execFileSync("cargo", command, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 });
  return output.trim().split("\n").map((line) => JSON.parse(line));
}

function fit(outcomes) {
  const rows = outcomes.map((outcome) => SIGNALS.map((name) => outcome[name]));
  const { intercept, slopes } = logisticRegression(rows, outcomes.map((outcome) => Number(isAnswerable(outcome))));
  console.log(`INTERCEPT ${intercept.toFixed(2)}`);
  for (const [i, name] of SIGNALS.entries()) console.log(`${name} ${slopes[i].toFixed(2)}`);
  const chance = (row) => 1 / (1 + Math.exp(-row.reduce((sum, value, i) => sum + value * slopes[i], intercept)));
  // The highest in hundredths at which each question is answered whose page search finds first.
  const least = Math.min(...rows.filter((_, i) => outcomes[i].foundFirst).map(chance));
  console.log(`COVERED ${(Math.floor(least * 100) / 100).toFixed(2)}`);
}

function report(outcomes) {
  const sets = [...new Set(outcomes.map(({ set }) => set))];
  const own = outcomes.filter(({ set }) => set === "tuning" || set === "frozen");
  const groups = [...sets.map((set) => [set, outcomes.filter((outcome) => outcome.set === set)]), ["tuning + frozen", own]];
  return `# Answers without a model

Written by \`node bench/answers/run.mjs\`; bench/README.md tells what the sets are.

## Does the confidence tell what the site answers?

The area under the ROC curve of the confidence, with the middle 95 % of 2000 bootstrap samples.

${table(["set", "answerable / not", "all", "plain", "paraphrase"], groups.map(areaRow))}

## What is refused at the default threshold

${table(["set", "plain", "paraphrase", "near misses", "off-topic"], groups.map(refusalRow))}

## Does the first citation lead to a page that answers?

A refused question counts as one that does not. Beside it, how often search finds such a page first.

${table(["set", "plain", "search alone", "paraphrase", "search alone"], groups.map(citationRow))}
`;
}

function areaRow([name, outcomes]) {
  const negatives = outcomes.filter((outcome) => !isAnswerable(outcome)).map(({ confidence }) => confidence);
  const cell = (kinds) => {
    const positives = outcomes.filter(({ kind }) => kinds.includes(kind)).map(({ confidence }) => confidence);
    const [low, high] = bootstrapInterval(positives, negatives);
    return `${areaUnderCurve(positives, negatives).toFixed(3)} (${low.toFixed(2)}–${high.toFixed(2)})`;
  };
  const answerable = outcomes.filter(isAnswerable).length;
  return [name, `${answerable} / ${negatives.length}`, cell(["plain", "paraphrase"]), cell(["plain"]), cell(["paraphrase"])];
}

function refusalRow([name, outcomes]) {
  const cell = (kind) => share(outcomes.filter((outcome) => outcome.kind === kind), "refused");
  return [name, ...["plain", "paraphrase", "near", "off-topic"].map(cell)];
}

function citationRow([name, outcomes]) {
  const cells = (kind) => {
    const asked = outcomes.filter((outcome) => outcome.kind === kind);
    return [share(asked, "citesFirst"), share(asked, "foundFirst")];
  };
  return [name, ...cells("plain"), ...cells("paraphrase")];
}

function share(outcomes, field) {
  return outcomes.length === 0 ? "" : `${outcomes.filter((outcome) => outcome[field]).length} of ${outcomes.length}`;
}
