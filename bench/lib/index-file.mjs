// Reads an index file as src/index/format.rs specifies it, apart from the engine: for sizes, and
// to give a peer the same sections.

const KINDS = {
  META: 1,
  DICTIONARY: 2,
  POSTING_IDS: 3,
  POSTING_FREQS: 4,
  LENGTHS: 5,
  PAGE_CHUNKS: 16,
  PAGE_URLS: 20,
  PAGE_TITLES: 21,
  CHUNK_TITLES: 24,
  CHUNK_HEADINGS: 25,
  CHUNK_TEXTS: 27,
};
const HEADER_LEN = 32;
const ENTRY_LEN = 24;
const STRINGS_PER_GROUP = 16;
/** What finding needs; the rest is what is shown. */
const SEARCH_KINDS = ["META", "DICTIONARY", "POSTING_IDS", "POSTING_FREQS", "LENGTHS"];

/** @param {Uint8Array} bytes */
export function readIndex(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** @type {Map<number, Uint8Array>} */
  const sections = new Map();
  for (let i = 0; i < view.getUint32(12, true); i += 1) {
    const at = HEADER_LEN + i * ENTRY_LEN;
    const [offset, length] = [8, 16].map((field) => Number(view.getBigUint64(at + field, true)));
    sections.set(view.getUint32(at, true), bytes.subarray(offset, offset + length));
  }
  const section = (name) => sections.get(KINDS[name]);
  return {
    /** The part that finds, without anything that is shown. */
    search: Buffer.concat(SEARCH_KINDS.map(section)),
    texts: section("CHUNK_TEXTS"),
    postings: section("POSTING_FREQS").length,
    chunks: () => readChunks(section),
    pages: () => readPages(section),
  };
}

/** Address and title of each page, in the order of their ids. */
function readPages(section) {
  const pages = section("PAGE_CHUNKS").length / 4;
  const [urls, titles] = ["PAGE_URLS", "PAGE_TITLES"].map((name) => readStrings(section(name), pages));
  return titles.map((title, id) => ({ title, url: urls[id] }));
}

/** The sections as any engine would get them, in the order of their ids. */
function readChunks(section) {
  const firsts = section("PAGE_CHUNKS");
  const chunks = section("LENGTHS").length / 3;
  const strings = (name, count) => readStrings(section(name), count);
  const pages = firsts.length / 4;
  const [urls, pageTitles] = ["PAGE_URLS", "PAGE_TITLES"].map((name) => strings(name, pages));
  const [titles, headings, texts] = ["CHUNK_TITLES", "CHUNK_HEADINGS", "CHUNK_TEXTS"].map((name) =>
    strings(name, chunks),
  );
  const view = new DataView(firsts.buffer, firsts.byteOffset, firsts.byteLength);
  let page = 0;
  return titles.map((title, id) => {
    while (page + 1 < pages && view.getUint32((page + 1) * 4, true) <= id) page += 1;
    const path = pageTitles[page] === title ? headings[id] : `${pageTitles[page]}\n${headings[id]}`;
    return { id, url: urls[page], title, headings: path, text: texts[id] };
  });
}

/** The strings of a column: a table of groups, then lengths and bytes of each group. */
function readStrings(bytes, count) {
  const decoder = new TextDecoder();
  const strings = [];
  let at = Math.ceil(count / STRINGS_PER_GROUP) * 4;
  while (strings.length < count) {
    const lengths = [];
    while (lengths.length < Math.min(STRINGS_PER_GROUP, count - strings.length)) {
      let [value, shift] = [0, 0];
      let byte;
      do {
        byte = bytes[at];
        at += 1;
        value += (byte & 0x7f) * 2 ** shift;
        shift += 7;
      } while (byte >= 0x80);
      lengths.push(value);
    }
    for (const length of lengths) {
      strings.push(decoder.decode(bytes.subarray(at, at + length)));
      at += length;
    }
  }
  return strings;
}
