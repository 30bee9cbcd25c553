/** The documentation says what the product does: its links, commands, examples and tables. */

import assert from "node:assert/strict";
import { access, readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import vm from "node:vm";
import { folderWith, groundling } from "./support/command.js";
import { ROOT, firstCells, linksOf, readPage, readPages } from "./support/markdown.js";

const COMMANDS = ["init", "build", "ask", "search", "serve", "inspect", "eval"];
const pages = await readPages();

test("every link leads to a file or heading that exists", async () => {
  for (const { file, anchor, shown } of pages.flatMap(linksOf)) {
    await access(path.join(ROOT, file)).catch(() => assert.fail(`${shown}: there is no such file`));
    if (!anchor) continue;
    assert.ok((await readPage(file)).anchors.has(anchor), `${shown}: there is no such heading`);
  }
});

test("every page of the documentation is linked from its first page", () => {
  const [first] = pages.filter(({ name }) => name === "docs/index.md");
  const linked = new Set(linksOf(first).map(({ file }) => file));
  const left = pages.filter(({ name }) => name.startsWith("docs/") && name !== first.name && !linked.has(name));
  assert.deepEqual(left.map(({ name }) => name), []);
});

test("every line of JavaScript parses", () => {
  for (const { name, blocks } of pages) {
    for (const { code, line } of blocks.filter(({ language }) => language === "js")) {
      // Modules cannot be parsed without an option of Node; the rest of their syntax is that of a function.
      const body = code.replace(/^import .*$/gmu, "").replace(/^export default /gmu, "void ");
      assert.doesNotThrow(() => new vm.Script(`async () => {${body}\n}`), `${name}:${line}`);
    }
  }
});

test("every JSON example parses", () => {
  for (const { name, blocks } of pages) {
    for (const { code, line } of blocks.filter(({ language }) => language === "json")) {
      assert.doesNotThrow(() => JSON.parse(code), `${name}:${line}`);
    }
  }
});

/**
 * The options in a command's help, with the names of their values: `--out DIR`.
 *
 * @param {string} command
 */
async function optionsOf(command) {
  const { stdout } = await groundling([command, "--help"]);
  const options = [...stdout.matchAll(/^ {2}(--[a-z-]+(?: [A-Z]+)?) {2}/gmu)].map(([, option]) => option);
  assert.ok(options.includes("--help"), stdout);
  return options;
}

for (const command of COMMANDS) {
  test(`${command} is shown only with options that it has`, async () => {
    const known = new Set((await optionsOf(command)).map((option) => option.split(" ", 1)[0]));
    const shown = new RegExp(`\\bgroundling ${command}\\b([^\`\\n]*)`, "gu");
    for (const { name, prose, blocks } of pages) {
      const text = [prose, ...blocks.map(({ code }) => code.replace(/\\\n/gu, " "))].join("\n");
      for (const [line, rest] of text.matchAll(shown)) {
        // What stands behind the command, such as a pipe, has options of its own.
        const [own] = rest.replace(/"[^"]*"/gu, "").split(/[|>&;#]/u, 1);
        for (const [option] of own.matchAll(/(?<=\s|\[)--[a-z-]+/gu)) {
          assert.ok(known.has(option), `${name}: ${line}`);
        }
      }
    }
  });

  test(`every option of ${command} is in its table`, async () => {
    const page = await readPage("docs/command-line.md");
    const documented = firstCells(page, "option", command).filter((cell) => cell.startsWith("--"));
    const options = (await optionsOf(command)).filter((option) => option !== "--help");
    assert.deepEqual(documented.sort(), options.sort());
  });
}

test("build writes the files in the table", async (t) => {
  const cwd = await folderWith(t, { "docs/a.md": "# Kettles\n\nA kettle boils water.\n" });
  await groundling(["build", "docs", "--out", "out"], { cwd });
  const cells = firstCells(await readPage("docs/command-line.md"), "file", "What build writes");
  const names = cells.flatMap((cell) => cell.match(/[a-z/-]+\.[a-z]+/gu) ?? []);
  assert.ok(names.includes("docs.wasm") && names.includes("groundling/load.js"), cells.join());
  for (const name of names) await access(path.join(cwd, "out", name));
});

/** The builder that `groundling build` uses. */
async function siteBuilder() {
  const { createGlue } = await import("../../dist/builder.js");
  const glue = createGlue(WebAssembly, fetch);
  await glue({ module_or_path: await WebAssembly.compile(await readFile(`${ROOT}dist/builder.wasm`)) });
  return glue.SiteBuilder;
}

test("every example of the configuration is accepted", async () => {
  const SiteBuilder = await siteBuilder();
  const { blocks } = await readPage("docs/configuration.md");
  /** @type {Record<string, number>} */
  const checked = { config: 0, "a.jsonl": 0, "a.md": 0 };
  for (const { language, code, line } of blocks) {
    if (language !== "json" && language !== "yaml") continue;
    const isRecord = language === "json" && "text" in JSON.parse(code);
    const file = language === "yaml" ? "a.md" : isRecord ? "a.jsonl" : "config";
    checked[file] += 1;
    const builder = new SiteBuilder(file === "config" ? code : undefined);
    if (file === "config") continue;
    const text = language === "yaml" ? `${code}\nA kettle boils water.\n` : code;
    const { pages: count, warnings } = builder.add(file, new TextEncoder().encode(text));
    assert.deepEqual({ count, warnings }, { count: 1, warnings: [] }, `configuration.md:${line}`);
  }
  for (const [file, count] of Object.entries(checked)) assert.ok(count > 0, `no example of ${file}`);
});

test("every field of the configuration is in its table", async () => {
  const SiteBuilder = await siteBuilder();
  const documented = firstCells(await readPage("docs/configuration.md"), "field", "All fields");
  assert.throws(
    () => new SiteBuilder('{ "exlude": [] }'),
    (/** @type {Error} */ { message }) => {
      const known = message.slice(message.indexOf("expected one of")).match(/(?<=`)[a-zA-Z]+(?=`)/gu);
      assert.deepEqual(known?.sort(), documented.sort());
      return true;
    },
  );
});

/** Where error codes are made, and what they look like there. @type {[folder: string, RegExp][]} */
const CODES = [
  ["src", /"((?:bundle|engine|index|provider)-[a-z-]+|no-index)"/gu],
  ["src/wasm", /\b(?:new|caused)\(\s*"([a-z-]+)"/gu],
  ["www", /new GroundlingError\(\s*"([a-z-]+)"/gu],
  ["cli", /\bcode(?::| =) "([a-z-]+)"/gu],
];

test("every error code is documented, and no other", async () => {
  /** @type {Set<string>} */
  const codes = new Set();
  for (const [folder, pattern] of CODES) {
    for (const file of await readdir(path.join(ROOT, folder), { recursive: true })) {
      if (!/\.(?:rs|js)$/u.test(file)) continue;
      const source = await readFile(path.join(ROOT, folder, file), "utf8");
      for (const [, code] of source.matchAll(pattern)) codes.add(code);
    }
  }
  const documented = firstCells(await readPage("docs/errors.md"), "code");
  assert.deepEqual(documented.sort(), [...codes].sort());
});

for (const [type, page] of [
  ["Info", "docs/javascript-api.md"],
  ["SearchOptions", "docs/javascript-api.md"],
  ["SearchResults", "docs/javascript-api.md"],
  ["Filter", "docs/javascript-api.md"],
  ["Hit", "docs/search.md"],
  ["AskOptions", "docs/javascript-api.md"],
  ["Answer", "docs/javascript-api.md"],
  ["Source", "docs/javascript-api.md"],
  ["Timings", "docs/javascript-api.md"],
  ["Endpoint", "docs/providers.md"],
  ["Template", "docs/prompts.md"],
]) {
  test(`every field of ${type} is in ${page}`, async () => {
    const types = await readFile(`${ROOT}dist/engine.d.ts`, "utf8");
    const [, body] = new RegExp(`interface ${type} \\{([^]*?)\\n\\}`, "u").exec(types) ?? assert.fail(`no type ${type}`);
    const fields = [...body.matchAll(/^ {4}(\w+)\??:/gmu)].map(([, field]) => field);
    assert.ok(fields.length > 0, body);
    const text = await readFile(path.join(ROOT, page), "utf8");
    const named = new Set(text.match(/\w+/gu));
    assert.deepEqual(fields.filter((field) => !named.has(field)), []);
  });
}

for (const [field, section] of [
  ["status", "The answer"],
  ["protocol", ""],
]) {
  test(`every value of ${field} is documented`, async () => {
    const types = await readFile(`${ROOT}dist/engine.d.ts`, "utf8");
    const [, union] = new RegExp(`^ {4}${field}\\??: (".*");`, "mu").exec(types) ?? assert.fail(`no type of ${field}`);
    const values = [...union.matchAll(/"([^"]+)"/gu)].map(([, value]) => value);
    const page = await readPage(section ? "docs/javascript-api.md" : "docs/providers.md");
    if (section) assert.deepEqual(firstCells(page, field, section), values);
    else for (const value of values) assert.ok(page.prose.includes(`\`"${value}"\``), value);
  });
}
