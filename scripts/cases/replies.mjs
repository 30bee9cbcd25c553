// An endpoint in this process: a `fetch` that answers with the bytes of a case, cut as the case
// says, and a clock that does not make anybody wait. A socket could join what was cut.

/** The engine never waits longer than this before it asks again; longer timers are time limits. */
const LONGEST_WAIT_MS = 60_000;

/**
 * @typedef {object} Reply
 * @property {number} status
 * @property {Record<string, string>} headers
 * @property {Uint8Array[]} pieces of the body
 */

/** Replies to every request in the same way. */
export class Endpoint {
  /** When each request came, by `Date.now`. @type {number[]} */
  asked = [];
  /** @type {Reply} */
  reply = { status: 500, headers: {}, pieces: [] };

  /** Given to `load` in place of the global `fetch`. @type {typeof fetch} */
  fetch = async () => {
    this.asked.push(Date.now());
    const { status, headers, pieces } = this.reply;
    const left = [...pieces];
    const body = new ReadableStream({
      pull(controller) {
        const piece = left.shift();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    });
    return new Response(body, { status, headers });
  };
}

/**
 * Runs a call while timers fire at once and the clock jumps over what they would have waited.
 *
 * @template T
 * @param {string | number | undefined} now what the clock shows first; by default the real time
 * @param {() => Promise<T>} call
 * @returns {Promise<T>}
 */
export async function withoutWaiting(now, call) {
  const real = { setTimeout: globalThis.setTimeout, now: Date.now };
  const started = real.now();
  let shift = now === undefined ? 0 : new Date(now).getTime() - started;
  Date.now = () => real.now() + shift;
  const setTimeout = (/** @type {() => void} */ callback, /** @type {number} */ delayMs = 0) => {
    if (delayMs > LONGEST_WAIT_MS) return real.setTimeout(callback, delayMs);
    return real.setTimeout(() => {
      shift += delayMs;
      callback();
    }, 0);
  };
  globalThis.setTimeout = /** @type {typeof globalThis.setTimeout} */ (setTimeout);
  try {
    return await call();
  } finally {
    globalThis.setTimeout = real.setTimeout;
    Date.now = real.now;
  }
}
