/** The light formatting of answers on the demo page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "../../www/demo/format.js";

/**
 * Blocks in short: `code`, «fence», {numbers of a footnote}; paragraphs divided by ¶.
 *
 * @param {string} text
 * @param {import("../../www/demo/format.js").Citation[]} citations
 */
function short(text, citations) {
  return parse(text, citations)
    .map((block) => {
      if (block.type === "fence") return `«${block.text}»`;
      return block.parts
        .map((part) => (part.type === "text" ? part.text : part.type === "code" ? `\`${part.text}\`` : `{${part.numbers}}`))
        .join("");
    })
    .join("¶");
}

/**
 * Every `[n]` of the text is given as a citation, as the engine would give those in prose.
 *
 * @param {string} text
 * @param {string} expected
 */
function check(text, expected) {
  const citations = [...text.matchAll(/\[(\d+(?:, \d+)*)\]/gu)].flatMap(({ 0: marker, 1: numbers, index }) =>
    numbers.split(", ").map((n) => ({ n: Number(n), start: index, end: index + marker.length })),
  );
  assert.equal(short(text, citations), expected);
}

for (const [name, text, expected] of [
  ["plain text is one paragraph", "Boil water.\nPour it.", "Boil water.\nPour it."],
  ["an empty line divides paragraphs", "One.\n\n \nTwo.\n", "One.\n¶Two.\n"],
  ["a citation becomes a footnote", "Boil it [1]. Pour it [2].", "Boil it {1}. Pour it {2}."],
  ["citations of one marker share their place", "Boil it [1, 3].", "Boil it {1,3}."],
  ["a code span keeps its text", "Use `a[0]` and `` b`c ``.", "Use `a[0]` and `b`c`."],
  ["an open code span is text", "Use `a and b.", "Use `a and b."],
  ["a code span does not reach over paragraphs", "Use `a\n\nand b`.", "Use `a\n¶and b`."],
  ["a marker in a code span is code", "Use `a[1]` [2].", "Use `a[1]` {2}."],
  ["a fence keeps its lines", "Run:\n```sh\n  ls [1]\n\n# x\n```\nDone [1].", "Run:\n¶«  ls [1]\n\n# x»¶Done {1}."],
  ["a fence that is still open is shown", "```\nls", "«ls»"],
  ["a longer fence holds a shorter one", "````\n```\n````", "«```»"],
  ["tildes fence too", "~~~\n```\n~~~", "«```»"],
  ["backticks in one line are no fence", "```a``` b", "`a` b"],
  ["markup is text", "<b>x</b> ![y](z)", "<b>x</b> ![y](z)"],
  ["nothing gives nothing", "", ""],
]) {
  test(name, () => check(text, expected));
}

test("citations in a fence are passed over, and those after it stay in place", () => {
  check("```\n[1]\n```\nSee [2].", "«[1]»¶See {2}.");
});

test("long texts of backticks and brackets take linear time", () => {
  const text = Array.from({ length: 20_000 }, (_, length) => "`".repeat(1 + (length % 50))).join(" ");
  const started = performance.now();
  parse(text.slice(0, 400_000), []);
  assert.ok(performance.now() - started < 2000);
});
