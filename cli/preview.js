/**
 * Pages as the index holds them, for `serve`: a bundle is often tried out away from its site, and
 * links to pages that are not there would show nothing.
 */

/** @typedef {import("../dist/load.js").Docs} Docs */
/** @typedef {import("../dist/load.js").Page} Page */

/**
 * Makes a function from an address's path to a page of HTML, or `undefined` where the bundle has
 * no page with that address.
 *
 * @param {Docs} docs
 * @returns {(pathname: string) => Promise<string | undefined>}
 */
export function previews(docs) {
  /** @type {Promise<Map<string, string>> | undefined} */
  let byAddress;
  return async (pathname) => {
    byAddress ??= addresses(docs);
    const path = (await byAddress).get(pathname);
    const page = path === undefined ? undefined : await docs.page(path);
    return page && render(page);
  };
}

/**
 * The path of each page by the path of its address; a page's host is not looked at.
 *
 * @param {Docs} docs
 */
async function addresses(docs) {
  /** @type {Map<string, string>} */
  const byAddress = new Map();
  for (const path of await docs.pages()) {
    const page = await docs.page(path);
    const pathname = page && pathnameOf(page.url);
    if (pathname !== undefined) byAddress.set(pathname, path);
  }
  return byAddress;
}

/**
 * The decoded path of an address, without its host. A record may have any text for an address.
 *
 * @param {string} url
 */
function pathnameOf(url) {
  try {
    return decodeURIComponent(new URL(url, "http://preview.invalid").pathname);
  } catch {
    return undefined;
  }
}

/** @param {Page} page */
function render(page) {
  let anchor = "";
  const sections = page.chunks.map((chunk) => {
    // A long section is several chunks under one heading.
    const isFirst = chunk.anchor !== anchor || chunk === page.chunks[0];
    anchor = chunk.anchor;
    const heading = isFirst && chunk.title !== page.title ? `<h2>${escape(chunk.title)}</h2>\n` : "";
    const id = isFirst && anchor ? ` id="${escape(anchor)}"` : "";
    return `<section${id}>\n${heading}<pre>${escape(chunk.text)}</pre>\n</section>`;
  });
  return `<!doctype html>
<html lang="${escape(page.lang)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(page.title)}</title>
<link rel="stylesheet" href="/demo.css">
<main class="preview">
<p class="preview-note">Preview of ${escape(page.path)} as the index holds it; on the site this is ${escape(page.url)}.</p>
<h1>${escape(page.title)}</h1>
${sections.join("\n")}
</main>
</html>
`;
}

/** @param {string} text */
function escape(text) {
  /** @type {Record<string, string>} */
  const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/gu, (character) => entities[character]);
}
