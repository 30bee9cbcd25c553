/** The command `inspect`. */

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { folderWith, groundling, lessonsBundle } from "./support/command.js";

let bundle = "";
let removeBundle = async () => {};
before(async () => {
  ({ folder: bundle, remove: removeBundle } = await lessonsBundle());
});
after(() => removeBundle());

/** @param {...string} args */
async function inspect(...args) {
  const { code, stdout, stderr } = await groundling(["inspect", bundle, ...args, "--json"]);
  return { code, stderr, result: stdout && JSON.parse(stdout) };
}

test("it tells what the bundle holds and how large its parts are", async () => {
  const { code, result } = await inspect();
  assert.equal(code, 0);
  assert.equal(result.formatVersion > 0, true);
  const { length } = await readFile(path.join(bundle, "docs.wasm"));
  assert.equal(result.engineBytes + result.indexBytes, length);
  const parts = result.parts.reduce((/** @type {number} */ sum, /** @type {{ bytes: number }} */ part) => sum + part.bytes, 0);
  assert.equal(parts, length);
  assert.ok(result.sections.some((/** @type {{ name: string }} */ section) => section.name === "CHUNK_TEXTS"));
  const { stdout } = await groundling(["inspect", bundle]);
  assert.match(stdout, /^\d+ pages · \d+ chunks · [\d,]+ terms/mu);
  assert.match(stdout, /^CHUNK_TEXTS +[\d,]+ bytes$/mu);
});

test("it lists pages, and shows one by its path or its address", async () => {
  const paths = (await inspect("--pages")).result;
  const { result } = await inspect("--page", paths[0]);
  assert.equal(result.path, paths[0]);
  assert.ok(result.chunks[0].text.length > 0);
  assert.deepEqual((await inspect("--page", result.url)).result, result);
  const { stdout } = await groundling(["inspect", bundle, "--page", paths[0]]);
  assert.ok(stdout.includes(result.chunks[0].url));
});

test("it shows the term of a word and where it is", async () => {
  const { code, result } = await inspect("--term", "indexes");
  assert.equal(code, 0);
  assert.equal(result[0].term, "index");
  assert.equal(result[0].postings.length, result[0].chunks);
  const { stdout } = await groundling(["inspect", bundle, "--term", "indexes"]);
  assert.match(stdout, /^index: in \d+ chunks$/mu);
  assert.match(stdout, /\d× text · \S+$/mu);
});

test("a page or a word that is not there ends with exit code 1", async () => {
  assert.equal((await inspect("--page", "nowhere.md")).code, 1);
  const { code, result } = await inspect("--term", "indexqqq");
  assert.deepEqual([code, result[0].chunks], [1, 0]);
  assert.ok(result[0].neighbours.length > 0);
});

test("--verify finds a damaged byte that opening does not", async (t) => {
  assert.equal((await inspect("--verify")).code, 0);
  const cwd = await folderWith(t);
  const bytes = await readFile(path.join(bundle, "docs.wasm"));
  // Within the texts, which are at the end of the index; the engine's own end is a few sections.
  const at = bytes.lastIndexOf("covering index");
  bytes[at] ^= 0xff;
  await writeFile(path.join(cwd, "docs.wasm"), bytes);
  assert.equal((await groundling(["inspect", "docs.wasm"], { cwd })).code, 0);
  const { code, stderr } = await groundling(["inspect", "docs.wasm", "--verify"], { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /damaged near byte \d+.*\(index-checksum\)/u);
});

test("what is no bundle, and options that do not go together, are refused", async (t) => {
  const cwd = await folderWith(t, { "x.wasm": "no bundle" });
  for (const args of [["x.wasm"], [], [bundle, "--verify", "--pages"], ["nowhere"]]) {
    assert.equal((await groundling(["inspect", ...args], { cwd })).code, 2, args.join(" "));
  }
});
