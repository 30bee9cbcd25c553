/** A local `sitemap.xml` as input: of the files in its folder, those of the pages that it names. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { UsageError } from "./errors.js";

/** @typedef {import("../dist/builder.js").SiteBuilder} SiteBuilder */

/** A sitemap may have 50 MB (sitemaps.org). */
const MOST_BYTES = 64 * 1024 * 1024;

/** @param {string} input */
export function isSitemapName(input) {
  return /\.xml(?:\.gz)?$/iu.test(input);
}

/**
 * @typedef {object} Selection
 * @property {Set<string>} paths files of the pages
 * @property {{ path: string, message: string }[]} warnings what is named and not there
 */

/**
 * @param {string} file
 * @param {Set<string>} present paths of the files in the sitemap's folder, with `/`
 * @param {SiteBuilder} builder
 * @returns {Promise<Selection>}
 * @throws {UsageError} where it is no sitemap, or none of its pages is there
 */
export async function selectPages(file, present, builder) {
  const folder = path.dirname(file);
  /** @type {Selection} */
  const selection = { paths: new Set(), warnings: [] };
  const waiting = [file];
  const read = new Set();
  let named = 0;
  let example = "";
  for (const sitemap of waiting) {
    // An index may name itself.
    if (read.has(sitemap)) continue;
    read.add(sitemap);
    const { pages, sitemaps } = await readSitemap(sitemap, builder);
    for (const { address, files } of sitemaps) {
      const found = files.find((name) => present.has(name));
      if (found === undefined) selection.warnings.push(missing(sitemap, address));
      else waiting.push(path.join(folder, found));
    }
    for (const { address, files } of pages) {
      named += 1;
      example ||= address;
      const found = files.find((name) => present.has(name));
      if (found === undefined) selection.warnings.push(missing(sitemap, address));
      else selection.paths.add(found);
    }
  }
  if (selection.paths.size === 0) {
    const hint = named === 0 ? "it names none" : `such as ${example}; does --base name the path below which the site is served?`;
    throw new UsageError(`${file}: no page of the sitemap is in ${folder}: ${hint}`);
  }
  return selection;
}

/**
 * @param {string} sitemap
 * @param {string} address
 */
function missing(sitemap, address) {
  return { path: sitemap, message: `there is no file for ${address}` };
}

/**
 * @param {string} file
 * @param {SiteBuilder} builder
 */
async function readSitemap(file, builder) {
  const bytes = await readFile(file);
  try {
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = isPacked ? gunzipSync(bytes, { maxOutputLength: MOST_BYTES }) : bytes;
    return builder.sitemap(new TextDecoder().decode(text));
  } catch (cause) {
    throw new UsageError(`${file}: ${/** @type {Error} */ (cause).message}`, { cause });
  }
}
