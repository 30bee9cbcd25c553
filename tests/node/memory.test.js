/** The engine's heap and the embedded index do not overlap. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { createGlue } from "../../dist/engine.js";
import { builder, lessonsBundle } from "./support/bundle.js";

const MEGABYTE = 1024 * 1024;

/** What marks the slot, in which pointer and length of the index follow: this text, each bit turned. */
const MAGIC = Buffer.from("groundling index").map((byte) => ~byte);

const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Where the index lies in an instance's memory. */
function regionOf(memory) {
  const bytes = Buffer.from(memory.buffer);
  const slot = bytes.indexOf(MAGIC);
  assert.ok(slot > 0, "the slot is in memory");
  const pointer = bytes.readUInt32LE(slot + MAGIC.length);
  return { pointer, length: bytes.readUInt32LE(slot + MAGIC.length + 4) };
}

test("an index stays as it is while the heap grows past it", async () => {
  const bundle = await lessonsBundle();
  const glue = createGlue(WebAssembly, fetch);
  const { memory } = await glue({ module_or_path: await WebAssembly.compile(bundle) });
  const { pointer, length } = regionOf(memory);
  // The memory may be another buffer after each growth.
  const region = () => hash(Buffer.from(memory.buffer, pointer, length));
  const sizeBefore = memory.buffer.byteLength;
  assert.equal(region(), hash(builder.extract(bundle)), "the region is the index");
  assert.ok(pointer + length <= sizeBefore);

  const docs = new glue.Docs();
  const found = JSON.stringify(docs.search("covering index"));
  const text = "kettle ".repeat((7 * MEGABYTE) / 7);
  const sources = Array.from({ length: 8 }, (_, i) => ({ url: `/${i}`, title: "Kettle", text }));
  const { input } = docs.prompt("kettle", { sources });
  assert.ok(input.length > 55 * MEGABYTE);
  for (let i = 0; i < 50; i++) {
    docs.search(`index ${i} thread cache window`, { limit: 50 });
    docs.retrieve(`partition ${i}`);
  }
  await docs.ask("kettle", { sources: sources.slice(0, 1), provider: () => "It boils [1]. ".repeat(1_000) });

  assert.ok(memory.buffer.byteLength - sizeBefore > 50 * MEGABYTE, "the heap grew past the index");
  assert.equal(region(), hash(builder.extract(bundle)));
  assert.equal(JSON.stringify(docs.search("covering index")), found);
});

for (const name of ["engine.wasm", "engine-all.wasm", "builder.wasm"]) {
  test(`what marks the slot is in ${name} once`, async () => {
    const bytes = await readFile(new URL(`../../dist/${name}`, import.meta.url));
    const first = bytes.indexOf(MAGIC);
    assert.ok(first > 0);
    assert.equal(bytes.indexOf(MAGIC, first + 1), -1);
  });
}
