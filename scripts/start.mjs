// Shows groundling at work on this repository's own documentation: builds it, asks one
// question offline, and serves the demo page.
//
//   node scripts/start.mjs [--once] [OPTION...]    (npm start)
//
// --once: end after the question. Other options go to `groundling serve`.

import { execFileSync } from "node:child_process";
import { ROOT, runMain, setUp } from "./lib/environment.mjs";

const DOCUMENTS = ["docs", "tests/fixtures/lessons"];
const CONFIG = "scripts/demo-site.json";
const SITE = "dist/site";
const QUESTION = "What is a covering index?";

await runMain(() => {
  const options = process.argv.slice(2);
  setUp("build");
  node("scripts/build.mjs");
  groundling("build", ...DOCUMENTS, "--config", CONFIG, "--out", SITE);
  console.log(`\n> ${QUESTION}\n`);
  groundling("ask", "--bundle", SITE, QUESTION);
  if (!options.includes("--once")) groundling("serve", "--bundle", SITE, ...options);
});

function groundling(...args) {
  node("cli/groundling.js", ...args);
}

function node(...args) {
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" });
}
