/** Writing to the terminal: results to standard output, everything else to standard error. */

/**
 * The two bold codes, empty where the output is no terminal or the reader asked for none
 * (https://no-color.org).
 */
const BOLD = process.stdout.isTTY && !process.env.NO_COLOR ? ["\u001b[1m", "\u001b[22m"] : ["", ""];

/**
 * Control characters but tab and newline, and the bidirectional controls. A document or a model
 * could otherwise move the cursor, rename the window or hide what is printed.
 */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text from outside as it may be shown in a terminal.
 *
 * @param {string} text
 */
export function plain(text) {
  return text.replace(CONTROLS, "");
}

/**
 * One line of text from outside: as {@link plain}, with line breaks turned into spaces.
 *
 * @param {string} text
 */
export function plainLine(text) {
  return plain(text).replace(/\s+/gu, " ").trim();
}

/** @param {string} text */
export function bold(text) {
  return text && BOLD[0] + text + BOLD[1];
}

/** @param {string} [line] */
export function printLine(line = "") {
  process.stdout.write(`${line}\n`);
}

/**
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** @param {number} bytes */
export function kilobytes(bytes) {
  return `${Math.ceil(bytes / 1000).toLocaleString("en")} kB`;
}

/** @param {unknown} value */
export function printJson(value) {
  printLine(JSON.stringify(value, null, 2));
}

/**
 * A message beside the result, for people.
 *
 * @param {string} line
 */
export function note(line) {
  process.stderr.write(`${plain(line)}\n`);
}

/**
 * @param {import("./errors.js").ErrorDescription} error
 * @param {{ json: boolean }} options
 */
export function printError(error, { json }) {
  note(json ? JSON.stringify({ error }) : `groundling: ${error.message} (${error.code})`);
}

/** Whoever reads the output may stop early, as `head` does; that is no error of ours. */
export function endQuietlyOnClosedPipe() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code !== "EPIPE") throw error;
      process.exit();
    });
  }
}
