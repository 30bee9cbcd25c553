/** What the index stores can be read back, page by page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { bundleOf } from "./support/bundle.js";

test("a page is given with its chunks in reading order", async () => {
  const files = {
    "guide/reset.md": "# Reset\n\nHold the key.\n\n## When\n\n### Often\n\nEvery day.\n",
    "index.md": "---\ntitle: Начало\nlang: ru\ntags: [first, new]\n---\n\nДобро пожаловать.\n",
  };
  const collections = [{ id: "guide", name: "User Guide", path: "guide/" }];
  const docs = await load(bundleOf(files, { collections }));
  assert.deepEqual((await docs.pages()).sort(), ["guide/reset.md", "index.md"]);
  const { chunks, ...page } = (await docs.page("guide/reset.md")) ?? assert.fail();
  assert.deepEqual(page, {
    path: "guide/reset.md",
    url: "/guide/reset.html",
    title: "Reset",
    lang: page.lang,
    collection: { id: "guide", name: "User Guide" },
    tags: [],
  });
  assert.deepEqual(chunks.map(({ id, ...chunk }) => chunk), [
    { title: "Reset", headings: [], anchor: "reset", parts: [], text: "Hold the key." },
    { title: "Often", headings: ["When"], anchor: "often", parts: [], text: "Every day." },
  ]);
  const { hits } = await docs.search("every day");
  assert.equal(hits[0].id, chunks[1].id);

  const first = (await docs.page("index.md")) ?? assert.fail();
  assert.deepEqual([first.title, first.lang, first.tags], ["Начало", "ru", ["first", "new"]]);
  assert.equal("collection" in first, false);
});

test("a long section is several chunks with one title and anchor", async () => {
  const paragraph = `${"word ".repeat(149)}end.\n\n`;
  const docs = await load(bundleOf({ "long.md": `# Long\n\n## Part\n\n${paragraph.repeat(5)}` }));
  const { chunks } = (await docs.page("long.md")) ?? assert.fail();
  assert.deepEqual(chunks.map(({ title, anchor }) => [title, anchor]), [["Part", "part"], ["Part", "part"], ["Part", "part"]]);
});

test("a path that no page has gives undefined", async () => {
  const docs = await load(bundleOf({ "index.md": "# Home\n\nText.\n" }));
  assert.equal(await docs.page("index"), undefined);
  assert.equal(await docs.page(""), undefined);
});
