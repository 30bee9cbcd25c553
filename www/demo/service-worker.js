/**
 * Keeps the page for readers without a network.
 *
 * The network always comes first, so that nobody reads an old page, and a script never meets a bundle of
 * another build; only where it fails is the copy used that the last visit left.
 */

// The page's own files, written here by `groundling build`. The bundle is kept once a reader has used it.
/** @type {string[]} */
const FILES = [];
const CACHE = "groundling";

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(worker.clients.claim());
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const isOwn = request.method === "GET" && request.url.startsWith(worker.registration.scope);
  if (isOwn && !request.headers.has("range")) event.respondWith(answer(request));
});

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
