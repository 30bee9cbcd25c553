/** The one class of errors that groundling throws. */

/**
 * An error with a stable `code` to act on, and a message that says what to do.
 * Facts such as `status` or `retryAfterMs` are fields of their own.
 */
export class GroundlingError extends Error {
  /**
   * @param {string} code stable, lower-case, such as `index-version` or `provider-status`
   * @param {string} message what is wrong and what to do
   * @param {{ cause?: unknown } & Record<string, unknown>} [facts] further fields
   */
  constructor(code, message, { cause, ...facts } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "GroundlingError";
    /** @type {string} */
    this.code = code;
    Object.assign(this, facts);
  }
}

/**
 * The error that the engine threw as a plain `Error` with a code, as a {@link GroundlingError}.
 * Anything else comes back as it is.
 *
 * @param {unknown} thrown
 * @returns {unknown}
 */
export function fromEngine(thrown) {
  if (thrown instanceof Error && !(thrown instanceof GroundlingError) && thrown.name === "GroundlingError") {
    const { code, ...facts } = /** @type {Record<string, unknown>} */ ({ ...thrown });
    return new GroundlingError(String(code), thrown.message, facts);
  }
  return thrown;
}
