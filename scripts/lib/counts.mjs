// Reads from a test tool's output how many tests passed, failed and were skipped.

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} failures the names of failed tests, as far as the output tells them
 * @property {string[]} skips one line for each skipped test: its name and the reason
 */

/**
 * The lines that `cargo test` and wasm-bindgen's test runner print at the end of each binary,
 * added up. A test that finds only while it runs that it lacks something prints
 * `skipped: NAME: REASON` on a line of its own and returns; the runner takes it for passed.
 *
 * @param {string} output
 * @returns {Counts}
 */
export function rustCounts(output) {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [], skips: [] };
  for (const [, passed, failed, ignored] of output.matchAll(
    /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm,
  )) {
    counts.passed += Number(passed);
    counts.failed += Number(failed);
    counts.skipped += Number(ignored);
  }
  for (const [, name] of output.matchAll(/^test (.+) \.\.\. FAIL(?:ED)?$/gm)) counts.failures.push(name);
  for (const [, name, reason] of output.matchAll(/^test (.+) \.\.\. ignored(?:, (.*))?$/gm)) {
    counts.skips.push(`${name}: ${reason ?? "no reason given"}`);
  }
  for (const [, skip] of output.matchAll(/^skipped: (\w+: .+)$/gm)) {
    counts.passed -= 1;
    counts.skipped += 1;
    counts.skips.push(skip);
  }
  return counts;
}

/**
 * The summary and the skipped points of `node --test --test-reporter=tap`.
 *
 * @param {string} output
 * @returns {Counts}
 */
export function tapCounts(output) {
  // What a test prints becomes a comment too, so only the last of each kind is the summary's.
  const last = (word) => Number([...output.matchAll(new RegExp(`^# ${word} (\\d+)$`, "gm"))].at(-1)?.[1] ?? 0);
  const failures = [...output.matchAll(/^\s*not ok \d+ - (.+)$/gm)].map(([, name]) => name);
  const skips = [...output.matchAll(/^\s*ok \d+ - (.+) # SKIP ?(.*)$/gm)].map(
    ([, name, reason]) => `${name}: ${reason || "no reason given"}`,
  );
  return {
    passed: last("pass"),
    // A test left to do is one that does not pass yet.
    failed: last("fail") + last("cancelled") + last("todo"),
    skipped: last("skipped"),
    failures,
    skips,
  };
}

/** For a command that is one check: it passed or it failed. */
export function oneCheck(_output, succeeded) {
  return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0, failures: [], skips: [] };
}
