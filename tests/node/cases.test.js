/** The case runner, and the cases that this version must pass. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { after, test } from "node:test";
import { ANY_CALL, containsEach, differences, lacksEach, timed } from "../../scripts/cases/compare.mjs";
import { readCases } from "../../scripts/cases/read.mjs";
import { closeBrowser } from "../../scripts/cases/render.mjs";
import { RUNNERS, runCase } from "../../scripts/cases/run.mjs";
import { folderWith } from "./support/command.js";

const CASES = fileURLToPath(new URL("../cases", import.meta.url));
const SCRIPT = fileURLToPath(new URL("../../scripts/cases.mjs", import.meta.url));

/**
 * Cases that do not pass yet, with the reason. One that passes must leave the list.
 * @type {Record<string, string>}
 */
const NOT_YET = {};

const cases = await readCases(CASES);
after(closeBrowser);

test("every kind has a runner", () => {
  assert.deepEqual(cases.filter(({ input }) => !Object.hasOwn(RUNNERS, input.kind)).map(({ id }) => id), []);
});

test("every case that does not pass yet exists", () => {
  const ids = cases.map(({ id }) => id);
  assert.deepEqual(Object.keys(NOT_YET).filter((id) => !ids.includes(id)), []);
});

test("each case in words has a browser test", async () => {
  const tests = await readFile(new URL("../browser/widget-cases.test.js", import.meta.url), "utf8");
  assert.deepEqual(cases.filter(isInWords).filter(({ id }) => !tests.includes(`case ${id}: `)).map(({ id }) => id), []);
});

/** Whether a case is run by the suite of browser tests anyway. @param {(typeof cases)[number]} testCase */
function isInWords({ input }) {
  return input.kind === "ui" || input.kind === "deploy";
}

for (const testCase of cases.filter((each) => !isInWords(each))) {
  const reason = NOT_YET[testCase.id];
  if (reason === undefined) {
    test(`case ${testCase.id}`, async () => assert.deepEqual(await runCase(testCase), []));
  } else {
    test(`case ${testCase.id} does not pass yet: ${reason}`, async () => {
      assert.notDeepEqual(await runCase(testCase), [], "it passes now: take it off the list");
    });
  }
}

/**
 * Runs a case whose expectation is wrong on purpose.
 *
 * @param {string} kind
 * @param {Record<string, unknown>} input
 * @param {Record<string, unknown>} expected
 * @param {RegExp} difference
 */
async function assertFails(kind, input, expected, difference) {
  const found = await runCase({ id: "wrong", theme: "test", input: { kind, ...input }, expected });
  assert.match(found.join("\n"), difference);
}

const GUIDE = { files: [{ path: "guide.md", text: "# Guide\n\nPick one.\n\n## Verify\n\n```sh\nmake\n  test\n```\n" }] };

for (const [expected, difference] of /** @type {[Record<string, unknown>, RegExp][]} */ ([
  [{ title: "Manual" }, /title: expected "Manual", got "Guide"/u],
  [{ contains: ["Pick two."] }, /"Pick two\." is not in/u],
  [{ lacks: ["Pick one."] }, /"Pick one\." is in/u],
  [{ words_present: ["Pic"] }, /"Pic" is no word/u],
  [{ code_exact: ["make\ntest"] }, /code_exact/u],
  [{ sections: [{ heading: "Guide" }] }, /sections: expected \["Guide"\], got \["Guide","Verify"\]/u],
  [{ sections: [{ heading: "Guide" }, { heading: "Verify", anchor: "check" }] }, /anchor: expected "check", got "verify"/u],
  [{ sections_include: [{ heading: "Verify", contains: "Pick" }] }, /"Verify" contains/u],
  [{ sections_include: [{ heading: "Check" }] }, /no heading "Check"/u],
  [{ indexed: { "guide.md": false } }, /guide\.md is in the index/u],
  [{ index_lacks: ["make"] }, /index_lacks/u],
  [{ urls: { "guide.md": ["/manual"] } }, /expected \["\/manual"\], got "\/guide\.html"/u],
  [{ section_urls_decode_to: { Verify: "/guide.html#check" } }, /got "\/guide\.html#verify"/u],
  [{ error_contains: "guide.md" }, /error_contains/u],
  [{ max_seconds: 0 }, /took/u],
])) {
  test(`the runner of extract can fail: ${JSON.stringify(expected)}`, () => assertFails("extract", GUIDE, expected, difference));
}

