// The documentation to measure with: books that come with the Rust toolchain.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { relative } from "node:path";
import { ROOT } from "../../scripts/lib/environment.mjs";
import { embedded } from "../../cli/indexing.js";
import { createGlue } from "../../dist/builder.js";

const RULES = JSON.parse(readFileSync(`${ROOT}bench/corpora.json`, "utf8"));

/** The folder of the toolchain's HTML, or the one that is named. */
export function docsFolder(named) {
  const sysroot = () => execFileSync("rustc", ["--print", "sysroot"], { encoding: "utf8" }).trim();
  const folder = named ?? `${sysroot()}/share/doc/rust/html`;
  if (!existsSync(`${folder}/book/index.html`)) {
    throw new Error(`${folder} has no book/index.html; rustup component add rust-docs`);
  }
  return folder;
}

/** Makes index and bundle of a corpus, as `groundling build` does. */
export function buildCorpus(name, docs) {
  const { folders, exclude } = RULES[name];
  return build(name, docs, folders, { exclude });
}

/** Paths of the pages of a corpus, relative to `docs`. */
export async function pagesOf(name, docs) {
  const { folders, exclude } = RULES[name];
  const glue = await builderGlue();
  const builder = new glue.SiteBuilder(JSON.stringify({ exclude }));
  const files = folders.flatMap((folder) => filesBelow(docs, folder));
  return files.filter((file) => builder.skips(file) === undefined);
}

/** The small corpus that comes with the tests. */
export function buildLessons() {
  const root = `${ROOT}tests/fixtures/lessons`;
  return build("lessons", root, ["."], JSON.parse(readFileSync(`${root}/groundling.json`, "utf8")));
}

async function builderGlue() {
  const glue = createGlue(WebAssembly, fetch);
  await glue({ module_or_path: await WebAssembly.compile(readFileSync(`${ROOT}dist/builder.wasm`)) });
  return glue;
}

async function build(name, root, folders, config) {
  const glue = await builderGlue();
  const builder = new glue.SiteBuilder(JSON.stringify(config));
  const start = process.cpuUsage();
  for (const path of folders.flatMap((folder) => filesBelow(root, folder))) {
    if (builder.skips(path) === undefined) builder.add(path, readFileSync(`${root}/${path}`));
  }
  const { pages, chunks } = builder.summary;
  const index = builder.finish();
  const { user, system } = process.cpuUsage(start);
  const bundle = await embedded(glue, index);
  return { name, pages, chunks, index, bundle, buildCpuMs: (user + system) / 1000 };
}

/** Paths of the documents below a folder, relative to `root`. */
function filesBelow(root, folder) {
  return readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(html|md)$/.test(entry.name))
    .map((entry) => relative(root, `${entry.parentPath ?? entry.path}/${entry.name}`).replaceAll("\\", "/"))
    .sort();
}
