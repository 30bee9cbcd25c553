// Cases of the kind `extract`: builds the files as a site and compares what the index stores.

import { ANY_CALL, containsEach, differences, isEqual, lacksEach, listed, shown } from "./compare.mjs";
import { build } from "./product.mjs";

/** A section is cut into several chunks only above so many words. */
const MOST_CHUNK_WORDS = 300;

/**
 * A heading with the text below it.
 *
 * @typedef {object} Section
 * @property {string} heading
 * @property {string} text
 * @property {string} [anchor] absent where the index has no chunk of the heading itself
 * @property {string} [url]
 * @property {boolean} isTitle whether this is the page title, which in the index stands for the
 *   first heading and for the text before it
 */

/**
 * What the index stores of a site.
 *
 * @typedef {object} Site
 * @property {Map<string, import("../../dist/load.js").Page>} pages by path
 * @property {string} [file] the one that the case is about
 * @property {any} [error] why the build failed
 * @property {number} seconds that it took
 */

/** @type {import("./compare.mjs").Fields<Site>} */
const FIELDS = {
  title: { read: (site) => pageOf(site)?.title },
  contains: { read: textOf, check: containsEach },
  lacks: { read: textOf, check: lacksEach },
  words_present: { read: textOf, check: wordsPresent },
  code_exact: { read: (site) => judgedPages(site).flatMap(storedTexts).join("\n\n"), check: codeExact },
  sections: { read: sectionsOf, check: sameSections },
  sections_include: { read: sectionsOf, check: sectionsInclude },
  section_urls_decode_to: { read: sectionsOf, check: decodedUrls },
  indexed: { read: (site) => site, check: indexedFiles },
  index_lacks: { read: (site) => [...site.pages.values()].map(fullText).join("\n"), check: lacksEach },
  urls: { read: (site) => site, check: acceptedUrls },
  error_contains: { read: ({ error }) => error?.message ?? "", check: containsEach },
  error_lacks: { read: ({ error }) => error?.message ?? "", check: lacksEach },
  ...ANY_CALL,
};

/**
 * @param {{ input: any, expected: Record<string, any> }} testCase
 * @returns {Promise<string[]>} what differs
 */
export async function run({ input, expected }) {
  const options = Object.entries(input.options ?? {}).flatMap(([name, value]) => {
    if (name !== "base_url") throw new Error(`the runner does not know the option ${name}`);
    return ["--base", String(value)];
  });
  const { value: docs, error, seconds } = await build(input.files, options);
  /** @type {Site["pages"]} */
  const pages = new Map();
  for (const path of docs ? await docs.pages() : []) {
    const page = await docs?.page(path);
    if (page) pages.set(path, page);
  }
  docs?.free();
  // The rule is words for the reader of the case.
  const { file = onlyFile(input.files), url_rule, ...judged } = expected;
  const found = differences(judged, { pages, file, error, seconds }, FIELDS);
  // A failure that is expected is compared as such; with any other the rest tells little.
  return found.length > 0 && error ? [`the build failed: ${error.message}`, ...found] : found;
}

/** With one file there is no doubt which one is meant; with several all are. */
function onlyFile(files) {
  return files.length === 1 ? files[0].path : undefined;
}

/** @param {Site} site */
function pageOf(site) {
  return site.file === undefined ? undefined : site.pages.get(site.file);
}

/** @param {Site} site */
function judgedPages(site) {
  if (site.file === undefined) return [...site.pages.values()];
  const page = pageOf(site);
  return page ? [page] : [];
}

/** @param {Site} site */
function textOf(site) {
  return judgedPages(site).map(fullText).join("\n");
}

/** Title, headings and text together. @param {import("../../dist/load.js").Page} page */
function fullText(page) {
  return [page.title, ...outline(page).flatMap(({ heading, text }) => [heading, text])].join("\n");
}

/** @param {import("../../dist/load.js").Page} page */
function storedTexts(page) {
  return page.chunks.map(({ text }) => text);
}

/** @param {Site} site */
function sectionsOf(site) {
  return judgedPages(site).flatMap(outline);
}

/**
 * The headings in reading order. One without any text of its own is known from the heading paths
 * of the chunks below it.
 *
 * @param {import("../../dist/load.js").Page} page
 * @returns {Section[]}
 */
function outline(page) {
  /** @type {Section[]} */
  const sections = [];
  /** Headings above the last chunk, that chunk's own included. @type {string[]} */
  let open = [];
  /** @type {import("../../dist/load.js").Page["chunks"][number] | undefined} */
  let last;
  let words = 0;
  for (const chunk of page.chunks.flatMap(unjoined)) {
    const size = chunk.text.split(/\s+/u).length;
    const section = sections.at(-1);
    const continues =
      last?.title === chunk.title && last.anchor === chunk.anchor && isEqual(last.headings, chunk.headings);
    if (section && continues && words + size > MOST_CHUNK_WORDS) {
      section.text += `\n${chunk.text}`;
      words += size;
      continue;
    }
    const common = chunk.headings.findIndex((heading, depth) => heading !== open[depth]);
    for (const heading of common === -1 ? [] : chunk.headings.slice(common)) {
      sections.push({ heading, text: "", isTitle: false });
    }
    const isTop = chunk.title === page.title && chunk.headings.length === 0;
    sections.push({
      heading: chunk.title,
      text: chunk.text,
      anchor: chunk.anchor,
      url: chunk.anchor === "" ? page.url : `${page.url}#${chunk.anchor}`,
      isTitle: isTop && chunk.anchor === "",
    });
    open = isTop ? [] : [...chunk.headings, chunk.title];
    last = chunk;
    words = size;
  }
  if (sections.every(({ heading }) => heading !== page.title)) {
    sections.unshift({ heading: page.title, text: "", isTitle: true });
  }
  return sections;
}

