/** The engine that a bundle is made with has the stemmers of the site's languages, and no more than it must. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { load } from "../../dist/load.js";
import { bundleOf, builder, engine, engineAll, indexOf } from "./support/bundle.js";
import { folderWith, groundling } from "./support/command.js";

/** A page in a language, with a word in one form and a query with it in another. */
const PAGES = {
  de: { page: "Die Häuser stehen am Fluss.", query: "Haus" },
  en: { page: "The kettles are boiling.", query: "kettle boils" },
  es: { page: "Las traducciones terminaron.", query: "traducción" },
  fr: { page: "Les serveurs fonctionnaient.", query: "serveur" },
  ru: { page: "Настройки серверов готовы.", query: "настройка сервера" },
  tr: { page: "Evlerimiz büyük.", query: "evler" },
};

/** A piece of an engine's code, which no other engine has. */
const codeOf = (module) => module.subarray(module.length / 2, module.length / 2 + 2_000);

const files = (lang) => ({ "page.md": `---\nlang: ${lang}\n---\n# X\n\n${PAGES[lang].page}\n` });

for (const [lang, { query }] of Object.entries(PAGES)) {
  test(`another form of a word is found in ${lang}`, async () => {
    const docs = await load(bundleOf(files(lang)));
    const { hits, missing } = await docs.search(query, { prefix: false });
    assert.deepEqual(missing, []);
    assert.equal(hits.length, 1);
  });
}

for (const [languages, expected] of [
  [["en"], false],
  [["en", "ru"], false],
  [["en", "de"], true],
]) {
  test(`${languages.join(" and ")} ${expected ? "need" : "do not need"} the engine with all languages`, () => {
    const site = Object.assign({}, ...languages.map((lang) => ({ [`${lang}.md`]: files(lang)["page.md"] })));
    assert.equal(builder.needsAllLanguages(indexOf(site)), expected);
  });
}

test("the engine with English and Russian refuses an index of another stemmer", async () => {
  const bundle = builder.embed(engine, indexOf(files("de")));
  await assert.rejects(load(bundle), { name: "GroundlingError", code: "index-stemmer" });
});

test("what is no index needs no engine", () => {
  assert.throws(() => builder.needsAllLanguages(Buffer.alloc(500)), { code: "index-not-an-index" });
});

for (const [lang, module] of [["en", engine], ["ru", engine], ["de", engineAll]]) {
  test(`\`build\` takes the ${module === engine ? "small" : "large"} engine for ${lang}`, async (t) => {
    const folder = await folderWith(t, files(lang));
    const out = path.join(folder, "out");
    const { code, stderr } = await groundling(["build", folder, "--out", out]);
    assert.equal(code, 0, stderr);
    const bundle = await readFile(path.join(out, "docs.wasm"));
    assert.deepEqual([engine, engineAll].filter((one) => bundle.includes(codeOf(one))), [module]);
  });
}
