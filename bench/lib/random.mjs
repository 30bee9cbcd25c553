// Choices that are the same on every machine.

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const MIN_LETTERS = 4;

/** A small seeded generator (mulberry32), 32 bits of state. Gives numbers from 0 to below 1. */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A text with one edit in one of its longer words: a letter left out, doubled, changed, or two swapped. */
export function mistyped(text, random) {
  const below = (limit) => Math.floor(random() * limit);
  const words = [...text.matchAll(/[A-Za-z]+/g)].filter(([word]) => word.length >= MIN_LETTERS);
  if (words.length === 0) return undefined;
  const { 0: word, index } = words[below(words.length)];
  const at = 1 + below(word.length - 2);
  const letter = LETTERS[below(LETTERS.length)];
  const edits = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + (letter === word[at] ? "q" : letter) + word.slice(at + 1),
    word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  ];
  // Two equal letters swapped are no typo.
  const edited = edits[below(word[at] === word[at + 1] ? 3 : 4)];
  return text.slice(0, index) + edited + text.slice(index + word.length);
}