/**
 * The sections of a chunk, each as if it had one of its own.
 *
 * @param {import("../../dist/load.js").PageChunk} chunk
 */
function unjoined(chunk) {
  const isHeading = ({ start, title }) => `${chunk.text}\n`.startsWith(`${title}\n`, start);
  const joined = chunk.parts.filter(isHeading);
  const ends = [...joined.map(({ start }) => start), chunk.text.length];
  return [
    { ...chunk, text: chunk.text.slice(0, ends[0]).trimEnd() },
    ...joined.map(({ start, anchor, title }, index) => ({
      ...chunk,
      title,
      anchor,
      text: chunk.text.slice(start + title.length, ends[index + 1]).trim(),
    })),
  ];
}

function wordsPresent(wanted, text) {
  const isWord = (part) => /^[\p{L}\p{M}\p{N}_]+$/u.test(part);
  const isPresent = (word) => {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
      const [before, after] = [text.slice(0, at).at(-1) ?? " ", text.slice(at + word.length).at(0) ?? " "];
      if (!isWord(before) && !isWord(after)) return true;
    }
    return false;
  };
  return listed(wanted).filter((word) => !isPresent(word)).map((word) => `${shown(word)} is no word of ${shown(text)}`);
}

function codeExact(wanted, text) {
  return listed(wanted).filter((code) => !text.includes(code)).map((code) => `${shown(code)} is not in ${shown(text)}`);
}

/** @param {any[]} wanted @param {Section[]} sections */
function sameSections(wanted, sections) {
  // Whether there was a heading that repeats the page title cannot be told from the index.
  const outlines = [sections.filter(({ isTitle }) => !isTitle), sections];
  const headings = (list) => list.map(({ heading }) => heading);
  const outlined = outlines.find((outline) => isEqual(headings(wanted), headings(outline)));
  if (!outlined) return [`expected ${shown(headings(wanted))}, got ${shown(headings(outlines[0]))}`];
  return wanted.flatMap((section, index) => sectionDifferences(section, outlined[index]));
}

/** @param {any[]} wanted @param {Section[]} sections */
function sectionsInclude(wanted, sections) {
  return wanted.flatMap((section) => {
    const namesakes = sections.filter(({ heading }) => isEqual(heading, section.heading));
    const all = namesakes.map((candidate) => sectionDifferences(section, candidate));
    if (all.some((differing) => differing.length === 0)) return [];
    return all[0] ?? [`there is no heading ${shown(section.heading)} among ${shown(sections.map(({ heading }) => heading))}`];
  });
}

/** @param {any} wanted @param {Section} section */
function sectionDifferences(wanted, section) {
  /** @type {import("./compare.mjs").Fields<Section>} */
  const fields = {
    heading: { read: ({ heading }) => heading },
    anchor: { read: ({ anchor }) => anchor },
    contains: { read: ({ text }) => text, check: containsEach },
    lacks: { read: ({ text }) => text, check: lacksEach },
  };
  return differences(wanted, section, fields).map((difference) => `${shown(wanted.heading)} ${difference}`);
}

/**
 * @param {Record<string, string | string[]> | (string | string[])[]} wanted accepted addresses, by
 *   heading or in the order of the sections
 * @param {Section[]} sections
 */
function decodedUrls(wanted, sections) {
  const decoded = sections.map(({ heading, url }) => ({ heading, url: url === undefined ? undefined : decode(url) }));
  const entries = Array.isArray(wanted)
    ? wanted.map((urls, index) => ({ urls, got: decoded[index]?.url }))
    : Object.entries(wanted).map(([heading, urls]) => ({
        urls,
        got: decoded.find((section) => isEqual(section.heading, heading))?.url,
      }));
  return entries
    .filter(({ urls, got }) => urls !== null && !listed(urls).includes(got))
    .map(({ urls, got }) => `expected ${shown(urls)}, got ${shown(got)}`);
}

function decode(url) {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** @param {boolean | Record<string, boolean>} wanted of the case's file, or by file @param {Site} site */
function indexedFiles(wanted, { pages, file = "" }) {
  return Object.entries(typeof wanted === "boolean" ? { [file]: wanted } : wanted)
    .filter(([file, isIndexed]) => isIndexed !== null && pages.has(file) !== isIndexed)
    .map(([file, isIndexed]) => `${file} is ${isIndexed ? "not " : ""}in the index`);
}

/** @param {Record<string, string | string[]>} wanted @param {Site} site */
function acceptedUrls(wanted, { pages }) {
  return Object.entries(wanted)
    .filter(([file, urls]) => urls !== null && !listed(urls).includes(pages.get(file)?.url))
    .map(([file, urls]) => `${file}: expected ${shown(urls)}, got ${shown(pages.get(file)?.url)}`);
}
