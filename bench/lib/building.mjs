// Builds a site with groundling and with Pagefind, each as its users do: the command, in a process
// of its own, from a folder of HTML.

import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ROOT } from "../../scripts/lib/environment.mjs";
import { table } from "./report.mjs";

const ROUNDS = 3;
const WORK = `${ROOT}.tmp/bench/building`;
const SITE = `${WORK}/site`;
/** A changed page must cost less than this part of a full build. */
const MOST_INCREMENTAL = 0.5;

/**
 * Twice: with the pages as mdBook made them, four fifths of whose bytes are menus, scripts and
 * links, and with the title and the main element of each alone.
 *
 * @param {{ name: string, pages: number }} corpus
 * @param {string[]} files paths of its pages below `root`
 * @param {string} root
 */
export function building({ name, pages }, files, root) {
  const head = ["build", "wall, s", "CPU, s", "peak memory, MB", "wall / Pagefind's", "CPU / Pagefind's", "memory / Pagefind's"];
  const base = run([process.execPath, "-e", ""]).memory;
  const tables = [
    ["Whole pages", (html) => html],
    ["Main elements", mainOnly],
  ].map(([title, change]) => {
    stage(files, root, change);
    return `${title}:\n\n${table(head, measured(files, base))}`;
  });
  return (
    `## Building\n\n${name}: ${pages} pages from HTML. Best of ${ROUNDS} rounds, the commands in turn. Memory is above that of an empty\n` +
    `Node (${Math.round(base)} MB), for Pagefind above nothing. The bundle of the changed page is that of a full build, byte for byte.\n\n${tables.join("\n\n")}`
  );
}

function mainOnly(html) {
  const part = (pattern) => pattern.exec(html)?.[0] ?? "";
  const [title, main] = [/<title>[^]*?<\/title>/, /<main[\s>][^]*<\/main>/].map(part);
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">${title}</head><body>${main}</body></html>\n`;
}

/** The rows of the table. */
function measured(files, base) {
  const changed = `${SITE}/${files[Math.floor(files.length / 2)]}`;
  const groundling = (out, ...args) => [process.execPath, `${ROOT}cli/groundling.js`, "build", SITE, "--out", `${WORK}/${out}`, "--quiet", ...args];
  const commands = {
    // The same content for both: the element that every book has around its text.
    Pagefind: ["node_modules/.bin/pagefind", "--site", SITE, "--output-path", `${WORK}/pagefind`, "--root-selector", "main"],
    "groundling, all pages": groundling("full", "--no-cache"),
    "groundling, all pages, cache written": groundling("cached"),
    "groundling, one page changed": groundling("cached"),
  };
  const best = Object.fromEntries(Object.keys(commands).map((key) => [key, { wall: Infinity, cpu: Infinity, memory: Infinity }]));
  for (let round = 0; round < ROUNDS; round += 1) {
    rmSync(`${WORK}/cache`, { recursive: true, force: true });
    for (const [key, command] of Object.entries(commands)) {
      if (key.endsWith("changed")) appendFileSync(changed, `<!-- ${round} -->`);
      const used = run(command);
      // Pagefind is no Node program.
      if (key !== "Pagefind") used.memory -= base;
      for (const [what, amount] of Object.entries(used)) best[key][what] = Math.min(best[key][what], amount);
    }
    run(groundling("full", "--no-cache"));
    if (!readFileSync(`${WORK}/full/docs.wasm`).equals(readFileSync(`${WORK}/cached/docs.wasm`))) {
      throw new Error("a build with a cache gave another bundle than a full one");
    }
  }
  const part = best["groundling, one page changed"].wall / best["groundling, all pages"].wall;
  if (part > MOST_INCREMENTAL) throw new Error(`a changed page took ${part.toFixed(2)} of a full build`);
  const peer = best.Pagefind;
  return Object.entries(best).map(([key, { wall, cpu, memory }]) => [
    key,
    ...[wall, cpu].map((seconds) => seconds.toFixed(2)),
    Math.round(memory),
    ...[wall / peer.wall, cpu / peer.cpu, memory / peer.memory].map((ratio) => ratio.toFixed(2)),
  ]);
}

/** A copy, because a page of it is changed. */
function stage(files, root, change) {
  rmSync(WORK, { recursive: true, force: true });
  for (const file of files) {
    mkdirSync(dirname(`${SITE}/${file}`), { recursive: true });
    writeFileSync(`${SITE}/${file}`, change(readFileSync(`${root}/${file}`, "utf8")));
  }
}

/**
 * What a command takes, by GNU time: Node tells nothing of the memory of a child.
 *
 * @returns {{ wall: number, cpu: number, memory: number }} seconds, seconds, MB
 */
function run(command) {
  const env = { ...process.env, GROUNDLING_CACHE: `${WORK}/cache` };
  const { status, stderr } = spawnSync("/usr/bin/time", ["-f", "%e %U %S %M", ...command], { cwd: ROOT, env, encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
  const [wall, user, system, kilobytes] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return { wall, cpu: user + system, memory: (kilobytes * 1024) / 1e6 };
}
