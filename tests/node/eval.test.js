/** The command `eval`: its measures, its files, and its two kinds of report. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { meanMeasures, ndcg, recall, reciprocalRank } from "../../cli/eval/measures.js";
import { isOnPage, pageName } from "../../cli/eval/page-names.js";
import { runLines } from "../../cli/eval/run-file.js";
import { load } from "../../dist/load.js";
import { folderWith, groundling, lessonsBundle } from "./support/command.js";
import { responsesReply, sendJson, serverFor } from "./support/server.js";

const QUESTIONS = fileURLToPath(new URL("../fixtures/questions/lessons.jsonl", import.meta.url));

let bundle = "";
let removeBundle = async () => {};
before(async () => ({ folder: bundle, remove: removeBundle } = await lessonsBundle()));
after(() => removeBundle());

/**
 * @param {number} found
 * @param {number} expected as written out by hand, to six digits
 */
function near(found, expected) {
  assert.ok(Math.abs(found - expected) < 1e-6, `${found} is not ${expected}`);
}

/** @param {Record<string, number>} grades */
const judged = (grades) => new Map(Object.entries(grades));

test("nDCG of grades is their sum by log2(rank + 1) over that of the best order", () => {
  // Found: 2/1 + 0/1.584963 + 3/2 = 3.5. Best: 3/1 + 2/1.584963 + 1/2 = 4.761860.
  near(ndcg(["b", "x", "a"], judged({ a: 3, b: 2, c: 1, d: 0 }), 10), 3.5 / 4.76186);
});

test("nDCG of yes and no takes every relevant document as 1", () => {
  // Found: 1/1.584963 + 1/2 = 1.130930. Best: 1/1 + 1/1.584963 = 1.630930.
  near(ndcg(["x", "a", "b"], judged({ a: 1, b: 1 }), 10), 1.13093 / 1.63093);
});

test("nDCG counts ranks up to the cutoff, in the best order too", () => {
  // Found: 1/1. Best of two ranks: 2/1 + 1/1.584963 = 2.630930.
  near(ndcg(["b", "x", "a"], judged({ a: 2, b: 1, c: 1 }), 2), 1 / 2.63093);
});

test("a grade below 0 takes nothing away", () => {
  near(ndcg(["bad", "a"], judged({ bad: -2, a: 1 }), 10), 1 / 1.584963);
  assert.equal(recall(["bad", "a"], judged({ bad: -2, a: 1 }), 10), 1);
});

test("recall divides by all relevant documents, found or not", () => {
  const grades = judged({ a: 3, b: 1, c: 1, d: 1, e: 0 });
  assert.equal(recall(["e", "a", "x", "b"], grades, 10), 2 / 4);
  assert.equal(recall(["e", "a", "x", "b"], grades, 3), 1 / 4);
  assert.equal(recall([], grades, 10), 0);
});

test("the reciprocal rank is that of the first relevant document within the cutoff", () => {
  assert.equal(reciprocalRank(["x", "e", "b", "a"], judged({ a: 3, b: 1, e: 0 }), 10), 1 / 3);
  assert.equal(reciprocalRank(["x", "e", "b", "a"], judged({ a: 3, b: 1, e: 0 }), 2), 0);
});

test("means are of queries with a relevant document; one that finds nothing counts as zero", () => {
  const rankings = new Map([
    ["found", ["a"]],
    ["nothing", []],
    ["irrelevant", ["a"]],
    ["unjudged", ["a"]],
  ]);
  const qrels = new Map([
    ["found", judged({ a: 1 })],
    ["nothing", judged({ a: 1 })],
    ["irrelevant", judged({ a: 0 })],
    ["unasked", judged({ a: 1 })],
  ]);
  const means = { "nDCG@10": 0.5, "Recall@10": 0.5, "Recall@100": 0.5, "MRR@10": 0.5 };
  assert.deepEqual(meanMeasures(rankings, qrels), { judged: 2, means });
  assert.equal(meanMeasures(rankings, new Map()), undefined);
});

