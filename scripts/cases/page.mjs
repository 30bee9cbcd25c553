// Cases of the kinds `ui` and `deploy`: each is a browser test of its own that carries the case's
// id in its name, because steps in words have no general runner.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TESTS = "tests/browser/widget-cases.test.js";

/** A browser that hangs ends the case with a message. */
const TIMEOUT_MS = 120_000;

/**
 * @param {{ id: string }} testCase
 * @returns {Promise<string[]>} what fails
 */
export async function run({ id }) {
  const name = `case ${id}:`;
  const pattern = `^${name.replace(/[^\w ]/gu, "\\$&")}`;
  const output = await outputOf(["--test", "--test-reporter=tap", "--test-name-pattern", pattern, TESTS]);
  const results = output.split("\n").filter((line) => /^(?:not )?ok \d+ - /u.test(line) && line.includes(name) && !line.includes("# SKIP"));
  if (results.length === 0) return [`${TESTS} has no test named after it`];
  const failed = results.filter((line) => line.startsWith("not ok"));
  const reason = /^ *error: (?:\|-\n *)?(.*)$/mu.exec(output)?.[1];
  return failed.length === 0 ? [] : [reason ?? failed.join("; ")];
}

/** @param {string[]} args */
async function outputOf(args) {
  // A test runner that started this one would else take the tests for its own.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd: ROOT, env, timeout: TIMEOUT_MS, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return output;
}
