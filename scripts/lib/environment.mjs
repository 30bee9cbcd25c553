// The environment in which the project's tools run. Only Node's own modules are imported
// here, for on a clean clone no npm package is installed before `setUp` has run.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The repository's root folder, with a separator at its end. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Brings the tools and puts them in use for this process and what it starts.
 *
 * @param {"build" | "test"} level what the tools are for
 * @throws when a tool is missing and cannot be brought; scripts/setup has said why
 */
export function setUp(level) {
  const setup = ROOT + "scripts/setup";
  execFileSync("bash", [setup, level], { stdio: ["ignore", "inherit", "inherit"] });
  const listing = execFileSync("bash", ["-c", 'eval "$(bash "$0" --env)" && env -0', setup], {
    encoding: "utf8",
  });
  for (const entry of listing.split("\0")) {
    const equals = entry.indexOf("=");
    if (equals > 0) process.env[entry.slice(0, equals)] = entry.slice(equals + 1);
  }
}

/** The environment for commands that compile for wasm. `setUp` must have run. */
export function wasmEnvironment() {
  return { ...process.env, RUSTUP_TOOLCHAIN: process.env.GROUNDLING_WASM_TOOLCHAIN };
}

/**
 * Calls a script's main function. A failure ends the script with exit code 1 and its message
 * alone: what failed is mostly a command, which has printed its reasons, and the stack of this
 * script would only hide them.
 *
 * @param {() => Promise<void> | void} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
