// Cases of the kind `cite`: gives replies to `docs.ask` as a model would, and compares what it
// passes on.

import { ANY_CALL, containsEach, differences, isEqual, listed, shown, timed } from "./compare.mjs";
import { anyDocs } from "./product.mjs";
import { Endpoint } from "./replies.mjs";

/** @typedef {import("../../dist/load.js").Answer} Answer */
/** What became of a model's reply. @typedef {{ answer: Answer, reply: string, seconds: number }} Checked */

/** @type {import("./compare.mjs").Fields<Checked>} */
const FIELDS = {
  refused: { read: (checked) => checked, check: isRefused },
  cited: { read: ({ answer }) => answer.cited },
  source_urls: { read: ({ answer }) => answer.sources.map(({ url }) => url) },
  answer_contains: { read: ({ answer }) => answer.answer, check: containsEach },
  marker_maps: { read: ({ answer }) => answer, check: markerMaps },
  marker_targets: { read: ({ answer }) => answer, check: markerTargets },
  every_shown_marker_resolves: { read: ({ answer }) => everyMarkerResolves(answer) },
  no_link_to_host: { read: ({ answer }) => answer, check: noLinkToHost },
  ...ANY_CALL,
};

/**
 * @param {{ input: any, expected: Record<string, any> }} testCase
 * @returns {Promise<string[]>} what differs
 */
export async function run({ input, expected }) {
  const endpoint = new Endpoint();
  const docs = await anyDocs({ fetch: endpoint.fetch });
  const sources = [...input.sources]
    .sort((a, b) => a.n - b.n)
    .map(({ n, title, url, text = `Text of source ${n}.` }) => ({ title, url, text }));
  /** @type {Checked[]} */
  const checked = [];
  for (const { text, chunks } of input.answers) {
    const reply = text ?? chunks.join("");
    if (chunks) endpoint.reply = streamed(chunks);
    const provider = chunks
      ? { protocol: /** @type {const} */ ("openai-chat"), endpoint: "https://model.test/", model: "test" }
      : () => reply;
    const { value: answer, error, seconds } = await timed(() => docs.ask("How is it done?", { provider, sources }));
    if (!answer) throw error;
    checked.push({ reply, answer, seconds });
  }
  docs.free();
  return differences(expected, checked, {
    answers: {
      read: (all) => all,
      check: (wanted, all) =>
        wanted.flatMap((each, index) =>
          each === null ? [] : differences(each, all[index], FIELDS).map((difference) => `answer ${index + 1}: ${difference}`),
        ),
    },
    no_link_to_host: {
      read: (all) => all,
      check: (host, all) => all.flatMap(({ answer }) => noLinkToHost(host, answer)),
    },
    every_shown_marker_resolves: { read: (all) => all.every(({ answer }) => everyMarkerResolves(answer)) },
    // A failure has stopped the case before.
    no_error: { read: () => true },
    max_seconds: { ...ANY_CALL.max_seconds, read: (all) => all.reduce((sum, { seconds }) => sum + seconds, 0) },
  });
}

/** The pieces as the events of Chat Completions. @param {string[]} chunks */
function streamed(chunks) {
  const event = (delta, finish_reason) =>
    Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  const pieces = chunks.map((content) => event({ content }, null));
  pieces.push(event({}, "stop"), Buffer.from("data: [DONE]\n\n"));
  return { status: 200, headers: { "content-type": "text/event-stream" }, pieces };
}

/** @param {boolean} wanted @param {Checked} checked */
function isRefused(wanted, { answer, reply }) {
  if (wanted) {
    const isExact = answer.answer === "I don't know." && answer.sources.length === 0 && !answer.grounded;
    return isExact ? [] : [`it is passed on: ${shown(answer.answer)}`];
  }
  if (!answer.grounded) return [`it is not passed on, because of ${answer.reason}`];
  return isEqual(reply, answer.answer) ? [] : [`it is passed on as ${shown(answer.answer)}`];
}

/** @param {Record<string, string | string[]>} wanted pages by marker @param {Answer} answer */
function markerMaps(wanted, answer) {
  return Object.entries(wanted).flatMap(([marker, urls]) => {
    const places = answer.citations.filter(({ start, end }) => answer.answer.slice(start, end) === marker);
    const got = [...new Set(places.map((place) => urlOf(answer, place)))];
    return isEqual(listed(urls), got) ? [] : [`${marker} leads to ${shown(got)}, expected ${shown(urls)}`];
  });
}

/** @param {Record<string, string>} wanted the page by the sentence before the marker @param {Answer} answer */
function markerTargets(wanted, answer) {
  return Object.entries(wanted).flatMap(([sentence, url]) => {
    const at = answer.answer.indexOf(sentence);
    const next = at === -1 ? undefined : answer.citations.find(({ start }) => start >= at + sentence.length);
    const got = next && urlOf(answer, next);
    return got === url ? [] : [`after ${shown(sentence)} the marker leads to ${shown(got)}, expected ${shown(url)}`];
  });
}

/** @param {Answer} answer @param {{ n: number }} citation */
function urlOf(answer, { n }) {
  return answer.sources.find((source) => source.n === n)?.url;
}

/**
 * Whether each citation has its source, and nothing outside of code looks like a citation without
 * being one.
 *
 * @param {Answer} answer
 */
function everyMarkerResolves(answer) {
  if (!answer.citations.every((citation) => urlOf(answer, citation) !== undefined)) return false;
  const prose = answer.answer.replace(/```[^]*?```|`[^`\n]*`/gu, (code) => " ".repeat(code.length));
  return [...prose.matchAll(/[[【]\^?\d[\d\s,–-]*[\]】]/gu)].every(({ index, 0: marker }) =>
    answer.citations.some(({ start, end }) => start < index + marker.length && index < end),
  );
}

/** @param {string} host @param {Answer} answer */
function noLinkToHost(host, answer) {
  // Only sources become links; a model's text is shown as it is written.
  const linked = answer.sources.filter(({ url }) => new URL(url, "https://docs.test/").hostname === host);
  return linked.map(({ url }) => `${url} is linked`);
}