test("tied scores fall from rank to rank in a run, also in 32 bits", () => {
  const ranking = ["c", "a", "b", "d"].map((id, index) => ({ id, score: index < 3 ? 7.25 : 7.249999 }));
  const rows = runLines("q1", ranking).trimEnd().split("\n").map((line) => line.split(" "));
  assert.deepEqual(rows.map(([query, q0, id, rank, , tag]) => [query, q0, id, rank, tag].join()), [
    "q1,Q0,c,1,groundling",
    "q1,Q0,a,2,groundling",
    "q1,Q0,b,3,groundling",
    "q1,Q0,d,4,groundling",
  ]);
  const scores = rows.map((row) => Math.fround(Number(row[4])));
  assert.equal(scores[0], 7.25);
  scores.slice(1).forEach((score, index) => assert.ok(score < scores[index], scores.join()));
  assert.equal(runLines("q1", []), "");
});

for (const [name, written] of /** @type {[string, string[]][]} */ ([
  ["guide/setup", ["guide/setup.md", "/guide/setup.html#linux", "guide/setup/", "https://docs.example/guide/setup.MDX?v=2", "./guide/setup.htm"]],
  ["guide", ["guide/index.html", "/guide/", "guide.md"]],
  ["", ["index.html", "/", "https://docs.example"]],
  ["a b/100%", ["a b/100%", "/a%20b/100%25.html"]],
  ["v1.2/notes.txt", ["v1.2/notes.txt"]],
])) {
  test(`a page named "${name}" may be written in each usual way`, () => {
    for (const page of written) assert.equal(pageName(page), name, page);
  });
}

test("a page matches by its path or its address, but not by an end of them", () => {
  const source = { path: "advanced/install.md", url: "https://docs.example/v2/advanced/install.html#linux" };
  const matches = (/** @type {string} */ page) => isOnPage(source, new Set([pageName(page)]));
  assert.ok(matches("advanced/install.html"));
  assert.ok(matches("/v2/advanced/install/"));
  assert.ok(!matches("install.md"));
  assert.ok(!matches("v1/advanced/install.md"));
  assert.ok(!matches("Advanced/install.md"));
});

const CORPUS = [
  { id: "kettle#1", title: "Kettles", text: "A kettle boils water for tea." },
  { id: "kettle#2", title: "Teapots", text: "A teapot keeps tea warm." },
  { id: "empty", title: "", text: " " },
  { id: "oven", title: "Ovens", text: "An oven bakes bread." },
];
const QUERIES = [
  { id: "q1", text: "what boils water" },
  { id: "q2", text: "tea" },
  { id: "q3", text: "" },
  { id: "q4", text: "bake" },
];
const QRELS = "q1\tkettle#1\t1\nq2\toven\t1\nq2\tkettle#2\t2\nq2\tkettle#1\t2\nq3\toven\t1\n";

/** @param {object[]} entries */
const jsonLines = (entries) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");

/**
 * A folder with the small collection above; `files` replaces some.
 *
 * @param {{ after: (clean: () => Promise<void>) => void }} t
 * @param {Record<string, string>} [files]
 */
function collection(t, files) {
  const own = { "corpus.jsonl": jsonLines(CORPUS), "queries.jsonl": jsonLines(QUERIES), "qrels.tsv": QRELS };
  return folderWith(t, { ...own, ...files });
}

const COLLECTION = ["eval", "--corpus", "corpus.jsonl", "--queries", "queries.jsonl"];
const SCORED = [...COLLECTION, "--qrels", "qrels.tsv"];