test("extract passes what is true of the same page", async () => {
  const expected = {
    ...{ file: "guide.md", title: "Guide", contains: ["Pick one."], lacks: ["Pick two."], words_present: ["Pick"] },
    ...{ code_exact: ["make\n  test"], indexed: { "guide.md": true }, index_lacks: ["Manual"], no_error: true },
    ...{ sections: [{ heading: "Guide" }, { heading: "Verify", anchor: "verify", contains: "make" }], max_seconds: 60 },
    ...{ urls: { "guide.md": ["/guide.html", "/guide"] }, section_urls_decode_to: [null, ["/guide.html#verify"]] },
  };
  assert.deepEqual(await runCase({ id: "right", theme: "test", input: { kind: "extract", ...GUIDE }, expected }), []);
});

test("the outline has headings without text of their own", async () => {
  const files = [{ path: "a.md", text: "# A\n\n## Empty\n\n### Deep\n\nMore.\n\n## Last\n\nEnd.\n" }];
  const sections = ["A", "Empty", "Deep", "Last"].map((heading) => ({ heading }));
  assert.deepEqual(await runCase({ id: "right", theme: "test", input: { kind: "extract", files }, expected: { sections } }), []);
});

const RECORDS = {
  docs: [
    { id: "a", title: "Ports", text: "The server listens on port 8080.", lang: "en" },
    { id: "b", title: "Keys", text: "Rotate the key twice.", lang: "en" },
  ],
  queries_built: { long: { repeat: "port ", times: 50, then: "8080" } },
};

for (const [expected, difference] of /** @type {[Record<string, unknown>, RegExp][]} */ ([
  [{ q: "port", first: "b" }, /"port": first: expected "b", got "a"/u],
  [{ q: "port", includes: ["b"] }, /"b" is not among \["a"\]/u],
  [{ q: "port", excludes: ["a"] }, /"a" is among/u],
  [{ q_built: "long", first: "b" }, /"long": first/u],
  [{ q: "port", no_error: false }, /did not fail/u],
  [{ q: "port", max_seconds: 0 }, /took/u],
])) {
  test(`the runner of search can fail: ${JSON.stringify(expected)}`, () =>
    assertFails("search", RECORDS, { queries: [expected] }, difference));
}

test("the runner of highlight can fail", () =>
  assertFails("highlight", { doc: RECORDS.docs[0], query: "port" }, { marked: ["server"] }, /marked: expected \["server"\], got \["port"\]/u));

const GIVEN = { sources: [{ n: 1, title: "One", url: "https://one.test/p" }, { n: 2, title: "Two", url: "/p2" }] };

for (const [text, expected, difference] of /** @type {[string, Record<string, unknown>, RegExp][]} */ ([
  ["It is so [1].", { refused: true }, /it is passed on/u],
  ["It is so [7].", { refused: false }, /not passed on, because of unknown_source/u],
  ["It is so [1].", { cited: [2] }, /cited: expected \[2\], got \[1\]/u],
  ["It is so [1].", { source_urls: ["/p2"] }, /source_urls/u],
  ["It is so [1].", { answer_contains: ["otherwise"] }, /answer_contains/u],
  ["It is so [1].", { marker_maps: { "[1]": "/p2" } }, /\[1\] leads to \["https:\/\/one\.test\/p"\]/u],
  ["It is so [1]. Or so [2].", { marker_targets: { "Or so": "https://one.test/p" } }, /leads to "\/p2"/u],
  ["It is so [1].", { every_shown_marker_resolves: false }, /every_shown_marker_resolves/u],
  ["It is so [1].", { no_link_to_host: "one.test" }, /is linked/u],
])) {
  test(`the runner of cite can fail: ${JSON.stringify(expected)}`, () =>
    assertFails("cite", { ...GIVEN, answers: [{ text }] }, { answers: [expected] }, difference));
}

test("the runner of cite can fail on pieces of a stream", () =>
  assertFails("cite", { ...GIVEN, answers: [{ chunks: ["So [", "1]."] }] }, { answers: [{ refused: true }] }, /it is passed on/u));

test("the runner of prompt can fail", async () => {
  const input = { question: "Why?", sources: [{ title: "A", url: "/a", text: "Because." }], also_insert: "yes" };
  await assertFails("prompt", input, { source_blocks: 2 }, /source_blocks: expected 2, got 1/u);
  await assertFails("prompt", input, { first_text_still_inside_block_1: false }, /first_text_still_inside_block_1/u);
});

