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

/**
 * @param {string} section a path and the anchor of one of its headings
 */
async function assertSection(section) {
  const [path, anchor] = section.split("#");
  const headings = [...(await page(path)).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => slug(heading));
  assert.ok(headings.includes(anchor), section);
}

/** @param {string} heading */
function slug(heading) {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
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
    for (const answer of answers) await assertSection(answer);
  }
});

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

/** @typedef {{ repeat: { text: string, times: number } }} Repeat */
/** @typedef {{ id: string, kind: string, text?: string, lint?: boolean, markdown?: string | (string | Repeat)[], about?: string }} Hostile */

for (const name of ["injection", "hostile"]) {
  test(`the ${name} set is split by its ids, each kind as often as its README says`, async () => {
    const files = await Promise.all(HALVES.map((half) => text(`${name}/${half}.json`)));
    // An invisible character in the file itself could not be reviewed.
    for (const file of files) assert.doesNotMatch(file, /[\p{Cf}\p{Cs}\p{Co}\u2028\u2029\u007f-\u009f]/u);
    /** @type {Hostile[][]} */
    const halves = files.map((file) => JSON.parse(file));
    assertUniqueIds(halves.flat());
    const readme = await text(`${name}/README.md`);
    for (const kind of new Set(halves.flat().map((item) => item.kind))) {
      const [tuning, frozen] = halves.map((half) => half.filter((item) => item.kind === kind).map(({ id }) => id));
      assert.deepEqual(new Set(tuning), tuningHalf(`groundling ${name} 1 `, [...tuning, ...frozen]));
      assert.deepEqual(statedCounts(readme, kind), [tuning.length, frozen.length], kind);
    }
  });
}

test("no hostile text occurs twice, and each says what it is", async () => {
  /** @type {Hostile[]} */
  const replies = (await Promise.all(HALVES.map(async (half) => JSON.parse(await text(`hostile/${half}.json`))))).flat();
  assert.equal(new Set(replies.map(({ markdown }) => JSON.stringify(markdown))).size, replies.length);
  for (const { id, markdown, about } of replies) {
    assert.ok(about, id);
    for (const part of Array.isArray(markdown) ? markdown : [markdown]) {
      assert.ok(typeof part === "string" || (part?.repeat.text && part.repeat.times > 1), id);
    }
  }
  /** @type {Hostile[]} */
  const documents = (await Promise.all(HALVES.map(async (half) => JSON.parse(await text(`injection/${half}.json`))))).flat();
  assert.equal(new Set(documents.map((item) => item.text)).size, documents.length);
  for (const { id, kind, lint } of documents) assert.ok(kind === "harmless" ? lint === false : typeof lint === "boolean", id);
});

/** @typedef {{ question: string, standalone: boolean, pages: string[], answer: string }} Turn */
/** @typedef {{ id: string, turns: Turn[] }} Conversation */

test("a conversation begins with a question that stands alone, and its pages exist", async () => {
  /** @type {Conversation[][]} */
  const halves = await Promise.all(HALVES.map(async (half) => JSON.parse(await text(`conversations/${half}.json`))));
  const changesTopic = (/** @type {Conversation} */ { turns }) => turns.slice(1).some(({ standalone }) => standalone);
  for (const changes of [true, false]) {
    const [tuning, frozen] = halves.map((half) => half.filter((c) => changesTopic(c) === changes).map(({ id }) => id));
    assert.deepEqual(new Set(tuning), tuningHalf("groundling conversations 1 ", [...tuning, ...frozen]));
  }
  assertUniqueIds(halves.flat());
  for (const { id, turns } of halves.flat()) {
    assert.ok(turns[0].standalone && turns.length >= 2 && turns.length <= 4, id);
    for (const { pages, answer } of turns) {
      assert.ok(pages.length > 0 && answer, id);
      for (const section of pages) await assertSection(section);
    }
  }
});
