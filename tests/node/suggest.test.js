/** What helps to write a query, and what tells why it found what it did. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { bundleOf } from "./support/bundle.js";
import { folderWith, groundling } from "./support/command.js";

const PAGES = {
  "coverage.md": "# Code coverage\n\nMeasure the coverage of your tests.\n",
  "index.md": "# Covering index\n\nA covering index holds all columns of a query.\n",
  "login.md": "# Accounts\n\nSign in with your password.\n",
};

test("a query being typed is completed by words, and by titles with their addresses", async () => {
  const docs = await load(bundleOf(PAGES));
  assert.deepEqual(await docs.suggest("cov"), [
    { text: "coverage" },
    { text: "covering" },
    { text: "Covering index", url: "/#covering-index" },
    { text: "Code coverage", url: "/coverage.html#code-coverage" },
  ]);
  assert.deepEqual(await docs.suggest("cov", { limit: 1 }), [{ text: "coverage" }]);
  assert.deepEqual(await docs.suggest("qqq"), []);
  await assert.rejects(docs.suggest("cov", { limit: "1" }), { code: "bad-options" });
  await assert.rejects(docs.suggest(undefined), { code: "bad-options" });
});

test("the parts of an explanation add up to the score", async () => {
  const docs = await load(bundleOf(PAGES));
  const { hits } = await docs.search("covering indexes", { explain: true });
  const { words, proximity, title } = hits[0].explanation ?? assert.fail();
  assert.deepEqual(words.map(({ word, kind }) => [word, kind]), [["covering", "stem"], ["indexes", "stem"]]);
  const sum = words.reduce((sum, { score }) => sum + score, proximity);
  assert.ok(Math.abs(sum - hits[0].score) < 1e-5);
  assert.equal(title, "page");
  assert.equal("explanation" in (await docs.search("covering")).hits[0], false);
});

test("the command explains, and reads the synonyms that the configuration names", async (t) => {
  const folder = await folderWith(t, {
    ...PAGES,
    "groundling.json": '{ "synonyms": "words/synonyms.txt" }',
    "words/synonyms.txt": "log in => sign in\n",
  });
  const out = `${folder}/out`;
  const built = await groundling(["build", folder, "--out", out]);
  assert.equal(built.code, 0, built.stderr);
  const found = await groundling(["search", "--bundle", out, "--explain", "log in"]);
  assert.equal(found.code, 0, found.stderr);
  assert.match(found.stdout, /^Accounts\n.*\nSign in with your password\.\n +\d+\.\d{3} score\n +\d.* log \(synonym sign, in 1 passages/);
});

test("a synonym that is no rule stops the build, and so does a missing file", async (t) => {
  const folder = await folderWith(t, { ...PAGES, "groundling.json": '{ "synonyms": "s.txt" }' });
  const missing = await groundling(["build", folder, "--out", `${folder}/out`]);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /s\.txt/);
  const wrong = await folderWith(t, { ...PAGES, "groundling.json": '{ "synonyms": "s.txt" }', "s.txt": "a, b\nalone\n" });
  const { code, stderr } = await groundling(["build", wrong, "--out", `${wrong}/out`]);
  assert.equal(code, 2);
  assert.match(stderr, /s\.txt.*line 2.*alone/);
});