const WHOLE = 'data: {"choices":[{"index":0,"delta":{"content":"Port 80 [1]."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const http = { status: 200, headers: { "content-type": "text/event-stream" } };
const LIMITED = {
  ...{ provider: "openai_chat", http: { status: 429, headers: { "retry-after": "Wed, 01 Jan 2025 00:00:30 GMT" } } },
  ...{ chunks: [{ utf8: '{"error":{"message":"Rate limit reached"}}' }], now: "2025-01-01T00:00:00Z" },
};

for (const [run, expected, difference] of /** @type {[Record<string, unknown>, Record<string, unknown>, RegExp][]} */ ([
  [{ chunks: [{ utf8: WHOLE }] }, { text: "Port 81 [1]." }, /text: expected/u],
  [{ chunks: [{ utf8: WHOLE }] }, { outcome: "truncated" }, /outcome: expected "truncated", got "complete"/u],
  [{ chunks: [{ hex: Buffer.from(WHOLE.slice(0, WHOLE.indexOf("\n\ndata: [DONE]") - 1)).toString("hex") }] }, { outcome: "complete" }, /got "truncated"/u],
  [{ chunks_bytewise_utf8: WHOLE }, { cited: [2] }, /cited: expected \[2\], got \[1\]/u],
  [{ chunks: [{ utf8: WHOLE }] }, { final_answer: "No." }, /final_answer/u],
  [{ chunks: [{ utf8: WHOLE }] }, { final_sources: [2] }, /final_sources/u],
  [LIMITED, { http_status: 503 }, /http_status: expected 503, got 429/u],
  [LIMITED, { retry_after_seconds: null }, /retry_after_seconds: expected null, got 30/u],
  [LIMITED, { error_lacks: ["Rate limit"] }, /error_lacks/u],
])) {
  test(`the runner of stream can fail: ${JSON.stringify(expected)}`, () =>
    assertFails("stream", { runs: [{ provider: "openai_chat", http, ...run }] }, { runs: [expected] }, difference));
}

const SHOWN = { answers: [{ markdown: "See **this** and [that](https://other.test/) [1].\n\n- one" }] };
const LISTED = { docs: [{ id: "a", title: "Ports", text: "The server listens on port 8080.", lang: "en" }], query: "port" };

for (const [input, expected, difference] of /** @type {[Record<string, unknown>, Record<string, unknown>, RegExp][]} */ ([
  [SHOWN, { no_elements: ["strong"] }, /no_elements: there is \["strong"\]/u],
  [SHOWN, { no_attributes: ["aria-*"] }, /no_attributes: there is/u],
  [SHOWN, { no_requests: false }, /no_requests/u],
  [SHOWN, { answers_links: [["https://other.test/"]] }, /answer 1 has \[\]/u],
  [SHOWN, { visible_contains: ["**this**"] }, /visible_contains/u],
  [SHOWN, { visible_contains_each: [["four"]] }, /visible_contains_each/u],
  [LISTED, { link_schemes_only: ["mailto"] }, /link_schemes_only: there is \["http"\]/u],
  [LISTED, { visible_title: "Port" }, /"Port" is not among \["Ports"\]/u],
  [LISTED, { visible_text_contains: ["8081"] }, /visible_text_contains/u],
])) {
  test(`the runner of render can fail: ${JSON.stringify(expected)}`, () =>
    assertFails(input === SHOWN ? "render" : "render_results", input, expected, difference));
}

test("render passes what is true of the same answer", async () => {
  const expected = { no_elements: ["a"], answers_links: [[]], visible_contains: ["See this and that (https://other.test/)"], no_requests: true };
  assert.deepEqual(await runCase({ id: "right", theme: "test", input: { kind: "render", ...SHOWN }, expected }), []);
});

test("a case in words without a browser test fails", async () => {
  const found = await runCase({ id: "99-unknown", theme: "test", input: { kind: "ui" }, expected: {} });
  assert.match(found.join(), /has no test named after it/u);
});

test("an expectation that the runner does not know fails the case", () =>
  assertFails("extract", GUIDE, { smell: "roses" }, /smell: the runner does not know/u));

/** @param {Record<string, unknown>} expected @param {unknown} value @param {boolean} passes */
function check(expected, value, passes) {
  const found = differences(expected, value, {
    it: { read: (actual) => actual },
    text: { read: (actual) => actual, check: containsEach },
  });
  assert.equal(found.length === 0, passes, `${JSON.stringify(expected)}: ${found.join("; ")}`);
}

