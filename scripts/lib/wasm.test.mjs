import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, ownerOf, sectionsOf } from "./wasm.mjs";

const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const text = (value) => [value.length, ...Buffer.from(value)];
const section = (id, bytes) => [id, bytes.length, ...bytes];

// One function is imported; two are defined, of which the second has a name.
const MODULE = Uint8Array.of(
  ...HEAD,
  ...section(1, [1, 0x60, 0, 0]),
  ...section(2, [1, ...text("env"), ...text("f"), 0, 0]),
  ...section(3, [2, 0, 0]),
  ...section(10, [2, 2, 0, 0x0b, 3, 0, 0x01, 0x0b]),
  ...section(0, [...text("name"), ...section(1, [1, 2, ...text("a::b")])]),
);

test("a module's functions are listed with their names", () => {
  assert.ok(WebAssembly.validate(MODULE));
  assert.deepEqual(
    functionsOf(MODULE).map(({ name, body }) => [name, body.length]),
    [["", 2], ["a::b", 3]],
  );
});

test("sections come in their order", () => {
  assert.deepEqual(sectionsOf(MODULE).map(({ id }) => id), [1, 2, 3, 10, 0]);
});

for (const [name, owner] of [
  ["groundling::search::searcher::Searcher<B>::top::h0123456789abcdef", "groundling::search"],
  ["<groundling::index::error::Error as core::fmt::Display>::fmt::h0", "groundling::index"],
  ["<&mut serde_json::de::Deserializer<R> as serde_core::de::Deserializer>::x", "serde_json"],
  ["<alloc::vec::Vec<T> as core::clone::Clone>::clone", "alloc::vec"],
  ["dlmalloc::dlmalloc::Dlmalloc<A>::malloc", "dlmalloc"],
  ["<T as tsify::Tsify>::into_ts", "tsify"],
  ["memcpy", "memcpy"],
  ["", "unnamed"],
]) {
  test(`\`${name}\` belongs to ${owner}`, () => assert.equal(ownerOf(name), owner));
}
