/** How the end of a question is worded for the reader. */

/** @typedef {import("../../load.js").Answer} Answer */
/** @typedef {Parameters<import("../messages.js").Messages["text"]>[0]} Key */

/**
 * @typedef {object} Outcome
 * @property {Key} [state] a word or two; none where there is nothing to warn of
 * @property {Key} [text] what to know about the answer or instead of it
 * @property {boolean} showsText whether the text that came is shown
 * @property {boolean} [showsNearest] whether pages are offered in place of an answer
 */

/** By `reason`: why a reply is not shown, or why there is none. @type {Record<string, Outcome>} */
const NOT_GROUNDED = {
  nothing_found: { state: "not-found", text: "not-found-text", showsText: false, showsNearest: true },
  not_in_sources: { state: "not-found", text: "not-answered-text", showsText: false, showsNearest: true },
  empty: { state: "withdrawn", text: "withdrawn-empty", showsText: false, showsNearest: true },
  no_citation: { state: "withdrawn", text: "withdrawn-no-citation", showsText: false, showsNearest: true },
  unknown_source: { state: "withdrawn", text: "withdrawn-unknown-source", showsText: false, showsNearest: true },
  model_refused: { state: "refused", text: "refused-text", showsText: true },
  unchecked: { showsText: true },
  unsupported: { state: "withdrawn", text: "withdrawn-support", showsText: false, showsNearest: true },
};

/**
 * @param {Answer} answer
 * @returns {Outcome}
 */
export function outcomeOf(answer) {
  if (answer.grounded) return { showsText: true };
  if (answer.status === "partial") return { state: "partial", text: "partial-text", showsText: true };
  return NOT_GROUNDED[answer.reason ?? ""] ?? NOT_GROUNDED.not_in_sources;
}

/** The reader stopped it; that is no failure. @type {Outcome} */
export const STOPPED = { state: "stopped", text: "stopped-text", showsText: true };
