// An endpoint in this process: a `fetch` that answers with the bytes of a case, cut as the case
// says, and timers that do not make anybody wait. A socket could join what was cut.

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
  /** For how long the caller had waited in all when each request came. @type {number[]} */
  askedMs = [];
  waitedMs = 0;
  /** @type {Reply} */
  reply = { status: 500, headers: {}, pieces: [] };

  /** Given to `load` in place of the global `fetch`. @type {typeof fetch} */
  fetch = async () => {
    this.askedMs.push(this.waitedMs);
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

  /**
   * Runs a call whose waits are counted and not kept.
   *
   * @template T
   * @param {string | number | undefined} now what the clock shows all the time; by default it runs
   * @param {() => Promise<T>} call
   * @returns {Promise<T>}
   */
  async withoutWaiting(now, call) {
    this.askedMs = [];
    this.waitedMs = 0;
    const real = { setTimeout: globalThis.setTimeout, now: Date.now };
    const setTimeout = (/** @type {() => void} */ callback, /** @type {number} */ delayMs = 0) => {
      if (delayMs > LONGEST_WAIT_MS) return real.setTimeout(callback, delayMs);
      this.waitedMs += delayMs;
      return real.setTimeout(callback, 0);
    };
    globalThis.setTimeout = /** @type {typeof globalThis.setTimeout} */ (setTimeout);
    if (now !== undefined) Date.now = () => new Date(now).getTime();
    try {
      return await call();
    } finally {
      globalThis.setTimeout = real.setTimeout;
      Date.now = real.now;
    }
  }
}
