/** Which addresses become links. */

/** @typedef {import("../load.js").Docs} Docs */

/** Beyond this many pages a link of a model's text lives only if its page was found for the question. */
const MOST_PAGES = 2000;

/**
 * The address of something in the index as a link.
 *
 * @param {string} url from the index, never from a model
 * @param {string} base
 * @returns {string | undefined} none where it is no web address, or carries a user name
 */
export function webLink(url, base) {
  try {
    const link = new URL(url, base);
    const isWeb = link.protocol === "https:" || link.protocol === "http:";
    return isWeb && !link.username && !link.password ? link.href : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The pages of the documentation, by address without fragment. A link in a model's text lives only
 * if it leads to one of them: any other address could carry away what the model was told.
 */
export class KnownPages {
  #base;
  /** @type {Set<string>} */
  #pages = new Set();

  /** @param {string} base */
  constructor(base) {
    this.#base = base;
  }

  /** @param {string[]} urls from the index */
  add(urls) {
    for (const url of urls) {
      const link = webLink(url, this.#base);
      if (link) this.#pages.add(withoutFragment(link));
    }
  }

  /**
   * Adds every page of a bundle that is not too large.
   *
   * @param {Docs} docs
   */
  async addAll(docs) {
    if (docs.info.pages > MOST_PAGES) return;
    const pages = await Promise.all((await docs.pages()).map((path) => docs.page(path)));
    this.add(pages.flatMap((page) => (page ? [page.url] : [])));
  }

  /**
   * @param {string} address as a model wrote it
   * @returns {string | undefined} where it leads, if that is a page of the documentation
   */
  linkTo(address) {
    // The parser of addresses passes over some of these, so that an address would lead elsewhere
    // than it reads.
    if (/[\s\\\0-\x1F\x7F-\x9F]/u.test(address)) return undefined;
    const link = webLink(address, this.#base);
    return link && this.#pages.has(withoutFragment(link)) ? link : undefined;
  }
}

/** @param {string} href */
function withoutFragment(href) {
  return href.split("#", 1)[0];
}