test("a collection is searched and scored", async (t) => {
  const cwd = await collection(t);
  const { code, stdout, stderr } = await groundling([...SCORED, "--json"], { cwd });
  assert.equal(code, 0, stderr);
  // q1 finds its document first, q2 two of three in the best order, q3 asks nothing; q4 is not judged.
  // nDCG of q2: (2 + 2/1.584963) / (2 + 2/1.584963 + 1/2) = 3.261860/3.761860 = 0.867087.
  const { queries, judged: count, ...means } = JSON.parse(stdout);
  assert.deepEqual({ queries, count }, { queries: 4, count: 3 });
  near(means["nDCG@10"], (1 + 0.867087 + 0) / 3);
  near(means["Recall@10"], (1 + 2 / 3 + 0) / 3);
  near(means["Recall@100"], (1 + 2 / 3 + 0) / 3);
  near(means["MRR@10"], (1 + 1 + 0) / 3);
  assert.match(stderr, /^1 of 4 documents have no text and cannot be found: empty$/mu);
});

test("without --json there is a line a measure", async (t) => {
  const cwd = await collection(t);
  const { stdout } = await groundling(SCORED, { cwd });
  assert.equal(stdout, "nDCG@10     0.6224\nRecall@10   0.5556\nRecall@100  0.5556\nMRR@10      0.6667\n");
});

test("--k limits the ranking", async (t) => {
  const cwd = await collection(t);
  const { stdout } = await groundling([...SCORED, "--json", "--k", "1"], { cwd });
  near(JSON.parse(stdout)["Recall@10"], (1 + 1 / 3 + 0) / 3);
});

test("--run - writes the run alone to standard output, and the measures to standard error", async (t) => {
  const cwd = await collection(t);
  const { code, stdout, stderr } = await groundling([...SCORED, "--run", "-"], { cwd });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^q1 Q0 kettle#1 1 \d+\.\d+ groundling\n/u);
  for (const line of stdout.trimEnd().split("\n")) assert.match(line, /^q[124] Q0 \S+ \d+ \d+\.\d+ groundling$/u);
  assert.match(stderr, /^nDCG@10 {5}0\.6224$/mu);
});

test("without --qrels the run is written and nothing scored", async (t) => {
  const cwd = await collection(t);
  const { code, stdout } = await groundling([...COLLECTION, "--run", "run.txt"], { cwd });
  assert.deepEqual({ code, stdout }, { code: 0, stdout: "" });
  assert.equal((await readFile(path.join(cwd, "run.txt"), "utf8")).split("\n").length, 5);
});

test("--lang is the language of all documents", async (t) => {
  const cwd = await collection(t, {
    "corpus.jsonl": jsonLines([{ id: "d", title: "", text: "Чайники кипятят воду." }, { id: "e", title: "", text: "Духовка печёт хлеб." }]),
    "queries.jsonl": jsonLines([{ id: "q", text: "чайником" }]),
  });
  const { stdout } = await groundling([...COLLECTION, "--lang", "ru", "--run", "-"], { cwd });
  assert.match(stdout, /^q Q0 d 1 /u);
});

test("judgements of other queries and documents are told and do not stop the scoring", async (t) => {
  const cwd = await collection(t, { "qrels.tsv": `${QRELS}q9\toven\t1\nq1\tgone\t1\n` });
  const { code, stderr } = await groundling(SCORED, { cwd });
  assert.equal(code, 0);
  assert.match(stderr, /^1 judged queries are not among the queries/mu);
  assert.match(stderr, /^1 judged documents are not in the corpus/mu);
});

/**
 * @param {string} name
 * @param {string[]} args
 * @param {RegExp} message
 * @param {Record<string, string>} [files]
 */
function refuses(name, args, message, files) {
  test(`${name} is refused with exit code 2 and a message that says what to do`, async (t) => {
    const cwd = await collection(t, files);
    const { code, stdout, stderr } = await groundling(args, { cwd });
    assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /defect|\n\s+at /u);
  });
}

