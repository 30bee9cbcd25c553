// Runs failure cases through the product and prints a line a case.
//
//   node scripts/cases.mjs DIR [--theme NAME]    (npm run cases -- DIR [--theme NAME])
//
// DIR: a folder of case files, one JSON object each. A kind without a runner counts as failed.
// Exit codes: 0 all passed, 1 some failed, 2 wrong usage or a file that is no case.

import { parseArgs } from "node:util";
import { UsageError, readCases } from "./cases/read.mjs";
import { closeBrowser } from "./cases/render.mjs";
import { RUNNERS, runCase } from "./cases/run.mjs";

const USAGE = "usage: npm run cases -- DIR [--theme NAME]";

try {
  const { folder, theme } = readArgs(process.argv.slice(2));
  const cases = await readCases(folder, theme);
  let passed = 0;
  for (const testCase of cases) {
    const found = await runCase(testCase);
    if (found.length === 0) passed += 1;
    console.log(line(testCase, found));
  }
  console.log(`${passed} passed, ${cases.length - passed} failed`);
  process.exitCode = passed === cases.length ? 0 : 1;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
} finally {
  await closeBrowser();
}

/** @param {string[]} args */
function readArgs(args) {
  try {
    const { values, positionals } = parseArgs({ args, options: { theme: { type: "string" } }, allowPositionals: true });
    if (positionals.length === 1) return { folder: positionals[0], theme: values.theme };
  } catch (error) {
    throw new UsageError(`${error.message}\n${USAGE}`);
  }
  throw new UsageError(`name one folder of case files\n${USAGE}`);
}

function line({ id, input }, found) {
  if (!Object.hasOwn(RUNNERS, input.kind)) return `FAIL ${id}: not supported yet (${input.kind})`;
  return found.length === 0 ? `ok   ${id}` : `FAIL ${id}: ${found.join("; ").replaceAll("\n", " ")}`;
}
