/** The context pipeline (`askContext`), one test or more for each rule of it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { bundleOf } from "./support/bundle.js";
import { responsesReply, sendJson, serverFor } from "./support/server.js";

/** @param {[url: string, text: string][]} pages */
async function records(...pages) {
  const lines = pages.map(([url, text]) => JSON.stringify({ url, title: "", text }));
  return load(bundleOf({ "records.jsonl": lines.join("\n") }));
}

/** The input that the provider got, and what `askContext` gave. */
async function asked(docs, question, options = {}) {
  let input;
  const provider = (prompt) => {
    input = prompt.input;
    return "Ответ.";
  };
  return { result: await docs.askContext(question, { provider, ...options }), input };
}

const LEAD = "Используй следующий контекст, чтобы ответить на вопрос:";
const CLOSING = 'Если контекста недостаточно, ответь: "Недостаточно данных для ответа на данный вопрос"';

test("the prompt is the earlier system's, byte for byte", async () => {
  const docs = await records(["/a", "чайник чайник чайник"], ["/b", "Вода для чая: чайник\nи плита."]);
  const { input } = await asked(docs, "Где чайник?");
  assert.equal(
    input,
    `${LEAD}\n\n\`\`\`\nчайник чайник чайник\n\nВода для чая: чайник\nи плита.\n\`\`\`\n\n\`\`\`\nГде чайник?\n\`\`\`\n\n${CLOSING}`,
  );
});

test("what is sent to a server is that prompt and nothing else", async (t) => {
  const server = await serverFor(t, (response) => sendJson(response, responsesReply("Ответ.")));
  const docs = await records(["/a", "Чайник кипит."]);
  const provider = { protocol: "openai-responses", endpoint: `${server.url}/v1/responses`, model: "m", stream: false };
  const result = await docs.askContext("Чайник?", { provider });
  assert.deepEqual(result, { answer: "Ответ.", sources: ["/a"] });
  const body = JSON.parse(server.requests[0].body);
  assert.equal(body.input, `${LEAD}\n\n\`\`\`\nЧайник кипит.\n\`\`\`\n\n\`\`\`\nЧайник?\n\`\`\`\n\n${CLOSING}`);
  assert.deepEqual(body.metadata, { prompt_version: "context-ru-v1" });
});

test("the ten best chunks are taken, with no limit for a page and no budget of words", async () => {
  const long = `kettle ${"steam ".repeat(900).trim()}`;
  const pages = Array.from({ length: 15 }, (_, i) => [`/page#part${i}`, `${long} ${i}`]);
  const docs = await records(...pages);
  const { input, result } = await asked(docs, "kettle");
  assert.equal(input.match(/kettle steam/gu).length, 10);
  assert.deepEqual([...new Set(result.sources)], result.sources);
  assert.equal((await asked(docs, "kettle", { top: 2 })).input.match(/kettle steam/gu).length, 2);
});

test("the sources are the paths in the order found, each once", async () => {
  const docs = await load(
    bundleOf({
      "b.md": "# Kettle kettle\n\nkettle kettle kettle kettle\n\n## Kettle\n\nkettle\n",
      "a.md": "# Pots\n\nA pot is beside the kettle, and other things stand around it.\n",
    }),
  );
  const { result } = await asked(docs, "kettle");
  assert.deepEqual(result.sources, ["b.md", "a.md"]);
});

test("backticks in a chunk or in the question do not end their fence", async () => {
  const docs = await records(["/a", "kettle\n```js\nboil();\n```\nand ````` five"]);
  const { input } = await asked(docs, "kettle ```");
  assert.equal(
    input,
    `${LEAD}\n\n\`\`\`\`\`\`\nkettle\n\`\`\`js\nboil();\n\`\`\`\nand \`\`\`\`\` five\n\`\`\`\`\`\`\n\n\`\`\`\`\nkettle \`\`\`\n\`\`\`\`\n\n${CLOSING}`,
  );
});

test("where no chunk is found the call is made with an empty context", async () => {
  const docs = await records(["/a", "A kettle boils."]);
  const { input, result } = await asked(docs, "chicken");
  assert.equal(input, `${LEAD}\n\n\`\`\`\n\n\`\`\`\n\n\`\`\`\nchicken\n\`\`\`\n\n${CLOSING}`);
  assert.deepEqual(result, { answer: "Ответ.", sources: [] });
});

test("the reply is returned unchecked", async () => {
  const docs = await records(["/a", "A kettle boils."]);
  for (const reply of ["No citation.", "Made up [7].", "", "  spaces  \n"]) {
    const { answer } = await docs.askContext("kettle", { provider: async () => reply });
    assert.equal(answer, reply);
  }
});

test("the English preset says the same in English", async () => {
  const docs = await records(["/a", "A kettle boils."]);
  const { input } = await asked(docs, "kettle", { prompt: "context" });
  assert.equal(
    input,
    "Use the following context to answer the question:\n\n```\nA kettle boils.\n```\n\n```\nkettle\n```\n\n" +
      'If the context is not sufficient, reply: "Not enough data to answer this question"',
  );
});

test("a site can define a template of its own", async () => {
  const docs = await records(["/a", "A kettle boils."]);
  const prompt = {
    ...{ name: "kitchen", version: "kitchen-v2", lang: "de", instructions: "Antworte kurz.", refusal: "Keine Ahnung." },
    ...{ citationMode: "none", fences: { lead: "Kontext:", closing: "Ende." } },
  };
  let given;
  await docs.askContext("kettle", { prompt, provider: (asked) => ((given = asked), "Ja.") });
  assert.equal(given.input, "Kontext:\n\n```\nA kettle boils.\n```\n\n```\nkettle\n```\n\nEnde.");
  assert.deepEqual([given.instructions, given.version, given.citationMode], ["Antworte kurz.", "kitchen-v2", "none"]);
});
