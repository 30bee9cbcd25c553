import assert from "node:assert/strict";
import { test } from "node:test";
import { oneCheck, rustCounts, tapCounts } from "./counts.mjs";

test("the results of all Rust test binaries are added up", () => {
  const output = `
running 3 tests
test text::splits_words ... ok
test book::finds_references ... ignored, needs The Rust Book
test text::folds_case ... FAILED

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

running 1 test
test src/lib.rs - (line 3) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.41s
`;
  assert.deepEqual(rustCounts(output), {
    passed: 2,
    failed: 1,
    skipped: 1,
    failures: ["text::folds_case"],
    skips: ["book::finds_references: needs The Rust Book"],
  });
});

test("a Rust test that skips itself is not counted as passed", () => {
  const output = `
running 2 tests
test finds_references ... 
skipped: finds_references: The Rust Book is missing; rustup component add rust-docs
ok
test folds_case ... ok

test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
`;
  const { passed, skipped, skips } = rustCounts(output);
  assert.deepEqual([passed, skipped], [1, 1]);
  assert.deepEqual(skips, ["finds_references: The Rust Book is missing; rustup component add rust-docs"]);
});

test("the results of wasm-bindgen's runner are read alike", () => {
  const output = `
running 2 tests
test searches ... ok
test streams ... FAIL

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 filtered out; finished in 0.02s
`;
  const counts = rustCounts(output);
  assert.deepEqual([counts.passed, counts.failed, counts.failures], [1, 1, ["streams"]]);
});

test("a TAP summary is read, not what a test printed before it", () => {
  const output = `TAP version 13
# pass 77
# Subtest: asks
not ok 1 - asks
# Subtest: reads The Rust Book
ok 2 - reads The Rust Book # SKIP install the component rust-docs
1..2
# tests 4
# pass 1
# fail 1
# cancelled 0
# skipped 1
# todo 1
`;
  assert.deepEqual(tapCounts(output), {
    passed: 1,
    failed: 2,
    skipped: 1,
    failures: ["asks"],
    skips: ["reads The Rust Book: install the component rust-docs"],
  });
});

test("output without a summary counts nothing", () => {
  assert.equal(rustCounts("error: could not compile `groundling`").passed, 0);
  assert.equal(tapCounts("Could not find 'tests'").passed, 0);
});

test("a command that is one check passes or fails", () => {
  assert.deepEqual([oneCheck("", true).passed, oneCheck("", true).failed], [1, 0]);
  assert.deepEqual([oneCheck("", false).passed, oneCheck("", false).failed], [0, 1]);
});