test("runs of white space, no-break spaces included, count as one space", () => {
  check({ it: "a b" }, " a\u00a0\n b ", true);
  check({ it: ["a b"] }, ["a \t b"], true);
  check({ it: "ab" }, "a b", false);
  assert.deepEqual(containsEach(["one two"], "x one\u00a0\u00a0two"), []);
});

test("null is not judged", () => {
  check({ it: null }, "anything", true);
  check({ it_each: [null, 2] }, [1, 2], true);
});

test("one of several alternatives is enough, and none is not", () => {
  check({ one_of: [{ it: 1 }, { it: 2 }] }, 2, true);
  check({ one_of: [{ it: 1 }, { it: 3 }] }, 2, false);
  check({ it_one_of: ["a", "b"] }, "b", true);
  check({ text_one_of: ["a", "b"] }, "cab", true);
  check({ it_one_of: ["a", "b"] }, "c", false);
});

test("a set ignores order, not number", () => {
  check({ it_set: [2, 1] }, [1, 2], true);
  check({ it_set: [1, 2] }, [1, 2, 2], false);
  check({ it: [2, 1] }, [1, 2], false);
});

test("a list of entries is compared one by one", () => {
  check({ text_each: [["a"], ["b"]] }, ["ab", "ab"], true);
  check({ text_each: [["a"], ["b"]] }, ["ab", "a"], false);
  check({ text_each: [["a"]] }, ["a", "a"], false);
});

test("time limits and unwanted errors are told", async () => {
  const quick = await timed(async () => "done");
  const broken = await timed(() => Promise.reject(new Error("broken")));
  assert.equal(quick.value, "done");
  assert.deepEqual(differences({ max_seconds: 60, no_error: true }, quick, ANY_CALL), []);
  assert.match(differences({ max_seconds: 0 }, quick, ANY_CALL).join(), /at most 0 s/u);
  assert.match(differences({ no_error: true }, broken, ANY_CALL).join(), /failed: broken/u);
  assert.match(differences({ no_error: false }, quick, ANY_CALL).join(), /did not fail/u);
});

test("a byte order mark is looked for although it is white space", () => {
  assert.equal(lacksEach(["\ufeff"], "\ufeffText").length, 1);
  assert.deepEqual(lacksEach(["\ufeff"], "Text"), []);
});

/** @param {string[]} args */
function script(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { encoding: "utf8" });
  return { status, lines: stdout.trimEnd().split("\n"), stderr };
}

/** @param {string} id @param {Record<string, unknown>} input @param {Record<string, unknown>} expected */
const caseText = (id, input, expected) => JSON.stringify({ id, theme: id.slice(0, 1), input, expected });

test("the script prints a line a case and the counts alone on the last", async (t) => {
  const folder = await folderWith(t, {
    "1.json": caseText("a-right", { kind: "extract", ...GUIDE }, { title: "Guide" }),
    "2.json": caseText("b-wrong", { kind: "extract", ...GUIDE }, { title: "Manual" }),
    "3.json": caseText("c-new", { kind: "dance" }, { steps: 2 }),
    "README.md": "no case",
  });
  const all = script(folder);
  assert.deepEqual(all.lines, [
    "ok   a-right",
    'FAIL b-wrong: title: expected "Manual", got "Guide"',
    "FAIL c-new: not supported yet (dance)",
    "1 passed, 2 failed",
  ]);
  assert.equal(all.status, 1);
  const one = script(folder, "--theme", "a");
  assert.deepEqual(one.lines, ["ok   a-right", "1 passed, 0 failed"]);
  assert.equal(one.status, 0);
});

test("a folder without cases, an unknown theme and a file that is no case are told", async (t) => {
  const check = (/** @type {ReturnType<typeof script>} */ { status, stderr }, /** @type {RegExp} */ message) => {
    assert.equal(status, 2);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n\s+at /u);
  };
  check(script(), /name one folder/u);
  check(script("nowhere"), /cannot be read/u);
  check(script(await folderWith(t, { "a.txt": "" })), /there is no case file/u);
  check(script(await folderWith(t, { "a.json": "{" })), /a\.json cannot be read/u);
  check(script(await folderWith(t, { "a.json": "[]" })), /a\.json is no case: it must be an object/u);
  check(script(await folderWith(t, { "a.json": caseText("a", { kind: "cite" }, {}) })), /could not fail/u);
  check(script(await folderWith(t, { "a.json": '{"id":"a","theme":"b","input":{},"expected":{"x":1}}' })), /input\.kind/u);
  check(script(CASES, "--theme", "weather"), /no case has the theme weather; there are: citation,/u);
  check(script(CASES, "--dance"), /--dance/u);
});
