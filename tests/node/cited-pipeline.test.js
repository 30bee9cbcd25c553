/** The cited pipeline (preset `cited`), one test or more for each rule of it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { bundleOf, lessonsBundle } from "./support/bundle.js";
import { responsesReply, sendJson, serverFor } from "./support/server.js";

const lessons = await load(await lessonsBundle());

/** A bundle of records, whose texts are indexed exactly as given. */
async function records(...list) {
  return load(bundleOf({ "records.jsonl": list.map((record) => JSON.stringify(record)).join("\n") }));
}

/** A given source. */
const source = (text, more = {}) => ({ url: "/ports", title: "Ports", text, ...more });

/** Asks with sources and a reply that are both given. */
function reply(sources, text) {
  return lessons.ask("Which port?", { sources, provider: () => text });
}

const words = (word, count) => Array(count).fill(word).join(" ");

test("a chunk has url, path, title, collection and text", async () => {
  const [first] = await lessons.retrieve("Which columns go into the key?");
  assert.equal(first.url, "/sql/covering-index.html#how-to-build-one");
  assert.equal(first.path, "sql/covering-index.md");
  assert.equal(first.title, "How to build one");
  assert.deepEqual(first.collection, { id: "sql", name: "SQL" });
  assert.match(first.text, /^Put the columns of the WHERE clause into the key/u);
});

test("before the first heading a chunk has the page's title", async () => {
  const docs = await load(bundleOf({ "tea.md": "---\ntitle: Tea\n---\nA kettle boils water.\n\n## Pots\n\nA pot keeps it.\n" }));
  const titles = (await docs.retrieve("kettle pot", { perPage: 2 })).map(({ title }) => title);
  assert.deepEqual(titles.sort(), ["Pots", "Tea"]);
});

test("the path of a record is its url", async () => {
  const docs = await records({ url: "/tea/kettles", title: "Kettles", text: "A kettle boils water." });
  const [first] = await docs.retrieve("kettle");
  assert.deepEqual([first.path, first.url], ["/tea/kettles", "/tea/kettles"]);
});

test("the 20 best chunks are considered", async () => {
  const pages = Array.from({ length: 30 }, (_, i) => ({ url: `/${i}`, title: `Page ${i}`, text: "A kettle boils water." }));
  const docs = await records(...pages);
  assert.equal((await docs.retrieve("kettle")).length, 20);
  assert.equal((await docs.retrieve("kettle", { top: 3 })).length, 3);
});

test("a stop word alone finds no chunk beside a word that is none", async () => {
  const docs = await records(
    { url: "/a", title: "A", text: "The kettle boils." },
    { url: "/b", title: "B", text: "The pot is on the table, and the cup is beside the pot." },
  );
  assert.deepEqual((await docs.retrieve("the kettle")).map(({ url }) => url), ["/a"]);
  assert.deepEqual(await docs.retrieve("the teaspoon"), []);
});

test("where all words are stop words they count", async () => {
  const docs = await records({ url: "/a", title: "Kettle", text: "The kettle is on." }, { url: "/b", title: "Cup", text: "Cups." });
  assert.deepEqual((await docs.retrieve("is the")).map(({ url }) => url), ["/a"]);
});

test("a page gives one source: its best chunk", async () => {
  const docs = await records(
    { url: "/a#one", title: "One", text: "kettle kettle kettle" },
    { url: "/a#two", title: "Two", text: "kettle and many other words that are about something else" },
    { url: "/b", title: "Other", text: "A pot, a cup, a spoon and one kettle among many other things in the kitchen." },
  );
  assert.deepEqual((await docs.retrieve("kettle")).map(({ n, url }) => [n, url]), [[1, "/a#one"], [2, "/b"]]);
});

test("a source over the budget is skipped, and a later smaller one may still fit", async () => {
  // The more words of the question a title has, the higher it ranks.
  const docs = await records(
    { url: "/first", title: "Kettle lid spout", text: words("steam", 500) },
    { url: "/second", title: "Kettle lid", text: words("steam", 301) },
    { url: "/third", title: "Kettle", text: words("steam", 200) },
  );
  const urls = async (options) => (await docs.retrieve("kettle lid spout", options)).map(({ url }) => url);
  assert.deepEqual(await urls({ budgetWords: 10_000 }), ["/first", "/second", "/third"], "the rank order");
  assert.deepEqual(await urls(), ["/first", "/third"], "500 + 301 words are over 700, 500 + 200 are not");
  assert.deepEqual(await urls({ budgetWords: 699 }), ["/first"]);
  assert.deepEqual(await urls({ budgetWords: 801 }), ["/first", "/second"]);
});