const document = jsonLines(CORPUS.slice(0, 1));
const ASKED = ["eval", "--bundle", "none", "--questions", "questions.jsonl"];
refuses("an eval of nothing", ["eval"], /--bundle is missing.*--help/u);
refuses("a corpus without queries", ["eval", "--corpus", "corpus.jsonl"], /--queries is missing/u);
refuses("a bundle beside a corpus", [...SCORED, "--bundle", "out"], /--bundle and --corpus do not go together/u);
refuses("a word without an option", [...SCORED, "more"], /"more" is not understood/u);
refuses("a collection with nothing to do", COLLECTION, /add --qrels FILE .* or --run FILE/u);
refuses("a missing file", ["eval", "--corpus", "gone.jsonl", "--queries", "queries.jsonl", "--run", "-"], /gone\.jsonl: it does not exist/u);
refuses("a folder as a file", ["eval", "--corpus", ".", "--queries", "queries.jsonl", "--run", "-"], /\.: it is a folder/u);
refuses("a run that cannot be written", [...SCORED, "--run", "gone/run.txt"], /gone\/run\.txt: it does not exist/u);
refuses("a line that is no JSON", SCORED, /corpus\.jsonl:2 is not a JSON object: write one/u, { "corpus.jsonl": `${document}{"id": ` });
refuses("a line that is a list", SCORED, /queries\.jsonl:1 is not a JSON object/u, { "queries.jsonl": "[]" });
refuses("a query without text", SCORED, /queries\.jsonl:2: "text" must be/u, { "queries.jsonl": '\n{"id": "q1"}\n' });
refuses("a file without queries", SCORED, /queries\.jsonl is empty/u, { "queries.jsonl": "\n \n" });
refuses("an id with a space", SCORED, /corpus\.jsonl:1: an "id" .* white space/u, { "corpus.jsonl": '{"id": "a b", "text": "c"}' });
refuses("a document without an id", SCORED, /corpus\.jsonl:1: an "id"/u, { "corpus.jsonl": '{"text": "c"}' });
refuses("an id that is there twice", SCORED, /corpus\.jsonl:2: "kettle#1" is there a second time/u, { "corpus.jsonl": document + document });
refuses("a corpus without a word", SCORED, /corpus\.jsonl: no document has a word/u, { "corpus.jsonl": '{"id": "a", "text": ""}' });
refuses("a judgement without a grade", SCORED, /qrels\.tsv:2: write .* divided by tabs/u, { "qrels.tsv": "q1\toven\t1\nq2 oven 1\n" });
refuses("a grade that is no number", SCORED, /qrels\.tsv:1: write .* whole number/u, { "qrels.tsv": "query\tdocument\tgrade\n" });
refuses("a pair that is judged twice", SCORED, /qrels\.tsv:2: "oven" is judged a second time for "q1"/u, { "qrels.tsv": "q1\toven\t1\nq1\toven\t0\n" });
refuses("judgements of another collection", SCORED, /judges no query/u, { "qrels.tsv": "other\toven\t1\n" });
refuses("judgements without a relevant document", SCORED, /no query has a relevant document/u, { "qrels.tsv": "q1\toven\t0\n" });
refuses("a question that is empty", ASKED, /questions\.jsonl:1: "question" must be text/u, { "questions.jsonl": '{"question": " "}' });
refuses("answers that are no list", ASKED, /questions\.jsonl:1: "answers" must be a list/u, { "questions.jsonl": '{"question": "Why?", "answers": "a.md"}' });
refuses("an answerable question without answers", ASKED, /questions\.jsonl:1: .* correct either/u, { "questions.jsonl": '{"question": "Why?", "answers": [], "answerable": true}' });
refuses("a gate for answers that are not asked for", [...ASKED, "--min-grounded", "50"], /--min-grounded is about answers: add --answers/u);
refuses("a bundle that does not exist", ASKED, /no bundle at none/u, { "questions.jsonl": '{"question": "Why?"}' });

