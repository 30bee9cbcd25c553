// Runs all tests, one line a suite.
//
//   node scripts/test.mjs [NAME...]    (npm test)
//
// NAME: run only the suites whose name contains it, and the build if one of them needs it.
// The whole output of a suite is kept in .tmp/logs/.

import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { oneCheck, rustCounts, tapCounts } from "./lib/counts.mjs";
import { ROOT, runMain, setUp, wasmEnvironment } from "./lib/environment.mjs";

const LOGS = `${ROOT}.tmp/logs/`;
const TAIL_LINES = 40;
const SUITE_TIMEOUT_MS = 20 * 60 * 1000;
const WASM = ["--target", "wasm32-unknown-unknown"];

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} [needs] a path without which there is nothing to run yet
 * @property {boolean} [needsBuild] whether it reads dist/
 * @property {() => string[]} command
 * @property {() => NodeJS.ProcessEnv} [env] in place of this process's environment
 * @property {(output: string, succeeded: boolean) => import("./lib/counts.mjs").Counts} count
 */

/** @type {Suite[]} */
const SUITES = [
  { name: "format", command: () => ["cargo", "fmt", "--check", "--", "--color=never"], count: oneCheck },
  {
    name: "clippy",
    command: () => ["cargo", "clippy", "--all-targets", "--", "-D", "warnings"],
    count: oneCheck,
  },
  {
    // The private wasm toolchain has no clippy, so the compiler's own warnings must do.
    name: "wasm-check",
    command: () => ["cargo", "check", "--lib", "--no-default-features", ...WASM],
    env: wasmEnvironment,
    count: (output, succeeded) => oneCheck(output, succeeded && !/^warning: `groundling`/m.test(output)),
  },
  { name: "rust", command: () => ["cargo", "test", "--no-fail-fast"], count: rustCounts },
  {
    name: "rust-docs",
    command: () => ["cargo", "doc", "--lib", "--no-deps"],
    env: () => ({ ...process.env, RUSTDOCFLAGS: "-D warnings" }),
    count: oneCheck,
  },
  { ...nodeSuite("scripts", "scripts"), needsBuild: false },
  { name: "build", command: () => ["node", "scripts/build.mjs"], count: oneCheck },
  { name: "size", needsBuild: true, command: () => ["node", "scripts/size.mjs"], count: oneCheck },
  {
    name: "wasm-pack",
    needs: "tests/browser.rs",
    command: () => [
      ...["wasm-pack", "test", "--headless", "--chrome", "--mode", "no-install"],
      ...["--chromedriver", process.env.CHROMEDRIVER, ".", "--test", "browser"],
    ],
    env: () => ({ ...wasmEnvironment(), WASM_BINDGEN_TEST_WEBDRIVER_JSON: webdriverSettings() }),
    count: rustCounts,
  },
  { name: "types", needs: "cli", needsBuild: true, command: () => ["tsc", "-p", "."], count: oneCheck },
  nodeSuite("node", "tests/node"),
  // One file after the other: each starts a browser or a bundler of its own.
  nodeSuite("browser", "tests/browser", "--test-concurrency=1"),
  nodeSuite("package", "tests/package", "--test-concurrency=1"),
];

/** @returns {Suite} the files named *.test.js or *.test.mjs in a folder, at any depth */
function nodeSuite(name, folder, ...options) {
  return {
    name,
    needs: folder,
    needsBuild: true,
    // The files are named one by one because versions of Node differ in what they make of a folder.
    command: () => [
      ...["node", "--test", "--test-reporter=tap", ...options],
      ...readdirSync(ROOT + folder, { recursive: true })
        .filter((file) => /\.test\.m?js$/.test(file) && !file.includes("node_modules"))
        .sort()
        .map((file) => `${folder}/${file}`),
    ],
    count: tapCounts,
  };
}

await runMain(async () => {
  const suites = chosenSuites(process.argv.slice(2));
  setUp("test");
  mkdirSync(LOGS, { recursive: true });
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const suite of suites) {
    const counts = await run(suite);
    for (const kind of Object.keys(total)) total[kind] += counts[kind];
  }
  console.log(`\n${described(total)}`);
  if (total.failed > 0) process.exitCode = 1;
});

function chosenSuites(names) {
  if (names.length === 0) return SUITES;
  const isNamed = (suite) => names.some((name) => suite.name.includes(name));
  const chosen = SUITES.filter(isNamed);
  if (chosen.length === 0) {
    throw new Error(`no suite has that name; there are: ${SUITES.map((suite) => suite.name).join(", ")}`);
  }
  const needsBuild = chosen.some((suite) => suite.needsBuild);
  return SUITES.filter((suite) => isNamed(suite) || (needsBuild && suite.name === "build"));
}

/** Runs a suite, prints its line, and returns its counts. */
async function run(suite) {
  process.stdout.write(suite.name.padEnd(12));
  if (suite.needs && !existsSync(ROOT + suite.needs)) {
    console.log(`nothing to run, for there is no ${suite.needs}`);
    return { passed: 0, failed: 0, skipped: 0 };
  }
  const log = `${LOGS}${suite.name}.log`;
  const start = performance.now();
  const succeeded = await runIntoLog(suite, log);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const output = readFileSync(log, "utf8");

  const counts = suite.count(output, succeeded);
  const ranNothing = counts.passed + counts.failed + counts.skipped === 0;
  // A tool can fail before it counts a test, for example where a test does not compile.
  if (counts.failed === 0 && (!succeeded || ranNothing)) counts.failed = 1;
  console.log(`${described(counts).padEnd(36)}${seconds.padStart(6)} s`);
  for (const skip of counts.skips) console.log(`    skipped: ${skip}`);
  if (counts.failed > 0) {
    for (const name of counts.failures) console.log(`    failed: ${name}`);
    if (ranNothing && succeeded) console.log("    no test ran");
    const tail = output.trimEnd().split("\n").slice(-TAIL_LINES);
    console.log(tail.map((line) => `    ${line}`).join("\n"));
    console.log(`    whole output: ${log}`);
  }
  return counts;
}

/** @returns {Promise<boolean>} whether the suite's command ended with exit code 0 */
async function runIntoLog(suite, log) {
  const [command, ...args] = suite.command();
  const env = { ...(suite.env?.() ?? process.env), CARGO_TERM_COLOR: "never", NO_COLOR: "1" };
  const file = openSync(log, "w");
  try {
    const stdio = /** @type {const} */ (["ignore", file, file]);
    const child = spawn(command, args, { cwd: ROOT, env, stdio, timeout: SUITE_TIMEOUT_MS });
    const [code] = await once(child, "exit");
    return code === 0;
  } finally {
    closeSync(file);
  }
}

/** webdriver.json with the browser that set-up found; chromedriver by itself may find another. */
function webdriverSettings() {
  const settings = JSON.parse(readFileSync(`${ROOT}webdriver.json`, "utf8"));
  settings["goog:chromeOptions"].binary = process.env.CHROMIUM;
  const path = `${LOGS}webdriver.json`;
  writeFileSync(path, JSON.stringify(settings));
  return path;
}

function described({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
