/** What goes into a prompt beside the best chunks. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { bundleOf } from "./support/bundle.js";

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
