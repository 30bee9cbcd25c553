/** How the end of a question is worded for the reader. */

/** @typedef {import("../../dist/load.js").Answer} Answer */

/**
 * @typedef {object} Outcome
 * @property {string} state a word or two beside the time
 * @property {string} notice what to know instead of or about the answer; empty: nothing
 * @property {boolean} showsText whether the text that came is shown
 */

/** @type {Record<string, string>} */
const REASONS = {
  empty: "The model sent an empty reply.",
  "no-citation": "The model's answer named no source, so it is not shown. These are the passages it was given.",
  "unknown-source":
    "The model's answer cited a source that it was never given, so it is not shown. These are the passages it was given.",
};

/**
 * @param {Answer} answer
 * @param {number} found number of passages that were found
 * @returns {Outcome}
 */
export function outcomeOf(answer, found) {
  if (answer.status === "complete") return { state: "Answered", notice: "", showsText: true };
  if (answer.status === "partial") {
    return {
      state: "Cut off",
      notice: "The reply ended too early, so its sources could not be checked. Do not rely on it.",
      showsText: true,
    };
  }
  if (found === 0) {
    return {
      state: "Nothing found",
      notice: "Nothing in the documentation matches this question. Other words may help.",
      showsText: false,
    };
  }
  const notice = REASONS[answer.reason ?? ""];
  if (answer.status === "no_answer" && notice) return { state: "Not shown", notice, showsText: false };
  return {
    state: "Not answered",
    notice: "The documentation does not seem to answer this. These passages come closest.",
    showsText: false,
  };
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
