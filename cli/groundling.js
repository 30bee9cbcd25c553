#!/usr/bin/env node
/**
 * The `groundling` command: picks the sub-command, turns what it throws into a message and an exit
 * code, and lets the process end by itself so that piped output is never cut.
 */

import { readFile } from "node:fs/promises";
import { commandHelp, mainHelp, parseCommandLine } from "./args.js";
import { command as ask } from "./ask.js";
import { command as build } from "./build.js";
import { ExitCode, UsageError, describeError, exitCodeOf } from "./errors.js";
import { command as evaluate } from "./eval.js";
import { command as init } from "./init.js";
import { command as inspect } from "./inspect.js";
import { endQuietlyOnClosedPipe, printError, printLine } from "./terminal.js";
import { command as search } from "./search.js";
import { command as serve } from "./serve.js";

const commands = new Map([init, build, ask, search, serve, inspect, evaluate].map((command) => [command.name, command]));

/**
 * @param {string[]} argv what follows the program's name
 * @returns {Promise<number>} the exit code
 */
async function main(argv) {
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const named = commands.get(rest[0]);
    printLine(named ? commandHelp(named) : mainHelp([...commands.values()]));
    return name === undefined ? ExitCode.usage : ExitCode.ok;
  }
  if (name === "--version" || name === "-V") {
    const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8");
    printLine(JSON.parse(manifest).version);
    return ExitCode.ok;
  }
  const command = commands.get(name);
  if (!command) {
    const known = [...commands.keys()].join(", ");
    throw new UsageError(`there is no command \`${name}\`: use one of ${known}, or --help`);
  }
  const { values, positionals } = parseCommandLine(command, rest);
  if (values.help) {
    printLine(commandHelp(command));
    return ExitCode.ok;
  }
  return command.run(values, positionals);
}

/**
 * Whether errors are to be printed as JSON; asked of the raw arguments, because they may be what
 * is wrong.
 *
 * @param {string[]} argv
 */
function wantsJson(argv) {
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? undefined : end).includes("--json");
}

endQuietlyOnClosedPipe();
const argv = process.argv.slice(2);
try {
  process.exitCode = await main(argv);
} catch (error) {
  printError(describeError(error), { json: wantsJson(argv) });
  process.exitCode = exitCodeOf(error);
}