test("the lessons answer their questions", async () => {
  const { code, stdout, stderr } = await groundling(["eval", "--json", "--bundle", bundle, "--questions", QUESTIONS]);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "", "every page is in the bundle");
  const { all, styles, refusals, results } = JSON.parse(stdout);
  const [plain, paraphrase] = styles;
  assert.deepEqual([plain.style, plain.questions, paraphrase.style, paraphrase.questions], ["plain", 30, "paraphrase", 30]);
  // Measured: 1 and 0.633.
  assert.ok(plain["page@3"] >= 0.9, stdout);
  assert.ok(paraphrase["page@3"] >= 0.5, stdout);
  assert.ok(plain["page@1"] > paraphrase["page@1"], "other words than the page's are harder");
  for (const { "page@1": one, "page@3": three, "page@10": ten } of [all, ...styles]) {
    assert.ok(one <= three && three <= ten && ten <= 1, stdout);
  }
  assert.equal(all.questions, 60);
  assert.equal(results.length, 80);
  const refused = results.filter((result) => result.refused && result.answerable && result.style === "plain");
  assert.ok(refused.length <= 0.05 * plain.questions, stdout);
  // Measured: 17. Some are about a subject of the lessons, in its words.
  assert.equal(refusals.unanswerable.questions, 20);
  assert.ok(refusals.unanswerable.refused >= 16, stdout);
});

/** @param {object[]} entries */
async function evaluateLessons(t, entries, ...options) {
  const cwd = await folderWith(t, { "questions.jsonl": jsonLines(entries) });
  return groundling(["eval", "--bundle", bundle, "--questions", "questions.jsonl", ...options], { cwd });
}

const FOUND = { question: "What is a covering index?", answers: ["gone.md", "/sql/covering-index/#anything"] };
const MISSED = { question: "What does the GIL do?", answers: ["cooking/soup.md"], style: "odd" };
const REFUSED = { question: "qwzxv?", answers: [], answerable: false };

test("the table has a row a style, and refusals are counted", async (t) => {
  const { code, stdout } = await evaluateLessons(t, [FOUND, MISSED, REFUSED]);
  assert.equal(code, 0);
  assert.deepEqual(stdout.split("\n"), [
    "       questions  page@1  page@3  page@10",
    "plain          1   1.000   1.000    1.000",
    "odd            1   0.000   0.000    0.000",
    "all            2   0.500   0.500    0.500",
    "",
    "Refused 0 of 2 answerable questions.",
    "Refused 1 of 1 unanswerable questions.",
    "",
  ]);
});

test("a page that the bundle does not have is told with file and line", async (t) => {
  const { stderr } = await evaluateLessons(t, [FOUND, MISSED]);
  assert.equal(stderr, "questions.jsonl:2: no page of the bundle has the path cooking/soup.md\n");
});

test("--threshold decides between exit codes 0 and 1", async (t) => {
  assert.equal((await evaluateLessons(t, [FOUND, MISSED], "--threshold", "50")).code, 0);
  const { code, stderr } = await evaluateLessons(t, [FOUND, MISSED], "--threshold", "51");
  assert.equal(code, 1);
  assert.match(stderr, /page@3 is below 51 percent: 1 of 2/u);
});

test("--answers tells what is grounded, which cited pages answer, and how far sentences are borne out", async (t) => {
  const { code, stdout } = await evaluateLessons(t, [FOUND, MISSED, REFUSED], "--answers");
  assert.equal(code, 0);
  assert.deepEqual(stdout.trimEnd().split("\n").slice(-5), [
    "Refused 0 of 2 answerable questions.",
    "Refused 1 of 1 unanswerable questions.",
    "Answered 2 of 2 answerable questions with valid citations.",
    "Cited a page that answers with 1 of 2 sources.",
    "Sentences: 2 supported, 0 weak, 0 unsupported, 0 uncited.",
  ]);
  const json = JSON.parse((await evaluateLessons(t, [FOUND, MISSED, REFUSED], "--answers", "--json")).stdout);
  assert.deepEqual(json.answers.grounded, { part: 2, whole: 2 });
  assert.deepEqual(json.answers.refused, { part: 1, whole: 1 });
  assert.deepEqual(json.answers.precision, { part: 1, whole: 2 });
  assert.deepEqual(json.answers.supported, { part: 2, whole: 2 });
  assert.equal(json.results[0].answer.right, 1);
  assert.equal(json.results[2].answer.reason, "nothing_found");
});

