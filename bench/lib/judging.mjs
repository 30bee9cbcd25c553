// What it costs to compare an answer's sentences with their sources: the same question asked with and without.

import { load } from "../../dist/load.js";

const SOURCES = 5;
/** No source says this, so it is compared with those that it does not cite, too. */
const INVENTED = "Telescopes were first polished by forty sailors [4].";
const EXPECTED = ["supported", "supported", "supported", "unsupported"];

/**
 * Asks `question` in pairs, with the comparison and without, of a function that gives a reply of four sentences.
 * Fails where the sentences do not come out as they were written to.
 *
 * @param {Uint8Array} bundle
 * @param {string} question
 * @param {number} rounds
 * @returns {Promise<{ words: number, compared: number[], plain: number[] }>} words of the sources, and milliseconds of
 *   whole questions
 */
export async function judging(bundle, question, rounds) {
  const docs = await load(bundle);
  const found = await docs.prompt(question, { maxSources: SOURCES, budgetWords: 5000, perPage: SOURCES });
  if (found.sources.length !== SOURCES) throw new Error(`found ${found.sources.length} sources`);
  const sources = found.sources.map(({ url, title, text }) => ({ url, title, text }));
  const quoted = sources.slice(0, 3).map(({ text }, i) => `${sentence(text)} [${i + 1}].`);
  const reply = [...quoted, INVENTED].join(" ");
  const ask = async (support) => {
    const start = performance.now();
    const answer = await docs.ask(question, { sources, provider: () => reply, support });
    return [answer, performance.now() - start];
  };
  const times = { compared: [], plain: [] };
  for (let round = 0; round < rounds; round += 1) {
    const [{ sentences }, compared] = await ask("report");
    const outcome = sentences.map(({ support }) => support);
    if (outcome.join() !== EXPECTED.join()) throw new Error(`the sentences came out ${outcome}`);
    times.compared.push(compared);
    times.plain.push((await ask("off"))[1]);
  }
  docs.free();
  return { words: sources.map(({ text }) => text.split(/\s+/u).length).reduce((sum, n) => sum + n), ...times };
}

/** The first line of prose, without its stop. */
function sentence(text) {
  const [first] = /^[A-Z][\w ,'’-]{40,}(?=\.)/mu.exec(text) ?? [];
  if (first === undefined) throw new Error(`no sentence in ${text.slice(0, 80)}`);
  return first;
}
