// The product as the runners use it: the real command builds, the package's own module opens.

import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "../../dist/load.js";
import { timed } from "./compare.mjs";

const COMMAND = fileURLToPath(new URL("../../cli/groundling.js", import.meta.url));

/** A build that hangs ends the run with a message. */
const TIMEOUT_MS = 120_000;

/**
 * Builds a site with `groundling build`, opens what it wrote, and removes every file again.
 *
 * @param {{ path: string, text?: string, hex?: string }[]} files `hex`: the exact bytes
 * @param {string[]} [options] further options of the command
 * @returns {Promise<import("./compare.mjs").Ended<import("../../dist/load.js").Docs>>}
 */
export function build(files, options = []) {
  return timed(async () => load(await bundleOf(files, options)));
}

/** @type {ReturnType<typeof bundleOf> | undefined} */
let anyBundle;

/**
 * A bundle for questions whose sources the case gives; its own page is never asked for.
 *
 * @param {{ fetch?: typeof fetch }} [loading] options of `load`
 */
export async function anyDocs(loading) {
  anyBundle ??= bundleOf([{ path: "index.md", text: "# Home\n\nNothing of note.\n" }], []);
  return load(await anyBundle, loading);
}

/**
 * @param {Parameters<typeof build>[0]} files
 * @param {string[]} options
 * @returns {Promise<Uint8Array>}
 * @throws {Error} with the command's complaint where the build fails
 */
export async function bundleOf(files, options) {
  const folder = await mkdtemp(path.join(tmpdir(), "groundling-case-"));
  try {
    for (const file of files) await write(path.join(folder, "site"), file);
    const out = path.join(folder, "out");
    await groundling(["build", path.join(folder, "site"), "--out", out, "--json", "--no-cache", ...options]);
    return await readFile(path.join(out, "docs.wasm"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} root @param {{ path: string, text?: string, hex?: string }} file */
async function write(root, { path: name, text, hex }) {
  const file = path.join(root, name);
  if (!file.startsWith(root + path.sep)) throw new Error(`the file ${name} lies outside of the site`);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, hex === undefined ? (text ?? "") : Buffer.from(hex, "hex"));
}

/** @param {string[]} args */
async function groundling(args) {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: TIMEOUT_MS,
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (complaint += text));
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(complaint.trim() || `groundling build ended with exit code ${code}`);
}