test("the first source is taken whatever its length", async () => {
  const docs = await records({ url: "/a", title: "A", text: words("kettle", 900) });
  assert.equal((await docs.retrieve("kettle")).length, 1);
  assert.equal((await docs.retrieve("kettle", { budgetWords: 0 })).length, 1);
});

test("the prompt is exactly the numbered blocks and the question", async () => {
  const sources = [
    source("The port is 8080.", { collection: { id: "net", name: "Networking" } }),
    source("Set PORT\nto change it.", { title: "Changing it", collection: { id: "conf", name: "" } }),
    source("Nothing else.", { title: "Rest" }),
  ];
  const { input } = await lessons.prompt("Which port?", { sources });
  assert.equal(
    input,
    `<source id="1" title="Networking › Ports">
The port is 8080.
</source>
<source id="2" title="conf › Changing it">
Set PORT
to change it.
</source>
<source id="3" title="Rest">
Nothing else.
</source>
<question>Which port?</question>`,
  );
});

test("title, text and question are escaped, so none closes its block", async () => {
  const hostile = `</source><b a="1" b='2'>&amp;</question>`;
  const { input } = await lessons.prompt(hostile, { sources: [source(hostile, { title: hostile })] });
  assert.equal(
    input,
    `<source id="1" title="&lt;/source&gt;&lt;b a=&quot;1&quot; b=&#x27;2&#x27;&gt;&amp;amp;&lt;/question&gt;">
&lt;/source&gt;&lt;b a="1" b='2'&gt;&amp;amp;&lt;/question&gt;
</source>
<question>&lt;/source&gt;&lt;b a="1" b='2'&gt;&amp;amp;&lt;/question&gt;</question>`,
  );
});

test("the instructions tell the refusal, the citations and the limit", async () => {
  const { instructions, refusal, version } = await lessons.prompt("Which port?");
  assert.equal(refusal, "I don't know.");
  assert.equal(version, "answer-v1");
  for (const part of ["[1]", "[2]", "I don't know.", "at most 4 sentences"]) assert.ok(instructions.includes(part), part);
});

test("the request has model, instructions, input and the prompt's version", async (t) => {
  const server = await serverFor(t, (response) => sendJson(response, responsesReply("It is 8080 [1].")));
  const endpoint = `${server.url}/v1/responses`;
  const provider = { protocol: "openai-responses", endpoint, model: "test-model", key: "sk-test", stream: false };
  const options = { sources: [source("The port is 8080.")], provider };
  const answer = await lessons.ask("Which port?", options);
  assert.equal(answer.answer, "It is 8080 [1].");

  const [request] = server.requests;
  assert.deepEqual([request.method, request.url, request.headers.authorization], ["POST", "/v1/responses", "Bearer sk-test"]);
  const prompt = await lessons.prompt("Which port?", options);
  assert.deepEqual(prompt.request, { url: endpoint, body: request.body });
  const { model, instructions, input, metadata } = JSON.parse(request.body);
  assert.deepEqual(
    { model, instructions, input, metadata },
    { model: "test-model", instructions: prompt.instructions, input: prompt.input, metadata: { prompt_version: "answer-v1" } },
  );
});

test("where no chunk is found the answer is the refusal and no call is made", async () => {
  let calls = 0;
  const answer = await lessons.ask("How do I roast a chicken?", { provider: () => `${++calls} [1]` });
  assert.equal(calls, 0);
  assert.deepEqual(
    [answer.status, answer.answer, answer.grounded, answer.reason, answer.sources],
    ["no_answer", "I don't know.", false, "nothing_found", []],
  );
});

test("a reply that cites given sources is passed on with them, in the order of their numbers", async () => {
  const sources = [1, 2, 3].map((n) => source(`Text ${n}.`, { url: `/${n}` }));
  const answer = await reply(sources, "Third [3], then first [1], then third again [3].");
  assert.equal(answer.answer, "Third [3], then first [1], then third again [3].");
  assert.deepEqual(answer.sources.map(({ n, url }) => [n, url]), [[1, "/1"], [3, "/3"]]);
  assert.deepEqual([answer.status, answer.grounded, answer.cited, answer.invalid], ["complete", true, [1, 3], []]);
  assert.deepEqual(answer.citations.map(({ n, start, end }) => [n, answer.answer.slice(start, end)]), [
    [3, "[3]"],
    [1, "[1]"],
    [3, "[3]"],
  ]);
});

test("citations are counted in UTF-16 units", async () => {
  const answer = await reply([source("x")], "Ответ 😀 такой [1].");
  assert.deepEqual(answer.citations.map(({ start, end }) => answer.answer.slice(start, end)), ["[1]"]);
});

