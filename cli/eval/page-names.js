/** Telling whether two ways to write a page mean the same page. */

/** Endings that a site may serve with, without, or in exchange for one another. */
const ENDING = /\.(?:md|mdx|markdown|x?html?)$/iu;

/**
 * A page's name without all that differs between a file and its address: scheme and host, query and
 * fragment, percent-encoding, slashes at either end, the ending, and `index`.
 *
 * So `guide/setup.md#linux`, `/guide/setup/` and `https://docs.example/guide/setup.html` have one
 * name, and so have `guide/index.html` and `/guide/`. Letters keep their case, because servers do.
 *
 * @param {string} pathOrUrl
 */
export function pageName(pathOrUrl) {
  const path = pathOrUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/iu, "").split(/[?#]/u, 1)[0];
  const name = decoded(path).replace(/^(?:\.?\/)+|\/+$/gu, "").replace(ENDING, "");
  return name === "index" ? "" : name.replace(/\/index$/u, "");
}

/**
 * Whether a source lies on one of the pages. A page may be named by its path in the bundle, or by its
 * address with the base path that the bundle was built for; the end of a path is not enough, because
 * `install.md` and `advanced/install.md` are two pages.
 *
 * @param {{ path: string, url: string }} source
 * @param {Set<string>} names as {@link pageName} gives them
 */
export function isOnPage({ path, url }, names) {
  return names.has(pageName(path)) || names.has(pageName(url));
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    // A file may have a bare percent sign in its name.
    return path;
  }
}
