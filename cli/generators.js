/** Site generators: how a project is told to use one, and where it puts the site. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { UsageError, isSystemError, systemMessage } from "./errors.js";
import { stat } from "node:fs/promises";

/**
 * @typedef {object} Generator
 * @property {string} name
 * @property {string[]} settings files of which it has one, relative to the project
 * @property {RegExp} [mark] what the file holds, where its name alone does not tell
 * @property {string} output where it puts the site unless told otherwise, relative to the folder
 *   of its settings
 * @property {RegExp} [outputSetting] finds another place in its settings
 * @property {RegExp[]} [baseSettings] find the address; the parts found are joined
 * @property {"clean" | "dir"} [urls] how it serves Markdown files
 */

/** @type {Generator[]} */
const GENERATORS = [
  {
    name: "mdBook",
    settings: ["book.toml", "docs/book.toml"],
    output: "book",
    outputSetting: /^\s*build-dir\s*=\s*["']([^"'\n]+)["']/mu,
    baseSettings: [/^\s*site-url\s*=\s*["']([^"'\n]+)["']/mu],
  },
  {
    name: "Zensical",
    settings: ["zensical.toml"],
    output: "site",
    outputSetting: /^\s*site_dir\s*=\s*["']([^"'\n]+)["']/mu,
    baseSettings: [/^\s*site_url\s*=\s*["']([^"'\n]+)["']/mu],
    urls: "dir",
  },
  {
    name: "MkDocs",
    settings: ["mkdocs.yml", "mkdocs.yaml"],
    output: "site",
    outputSetting: /^site_dir:\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/mu,
    baseSettings: [/^site_url:\s*["']?([^"'#\s]+)["']?/mu],
    urls: "dir",
  },
  {
    name: "Docusaurus",
    settings: scripts("docusaurus.config").flatMap((name) => [name, `website/${name}`]),
    output: "build",
    baseSettings: [/^\s*url:\s*["'`]([^"'`$]+)["'`]/mu, /^\s*baseUrl:\s*["'`]([^"'`$]+)["'`]/mu],
    urls: "clean",
  },
  {
    name: "VitePress",
    settings: ["docs/.vitepress", ".vitepress"].flatMap((folder) => scripts(`${folder}/config`)),
    output: "dist",
    baseSettings: [/^\s*base:\s*["'`]([^"'`$]+)["'`]/mu],
  },
  {
    name: "Starlight",
    settings: scripts("astro.config").flatMap((name) => [name, `docs/${name}`]),
    mark: /starlight/u,
    output: "dist",
    outputSetting: /^\s*outDir:\s*["'`]([^"'`$]+)["'`]/mu,
    baseSettings: [/^\s*site:\s*["'`]([^"'`$]+)["'`]/mu, /^\s*base:\s*["'`]([^"'`$]+)["'`]/mu],
    urls: "dir",
  },
  {
    name: "Hugo",
    settings: ["hugo", "config"].flatMap((name) => ["toml", "yaml", "yml", "json"].map((end) => `${name}.${end}`)),
    mark: /baseURL/iu,
    output: "public",
    outputSetting: /^\s*["']?publishDir["']?\s*[:=]\s*["']?([^"',\n]+)["']?/imu,
    baseSettings: [/^\s*["']?baseURL["']?\s*[:=]\s*["']?([^"',\s]+)["']?/imu],
    urls: "dir",
  },
  {
    name: "Jekyll",
    settings: ["_config.yml", "docs/_config.yml"],
    output: "_site",
    outputSetting: /^destination:\s*["']?([^"'#\s]+)["']?/mu,
    baseSettings: [/^url:\s*["']?([^"'#\s]+)["']?/mu, /^baseurl:\s*["']?([^"'#\s]+)["']?/mu],
  },
  {
    name: "Sphinx",
    settings: ["docs/source/conf.py", "docs/conf.py", "doc/source/conf.py", "doc/conf.py", "source/conf.py", "conf.py"],
    output: "_build/html",
    baseSettings: [/^html_baseurl\s*=\s*["']([^"'\n]+)["']/mu],
  },
  {
    name: "TypeDoc",
    settings: ["typedoc.json"],
    output: "docs",
    outputSetting: /"out"\s*:\s*"([^"]+)"/u,
    baseSettings: [/"hostedBaseUrl"\s*:\s*"([^"]+)"/u],
  },
  { name: "rustdoc", settings: ["Cargo.toml"], output: "target/doc" },
];

/** @param {string} name */
function scripts(name) {
  return ["ts", "mts", "js", "mjs", "cjs"].map((end) => `${name}.${end}`);
}

/**
 * @typedef {object} Detected
 * @property {string} name
 * @property {string} settings the file that told, relative to the project
 * @property {string} output folder of the built site, relative to the project, with `/`
 * @property {string} baseUrl
 * @property {"clean" | "dir"} [urls]
 */

/**
 * The generator of a project; the first one in the list that it has settings of.
 *
 * Settings that are programs are not run: an address that they compute is not found.
 *
 * @param {string} folder
 * @returns {Promise<Detected | undefined>}
 */
export async function detectGenerator(folder) {
  await checkFolder(folder);
  for (const generator of GENERATORS) {
    for (const settings of generator.settings) {
      const text = await textIfAny(path.join(folder, settings));
      if (text !== undefined && (generator.mark?.test(text) ?? true)) return describe(generator, settings, text);
    }
  }
  return undefined;
}

/**
 * @param {Generator} generator
 * @param {string} settings
 * @param {string} text
 * @returns {Detected}
 */
function describe({ name, output, outputSetting, baseSettings = [], urls }, settings, text) {
  const set = outputSetting?.exec(text)?.[1].trim();
  const folder = path.posix.dirname(settings);
  // Sphinx with its sources apart builds beside them.
  const beside = name === "Sphinx" && folder.endsWith("source") ? path.posix.dirname(folder) : folder;
  const built = name === "Sphinx" && beside !== folder ? "build/html" : output;
  return {
    name,
    settings,
    output: path.posix.normalize(path.posix.join(beside, set ?? built)),
    baseUrl: joined(baseSettings.map((setting) => setting.exec(text)?.[1].trim() ?? "")),
    ...(urls && { urls }),
  };
}

/**
 * A host and a path as one address.
 *
 * @param {string[]} parts
 */
function joined(parts) {
  const [first = "", second = ""] = parts;
  const address = second ? `${first.replace(/\/$/u, "")}/${second.replace(/^\//u, "")}` : first;
  if (!address) return "/";
  return address.endsWith("/") ? address : `${address}/`;
}

/** @param {string} folder */
async function checkFolder(folder) {
  const entry = await stat(folder).catch((/** @type {NodeJS.ErrnoException} */ error) => {
    throw new UsageError(`the project cannot be read: ${systemMessage(error)}`, { cause: error });
  });
  if (!entry.isDirectory()) throw new UsageError(`${folder} is a file: name the project's folder`);
}

/** @param {string} file */
async function textIfAny(file) {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
