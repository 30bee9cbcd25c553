/** The cache of `groundling build`: what it saves, and that it never changes a bundle. */

import assert from "node:assert/strict";
import { readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { LESSONS, folderWith, groundling } from "./support/command.js";

const FILES = {
  "docs/a.md": "# Kettles\n\nA kettle boils water.\n",
  "docs/b.html": "<body><p>Pots keep water warm.</p></body>",
  "docs/c.jsonl": '{"url": "/c", "text": "Cups hold tea."}\n{\n',
};

/**
 * @param {string} cwd
 * @param {...string} args
 * @returns {Promise<{ report: any, bundle: Buffer }>}
 */
async function build(cwd, ...args) {
  const env = { GROUNDLING_CACHE: path.join(cwd, "cache") };
  const { code, stdout, stderr } = await groundling(["build", ...args, "--out", "out", "--json"], { cwd, env });
  assert.equal(code, 0, stderr);
  return { report: JSON.parse(stdout), bundle: await readFile(path.join(cwd, "out/docs.wasm")) };
}

/** @param {string} cwd */
async function cacheFile(cwd) {
  const names = await readdir(path.join(cwd, "cache"));
  assert.equal(names.length, 1, "one file for these inputs, and nothing temporary");
  return path.join(cwd, "cache", names[0]);
}

test("a second build analyses nothing and gives the same bundle and report", async (t) => {
  const cwd = await folderWith(t, FILES);
  const first = await build(cwd, "docs");
  const second = await build(cwd, "docs");
  assert.deepEqual([first.report.cached, second.report.cached], [0, 3]);
  assert.ok(first.bundle.equals(second.bundle));
  assert.deepEqual({ ...second.report, cached: 0 }, first.report);
  assert.equal(first.report.warnings.length, 2);
});

test("a build with one changed file gives what a whole build gives", async (t) => {
  const cwd = await folderWith(t, { "a.md": FILES["docs/a.md"], "b.html": FILES["docs/b.html"] });
  await build(cwd, LESSONS, "a.md", "b.html");
  await writeFile(path.join(cwd, "a.md"), "# Teapots\n\nA teapot pours.\n");
  const changed = await build(cwd, LESSONS, "a.md", "b.html");
  const whole = await build(cwd, LESSONS, "a.md", "b.html", "--no-cache");
  assert.ok(changed.report.cached > 0);
  assert.equal(whole.report.cached, 0);
  assert.ok(changed.bundle.equals(whole.bundle));
});

test("a moved file, another option and another configuration are no hits", async (t) => {
  const cwd = await folderWith(t, FILES);
  await build(cwd, "docs");
  assert.equal((await build(cwd, "docs", "--base", "/x/")).report.cached, 0);
  await writeFile(path.join(cwd, "docs/groundling.json"), '{ "lang": "de" }');
  assert.equal((await build(cwd, "docs")).report.cached, 0);
  await writeFile(path.join(cwd, "docs/moved.md"), FILES["docs/a.md"]);
  assert.equal((await build(cwd, "docs")).report.cached, 3);
});

test("a damaged cache is passed over and written anew", async (t) => {
  const cwd = await folderWith(t, FILES);
  const { bundle } = await build(cwd, "docs");
  const file = await cacheFile(cwd);
  const whole = await readFile(file);
  const cut = whole.subarray(0, whole.length - 9);
  const flipped = Buffer.from(whole, 0).map((byte, at) => (at > 8 && at % 97 === 0 ? byte ^ 0xff : byte));
  const long = Buffer.from(whole);
  long.writeUInt32LE(0xffffffff, 8 + 32);
  for (const damaged of [cut, Buffer.from(flipped), long, Buffer.from("something else"), Buffer.alloc(0)]) {
    await writeFile(file, damaged);
    const again = await build(cwd, "docs");
    assert.ok(again.report.cached < 3);
    assert.ok(again.bundle.equals(bundle));
    assert.equal((await build(cwd, "docs")).report.cached, 3);
  }
});

test("--no-cache reads and writes none", async (t) => {
  const cwd = await folderWith(t, FILES);
  await build(cwd, "docs", "--no-cache");
  assert.ok(!(await readdir(cwd)).includes("cache"));
});

test("a cache that cannot be written does not stop the build", async (t) => {
  const cwd = await folderWith(t, { ...FILES, cache: "a file where the folder should be" });
  assert.equal((await build(cwd, "docs")).report.pages, 3);
});
