/** The files that a static page needs beside its bundle: the page and the scripts that load it. */

import { readFile, readdir } from "node:fs/promises";
import { readDist } from "./dist.js";

const DEMO = new URL("../www/demo/", import.meta.url);

/** The package's entry point and all that it imports, and the web component likewise. */
const SCRIPTS = [
  ...["load.js", "errors.js", "engine.js", "budget.js", "language-model.js"],
  ...["define.js", "component.js", "conversation.js", "ru.js"].map((name) => `widget/${name}`),
];

/** Where the page's own files are named in its worker, and the site's suggested questions in its markup. */
const FILES_PLACE = "const FILES = [];";
const QUESTIONS_PLACE = 'questions=""';

/**
 * @returns {Promise<Map<string, Uint8Array>>} by path relative to the output folder
 */
export async function siteFiles() {
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  for (const name of SCRIPTS) files.set(`groundling/${name}`, await readDist(name));
  const page = (await readdir(DEMO)).filter((name) => /\.(?:html|css|js|svg)$/u.test(name)).sort();
  for (const name of page) files.set(name, await readFile(new URL(name, DEMO)));
  const kept = ["./", ...[...files.keys()].filter((name) => name !== "service-worker.js")];
  fill(files, "service-worker.js", FILES_PLACE, `const FILES = ${JSON.stringify(kept)};`);
  return files;
}

/**
 * Writes the questions that the site suggests into its pages.
 *
 * @param {Map<string, Uint8Array>} files
 * @param {string[]} questions
 */
export function suggest(files, questions) {
  // A bar divides questions, and a quotation mark would end the attribute.
  const text = questions.map((question) => question.replaceAll("|", "¦")).join(" | ");
  const escaped = text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  for (const name of files.keys()) {
    if (name.endsWith(".html")) fill(files, name, QUESTIONS_PLACE, `questions="${escaped}"`);
  }
}

/**
 * @param {Map<string, Uint8Array>} files
 * @param {string} name
 * @param {string} place
 * @param {string} text
 */
function fill(files, name, place, text) {
  const source = Buffer.from(/** @type {Uint8Array} */ (files.get(name))).toString("utf8");
  files.set(name, Buffer.from(source.replace(place, () => text)));
}
