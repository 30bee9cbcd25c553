/** One line on the terminal that says how far the build is. */

/** Builds that take less than this show nothing. */
const QUIET_MS = 1000;

/** Redrawing more often only costs time. */
const REDRAW_MS = 100;

/** Nothing is shown where standard error is no terminal, such as in a log of CI. */
export class Progress {
  #next = performance.now() + QUIET_MS;
  #shown = false;
  #enabled;

  /** @param {boolean} enabled */
  constructor(enabled) {
    this.#enabled = enabled && Boolean(process.stderr.isTTY);
  }

  /**
   * @param {string} task
   * @param {number} done
   * @param {number} total
   */
  show(task, done, total) {
    const now = performance.now();
    if (!this.#enabled || now < this.#next) return;
    this.#next = now + REDRAW_MS;
    this.#shown = true;
    process.stderr.write(`\r\u001b[K${task} ${done} of ${total}`);
  }

  clear() {
    if (this.#shown) process.stderr.write("\r\u001b[K");
    this.#shown = false;
  }
}
