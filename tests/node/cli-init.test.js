/** The command `init`. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { folderWith, groundling } from "./support/command.js";

/**
 * @param {string} name
 * @param {Record<string, string>} files
 * @param {{ docs: string, baseUrl: string, urls?: string }} expected
 */
function detects(name, files, { docs, ...expected }) {
  test(`it finds ${name} with its folder and address`, async (t) => {
    const cwd = await folderWith(t, files);
    const { code, stdout, stderr } = await groundling(["init", "--json"], { cwd });
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).generator, name);
    assert.deepEqual(JSON.parse(await readFile(path.join(cwd, "groundling.json"), "utf8")), { docs: [docs], ...expected });
  });
}

detects("mdBook", { "book.toml": '[book]\ntitle = "x"\n[build]\nbuild-dir = "out"\n[output.html]\nsite-url = "/guide/"\n' }, { docs: "out", baseUrl: "/guide/" });
detects("MkDocs", { "mkdocs.yml": "site_name: x\nsite_url: https://e.org/docs # public\n" }, { docs: "site", baseUrl: "https://e.org/docs/", urls: "dir" });
detects("Zensical", { "zensical.toml": '[project]\nsite_url = "https://e.org/"\n' }, { docs: "site", baseUrl: "https://e.org/", urls: "dir" });
detects("Docusaurus", { "docusaurus.config.ts": "export default {\n  url: 'https://e.org',\n  baseUrl: '/docs/',\n};" }, { docs: "build", baseUrl: "https://e.org/docs/", urls: "clean" });
detects("VitePress", { "docs/.vitepress/config.mts": "export default {\n  base: '/x/',\n}" }, { docs: "docs/.vitepress/dist", baseUrl: "/x/" });
detects("Starlight", { "astro.config.mjs": "import starlight from '@astrojs/starlight';\nexport default {\n  site: 'https://e.org',\n};" }, { docs: "dist", baseUrl: "https://e.org/", urls: "dir" });
detects("Hugo", { "hugo.toml": 'baseURL = "https://e.org/h/"\n' }, { docs: "public", baseUrl: "https://e.org/h/", urls: "dir" });
detects("Jekyll", { "_config.yml": 'url: "https://e.org"\nbaseurl: "/j"\n' }, { docs: "_site", baseUrl: "https://e.org/j/" });
detects("Sphinx", { "docs/conf.py": "html_baseurl = 'https://e.org/s/'\n" }, { docs: "docs/_build/html", baseUrl: "https://e.org/s/" });
detects("rustdoc", { "Cargo.toml": "[package]\n" }, { docs: "target/doc", baseUrl: "/" });

test("a build without DOCS reads what the file names", async (t) => {
  const cwd = await folderWith(t, {
    "book.toml": '[output.html]\nsite-url = "/guide/"\n',
    "book/kettles.html": "<main><h1>Kettles</h1><p>A kettle boils water.</p></main>",
  });
  await groundling(["init"], { cwd });
  const { code, stderr } = await groundling(["build", "--out", "out", "--strict"], { cwd });
  assert.equal(code, 0, stderr);
  const { stdout } = await groundling(["search", "--bundle", "out", "--json", "kettle"], { cwd });
  assert.equal(JSON.parse(stdout).hits[0].url, "/guide/kettles.html");
});

test("a file that is there already is not touched", async (t) => {
  const cwd = await folderWith(t, { "groundling.json": '{ "lang": "de" }', "book.toml": "" });
  const { code, stderr } = await groundling(["init"], { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /groundling\.json is there already and was not touched/u);
  assert.equal(await readFile(path.join(cwd, "groundling.json"), "utf8"), '{ "lang": "de" }');
});

test("without a generator the folder itself is named", async (t) => {
  const cwd = await folderWith(t, { "project/a.md": "# Tea\n" });
  const { code, stderr } = await groundling(["init", "project"], { cwd });
  assert.equal(code, 0);
  assert.match(stderr, /No site generator was found/u);
  assert.deepEqual(JSON.parse(await readFile(path.join(cwd, "project/groundling.json"), "utf8")), { docs: ["."], baseUrl: "/" });
});

test("a folder that is not there is refused", async (t) => {
  const { code, stderr } = await groundling(["init", "nowhere"], { cwd: await folderWith(t) });
  assert.equal(code, 2);
  assert.match(stderr, /nowhere: it does not exist/u);
});
