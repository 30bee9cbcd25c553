/** A question that goes on a conversation: what is found for it, and what the model is told. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { bundleOf, lessonsBundle } from "./support/bundle.js";
import { responsesReply, sendJson, serverFor } from "./support/server.js";

const docs = await load(await lessonsBundle());

const FIRST = "What is a broadcast join?";
const NEXT = "and how do I turn it off?";
/** @type {import("../../dist/load.js").AskOptions["history"]} */
const history = [{ question: FIRST, answer: "It sends the small table to every worker [1].", titles: ["Broadcast joins"] }];
const sources = [{ url: "/ports", title: "Ports", text: "The port is 8080." }];

const words = (word, count) => Array(count).fill(word).join(" ");

test("a follow-up is found with the words of the question before it, and alone it is not", async () => {
  const found = async (options) => (await docs.retrieve(NEXT, options)).slice(0, 3).map(({ path }) => path);
  assert.ok((await found({ history })).includes("spark/broadcast-join.md"));
  assert.ok(!(await found({})).includes("spark/broadcast-join.md"));
});

test("a question that stands alone is found as without a history", async () => {
  const question = "Which columns go into the key of a covering index?";
  const urls = async (options) => (await docs.retrieve(question, options)).map(({ url }) => url);
  const alone = await urls({ budgetWords: 2000 });
  const going = await urls({ budgetWords: 2000, history });
  assert.deepEqual(going, alone.slice(0, going.length));
});

test("the conversation goes into the prompt, without the citations of its answers", async () => {
  const prompt = await docs.prompt(NEXT, { history, sources });
  assert.equal(
    prompt.input,
    `<source id="1" title="Ports">\nThe port is 8080.\n</source>\n` +
      `<history>\n<asked>${FIRST}</asked>\n<answered>It sends the small table to every worker.</answered>\n</history>\n` +
      `<question>${NEXT}</question>`,
  );
  assert.match(prompt.instructions, /\nThe conversation so far, in <history>,[^\n]*$/u);
});

for (const preset of /** @type {const} */ (["cited", "cited-ru", "context", "context-ru"])) {
  test(`without a history ${preset} has the same bytes as with an empty one`, async () => {
    const plain = await docs.prompt("Which port?", { prompt: preset, sources });
    assert.deepEqual(await docs.prompt("Which port?", { prompt: preset, sources, history: [] }), plain);
    assert.doesNotMatch(plain.input + plain.instructions, /history|conversation|разговор/u);
  });
}

test("the oldest turns give way to the budget, and the answer tells how many", async () => {
  const long = ["one", "two", "three"].map((question) => ({ question, answer: words("tea", 99) }));
  /** @type {string[]} */
  const inputs = [];
  const provider = (prompt) => {
    inputs.push(prompt.input);
    return "8080 [1].";
  };
  const options = { history: long, sources, provider };
  assert.equal((await docs.ask(NEXT, { ...options, budgetWords: 900 })).droppedTurns, 0);
  assert.equal((await docs.ask(NEXT, { ...options, budgetWords: 700 })).droppedTurns, 1);
  assert.equal((await docs.ask(NEXT, { ...options, budgetWords: 299 })).droppedTurns, 3);
  const asked = inputs.map((input) => [...input.matchAll(/<asked>(.*)<\/asked>/gu)].map(([, question]) => question));
  assert.deepEqual(asked, [["one", "two", "three"], ["two", "three"], []]);
});

test("what the history takes of the budget is not left for the sources", async () => {
  const pages = Object.fromEntries([1, 2, 3].map((n) => [`${n}.md`, `# Kettle ${n}\n\nkettle ${words(`word${n}`, 29)}\n`]));
  const small = await load(bundleOf(pages));
  const turn = { question: "kettle?", answer: words("tea", 29) };
  assert.equal((await small.retrieve("kettle", { budgetWords: 90 })).length, 3);
  assert.equal((await small.retrieve("kettle", { budgetWords: 90, history: [turn] })).length, 2);
});

