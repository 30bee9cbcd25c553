/** What can go wrong in the command, and the exit code that says so. */

/** Exit codes; scripts rely on them. */
export const ExitCode = Object.freeze({
  /** Answered with sources, found, built, served, or measured. */
  ok: 0,
  /** The answer is not grounded, nothing was found, or less than a threshold asks for. */
  nothing: 1,
  /** Wrong usage, or input that cannot be used. */
  usage: 2,
  /** The endpoint failed. */
  endpoint: 3,
});

/** Wrong usage or bad input. The message says what to do. */
export class UsageError extends Error {
  /**
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(message, options) {
    super(message, options);
    this.name = "UsageError";
    this.code = "usage";
  }
}

/**
 * @typedef {object} ErrorDescription
 * @property {string} code
 * @property {string} message
 * @property {number} [status] HTTP status that the endpoint answered with
 * @property {number} [retryAfterMs]
 * @property {string} [requestId]
 */

/**
 * What to tell of a thrown value. Nothing else of it is printed: neither its stack nor fields that
 * might hold what was sent.
 *
 * @param {unknown} error
 * @returns {ErrorDescription}
 */
export function describeError(error) {
  if (!(error instanceof Error)) return { code: "unexpected", message: String(error) };
  const { code, status, retryAfterMs, requestId } = /** @type {Partial<ErrorDescription>} */ (error);
  if (error.name === "GroundlingError" || error instanceof UsageError) {
    return { code: String(code), message: error.message, status, retryAfterMs, requestId };
  }
  if (isSystemError(error)) return { code: "usage", message: systemMessage(error) };
  return { code: "unexpected", message: `${error.message}: this is a defect of groundling, please report it` };
}

/** @param {unknown} error */
export function exitCodeOf(error) {
  const { code } = describeError(error);
  const endpointFailed = code.startsWith("provider-") && !SETTINGS.has(code);
  return endpointFailed ? ExitCode.endpoint : ExitCode.usage;
}

/** Codes of settings that make a request impossible, so that nothing was sent. */
const SETTINGS = new Set([
  "provider-endpoint-credentials",
  "provider-endpoint-insecure",
  "provider-endpoint-invalid",
  "provider-header",
  "provider-model-missing",
]);

/**
 * Whether the operating system refused something, such as reading a file.
 *
 * @param {unknown} error
 * @returns {error is NodeJS.ErrnoException}
 */
export function isSystemError(error) {
  return error instanceof Error && "syscall" in error;
}

/** @type {Record<string, string>} */
const SYSTEM_WORDS = {
  EACCES: "no permission",
  EISDIR: "it is a folder",
  ELOOP: "its links lead in a circle",
  ENOENT: "it does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is a file",
  EPERM: "no permission",
  EROFS: "the disk is read-only",
};

/**
 * @param {NodeJS.ErrnoException} error
 * @returns {string} the path and what is the matter with it
 */
export function systemMessage(error) {
  const words = SYSTEM_WORDS[error.code ?? ""] ?? error.message;
  return error.path === undefined ? words : `${error.path}: ${words}`;
}
