/**
 * Threads that analyse files beside the main one.
 *
 * What a file becomes depends on that file alone, and the index does not depend on the order of
 * files, so the bundle is the same whatever the number of threads and whoever is quicker.
 */

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** Files that wait in a thread, at most: enough to keep it busy while the main one analyses one. */
const MOST_WAITING = 32;

/** Their content together in bytes, at most, but for the first: what waits takes memory. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;

/** One processor is the main thread's; more than these have nothing to do, as it must keep up. */
const MOST_WORKERS = 3;

/** How many threads are worth starting on this machine. */
export function defaultWorkers() {
  return Math.min(availableParallelism() - 1, MOST_WORKERS);
}

/** @typedef {{ worker: Worker, waiting: Map<number, { size: number, done: (analyzed: Uint8Array) => void }> }} Thread */

export class AnalysisPool {
  /** @type {Thread[]} */
  #threads = [];
  #next = 0;
  #fail;

  /**
   * @param {number} count
   * @param {object} setup
   * @param {WebAssembly.Module} setup.module the builder, compiled
   * @param {string} [setup.config]
   * @param {{ baseUrl?: string, lang?: string }} setup.overrides
   */
  constructor(count, setup) {
    /** @type {(error: Error) => void} */
    let fail = () => {};
    /** Rejects when a thread ends by an error; it never resolves. @type {Promise<never>} */
    this.failure = new Promise((_, reject) => (fail = reject));
    this.failure.catch(() => {});
    this.#fail = fail;
    for (let i = 0; i < count; i += 1) this.#start(setup);
  }

  /** @param {object} setup */
  #start(setup) {
    const worker = new Worker(new URL("analysis-worker.js", import.meta.url), { workerData: setup });
    /** @type {Thread} */
    const thread = { worker, waiting: new Map() };
    worker.on("error", this.#fail);
    worker.on("message", ({ id, analyzed }) => {
      thread.waiting.get(id)?.done(analyzed);
      thread.waiting.delete(id);
    });
    this.#threads.push(thread);
  }

  /**
   * Gives a file to a thread that has room for it.
   *
   * @param {string} name
   * @param {Uint8Array} bytes
   * @returns {Promise<Uint8Array> | undefined} none where all are busy
   */
  offer(name, bytes) {
    const thread = this.#threads.find(({ waiting }) => {
      const size = [...waiting.values()].reduce((sum, file) => sum + file.size, 0);
      return waiting.size === 0 || (waiting.size < MOST_WAITING && size + bytes.length <= MOST_WAITING_BYTES);
    });
    if (thread === undefined) return undefined;
    const id = this.#next;
    this.#next += 1;
    return new Promise((done) => {
      thread.waiting.set(id, { size: bytes.length, done });
      thread.worker.postMessage({ id, name, bytes });
    });
  }

  /** Ends the threads. */
  async close() {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }
}
