/** The files that a static page needs beside its bundle: the page and the scripts that load it. */

import { readFile, readdir } from "node:fs/promises";
import { readDist } from "./dist.js";

const DEMO = new URL("../www/demo/", import.meta.url);

/** The package's entry point and all that it imports, and the web component likewise. */
const SCRIPTS = [
  ...["load.js", "errors.js", "engine.js", "budget.js", "language-model.js"],
  ...["define.js", "component.js", "conversation.js", "ru.js"].map((name) => `widget/${name}`),
];

/**
 * @returns {Promise<Map<string, Uint8Array>>} by path relative to the output folder
 */
export async function siteFiles() {
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  for (const name of SCRIPTS) files.set(`groundling/${name}`, await readDist(name));
  const page = (await readdir(DEMO)).filter((name) => /\.(?:html|css|js)$/u.test(name)).sort();
  for (const name of page) files.set(name, await readFile(new URL(name, DEMO)));
  return files;
}
