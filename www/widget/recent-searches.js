/** Searches of this reader, kept on this machine only, and only where the site asked for it. */

const KEY = "groundling-recent";
const MOST = 6;
const LONGEST = 100;

/** @returns {string[]} latest first */
export function recentSearches() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((query) => typeof query === "string" && query.length <= LONGEST).slice(0, MOST) : [];
  } catch {
    // Storage is refused, or holds something else.
    return [];
  }
}

/** @param {string} query */
export function keepSearch(query) {
  if (query.length > LONGEST) return;
  store([query, ...recentSearches().filter((kept) => kept !== query)].slice(0, MOST));
}

export function forgetSearches() {
  store([]);
}

/** @param {string[]} searches */
function store(searches) {
  try {
    if (searches.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(searches));
  } catch {
    // Storage is full or refused: the search itself does not need it.
  }
}
