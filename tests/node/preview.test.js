import assert from "node:assert/strict";
import { test } from "node:test";
import { previews } from "../../cli/preview.js";

/** An index with one page, as `docs` shows it. */
const PAGE = {
  path: "guide/a b.md",
  url: "https://docs.example/guide/a%20b.html",
  title: "Limits <&>",
  lang: "en",
  tags: [],
  chunks: [
    { id: 0, title: "Limits <&>", headings: [], anchor: "", text: "At most <b>5</b>." },
    { id: 1, title: "Size", headings: [], anchor: "size", text: "One." },
    { id: 2, title: "Size", headings: [], anchor: "size", text: "Two." },
  ],
};
const ODD = { ...PAGE, path: "odd", url: "http://[odd/%" };
const docs = /** @type {any} */ ({
  pages: async () => [ODD.path, PAGE.path],
  page: async (path) => [ODD, PAGE].find((page) => page.path === path),
});

test("a page is found by the path of its address and shown as text", async () => {
  const html = await previews(docs)("/guide/a b.html");
  assert.match(html, /<title>Limits &lt;&amp;&gt;<\/title>/u);
  assert.match(html, /At most &lt;b&gt;5&lt;\/b&gt;\./u);
});

test("a long section has its heading and its anchor once", async () => {
  const html = await previews(docs)("/guide/a b.html");
  assert.equal(html.split('id="size"').length, 2);
  assert.equal(html.split("<h2>Size</h2>").length, 2);
  assert.match(html, /One\.[^]*Two\./u);
});

test("an address that no page has gives nothing", async () => {
  assert.equal(await previews(docs)("/guide/other.html"), undefined);
});
