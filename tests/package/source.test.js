/** The bundle that is compiled from source answers as the one that is made from the prebuilt engine. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { load } from "../../dist/load.js";
import { ROOT, setUp, wasmEnvironment } from "../../scripts/lib/environment.mjs";
import { builder, lessonQuestions, lessonsBundle } from "../node/support/bundle.js";

setUp("test");

const folder = await mkdtemp(path.join(tmpdir(), "groundling-source-"));
after(() => rm(folder, { recursive: true, force: true }));

/** Runs a tool in the root of the crate; what it says goes into the error if it fails. */
const run = (command, args, env = process.env) => promisify(execFile)(command, args, { cwd: ROOT, env });

const bundle = await lessonsBundle();
const index = path.join(folder, "docs.index");
await run("cargo", ["run", "--quiet", "--bin", "groundling", "--", "build", "tests/fixtures/lessons", "--out", folder]);

/**
 * What a bundle says to 20 questions that are spread over the list, all but the times.
 *
 * @param {{ search: Function, ask: Function }} docs
 */
async function answers(docs) {
  const questions = (await lessonQuestions()).filter((_, i) => i % 4 === 0);
  assert.equal(questions.length, 20);
  const said = [];
  for (const { question } of questions) {
    const { timings, ...answer } = await docs.ask(question);
    assert.ok(timings.totalMs >= 0);
    said.push({ question, found: await docs.search(question), answer });
  }
  return said;
}

test("the native command writes the index that the npm command embeds", async () => {
  assert.ok((await readFile(index)).equals(builder.extract(bundle)));
});

for (const [what, features] of [
  ["wasm-pack build", []],
  ["wasm-pack build without the builder", ["--", "--no-default-features"]],
]) {
  // The profile for development compiles in a fraction of the time; `npm run build` tests the other.
  test(`with GROUNDLING_INDEX, ${what} gives an engine that answers alike`, async () => {
    const out = path.join(folder, `pkg${features.length}`);
    const args = ["build", ".", "--dev", "--target", "nodejs", "--mode", "no-install", "--out-dir", out, ...features];
    await run("wasm-pack", args, { ...wasmEnvironment(), GROUNDLING_INDEX: index });
    const { Docs } = createRequire(import.meta.url)(path.join(out, "groundling.js"));
    const compiled = new Docs();
    const embedded = await load(bundle);
    assert.deepEqual(compiled.info, embedded.info);
    assert.deepEqual(await answers(compiled), await answers(embedded));
  });
}
