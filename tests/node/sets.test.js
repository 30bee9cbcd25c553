/** The labelled data below tests/fixtures: its form, its counts, and that its split is the stated one. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const FIXTURES = new URL("../fixtures/", import.meta.url);
const HALVES = ["tuning", "frozen"];

/** @param {string} name */
const text = (name) => readFile(new URL(name, FIXTURES), "utf8");

/** @param {string} name */
const lines = async (name) => (await text(name)).trim().split("\n").map((line) => JSON.parse(line));

/**
 * Splits groups as the READMEs say: sorted by a hash, the first half is for tuning.
 *
 * @param {string} seed
 * @param {Iterable<string>} keys
 */
function tuningHalf(seed, keys) {
  const hash = (/** @type {string} */ key) => createHash("sha256").update(seed + key).digest("hex");
  const sorted = [...new Set(keys)].sort((a, b) => (hash(a) < hash(b) ? -1 : 1));
  return new Set(sorted.slice(0, Math.ceil(sorted.length / 2)));
}

/**
 * The text of the page of the demo site with this path.
 *
 * @param {string} path
 */
function page(path) {
  const file = path.startsWith("docs/") ? `../../${path}` : path;
  return text(file).catch(() => assert.fail(`no page ${path}`));
}

/** @param {{ id: string }[]} items */
function assertUniqueIds(items) {
  assert.equal(new Set(items.map(({ id }) => id)).size, items.length);
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} kind
 * @returns {Record<string, number>}
 */
function count(items, kind) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const item of items) counts[kind(item)] = (counts[kind(item)] ?? 0) + 1;
  return counts;
}

/**
 * A row of a table in a README that begins with the name of a kind: its last cells.
 *
 * @param {string} readme
 * @param {string} kind
 */
function statedCounts(readme, kind) {
  const row = readme.split("\n").find((line) => line.startsWith(`| \`${kind}\` |`));
  return row?.split("|").slice(-3, -1).map(Number);
}

/** @typedef {{ path: string, heading: string, text: string }} Passage */
/** @typedef {{ id: string, kind: string, sentence: string, sources: Passage[], cited: number[], label: string, correction?: number }} Sentence */

test("a labelled sentence cites the sources it names, and only a swapped one has a correction", async () => {
  /** @type {Sentence[]} */
  const all = (await Promise.all(HALVES.map((half) => lines(`support/${half}.jsonl`)))).flat();
  assertUniqueIds(all);
  for (const { id, kind, sentence, sources, cited, label, correction } of all) {
    const numbers = [...sentence.matchAll(/\[(\d)\]/g)].map(([, n]) => Number(n));
    assert.deepEqual(cited, [...new Set(numbers)].sort(), id);
    assert.ok(cited.length > 0 && Math.max(...cited) <= sources.length, id);
    assert.equal(label === "supported", ["right", "paraphrased"].includes(kind), id);
    assert.equal(correction !== undefined, kind === "swapped-source", id);
    if (correction) assert.ok(correction <= sources.length && !cited.includes(correction), id);
  }
});

test("the passages of the lessons are verbatim, and those of the docs name a page that exists", async () => {
  /** @type {Sentence[]} */
  const all = (await Promise.all(HALVES.map((half) => lines(`support/${half}.jsonl`)))).flat();
  const passages = new Map(all.flatMap(({ sources }) => sources).map((source) => [source.text, source]));
  for (const { path, heading, text: passage } of passages.values()) {
    const document = await page(path);
    // A page of the docs may be reworded; the label belongs to the passage as it is in the file.
    if (path.startsWith("lessons/")) assert.ok(document.includes(`# ${heading}\n\n${passage}`), `${path}#${heading}`);
  }
});

test("sentences are split by their passages, and each kind is as often as the README says", async () => {
  const [tuning, frozen] = await Promise.all(HALVES.map((half) => lines(`support/${half}.jsonl`)));
  const key = (/** @type {Sentence} */ { sources }) => sources.map((s) => `${s.path}#${s.heading}`).join(" ");
  const expected = tuningHalf("groundling support 1 ", [...tuning, ...frozen].map(key));
  assert.ok(tuning.every((/** @type {Sentence} */ item) => expected.has(key(item))));
  assert.ok(!frozen.some((/** @type {Sentence} */ item) => expected.has(key(item))));

  const readme = await text("support/README.md");
  const counts = [count(tuning, ({ kind }) => kind), count(frozen, ({ kind }) => kind)];
  for (const kind of Object.keys(counts[0])) {
    assert.deepEqual(statedCounts(readme, kind), counts.map((half) => half[kind]), kind);
  }
});

/** @typedef {{ question: string, answers: string[], answerable: boolean, style: string, kind: string, near?: boolean }} Question */

test("a question of the demo site names sections that exist, or is unanswerable and names none", async () => {
  /** @type {Question[]} */
  const all = (await Promise.all(HALVES.map((half) => lines(`questions/docs-${half}.jsonl`)))).flat();
  for (const { question, answers, answerable, style, kind, near } of all) {
    assert.equal(answerable, kind !== "unanswerable", question);
    assert.equal(answers.length > 0, answerable, question);
    assert.ok(["plain", "paraphrase"].includes(style) && (!answerable || style === kind), question);
    assert.ok(near === undefined || !answerable, question);
    for (const answer of answers) {
      const [path, anchor] = answer.split("#");
      const headings = [...(await page(path)).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => slug(heading));
      assert.ok(headings.includes(anchor), answer);
    }
  }
});

/** @param {string} heading */
function slug(heading) {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
}

test("the questions of each kind are split by their hash, as often as the README says", async () => {
  /** @type {Question[][]} */
  const halves = await Promise.all(HALVES.map((half) => lines(`questions/docs-${half}.jsonl`)));
  const stratum = (/** @type {Question} */ { kind, near }) => (near ? "near" : kind);
  for (const name of ["plain", "paraphrase", "unanswerable", "near"]) {
    const [tuning, frozen] = halves.map((half) => half.filter((item) => stratum(item) === name).map((q) => q.question));
    assert.deepEqual(new Set(tuning), tuningHalf("groundling questions 1 ", [...tuning, ...frozen]));
  }
  const readme = await text("questions/README.md");
  const counts = halves.map((half) => count(half, ({ kind }) => kind));
  for (const kind of Object.keys(counts[0])) {
    assert.deepEqual(statedCounts(readme, kind), counts.map((half) => half[kind]), kind);
  }
});