test("a context window too small for all drops old turns before sources", async () => {
  const provider = Object.assign(() => "8080 [1].", { contextWindow: 900 });
  const old = { question: "one", answer: words("tea", 400) };
  const answer = await docs.ask(NEXT, { history: [old, ...(history ?? [])], sources, provider, budgetWords: 2000 });
  assert.deepEqual([answer.droppedTurns, answer.droppedSources, answer.grounded], [1, 0, true]);
});

test("the offline answerer answers a follow-up from the page that it is about", async () => {
  const answer = await docs.ask(NEXT, { history });
  assert.equal(answer.grounded, true);
  assert.equal(answer.sources[0].path, "spark/broadcast-join.md");
});

test("with rewrite the model puts the question first, and what it puts is looked for", async () => {
  const prompts = [];
  const provider = (prompt) => {
    prompts.push(prompt);
    return prompts.length === 1 ? "How do I turn broadcast joins off?\n" : "Set it to -1 [1].";
  };
  const events = [];
  const answer = await docs.ask(NEXT, { history, rewrite: true, provider, onEvent: (event) => events.push(event) });
  assert.equal(answer.rewritten, "How do I turn broadcast joins off?");
  assert.equal(answer.grounded, true);
  assert.deepEqual(prompts.map(({ version }) => version), ["rewrite-v1", "answer-v1"]);
  assert.match(prompts[0].input, /^<history>\n<asked>[^]*<\/history>\n<question>and how do I turn it off\?<\/question>$/u);
  assert.ok(prompts[1].input.endsWith(`<question>${NEXT}</question>`));
  assert.ok(prompts[1].sources.some(({ path }) => path === "spark/broadcast-join.md"));
  // The rewriting is no part of the answer.
  assert.deepEqual(events.map(({ type }) => type), ["sources", "delta", "citation", "done"]);
});

test("what a model replies instead of a question is not looked for", async () => {
  for (const odd of ["", "Well.\n\nHere it is:\nHow?", words("how", 400)]) {
    let calls = 0;
    const answer = await docs.ask(NEXT, { history, rewrite: true, provider: () => (++calls === 1 ? odd : "So [1].") });
    assert.equal(answer.rewritten, NEXT);
  }
});

test("there is nothing to rewrite without a history or without a model", async () => {
  let calls = 0;
  const provider = () => {
    calls++;
    return "So [1].";
  };
  assert.equal((await docs.ask(FIRST, { rewrite: true, provider })).rewritten, undefined);
  assert.equal(calls, 1);
  assert.equal((await docs.ask(NEXT, { history, rewrite: true })).rewritten, undefined);
});

test("the tokens of the rewriting count", async (t) => {
  const replies = ["How do I turn broadcast joins off?", "Set it to -1 [1]."];
  const server = await serverFor(t, (response) => sendJson(response, responsesReply(replies.shift())));
  const provider = { protocol: /** @type {const} */ ("openai-responses"), endpoint: `${server.url}/v1/responses`, model: "m", stream: false };
  const answer = await docs.ask(NEXT, { history, rewrite: true, provider });
  assert.deepEqual(answer.usage, { input: 642, output: 24 });
  assert.equal(server.requests.length, 2);
});

test("a failing model fails the question at the rewriting", async (t) => {
  const server = await serverFor(t, (response) => sendJson(response, { error: { message: "bad key" } }, 401));
  const provider = { protocol: /** @type {const} */ ("openai-responses"), endpoint: `${server.url}/v1/responses`, model: "m" };
  await assert.rejects(docs.ask(NEXT, { history, rewrite: true, provider }), { code: "provider-auth" });
});

test("a history of another shape is refused", async () => {
  const wrong = /** @type {any} */ ([{ question: "Why?" }]);
  await assert.rejects(docs.ask(NEXT, { history: wrong }), { code: "bad-options", message: /history\[\]\.answer/u });
});
