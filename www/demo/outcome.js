/** How the end of a question is worded for the reader. */

/** @typedef {import("../../dist/load.js").Answer} Answer */

/**
 * @typedef {object} Outcome
 * @property {string} state a word or two beside the time
 * @property {string} notice what to know instead of or about the answer; empty: nothing
 * @property {boolean} showsText whether the text that came is shown
 */

/** By `reason`: why a reply is not shown, or why there is none. @type {Record<string, Outcome>} */
const NOT_GROUNDED = {
  nothing_found: {
    state: "Nothing found",
    notice: "Nothing in the documentation matches this question. Other words may help.",
    showsText: false,
  },
  not_in_sources: {
    state: "Not answered",
    notice: "The documentation does not seem to answer this. These passages come closest.",
    showsText: false,
  },
  empty: {
    state: "Not answered",
    notice: "The model sent an empty reply. These are the passages it was given.",
    showsText: false,
  },
  no_citation: {
    state: "Taken back",
    notice: "The model's answer named no source, so it is not shown. These are the passages it was given.",
    showsText: false,
  },
  unknown_source: {
    state: "Taken back",
    notice: "The model's answer cited a source that it was never given, so it is not shown. These are the passages it was given.",
    showsText: false,
  },
  model_refused: {
    state: "Declined",
    notice: "The model declined to answer. What it said instead is not from the documentation.",
    showsText: true,
  },
};

/**
 * @param {Answer} answer
 * @returns {Outcome}
 */
export function outcomeOf(answer) {
  if (answer.grounded) return { state: "Answered", notice: "", showsText: true };
  if (answer.status === "partial") {
    return {
      state: "Cut off",
      notice: "The reply ended too early, so its sources could not be checked. Do not rely on it.",
      showsText: true,
    };
  }
  return NOT_GROUNDED[answer.reason ?? ""] ?? NOT_GROUNDED.not_in_sources;
}

/** @type {Outcome} */
export const STOPPED = {
  state: "Stopped",
  notice: "You stopped the answer. What had come by then was not checked against its sources.",
  showsText: true,
};

/**
 * @param {unknown} error
 * @returns {Outcome}
 */
export function outcomeOfError(error) {
  const { message, code } = /** @type {{ message?: string, code?: string }} */ (error ?? {});
  return {
    state: "Failed",
    notice: `No answer came: ${message ?? String(error)}${code ? ` (${code})` : ""}`,
    showsText: false,
  };
}
