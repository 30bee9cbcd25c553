/** `groundling build` on what no author writes by hand: broken, huge, very many. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { COMMAND, ENVIRONMENT, folderWith, groundling } from "./support/command.js";

/**
 * @param {string} cwd
 * @param {...string} args
 */
async function build(cwd, ...args) {
  const { code, stdout, stderr } = await groundling(["build", "docs", "--out", "out", "--json", ...args], { cwd });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/**
 * The number of hits for a word.
 *
 * @param {string} cwd
 * @param {string} word
 */
async function hits(cwd, word) {
  const { stdout } = await groundling(["search", "--bundle", "out", "--json", word], { cwd });
  return JSON.parse(stdout).total;
}

test("broken, binary and deeply nested files do not stop a build, and what they hold is found", async (t) => {
  const cwd = await folderWith(t, {
    "docs/deep.html": `<main>${"<div>".repeat(10_000)}zebra${"</div>".repeat(10_000)}</main>`,
    "docs/deep.md": `${"> ".repeat(10_000)}yak\n`,
    "docs/open.html": '<main><p class="a<b>gnu <table><td>x<h2 id=a>unclosed',
    "docs/image.md": Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0, 1, 2, 3, 0, 255]),
    "docs/bytes.md": Buffer.concat([Buffer.from("# Okapi\n\nokapi \xff\xfe"), Buffer.from([0xff, 0xc3, 0x28, 0x0a])]),
    "docs/null.html": "<main><p>quokka\u0000 here</p></main>",
    "docs/brackets.json": "[".repeat(100_000),
    "docs/deep.yaml": `openapi: ${"[".repeat(50_000)}`,
  });
  const { skipped } = await build(cwd);
  assert.ok(skipped.some((/** @type {{ path: string, reason: string }} */ left) => left.path === "image.md" && left.reason === "binary data"));
  for (const word of ["zebra", "okapi"]) assert.ok((await hits(cwd, word)) > 0, word);
});

test("a page of 50 MB is read", async (t) => {
  const paragraph = `<p>${"water boils in the kettle ".repeat(40)}</p>\n`;
  const cwd = await folderWith(t, {
    "docs/large.html": `<main>${paragraph.repeat(Math.ceil(50_000_000 / paragraph.length))}<p>zebra</p></main>`,
  });
  await build(cwd);
  assert.equal(await hits(cwd, "zebra"), 1);
});

test("a hundred thousand small files are read", { skip: !process.env.GROUNDLING_SLOW_TESTS && "takes half a minute: set GROUNDLING_SLOW_TESTS=1" }, async (t) => {
  const cwd = await folderWith(t, {});
  for (let folder = 0; folder < 100; folder += 1) {
    await mkdir(path.join(cwd, "docs", String(folder)), { recursive: true });
    const names = [...Array(1000).keys()];
    await Promise.all(names.map((name) => writeFile(path.join(cwd, "docs", String(folder), `page-${name}.md`), `# Page ${name}\n\nText ${folder}.\n`)));
  }
  assert.equal((await build(cwd)).pages, 100_000);
});

test("the bundle and the report are the same for any number of threads", async (t) => {
  // Enough that the threads are started, which a short build does without.
  const text = "Water boils in the kettle. ".repeat(1500);
  const files = Object.fromEntries([...Array(120).keys()].map((i) => [`docs/${i}.html`, i % 7 === 0 ? "<body>" : `<body><h1>Page ${i}</h1><p>${text}</p>`]));
  const cwd = await folderWith(t, files);
  const results = [];
  for (const workers of ["0", "1", "3"]) {
    const report = await build(cwd, "--no-cache", "--workers", workers);
    results.push({ report, bundle: await readFile(path.join(cwd, "out/docs.wasm"), "base64") });
  }
  assert.equal(results[0].report.warnings.length, 120);
  assert.deepEqual(results[1], results[0]);
  assert.deepEqual(results[2], results[0]);
});

test("Ctrl-C leaves no half bundle and nothing temporary", { skip: process.platform === "win32" && "there are no signals" }, async (t) => {
  const text = `# Kettles\n\n${"Water boils in the kettle. ".repeat(2000)}\n`;
  const files = Object.fromEntries([...Array(200).keys()].map((i) => [`docs/${i}.md`, `${text}${i}`]));
  const cwd = await folderWith(t, files);
  const env = { ...ENVIRONMENT, GROUNDLING_CACHE: path.join(cwd, "cache") };
  for (const delayMs of [200, 500, 900]) {
    const child = spawn(process.execPath, [COMMAND, "build", "docs", "--out", "out"], { cwd, env, stdio: "ignore" });
    const ended = once(child, "exit");
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    child.kill("SIGINT");
    const [code, signal] = await ended;
    if (code === 0) break; // This machine was quicker.
    assert.ok(code === 130 || signal === "SIGINT", `${code} ${signal}`);
    assert.deepEqual((await readdir(cwd)).includes("out") ? await readdir(path.join(cwd, "out")) : [], []);
    const cached = (await readdir(cwd)).includes("cache") ? await readdir(path.join(cwd, "cache")) : [];
    assert.deepEqual(cached.filter((name) => !name.endsWith(".cache")), []);
  }
});
