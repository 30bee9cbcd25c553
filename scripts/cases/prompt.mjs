// Cases of the kind `prompt`: compares the prompt of hostile texts with that of harmless ones.

import { ANY_CALL, differences, timed } from "./compare.mjs";
import { anyDocs } from "./product.mjs";

/** Stands for a source's text where the frame around it is looked for; in no text and no template. */
const PLACEHOLDER = "placeholder of a text";

/**
 * @typedef {object} Prompts
 * @property {string[]} frame what stands before, between and after the texts
 * @property {any} harmless the prompt with each text replaced by `x`
 * @property {any} hostile the prompt with the case's texts
 * @property {string[] | undefined} texts the hostile ones as the prompt has them, if the frame fits
 * @property {number} seconds that the hostile prompt took
 */

/** @type {import("./compare.mjs").Fields<Prompts>} */
const FIELDS = {
  outside_of_source_text_identical_to_harmless_prompt: { read: isFrameUntouched },
  source_blocks: { read: ({ frame, hostile }) => blocks(frame, hostile) },
  first_text_still_inside_block_1: { read: isFirstTextInside },
  ...ANY_CALL,
};

/**
 * @param {{ input: any, expected: Record<string, any> }} testCase
 * @returns {Promise<string[]>} what differs
 */
export async function run({ input, expected }) {
  const docs = await anyDocs();
  const { question, sources } = input;
  const withTexts = (/** @type {(text: string, index: number) => string} */ change) =>
    docs.prompt(question, { sources: sources.map((source, index) => ({ ...source, text: change(source.text, index) })) });

  const frame = (await withTexts(() => PLACEHOLDER)).input.split(PLACEHOLDER);
  const harmless = await withTexts(() => "x");
  const borders = input.also_insert ? delimiters(frame) : [];
  const built = await timed(() => withTexts((text, index) => (index === 0 ? [text, ...borders].join("\n") : text)));
  docs.free();
  const { value: hostile, error, seconds } = built;
  if (!hostile) throw error;
  return differences(expected, { frame, harmless, hostile, texts: textsIn(hostile.input, frame), seconds }, FIELDS);
}

/** What the builder writes around texts: whole pieces of the frame, and their lines one by one. */
function delimiters(frame) {
  const lines = frame.flatMap((piece) => piece.split("\n"));
  return [...new Set([...frame, ...lines].filter((line) => line.trim() !== ""))];
}

/**
 * The texts between the pieces of a frame.
 *
 * @param {string} input
 * @param {string[]} frame
 * @returns {string[] | undefined} nothing where the frame is not in it, or is there in two ways
 */
function textsIn(input, frame) {
  const [first, ...between] = frame.slice(0, -1);
  const last = frame.at(-1) ?? "";
  if (!input.startsWith(first) || !input.endsWith(last)) return undefined;
  const texts = [];
  let rest = input.slice(first.length, input.length - last.length);
  for (const piece of between) {
    const parts = rest.split(piece);
    if (parts.length !== 2) return undefined;
    texts.push(parts[0]);
    rest = parts[1];
  }
  return [...texts, rest];
}

/** @param {Prompts} prompts */
function isFrameUntouched({ frame, harmless, hostile, texts }) {
  const { input, sources, request, ...settings } = harmless;
  const same = Object.entries(settings).every(([name, value]) => hostile[name] === value);
  return same && input === frame.join("x") && texts !== undefined;
}

/** How often a source begins. @param {string[]} frame @param {any} hostile */
function blocks(frame, hostile) {
  const start = /<\w+/u.exec(frame[0])?.[0] ?? frame[0];
  return hostile.input.split(start).length - 1;
}

/** Whether no border of the frame is in the first text. @param {Prompts} prompts */
function isFirstTextInside({ frame, texts }) {
  const closing = frame[1]?.split("\n").filter((line) => line.trim() !== "") ?? [];
  return texts !== undefined && closing.every((border) => !texts[0].includes(border));
}
