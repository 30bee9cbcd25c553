/** Takes out of a model's text what a reader cannot see or would be fooled by. */

/**
 * Control characters but tab and line feed, invisible letters, all bidirectional controls (they make
 * code read in another order than it runs: CVE-2021-42574), tag characters and further variation
 * selectors (both carry hidden text), and U+E000, which {@link ./lines.js} uses itself.
 */
const UNSEEN =
  /[\0-\x08\x0B-\x1F\x7F-\x9F\xAD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uE000\uFEFF\uFFA0\uFFF9-\uFFFC\u{E0000}-\u{E0FFF}]/gu;

/** Joiners belong between letters and within emoji; anywhere else they only hide. */
const STRAY_JOINER =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\uFE0F\u{1F3FB}-\u{1F3FF}])[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{M}\p{Extended_Pictographic}])/gu;

/** Half a surrogate pair, as a cut in the middle of an emoji leaves it. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * @param {string} text
 * @returns {string} what is shown of it
 */
export function clean(text) {
  return text.replace(UNSEEN, "").replace(STRAY_JOINER, "").replace(LONE_SURROGATE, "\uFFFD");
}
