/** The command `build`: what it reads, what it writes, and what it leaves alone. */

import assert from "node:assert/strict";
import { mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { LESSONS, folderWith, groundling } from "./support/command.js";

const PAGE = "# Kettles\n\nA kettle boils water for tea in PATH.\n";

/**
 * Builds and gives the summary.
 *
 * @param {string} cwd
 * @param {...string} args
 */
async function build(cwd, ...args) {
  const { code, stdout, stderr } = await groundling(["build", ...args, "--json"], { cwd });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/**
 * The paths that a search for "kettle" finds, sorted.
 *
 * @param {string} cwd
 * @param {string} bundle
 */
async function found(cwd, bundle) {
  const { stdout } = await groundling(["search", "--json", "--bundle", bundle, "kettle"], { cwd });
  return JSON.parse(stdout).hits.map((/** @type {{ path: string }} */ hit) => hit.path).sort();
}

test("it writes the bundle and all that a static page needs", async (t) => {
  const cwd = await folderWith(t, { "docs/kettles.md": PAGE });
  const summary = await build(cwd, "docs", "--out", "deep/out");
  assert.equal(summary.pages, 1);
  assert.ok(summary.bytes > summary.brotliBytes);
  const files = await readdir(path.join(cwd, "deep/out"), { recursive: true });
  for (const name of ["docs.wasm", "index.html", "ru.html", "demo.js", "demo.css", "service-worker.js", "load.js", "errors.js", "engine.js", "budget.js", "language-model.js"]) {
    assert.ok(files.some((file) => path.basename(file) === name), `${name} is missing`);
  }
  assert.deepEqual(files.filter((file) => file.startsWith(".")), [], "nothing temporary is left");
});

test("the page's scripts import only files that are there", async (t) => {
  const cwd = await folderWith(t, { "docs/kettles.md": PAGE });
  await build(cwd, "docs", "--out", "out");
  const files = (await readdir(path.join(cwd, "out"), { recursive: true })).filter((file) => file.endsWith(".js"));
  for (const file of files) {
    const script = await readFile(path.join(cwd, "out", file), "utf8");
    for (const [, name] of script.matchAll(/^(?:import|export) .*from "(\.[^"]+)";$/gmu)) {
      assert.ok(files.includes(path.join(path.dirname(file), name)), `${file} imports ${name}`);
    }
  }
});

test("the page suggests the questions of the configuration, and its worker keeps the page's own files", async (t) => {
  const questions = ['What is a "kettle"?', "Tea & milk | or none?"];
  const cwd = await folderWith(t, { "docs/kettles.md": PAGE, "docs/groundling.json": JSON.stringify({ questions }) });
  await build(cwd, "docs", "--out", "out");
  for (const name of ["index.html", "ru.html"]) {
    const page = await readFile(path.join(cwd, "out", name), "utf8");
    assert.match(page, / questions="What is a &quot;kettle&quot;\? \| Tea &amp; milk ¦ or none\?"/u);
  }
  const worker = await readFile(path.join(cwd, "out/service-worker.js"), "utf8");
  const kept = JSON.parse(/const FILES = (\[.*\]);/u.exec(worker)?.[1] ?? "[]");
  const files = (await readdir(path.join(cwd, "out"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.join(cwd, "out"), path.join(entry.parentPath, entry.name)));
  assert.deepEqual(kept.toSorted(), ["./", ...files.filter((file) => !["docs.wasm", "service-worker.js"].includes(file))].toSorted());
});

test("the same documents give the same bytes", async (t) => {
  const cwd = await folderWith(t);
  await build(cwd, LESSONS, "--out", "one");
  await build(cwd, LESSONS, "--out", "two");
  const [one, two] = await Promise.all(["one", "two"].map((name) => readFile(path.join(cwd, name, "docs.wasm"))));
  assert.ok(one.equals(two));
});

test("the summary is short and tells the reason for each file left out", async (t) => {
  const cwd = await folderWith(t, { "docs/a.md": PAGE, "docs/logo.png": "x", "docs/icon.png": "x", "docs/.git/b.md": PAGE });
  const { code, stdout, stderr } = await groundling(["build", "docs", "--out", "out"], { cwd });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.match(stdout, /^1 page · 1 chunk · \d+ words/u);
  assert.match(stdout, /no documentation format: icon\.png and 1 more/u);
  assert.match(stdout, /hidden folder: \.git/u);
  assert.match(stdout, /docs\.wasm: [\d,]+ kB, [\d,]+ kB with brotli 5/u);
});

test("--quiet prints nothing where all is well", async (t) => {
  const cwd = await folderWith(t, { "docs/a.md": PAGE });
  const result = await groundling(["build", "docs", "--out", "out", "--quiet"], { cwd });
  assert.deepEqual(result, { code: 0, stdout: "", stderr: "" });
});

test("a warning names the file and the line", async (t) => {
  const cwd = await folderWith(t, { "docs/records.jsonl": `{"url": "/a", "text": "A kettle boils water."}\n{"url": \n` });
  const { code, stderr } = await groundling(["build", "docs", "--out", "out"], { cwd });
  assert.equal(code, 0);
  assert.match(stderr, /^warning: docs[/\\]records\.jsonl:2: /u);
});

test("a single file can be built", async (t) => {
  const cwd = await folderWith(t, { "records.jsonl": '{"url": "/tea/kettles", "title": "Kettles", "text": "A kettle boils water."}\n' });
  await build(cwd, "records.jsonl", "--out", "out");
  assert.deepEqual(await found(cwd, "out"), ["/tea/kettles"]);
});

test("with one folder the paths are relative to it", async (t) => {
  const cwd = await folderWith(t, { "site/tea/kettles.md": PAGE, "more.md": PAGE });
  await build(cwd, "site", "more.md", "--out", "out");
  assert.deepEqual(await found(cwd, "out"), ["more.md", "tea/kettles.md"]);
});

test("with several folders each path begins with the name of its folder", async (t) => {
  const cwd = await folderWith(t, { "one/kettles.md": PAGE, "two/kettles.md": PAGE });
  await build(cwd, "one", "two", "--out", "out");
  assert.deepEqual(await found(cwd, "out"), ["one/kettles.md", "two/kettles.md"]);
});

test("two inputs of the same path are refused", async (t) => {
  const cwd = await folderWith(t, { "one/a.md": PAGE, "two/a.md": PAGE });
  const { code, stderr } = await groundling(["build", "one/a.md", "two/a.md", "--out", "out"], { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /one[/\\]a\.md and two[/\\]a\.md would both be indexed as a\.md/u);
});

test("links neither loop nor double a page", async (t) => {
  const cwd = await folderWith(t, { "docs/v2/kettles.md": PAGE, "elsewhere/pots.md": PAGE });
  const link = (/** @type {string} */ to, /** @type {string} */ name) => symlink(to, path.join(cwd, "docs", name));
  await link("v2", "latest");
  await link("..", "up");
  await link("../elsewhere", "v2/more");
  await link("nowhere.md", "broken.md");
  const { skipped } = await build(cwd, "docs", "--out", "out");
  assert.deepEqual(await found(cwd, "out"), ["up/elsewhere/pots.md", "v2/kettles.md"]);
  assert.ok(skipped.some((/** @type {{ path: string }} */ left) => left.path === "broken.md"));
});

test("the output folder is not read where it lies in the documents", async (t) => {
  const cwd = await folderWith(t, { "docs/kettles.md": PAGE });
  const first = await build(cwd, "docs", "--out", "docs/search");
  const second = await build(cwd, "docs", "--out", "docs/search");
  assert.equal(first.pages, 1);
  assert.equal(second.pages, 1);
});

test("other files in the output folder are left alone", async (t) => {
  const cwd = await folderWith(t, { "docs/kettles.md": PAGE, "out/CNAME": "docs.example" });
  await build(cwd, "docs", "--out", "out");
  await build(cwd, "docs", "--out", "out");
  assert.equal(await readFile(path.join(cwd, "out/CNAME"), "utf8"), "docs.example");
});

test("a page of somebody else's is not overwritten", async (t) => {
  const cwd = await folderWith(t, { "docs/kettles.md": PAGE, "out/index.html": "<h1>Mine</h1>" });
  const { code, stderr } = await groundling(["build", "docs", "--out", "out"], { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /already holds index\.html.*--out/u);
  assert.equal(await readFile(path.join(cwd, "out/index.html"), "utf8"), "<h1>Mine</h1>");
});

test("the configuration in the folder is used, and --base has precedence over it", async (t) => {
  const cwd = await folderWith(t, {
    "docs/kettles.md": PAGE,
    "docs/drafts/pots.md": PAGE,
    "docs/groundling.json": '{ "baseUrl": "/handbook/", "exclude": ["drafts/**"] }',
  });
  await build(cwd, "docs", "--out", "out");
  assert.deepEqual(await found(cwd, "out"), ["kettles.md"]);
  await build(cwd, "docs", "--out", "out", "--base", "https://docs.example/x/");
  const { stdout } = await groundling(["search", "--json", "--bundle", "out", "kettle"], { cwd });
  assert.match(JSON.parse(stdout).hits[0].url, /^https:\/\/docs\.example\/x\/kettles\.html/u);
});

/**
 * @param {string} name
 * @param {Record<string, string>} files
 * @param {string[]} args
 * @param {RegExp} message
 */
function refuses(name, files, args, message) {
  test(`${name} is refused and nothing is written`, async (t) => {
    const cwd = await folderWith(t, files);
    const { code, stdout, stderr } = await groundling(["build", ...args], { cwd });
    assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
    assert.match(stderr, message);
    assert.ok(!(await readdir(cwd)).includes("out"));
  });
}

refuses("a build without documents", {}, ["--out", "out"], /the documents are missing/u);
refuses("a folder that does not exist", {}, ["docs", "--out", "out"], /docs: it does not exist/u);
refuses("a build without --out", { "docs/a.md": PAGE }, ["docs"], /--out DIR is missing/u);
refuses("a named file of another kind", { "a.png": "x" }, ["a.png", "--out", "out"], /a\.png cannot be indexed/u);
refuses("a folder without text", { "docs/a.png": "x" }, ["docs", "--out", "out"], /\(build\)/u);
refuses(
  "a misspelt field of the configuration",
  { "docs/a.md": PAGE, "docs/groundling.json": '{ "exlude": [] }' },
  ["docs", "--out", "out"],
  /exlude.*\(config\)/su,
);
refuses(
  "a configuration file that is not there",
  { "docs/a.md": PAGE },
  ["docs", "--out", "out", "--config", "none.json"],
  /none\.json: it does not exist/u,
);

test("an output path that is a file is refused", async (t) => {
  const cwd = await folderWith(t, { "docs/a.md": PAGE });
  await writeFile(path.join(cwd, "out"), "a file");
  const { code, stderr } = await groundling(["build", "docs", "--out", "out"], { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /out: /u);
});

test("a file that cannot be read is reported and the others are built", { skip: process.getuid?.() === 0 && "root reads all files" }, async (t) => {
  const cwd = await folderWith(t, { "docs/a.md": PAGE });
  await mkdir(path.join(cwd, "docs/locked"));
  await writeFile(path.join(cwd, "docs/locked.md"), PAGE, { mode: 0o000 });
  const { pages, warnings } = await build(cwd, "docs", "--out", "out");
  assert.equal(pages, 1);
  assert.match(warnings[0].message, /no permission/u);
});
