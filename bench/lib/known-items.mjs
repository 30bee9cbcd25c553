// Whether a page is found by its title, and by its title with a typo.

import { load } from "../../dist/load.js";
import { readIndex } from "./index-file.mjs";
import { mistyped, randomNumbers } from "./random.mjs";
import { table } from "./report.mjs";

/** The least parts that must be found: by title among ten, with a typo among five. */
const LEAST = { title: 0.99, typo: 0.9 };

/** @param {{ name: string, index: Uint8Array, bundle: Uint8Array }[]} corpora */
export async function knownItems(corpora) {
  const rows = [];
  for (const { name, index, bundle } of corpora) {
    const docs = await load(bundle);
    const titles = uniqueTitles(readIndex(index).pages());
    const random = randomNumbers(2026);
    const typos = titles.flatMap(({ title, url }) => {
      const query = mistyped(title, random);
      return query === undefined ? [] : [{ title: query, url }];
    });
    const found = { title: await part(docs, titles, 10), typo: await part(docs, typos, 5) };
    for (const [kind, least] of Object.entries(LEAST)) {
      if (found[kind] < least) throw new Error(`${name}: ${kind} finds ${found[kind]}, expected ${least}`);
    }
    rows.push([name, titles.length, found.title.toFixed(3), typos.length, found.typo.toFixed(3)]);
    docs.free();
  }
  const head = ["corpus", "titles", "page among ten", "with a typo", "page among five"];
  return (
    `## Known pages\n\nTitles that only one page has, as queries; and each with one edit in a word of four letters or more, where it has one.\n\n` +
    table(head, rows)
  );
}

function uniqueTitles(pages) {
  const counts = new Map();
  for (const { title } of pages) counts.set(title, (counts.get(title) ?? 0) + 1);
  return pages.filter(({ title }) => counts.get(title) === 1 && /\p{L}/u.test(title));
}

/** The part of the queries whose page is among the first hits. */
async function part(docs, queries, first) {
  let found = 0;
  for (const { title, url } of queries) {
    const { hits } = await docs.search(title, { limit: first, snippets: false });
    if (hits.some((hit) => hit.url.split("#")[0] === url)) found += 1;
    else if (process.env.MISSES) console.log(`  ${first}: ${title} (${url}), found ${hits.slice(0, 2).map(({ url }) => url)}`);
  }
  return found / queries.length;
}
