/** The declared types of the engine are reviewed: they change on purpose only. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

test("the engine's declared types are those that were reviewed", async () => {
  const [built, reviewed] = await Promise.all(
    ["../../dist/engine.d.ts", "../fixtures/engine.d.ts"].map((name) => readFile(new URL(name, import.meta.url), "utf8")),
  );
  const hint = "the types changed; if that is meant, cp dist/engine.d.ts tests/fixtures/engine.d.ts and review the difference";
  assert.ok(built === reviewed, hint);
});
