/** What goes into a prompt beside the best chunks. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { bundleOf } from "./support/bundle.js";
import { responsesReply, sendJson, serverFor } from "./support/server.js";

// Long enough for a chunk each: shorter sections are joined.
const rest = "It stands in every kitchen of the house, and those who use it know well why they would not want to do without it for a single day.";
const kettle = `A kettle boils water, and a good one switches itself off. ${rest}`;
const samovar = `The samovar keeps water hot for hours, over charcoal or over a coil. ${rest}`;
const pot = `A pot keeps the leaves, and a strainer keeps them out of the cup. ${rest}`;
const tea = `# Tea\n\nAll about tea, from the leaf to the cup. ${rest}\n\n## Kettle\n\n${kettle}\n\n## Samovar\n\n${samovar}\n\n## Pot\n\n${pot}\n`;

/** The texts of what is retrieved. */
async function texts(question, options, files = { "tea.md": tea }) {
  const docs = await load(bundleOf(files));
  return (await docs.retrieve(question, options)).map(({ text }) => text);
}

test("a source stands alone unless neighbours are asked for", async () => {
  assert.deepEqual(await texts("samovar"), [samovar]);
});

test("neighbours of a source join it, in the order of the page", async () => {
  assert.deepEqual(await texts("samovar", { neighbours: true }), [[kettle, samovar, pot].join("\n\n")]);
});

test("what follows joins first, and only what fits the budget", async () => {
  assert.deepEqual(await texts("samovar", { neighbours: true, budgetWords: 90 }), [[samovar, pot].join("\n\n")]);
  assert.deepEqual(await texts("samovar", { neighbours: true, budgetWords: 50 }), [samovar]);
});

test("a chunk that is a source itself joins no other", async () => {
  const found = await texts("samovar pot", { neighbours: true, perPage: 2 });
  const joined = found.join("\n\n");
  for (const text of [samovar, pot]) assert.equal(joined.split(text).length, 2);
});

test("a page that is mirrored is one source", async () => {
  const files = { "v1/tea.md": tea, "v2/tea.md": tea };
  assert.deepEqual(await texts("samovar", {}, files), [samovar]);
});

test("a budget may be given in model tokens, but not in both units", async () => {
  const docs = await load(bundleOf({ "a.jsonl": ["/a", "/b"].map((url) => JSON.stringify({ url, title: url, text: "kettle of tea" })).join("\n") }));
  const count = async (options) => (await docs.retrieve("kettle", options)).length;
  // Thirteen characters are five tokens, as they are estimated.
  assert.equal(await count({ budgetTokens: 10 }), 2);
  assert.equal(await count({ budgetTokens: 9 }), 1);
  await assert.rejects(docs.retrieve("kettle", { budgetTokens: 10, budgetWords: 9 }), { code: "bad-options", message: /budgetTokens/u });
});

test("neighbours keep within a budget of model tokens", async () => {
  const tokens = (/** @type {string} */ text) => Math.ceil(text.length / 3);
  assert.deepEqual(await texts("samovar", { neighbours: true, budgetTokens: tokens(samovar) + tokens(pot) }), [[samovar, pot].join("\n\n")]);
  assert.deepEqual(await texts("samovar", { neighbours: true, budgetTokens: tokens(samovar) + tokens(kettle) - 1 }), [samovar]);
});

test("the same question and index give the same bytes, in every instance and whatever was asked before", async () => {
  const bundle = bundleOf({ "tea.md": tea, "cup.md": `# Cup\n\nA cup holds tea. ${rest}\n` });
  const [first, second] = [await load(bundle), await load(bundle)];
  const history = [{ question: "samovar?", answer: "Hot [1].", titles: ["Samovar"] }];
  const asked = async (/** @type {typeof first} */ docs, options) => JSON.stringify(await docs.prompt("and what of tea in it?", options));
  for (const options of [{}, { neighbours: true, perPage: 3 }, { history }, { prompt: "context-ru" }, { budgetTokens: 200 }]) {
    const bytes = await asked(first, options);
    await second.search("kettle pot strainer");
    assert.equal(await asked(second, options), bytes);
    assert.equal(await asked(first, options), bytes);
  }
});

test("what prompt() shows is what a server and a function are sent", async (t) => {
  const docs = await load(bundleOf({ "tea.md": tea }));
  const server = await serverFor(t, (response) => sendJson(response, responsesReply("Hot [1].")));
  const provider = { protocol: "openai-responses", endpoint: `${server.url}/v1/responses`, model: "m", stream: false };
  const options = { neighbours: true, history: [{ question: "What is a kettle?", answer: "It boils water." }] };
  const { request, ...shown } = await docs.prompt("and a samovar?", { ...options, provider });
  await docs.ask("and a samovar?", { ...options, provider });
  assert.equal(server.requests[0].body, request.body);
  let given;
  await docs.ask("and a samovar?", { ...options, provider: (prompt) => ((given = prompt), "Hot [1].") });
  assert.deepEqual(given, shown);
});
