// Writes bench/queries.json: 100 queries of each of five kinds, drawn with a seed from the books'
// headings. The file is committed and made anew only when the books change too much.
//
//   node bench/queries.mjs [DOCS]    DOCS: the toolchain's HTML, default that of rustc
//
// A heading that only one page has makes a query whose page is known, so a bench can check that
// what it timed was the right answer.

import { writeFileSync } from "node:fs";
import { ROOT, runMain } from "../scripts/lib/environment.mjs";
import { buildCorpus, docsFolder } from "./lib/corpora.mjs";
import { readIndex } from "./lib/index-file.mjs";
import { mistyped, randomNumbers } from "./lib/random.mjs";

const EACH = 100;
const QUESTIONS = ["How do I use {}?", "What is {}?", "How does {} work?", "When should I use {} and why?"];
const SMALL_WORDS = new Set(
  "about all and are but can for from has have how into its let not one other our own see some than that the their them then these this use using was what when where which why will with you your".split(
    " ",
  ),
);

await runMain(async () => {
  const { index } = await buildCorpus("mdbooks", docsFolder(process.argv[2]));
  const random = randomNumbers(2026);
  const sections = shuffled(withUniqueTitles(readIndex(index).chunks()), random);
  const three = take(sections, (words) => words.length >= 3 && words.slice(0, 3).join(" "));
  const question = take(sections.toReversed(), (words, title, i) => {
    const isShort = words.length >= 2 && words.length <= 6;
    return isShort && QUESTIONS[i % QUESTIONS.length].replace("{}", title.replace(/[.?!]$/, ""));
  });
  const keyword = shuffled([...new Set(sections.flatMap(({ title }) => contentWords(title)))], random)
    .slice(0, EACH)
    .map((query) => ({ query }));
  // What a reader has typed when the last word is two to five letters long.
  const prefix = three.map(({ query, url }) => {
    const [first, second] = query.split(" ");
    return { query: `${first} ${second.slice(0, 2 + Math.floor(random() * 4))}`, url };
  });
  const typo = three.map(({ query, url }) => ({ query: mistyped(query, random) ?? query, url }));
  const file = `${ROOT}bench/queries.json`;
  writeFileSync(file, `${JSON.stringify({ keyword, three, question, prefix, typo }, null, 1)}\n`);
});

function withUniqueTitles(chunks) {
  const urls = new Map();
  for (const { title, url } of chunks) urls.set(title, urls.has(title) && urls.get(title) !== url ? null : url);
  return [...urls]
    // Five hundred pages are named "Error code E…"; they would be half of the queries.
    .filter(([title, url]) => url !== null && title.length < 80 && /^(?!Error code)[A-Za-z]/.test(title))
    .map(([title, url]) => ({ title, url }));
}

function take(sections, queryOf) {
  const taken = [];
  for (const { title, url } of sections) {
    const query = queryOf(contentWords(title), title, taken.length);
    if (query && taken.length < EACH) taken.push({ query, url });
  }
  return taken;
}

function contentWords(title) {
  const words = title.toLowerCase().match(/[a-z][a-z0-9_-]{2,}/g) ?? [];
  return words.filter((word) => !SMALL_WORDS.has(word));
}

function shuffled(items, random) {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}
