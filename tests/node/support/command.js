/** Runs the real command in a folder of its own. */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const COMMAND = fileURLToPath(new URL("../../../cli/groundling.js", import.meta.url));
export const LESSONS = fileURLToPath(new URL("../../fixtures/lessons", import.meta.url));

/** The tests leave nothing in the cache of whoever runs them. */
const CACHE = mkdtempSync(path.join(tmpdir(), "groundling-test-cache-"));
process.on("exit", () => rmSync(CACHE, { recursive: true, force: true }));

/** The environment of a command that a test starts by itself. */
export const ENVIRONMENT = { ...process.env, GROUNDLING_KEY: "", GROUNDLING_CACHE: CACHE };

/** A command that does not end by itself fails the test instead of stopping the suite. */
const TIMEOUT_MS = 60_000;

/**
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
export async function groundling(args, { cwd, env } = {}) {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd,
    env: { ...ENVIRONMENT, ...env },
    timeout: TIMEOUT_MS,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/**
 * A new folder with these files, removed after the test.
 *
 * `PATH` in a text becomes the file's path, because pages that say the same are indexed once.
 *
 * @param {{ after: (clean: () => Promise<void>) => void }} test
 * @param {Record<string, string | Uint8Array>} [files] content by path
 */
export async function folderWith(test, files = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "groundling-test-"));
  test.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof text === "string" ? text.replaceAll("PATH", name) : text);
  }
  return folder;
}

/**
 * A bundle of the lessons, built once for a test file.
 *
 * @returns {Promise<{ folder: string, remove: () => Promise<void> }>}
 */
export async function lessonsBundle() {
  const folder = await mkdtemp(path.join(tmpdir(), "groundling-lessons-"));
  const { code, stderr } = await groundling(["build", LESSONS, "--out", folder]);
  if (code !== 0) throw new Error(`the lessons could not be built: ${stderr}`);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
