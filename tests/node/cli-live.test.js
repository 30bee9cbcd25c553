/** The command `serve` with documents that change. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { COMMAND, ENVIRONMENT, folderWith, groundling } from "./support/command.js";

/** Longer than any build of a page takes on a busy machine. */
const TIMEOUT_MS = 30_000;

/**
 * Starts the server, and gives its address and what it writes.
 *
 * @param {{ after: (clean: () => void) => void }} t
 * @param {string} cwd
 */
async function serve(t, cwd) {
  const child = spawn(process.execPath, [COMMAND, "serve", "docs", "--port", "0"], { cwd, env: ENVIRONMENT });
  t.after(() => child.kill());
  const said = { text: "" };
  child.stderr.setEncoding("utf8").on("data", (text) => (said.text += text));
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  return { address: String(/http:\/\/\S+\//u.exec(line)?.[0]), said, child };
}

/** @param {() => boolean | Promise<boolean>} holds */
async function until(holds) {
  const end = Date.now() + TIMEOUT_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error("it did not happen in time");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test("the page reloads when a document changes, and keeps the last bundle when a build fails", async (t) => {
  const cwd = await folderWith(t, { "docs/kettles.md": "# Kettles\n\nA kettle boils.\n" });
  const { address, said } = await serve(t, cwd);
  const page = await (await fetch(address)).text();
  assert.match(page, /<script type="module" src="\/groundling-live\.js"><\/script>/u);
  assert.match(await (await fetch(`${address}groundling-live.js`)).text(), /EventSource/u);

  const abort = new AbortController();
  t.after(() => abort.abort());
  const events = await fetch(`${address}groundling-live`, { signal: abort.signal });
  let heard = "";
  const listening = (async () => {
    for await (const bytes of /** @type {any} */ (events.body)) heard += Buffer.from(bytes).toString();
  })().catch(() => {});

  const bundle = async () => Buffer.from(await (await fetch(`${address}docs.wasm`)).arrayBuffer());
  const first = await bundle();
  await writeFile(path.join(cwd, "docs/pots.md"), "# Pots\n\nPots keep water warm.\n");
  await until(() => heard.includes("event: built"));
  const second = await bundle();
  assert.ok(!second.equals(first));
  assert.match(await (await fetch(`${address}pots.html`)).text(), /Preview of pots\.md/u);

  await writeFile(path.join(cwd, "docs/groundling.json"), '{ "exlude": [] }');
  await until(() => said.text.includes("keeps the last good bundle"));
  assert.match(said.text, /exlude/u);
  assert.ok((await bundle()).equals(second));
  abort.abort();
  await listening;
});

test("documents that cannot be built at first are refused", async (t) => {
  const cwd = await folderWith(t, { "docs/x.png": "x" });
  const { code, stderr } = await groundling(["serve", "docs", "--port", "0"], { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /\(build\)/u);
});

test("a bundle and documents together, or neither, are refused", async (t) => {
  const cwd = await folderWith(t, {});
  for (const args of [[], ["docs", "--bundle", "out"], ["--bundle", "out", "--base", "/x/"]]) {
    const { code, stderr } = await groundling(["serve", ...args], { cwd });
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, /--bundle|--base/u);
  }
});
