/** The package as others get it: packed once, installed into folders of their own. */

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Inside of the repository and of no other package, so that Vite can be found from there. */
const SCRATCH = path.join(ROOT, ".tmp", "package");

/** @typedef {{ path: string, size: number }[]} Listing */

/**
 * Packs what dist/ holds. The files of a test run share nothing, because each of them runs in a
 * process of its own.
 *
 * @returns {Promise<{ tarball: string, bytes: number, unpackedBytes: number, files: Listing }>}
 */
export async function pack() {
  await mkdir(SCRATCH, { recursive: true });
  const folder = await mkdtemp(path.join(SCRATCH, "tarball-"));
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], { cwd: ROOT });
  const reports = JSON.parse(stdout);
  // npm 11 and before gives a list, later versions an object by package.
  const [{ filename, size, unpackedSize, files }] = Array.isArray(reports) ? reports : Object.values(reports);
  return { tarball: path.join(folder, filename), bytes: size, unpackedBytes: unpackedSize, files };
}

/**
 * A new project with the package installed, without any registry.
 *
 * @param {string} tarball
 * @param {Record<string, string>} files text by path
 */
export async function consumer(tarball, files) {
  await mkdir(SCRATCH, { recursive: true });
  const folder = await mkdtemp(path.join(SCRATCH, "consumer-"));
  const written = { "package.json": JSON.stringify({ name: "consumer", private: true, type: "module" }), ...files };
  for (const [name, text] of Object.entries(written)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--no-save", tarball], { cwd: folder });
  return folder;
}

/** Takes away every folder of this run. */
export function removeAll() {
  return rm(SCRATCH, { recursive: true, force: true });
}

/**
 * Runs the installed command.
 *
 * @param {string} folder
 * @param {string[]} args
 */
export function groundling(folder, args) {
  const options = { cwd: folder, env: { ...process.env, GROUNDLING_KEY: "" } };
  return run(path.join(folder, "node_modules", ".bin", "groundling"), args, options);
}

/** A bundle of the lessons, made by the installed command. @param {string} folder @param {string} out */
export async function buildLessons(folder, out) {
  await groundling(folder, ["build", path.join(ROOT, "tests", "fixtures", "lessons"), "--out", out, "--quiet", "--no-cache"]);
}

/** Copies a file within a project. @param {string} folder @param {string} from @param {string} to */
export async function copy(folder, from, to) {
  await mkdir(path.dirname(path.join(folder, to)), { recursive: true });
  await cp(path.join(folder, from), path.join(folder, to));
}

/** The names of all files below a folder. @param {string} folder */
export async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/**
 * Opens a page and waits for its question to be answered. The console must stay empty and nothing
 * may be fetched from another origin.
 *
 * @param {string} address
 * @returns {Promise<{ answer: any, problems: string[], requests: string[] }>}
 */
export async function answerOf(address) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    // Chromium's sandbox does not work as root, as which containers run tests.
    args: ["--no-sandbox"],
  });
  try {
    const page = await browser.newPage();
    /** @type {string[]} */
    const problems = [];
    /** @type {string[]} */
    const requests = [];
    page.on("console", (message) => problems.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("request", (request) => {
      const { origin, pathname } = new URL(request.url());
      requests.push(pathname);
      if (origin !== new URL(address).origin && origin !== "null") problems.push(`request: ${request.url()}`);
    });
    await page.goto(address);
    const output = page.locator("output[data-done]");
    await output.waitFor();
    return { answer: JSON.parse((await output.textContent()) ?? ""), problems, requests };
  } finally {
    await browser.close();
  }
}
