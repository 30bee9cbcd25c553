/** Every `load()` owns its instance: bundles keep apart, and a trap stops one alone. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { GroundlingError, load } from "../../dist/load.js";
import { bundleOf, lessonsBundle } from "./support/bundle.js";
import { exportedFunctions, withTrapIn } from "./support/trap.js";

const tea = bundleOf({ "tea.md": "# Kettles\n\nA kettle boils the water for tea.\n" });
const lessons = await lessonsBundle();

/** The timer of a question outlives a trap, and would keep this process for the default of two minutes. */
const timeoutMs = 2_000;

/** A question whose provider answers when it is told to. */
function pendingQuestion(docs) {
  let answer;
  const promise = docs.ask("kettle", { provider: () => new Promise((resolve) => (answer = resolve)), timeoutMs });
  return { promise, answer: (text) => answer?.(text) };
}

const isCrash = (error) => error instanceof GroundlingError && error.code === "engine-crashed";

/** The exports by which the glue calls back into the engine, after an `await` in it for example. */
const callbacks = exportedFunctions(tea).filter((name) => name.includes("invoke"));

test("two bundles that are open keep apart, used in turn", async () => {
  const [one, two] = [await load(tea), await load(lessons)];
  for (let i = 0; i < 3; i++) {
    assert.equal((await one.search("kettle")).total, 1);
    assert.equal((await two.search("kettle")).total, 0);
    assert.equal((await one.search("covering index")).total, 0);
    assert.ok((await two.search("covering index")).total > 0);
  }
  assert.deepEqual([one.info.pages, two.info.pages], [1, 40]);
});

test("two bundles that are open keep apart, used at the same time", async () => {
  const [one, two] = [await load(tea), await load(lessons)];
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const ask = (docs, question, ms) =>
    docs.ask(question, { provider: async (prompt) => (await wait(ms), `${prompt.sources[0].path} [1]`) });
  const answers = await Promise.all([
    ...[ask(one, "kettle", 20), ask(two, "covering index", 10)],
    ...[ask(one, "water", 5), ask(two, "What does the GIL do?", 15)],
  ]);
  assert.deepEqual(
    answers.map(({ answer }) => answer),
    ["tea.md [1]", "sql/covering-index.md [1]", "tea.md [1]", "python/gil.md [1]"],
  );
});

test("after a trap that instance rejects all that is pending and all that comes later", async () => {
  const docs = await load(withTrapIn(tea, "docs_search"));
  const question = pendingQuestion(docs);
  await assert.rejects(docs.search("kettle"), isCrash);
  await assert.rejects(question.promise, isCrash);
  question.answer("It boils [1].");
  for (const call of [
    ...[() => docs.search("kettle"), () => docs.retrieve("kettle"), () => docs.prompt("kettle"), () => docs.ask("kettle")],
    ...[() => docs.askContext("kettle", {}), () => docs.verify("[1]", 1), async () => docs.info],
  ]) {
    await assert.rejects(call, isCrash);
  }
});

test("the error of a trap has the trap as its cause and says what to do", async () => {
  const docs = await load(withTrapIn(tea, "docs_search"));
  const error = await docs.search("kettle").catch((thrown) => thrown);
  assert.ok(error.cause instanceof WebAssembly.RuntimeError);
  assert.match(error.message, /load\(\)/u);
});

for (const [method, name] of [["ask", "docs_ask"], ["askContext", "docs_askContext"]]) {
  test(`a trap at the start of ${method} rejects it, once`, async () => {
    const docs = await load(withTrapIn(tea, name));
    await assert.rejects(docs[method]("kettle", {}), isCrash);
    // A rejection that nobody handles would be told now, and fail the test.
    await new Promise((resolve) => setImmediate(resolve));
  });
}

test("a trap in one instance leaves the others alone, and the bundle can be opened anew", async () => {
  const other = await load(tea);
  const question = pendingQuestion(other);
  const broken = withTrapIn(tea, "docs_search");
  const docs = await load(broken);
  await assert.rejects(docs.search("kettle"), isCrash);

  assert.equal((await other.search("kettle")).total, 1);
  question.answer("It boils [1].");
  assert.equal((await question.promise).grounded, true);
  const again = await load(broken);
  assert.equal((await again.ask("kettle")).grounded, true);
});

test("the glue has callbacks to look at", () => assert.ok(callbacks.length > 0));

for (const [number, name] of callbacks.entries()) {
  test(`a trap in the engine's callback ${number} rejects the question and lets none hang`, async () => {
    const docs = await load(withTrapIn(tea, name));
    const questions = [
      docs.ask("kettle", { provider: async () => "It boils [1].", timeoutMs }),
      docs.ask("kettle", { provider: () => new Promise(() => {}), timeoutMs: 50 }),
      docs.ask("kettle", { provider: () => new Promise(() => {}), signal: AbortSignal.timeout(30), timeoutMs }),
    ];
    const outcomes = await Promise.allSettled(questions);
    const crashed = outcomes.filter(({ reason }) => isCrash(reason));
    assert.ok(crashed.length > 0, "the callback was called");
    await assert.rejects(docs.search("kettle"), isCrash);
  });
}

test("a stream ends with the error of a trap", async () => {
  const docs = await load(withTrapIn(tea, "docs_verify"));
  const types = [];
  let error;
  for await (const event of docs.stream("kettle", { provider: () => new Promise(() => {}), timeoutMs })) {
    types.push(event.type);
    if (event.type === "sources") docs.verify("[1]", 1).catch(() => {});
    if (event.type === "error") error = event.error;
  }
  assert.deepEqual(types, ["sources", "error"]);
  assert.ok(isCrash(error));
});
