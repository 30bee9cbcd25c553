// The table of kinds that have a runner.

import { run as cite } from "./cite.mjs";
import { run as extract } from "./extract.mjs";
import { run as highlight } from "./highlight.mjs";
import { run as page } from "./page.mjs";
import { run as prompt } from "./prompt.mjs";
import { run as render, runResults as render_results } from "./render.mjs";
import { run as search } from "./search.mjs";
import { run as stream } from "./stream.mjs";

/** @type {Record<string, (testCase: import("./read.mjs").Case) => Promise<string[]>>} */
export const RUNNERS = {
  ...{ cite, extract, highlight, prompt, render, render_results, search, stream },
  ...{ deploy: page, ui: page },
};

/**
 * Runs one case. What a runner throws is a difference like others, so that the next case still
 * runs.
 *
 * @param {import("./read.mjs").Case} testCase
 * @returns {Promise<string[]>} what differs; nothing where the case passes
 */
export async function runCase(testCase) {
  const { kind } = testCase.input;
  if (!Object.hasOwn(RUNNERS, kind)) return ["not supported yet"];
  try {
    return await RUNNERS[kind](testCase);
  } catch (error) {
    return [`the runner stopped: ${error instanceof Error ? error.message : error}`];
  }
}