test("each --min option decides between exit codes 0 and 1", async (t) => {
  const gates = ["--answers", "--min-grounded", "100", "--min-refused", "100", "--min-supported", "100"];
  const questions = [FOUND, MISSED, REFUSED];
  assert.equal((await evaluateLessons(t, questions, ...gates, "--min-precision", "50")).code, 0);
  const { code, stderr } = await evaluateLessons(t, questions, ...gates, "--min-precision", "51");
  assert.equal(code, 1);
  assert.match(stderr, /--min-precision 51 is missed: 1 of 2 cited sources/u);
  const unanswered = { question: "qwzxv?", answers: ["sql/joins.md"] };
  const missed = await evaluateLessons(t, [unanswered], "--answers", "--min-grounded", "1");
  assert.match(missed.stderr, /--min-grounded 1 is missed: 0 of 1 answerable/u);
  const answered = { question: FOUND.question, answers: [], answerable: false };
  const told = await evaluateLessons(t, [answered], "--answers", "--min-refused", "1");
  assert.match(told.stderr, /--min-refused 1 is missed: 0 of 1 unanswerable/u);
});

test("with an endpoint its replies are judged", async (t) => {
  const replies = ["It is an index that pays bills [1].", "A covering index holds every column a query needs [1].", "It is blue [9]."];
  const server = await serverFor(t, (response) => sendJson(response, responsesReply(replies.shift())));
  const endpoint = ["--endpoint", `${server.url}/v1/responses`, "--model", "m", "--no-stream"];
  const questions = [FOUND, FOUND, FOUND];
  const { code, stdout, stderr } = await evaluateLessons(t, questions, "--answers", "--min-supported", "51", "--json", ...endpoint);
  const { answers, results } = JSON.parse(stdout);
  assert.deepEqual(answers.grounded, { part: 2, whole: 3 });
  assert.deepEqual([answers.sentences.supported, answers.sentences.unsupported], [1, 1]);
  assert.equal(results[2].answer.reason, "unknown_source");
  assert.equal(code, 1);
  assert.match(stderr, /--min-supported 51 is missed: 1 of 2 sentences/u);
});

test("with --refuse nothing is sent for a question that is not covered", async (t) => {
  const server = await serverFor(t, (response) => sendJson(response, responsesReply("Red wine [1].")));
  const endpoint = ["--endpoint", `${server.url}/v1/responses`, "--model", "m", "--no-stream"];
  const wine = { question: "Which red wine goes with a table of oak?", answers: [], answerable: false };
  const { stdout } = await evaluateLessons(t, [wine], "--answers", "--refuse", "--json", ...endpoint);
  assert.equal(JSON.parse(stdout).results[0].answer.reason, "not_covered");
  assert.equal(server.requests.length, 0);
});

test("an endpoint that fails ends it with exit code 3", async (t) => {
  const server = await serverFor(t, (response) => response.writeHead(401).end());
  const { code } = await evaluateLessons(t, [FOUND], "--answers", "--endpoint", `${server.url}/v1/responses`, "--model", "m");
  assert.equal(code, 3);
});

test("what is ranked for a collection is what a search without prefix finds", async () => {
  const docs = await load(await readFile(path.join(bundle, "docs.wasm")));
  const all = { top: 100, perPage: 0xffff_ffff, budgetWords: 0xffff_ffff };
  for (const line of (await readFile(QUESTIONS, "utf8")).trimEnd().split("\n")) {
    const { question } = JSON.parse(line);
    const { hits } = await docs.search(question, { limit: 100, prefix: false });
    const sources = await docs.retrieve(question, all);
    assert.deepEqual(sources.map(({ id, score }) => ({ id, score })), hits.map(({ id, score }) => ({ id, score })), question);
  }
  docs.free();
});
