/** `groundling init`: writes a configuration for the generator that a project uses. */

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { ExitCode, UsageError, isSystemError } from "./errors.js";
import { detectGenerator } from "./generators.js";
import { CONFIG_NAME } from "./inputs.js";
import { note, printJson, printLine } from "./terminal.js";

/** @type {import("./args.js").Command} */
export const command = {
  name: "init",
  summary: "Writes groundling.json for the site generator that a project uses.",
  usage: "[DIR] [OPTIONS]",
  options: {
    json: { help: "Print what was found as JSON." },
  },
  notes: `DIR is the project's folder, the current one by default. The file tells where the generator
puts the built site and below which address it is served; both are read from the generator's
own settings, or are its defaults. A groundling.json that is there already is not touched.

Exit codes: 0 written; 2 wrong usage, or the file is there already.`,
  run,
};

/**
 * @param {{ json?: boolean }} values
 * @param {string[]} positionals
 */
async function run({ json }, positionals) {
  if (positionals.length > 1) throw new UsageError("init takes one folder");
  const folder = positionals[0] ?? ".";
  const found = await detectGenerator(folder);
  const file = path.join(folder, CONFIG_NAME);
  const config = { docs: [found?.output ?? "."], baseUrl: found?.baseUrl ?? "/", ...(found?.urls && { urls: found.urls }) };
  try {
    await writeFile(file, `${JSON.stringify(config, null, 2)}\n`, { flag: "wx" });
  } catch (cause) {
    if (!isSystemError(cause) || cause.code !== "EEXIST") throw cause;
    throw new UsageError(`${file} is there already and was not touched: remove it first, or edit it`, { cause });
  }
  if (json) {
    printJson({ file, generator: found?.name ?? null, settings: found?.settings ?? null, config });
    return ExitCode.ok;
  }
  if (found) printLine(`${found.name}, by ${found.settings}: the site is built into ${found.output} and served below ${config.baseUrl}`);
  else note("No site generator was found, so the folder itself is read; edit \"docs\" if the site is built into another one.");
  const place = folder === "." ? "" : ` (in ${folder})`;
  printLine(`Wrote ${file}. Build your site, then${place}: groundling build --out public/groundling`);
  return ExitCode.ok;
}
