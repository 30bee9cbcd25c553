/** What `groundling build` reads: `.gitignore`, sitemaps, APIs, and what it cannot read. */

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { folderWith, groundling } from "./support/command.js";

const PAGE = "<main><h1>Kettles</h1><p>A kettle boils water in PATH.</p></main>";

/**
 * @param {string} cwd
 * @param {...string} args
 */
async function build(cwd, ...args) {
  const { code, stdout, stderr } = await groundling(["build", ...args, "--out", "out", "--json"], { cwd });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/** @param {string} cwd */
async function pages(cwd) {
  const { stdout } = await groundling(["inspect", "out", "--pages", "--json"], { cwd });
  return JSON.parse(stdout);
}

/**
 * @param {{ skipped: { path: string, reason: string }[] }} report
 * @param {RegExp} reason
 */
function left(report, reason) {
  return report.skipped.filter((entry) => reason.test(entry.reason)).map((entry) => entry.path).sort();
}

test("what .gitignore leaves out is not read, and is told", async (t) => {
  const cwd = await folderWith(t, {
    "docs/.gitignore": "*.html\n!index.html\nbuild/\n",
    "docs/index.html": PAGE,
    "docs/draft.html": PAGE,
    "docs/build/index.html": PAGE,
    "docs/guide/.gitignore": "!kept.html\n",
    "docs/guide/kept.html": PAGE,
  });
  const report = await build(cwd, "docs");
  assert.deepEqual((await pages(cwd)).sort(), ["guide/kept.html", "index.html"]);
  assert.deepEqual(left(report, /\.gitignore/u), ["build", "draft.html"]);
  await build(cwd, "docs", "--no-gitignore");
  assert.equal((await pages(cwd)).length, 4);
});

test("the patterns of the repository above hold too, unless they leave out the folder that is named", async (t) => {
  const cwd = await folderWith(t, {
    ".gitignore": "/site/\n*.draft.html\n",
    "docs/a.html": PAGE,
    "docs/b.draft.html": PAGE,
    "site/a.html": PAGE,
    "site/b.draft.html": PAGE,
  });
  await mkdir(path.join(cwd, ".git"));
  await build(cwd, "docs");
  assert.deepEqual(await pages(cwd), ["a.html"]);
  await build(cwd, "site");
  assert.deepEqual(await pages(cwd), ["a.html", "b.draft.html"]);
});

test("a .gitignore outside of a repository holds below its own folder only", async (t) => {
  const cwd = await folderWith(t, { ".gitignore": "*", "docs/a.html": PAGE });
  await build(cwd, "docs");
  assert.deepEqual(await pages(cwd), ["a.html"]);
});

const entry = (/** @type {string} */ address) => `<url><loc>${address}</loc></url>`;

test("a sitemap stands for the pages that it names", async (t) => {
  const cwd = await folderWith(t, {
    "site/sitemap.xml": `<urlset>${["https://e.org/b/", "https://e.org/b/guide/", "https://e.org/b/faq?x=1&amp;y", "https://e.org/b/gone"].map(entry).join("\n")}</urlset>`,
    "site/index.html": PAGE,
    "site/guide/index.html": PAGE,
    "site/faq.html": PAGE,
    "site/hidden.html": PAGE,
    "site/logo.png": "x",
  });
  const report = await build(cwd, "site/sitemap.xml", "--base", "/b/");
  assert.deepEqual((await pages(cwd)).sort(), ["faq.html", "guide/index.html", "index.html"]);
  assert.deepEqual(left(report, /not in the sitemap/u), ["hidden.html"]);
  assert.deepEqual(
    report.warnings.map((/** @type {{ path: string, message: string }} */ { path, message }) => [path, message]),
    [[path.join("site", "sitemap.xml"), "there is no file for https://e.org/b/gone"]],
  );
});

test("an index of sitemaps leads to them, packed or not", async (t) => {
  const cwd = await folderWith(t, {
    "site/sitemap.xml": "<sitemapindex><sitemap><loc>https://e.org/s/one.xml</loc></sitemap><sitemap><loc>https://e.org/s/two.xml.gz</loc></sitemap><sitemap><loc>https://e.org/sitemap.xml</loc></sitemap></sitemapindex>",
    "site/s/one.xml": `<urlset>${entry("https://e.org/a.html")}</urlset>`,
    "site/s/two.xml.gz": gzipSync(`<urlset>${entry("https://e.org/b.html")}</urlset>`),
    "site/a.html": PAGE,
    "site/b.html": PAGE,
    "site/c.html": PAGE,
  });
  await build(cwd, "site/sitemap.xml");
  assert.deepEqual(await pages(cwd), ["a.html", "b.html"]);
});

test("a sitemap of which no page is there is refused with what to do", async (t) => {
  const cwd = await folderWith(t, { "site/sitemap.xml": `<urlset>${entry("https://e.org/x/a.html")}</urlset>`, "site/a.html": PAGE });
  const { code, stderr } = await groundling(["build", "site/sitemap.xml", "--out", "out"], { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /such as https:\/\/e\.org\/x\/a\.html; does --base/u);
});

test("another XML file is refused with what it is", async (t) => {
  const cwd = await folderWith(t, { "site/feed.xml": "<rss></rss>", "site/a.html": PAGE });
  const { code, stderr } = await groundling(["build", "site/feed.xml", "--out", "out"], { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /feed\.xml: no sitemap, because its outermost element is <rss>/u);
});

test("an operation of an API is found, and its link leads to it on the page that shows it", async (t) => {
  const cwd = await folderWith(t, {
    "docs/groundling.json": JSON.stringify({ openapi: { page: "/api/", anchors: "swagger-ui" } }),
    "docs/openapi.yaml":
      "openapi: 3.1.0\ninfo: { title: Kettle API }\npaths:\n  /kettles/{id}:\n    put:\n      tags: [kettles]\n      operationId: fillKettle\n      summary: Fill a kettle\n      responses: { 200: { description: It is full } }\n",
  });
  await build(cwd, "docs", "--strict");
  const { stdout } = await groundling(["search", "--bundle", "out", "--json", "fill kettle"], { cwd });
  const [hit] = JSON.parse(stdout).hits;
  assert.equal(hit.url, "/api/#/kettles/fillKettle");
  assert.equal(hit.title, "PUT /kettles/{id}: Fill a kettle");
});

test("reStructuredText and AsciiDoc are left out with what to give in their place", async (t) => {
  const cwd = await folderWith(t, { "docs/a.md": "# Kettles\n\nBoil.\n", "docs/b.rst": "Kettles\n=======\n", "docs/c.adoc": "= Kettles\n" });
  const report = await build(cwd, "docs");
  assert.deepEqual(left(report, /build the site and give its folder of HTML/u), ["b.rst", "c.adoc"]);
});
