/** Reading the arguments of a command, and its help, from one description of its options. */

import { parseArgs } from "node:util";
import { UsageError } from "./errors.js";

/**
 * @typedef {object} Option
 * @property {string} help one sentence, with the default
 * @property {string} [value] name of its value in the help, such as DIR; none: the option is a switch
 * @property {[min: number, max: number]} [range] its value is a whole number within
 * @property {boolean} [required]
 */

/** @typedef {Record<string, string | number | boolean | undefined>} Values */

/**
 * @typedef {object} Command
 * @property {string} name
 * @property {string} summary what it does, in one sentence
 * @property {string} usage what follows the command's name
 * @property {Record<string, Option>} options
 * @property {string} notes what else to know, exit codes included
 * @property {(values: any, positionals: string[]) => Promise<number>} run gives the exit code;
 *   `values` are {@link Values} with the names of `options`
 */

/** @type {Record<string, Option>} */
const COMMON = { help: { help: "Show this help." } };

/**
 * @param {Command} command
 * @param {string[]} argv
 * @returns {{ values: Values, positionals: string[] }}
 * @throws {UsageError} for an unknown option, a missing one, or a value out of range
 */
export function parseCommandLine(command, argv) {
  const options = { ...command.options, ...COMMON };
  const hint = `see \`groundling ${command.name} --help\``;
  const parsed = parseStrictly(options, argv, hint);
  /** @type {Values} */
  const values = { ...parsed.values };
  if (values.help) return { values, positionals: parsed.positionals };
  for (const [name, option] of Object.entries(options)) {
    const value = values[name];
    if (option.required && !value) throw new UsageError(`--${name} ${option.value} is missing: ${hint}`);
    if (option.range && value !== undefined) values[name] = wholeNumber(name, String(value), option.range);
  }
  return { values, positionals: parsed.positionals };
}

/**
 * @param {Record<string, Option>} options
 * @param {string[]} argv
 * @param {string} hint
 */
function parseStrictly(options, argv, hint) {
  /** @type {Record<string, { type: "string" | "boolean", short?: string }>} */
  const config = {};
  for (const [name, option] of Object.entries(options)) {
    config[name] = { type: option.value ? "string" : "boolean" };
  }
  config.help.short = "h";
  try {
    return parseArgs({ args: argv, options: config, allowPositionals: true });
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    // Node's message goes on after the first sentence with how to escape a dash.
    throw new UsageError(`${cause.message.split(/\.\s|\n/u, 1)[0]}: ${hint}`, { cause });
  }
}

/**
 * @param {string} name
 * @param {string} value
 * @param {[min: number, max: number]} range
 */
function wholeNumber(name, value, [min, max]) {
  const number = /^\d{1,9}$/u.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`--${name} is "${value}": give a whole number from ${min} to ${max}`);
}

/**
 * The words of a question or query; it may be quoted or not.
 *
 * @param {string[]} positionals
 * @param {string} what such as `question`
 */
export function wordsOf(positionals, what) {
  const text = positionals.join(" ").trim();
  if (!text) throw new UsageError(`the ${what} is missing: give it in quotes after the options`);
  return text;
}

/** @param {Command} command */
export function commandHelp(command) {
  const rows = Object.entries({ ...command.options, ...COMMON }).map(([name, option]) => [
    `--${name}${option.value ? ` ${option.value}` : ""}`,
    option.help,
  ]);
  const width = Math.max(...rows.map(([flag]) => flag.length));
  const table = rows.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}`).join("\n");
  return `${command.summary}\n\nUsage: groundling ${command.name} ${command.usage}\n\n${table}\n\n${command.notes}`;
}

/** @param {Command[]} commands */
export function mainHelp(commands) {
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(7)} ${summary}`);
  return [
    "Answers questions about a documentation site, with sources it can prove.",
    "",
    "Usage: groundling COMMAND [OPTIONS]",
    "",
    ...lines,
    "",
    "`groundling COMMAND --help` shows the options of a command, `groundling --version` the version.",
  ].join("\n");
}