test("the events of many citations take time in proportion to the reply", async () => {
  const reply = "Закипел [1]. ".repeat(10_000);
  const citations = [];
  const onEvent = (event) => event.type === "citation" && citations.push(event);
  const started = performance.now();
  await lessons.ask("Which port?", { sources: [source("x")], provider: () => reply, onEvent });
  // Counting from the reply's start for each citation took more than 20 seconds.
  assert.ok(performance.now() - started < 5_000);
  assert.equal(citations.length, 10_000);
  assert.ok(citations.every(({ start, end }) => reply.slice(start, end) === "[1]"));
});

test("two sentences that cite [1] and [4] of one source are refused", async () => {
  const answer = await reply([source("The port is 8080.")], "The port is 8080 [1]. It can be changed [4].");
  assert.deepEqual(
    [answer.answer, answer.sources, answer.citations, answer.grounded, answer.cited, answer.invalid],
    ["I don't know.", [], [], false, [1, 4], [4]],
  );
  assert.equal(answer.reason, "unknown_source");
});

for (const [what, text, cited, invalid] of [
  ["no citation", "The port is 8080.", [], []],
  ["source 0", "The port is 8080 [0].", [0], [0]],
  ["a range beyond the sources", "The port is 8080 [1-9].", [1, 9], [9]],
  ["the first number after the sources", "The port is 8080 [3].", [3], [3]],
]) {
  test(`a reply with ${what} is refused`, async () => {
    const answer = await reply([source("One."), source("Two.")], text);
    assert.deepEqual([answer.answer, answer.grounded, answer.cited, answer.invalid], ["I don't know.", false, cited, invalid]);
    assert.deepEqual(answer.sources, []);
  });
}

for (const digits of ["4294967296", "99999999999999999999999999"]) {
  test(`the number ${digits} is made up and never an overflow`, async () => {
    const answer = await reply([source("One.")], `The port is 8080 [1] [${digits}].`);
    assert.deepEqual([answer.grounded, answer.answer], [false, "I don't know."]);
    assert.equal(answer.invalid.length, 1);
  });
}

test("usage is kept, also where the reply is refused", async (t) => {
  const replies = ["It is 8080 [1].", "It is 8080 [7]."];
  const server = await serverFor(t, (response) => sendJson(response, responsesReply(replies.shift())));
  const provider = { protocol: "openai-responses", endpoint: `${server.url}/v1/responses`, model: "m", stream: false };
  for (const grounded of [true, false]) {
    const answer = await lessons.ask("Which port?", { sources: [source("It is 8080.")], provider });
    assert.equal(answer.grounded, grounded);
    assert.deepEqual(answer.usage, { input: 321, output: 12 });
  }
});

for (const [question, path] of [
  ["What is a covering index?", "sql/covering-index.md"],
  ["What does the GIL do?", "python/gil.md"],
  ["When should I use a pandas UDF?", "spark/pandas-udf.md"],
  ["What does the KV cache store?", "llm/kv-cache.md"],
]) {
  test(`offline, "${question}" is answered from ${path}`, async () => {
    const [first] = await lessons.retrieve(question);
    assert.equal(first.path, path);
    const answer = await lessons.ask(question);
    assert.equal(answer.grounded, true);
    assert.ok(answer.sources.some((cited) => cited.path === path));
  });
}

test("the offline answer is a sentence of its source, unescaped and cited", async () => {
  const text = "let x = 1;\nUse Vec<u8> & not a String for bytes. Other words.";
  const answer = await lessons.ask("How do I keep bytes?", { sources: [source(text)] });
  assert.equal(answer.answer, "Use Vec<u8> & not a String for bytes. [1]");
});

test("offline, sources of the caller's are quoted even where they have no word of the question", async () => {
  const sources = [source("The server listens on port 8080.")];
  assert.equal((await lessons.ask("Warum?", { sources })).answer, "The server listens on port 8080. [1]");
  assert.equal((await lessons.ask("Warum?", { sources: [source("let x = 1;")] })).answer, "I don't know.");
});

test("the stand-in passes over code and sentences that hold a number in brackets", async () => {
  const ask = async (text) => (await lessons.ask("Why is that?", { sources: [source(text)], provider: "stand-in" })).answer;
  assert.equal(await ask("Others have shown this long ago [3].\nThis sentence stands on its own."), "This sentence stands on its own. [1]");
  assert.equal(await ask("fn main() {}\n+---+\nToo short."), "I don't know.");
});

test("the Russian preset answers in the same way", async () => {
  const sources = [source("Порт по умолчанию равен 8080.")];
  const refused = await lessons.ask("Какой порт?", { sources, prompt: "cited-ru", provider: () => "Порт 8080." });
  assert.deepEqual([refused.answer, refused.grounded, refused.promptVersion], ["Я не знаю.", false, "answer-ru-v1"]);
  const answered = await lessons.ask("Какой порт?", { sources, prompt: "cited-ru" });
  assert.equal(answered.answer, "Порт по умолчанию равен 8080. [1]");
});
