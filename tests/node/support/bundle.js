/** Bundles for tests, made in memory by the builder that the command uses. */

import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { createGlue } from "../../../dist/builder.js";
import { LESSONS } from "./command.js";

const DIST = new URL("../../../dist/", import.meta.url);

/** The engines without an index: with English and Russian, and with all languages. */
export const engine = await readFile(new URL("engine.wasm", DIST));
export const engineAll = await readFile(new URL("engine-all.wasm", DIST));

/** The builder's glue: `SiteBuilder`, `embed`, `extract`. */
export const builder = createGlue(WebAssembly, fetch);
await builder({ module_or_path: await WebAssembly.compile(await readFile(new URL("builder.wasm", DIST))) });

/**
 * The index of some files.
 *
 * @param {Record<string, string | Uint8Array>} files content by path
 * @param {object} [config] what a `groundling.json` would hold
 */
export function indexOf(files, config) {
  const site = new builder.SiteBuilder(config && JSON.stringify(config), {});
  for (const [name, content] of Object.entries(files)) {
    site.add(name, typeof content === "string" ? Buffer.from(content) : content);
  }
  return site.finish();
}

/** A bundle of some files, as {@link indexOf} takes them. */
export function bundleOf(files, config) {
  const index = indexOf(files, config);
  return builder.embed(builder.needsAllLanguages(index) ? engineAll : engine, index);
}

/** The lessons: files by path, and their configuration. */
export async function lessons() {
  const names = (await readdir(LESSONS, { recursive: true })).filter((name) => name.endsWith(".md")).sort();
  const files = {};
  for (const name of names) files[name.split(path.sep).join("/")] = await readFile(path.join(LESSONS, name));
  return { files, config: JSON.parse(await readFile(path.join(LESSONS, "groundling.json"), "utf8")) };
}

/** The bundle of the lessons. */
export async function lessonsBundle() {
  const { files, config } = await lessons();
  return bundleOf(files, config);
}

/** The questions on the lessons, with the addresses that answer them. */
export async function lessonQuestions() {
  const text = await readFile(path.join(LESSONS, "../questions/lessons.jsonl"), "utf8");
  return text.trim().split("\n").map((line) => JSON.parse(line));
}
