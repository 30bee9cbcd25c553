// Builds small real sites with the generators that people use, and keeps their pages as fixtures.
//
//   node tests/generators/run.mjs [NAME...]    (npm run test:generators)
//
// NAME: only these generators. Tools are installed below .tmp/generators/ at pinned versions; one
// that cannot be had is told and passed over. The pages land in tests/fixtures/generators/, where
// the everyday test reads them (tests/generators.rs), which this script runs at its end.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ROOT, runMain } from "../../scripts/lib/environment.mjs";
import { GENERATORS } from "./generators.mjs";
import { pages } from "./pages.mjs";

const WORK = `${ROOT}.tmp/generators/`;
const FIXTURES = `${ROOT}tests/fixtures/generators/`;

/** One white pixel: a generator refuses a page whose picture is missing. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg==",
  "base64",
);

await runMain(() => {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !(name in GENERATORS));
  if (unknown) throw new Error(`no generator is named ${unknown}; there are: ${Object.keys(GENERATORS).join(", ")}`);
  const failed = [];
  for (const name of names.length > 0 ? names : Object.keys(GENERATORS)) {
    try {
      console.log(`${name.padEnd(18)}${build(name, GENERATORS[name])} pages`);
    } catch (error) {
      failed.push(name);
      console.log(`${name.padEnd(18)}failed: ${error.stderr || error.message}`);
    }
  }
  run(ROOT, ["cargo", "test", "--test", "generators"], "inherit");
  if (failed.length > 0) throw new Error(`not built: ${failed.join(", ")}`);
});

/**
 * @param {string} name
 * @param {import("./generators.mjs").Generator} generator
 * @returns {number} how many pages were kept
 */
function build(name, generator) {
  const project = `${WORK}${name}/`;
  install(project, generator);
  const extension = generator.extension ?? ".md";
  const sources = pages(generator.dialect, generator.titles ?? "heading");
  for (const [path, text] of Object.entries(generator.files)) write(project + path, text);
  write(`${project}${generator.source}/teapot.png`, PICTURE);
  for (const [page, text] of Object.entries(sources)) write(`${project}${generator.source}/${page}${extension}`, text);
  rmSync(project + generator.output, { recursive: true, force: true });
  for (const command of generator.commands) run(project, command, "pipe");

  rmSync(FIXTURES + name, { recursive: true, force: true });
  const found = Object.keys(sources).map((page) =>
    [`${page}.html`, `${page}/index.html`].find((path) => existsSync(`${project}${generator.output}/${path}`)),
  );
  for (const path of found) {
    if (!path) throw new Error(`a page is missing in ${project}${generator.output}`);
    write(`${FIXTURES}${name}/${path}`, trimmed(readFileSync(`${project}${generator.output}/${path}`, "utf8")));
  }
  return found.length;
}

/** @param {string} project @param {import("./generators.mjs").Generator} generator */
function install(project, { npm, pip, cargo, debian }) {
  mkdirSync(project, { recursive: true });
  if (npm) {
    const wanted = JSON.stringify({ private: true, dependencies: npm }, null, 2);
    const has = existsSync(`${project}package.json`) && readFileSync(`${project}package.json`, "utf8");
    if (has === wanted && existsSync(`${project}node_modules`)) return;
    write(`${project}package.json`, wanted);
    run(project, ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"], "pipe");
  }
  if (pip) {
    if (!existsSync(`${WORK}python`)) run(WORK, ["python3", "-m", "venv", "python"], "pipe");
    run(WORK, ["python/bin/pip", "install", "--quiet", ...pip], "pipe");
  }
  if (cargo && !existsSync(`${WORK}bin/${cargo[0]}`)) {
    run(WORK, ["cargo", "install", "--locked", "--quiet", "--root", WORK, cargo.join("@")], "pipe");
  }
  if (debian && !existsSync(`/usr/bin/${debian}`)) run(WORK, ["apt-get", "install", "-y", "-qq", debian], "pipe");
}

/**
 * A page without what reading never looks into: scripts, styles, drawings and embedded pictures.
 *
 * @param {string} html
 */
function trimmed(html) {
  return html
    .replace(/(<script\b(?![^>]*math\/tex)[^>]*>)[^]*?<\/script>/giu, "$1</script>")
    .replace(/(<style\b[^>]*>)[^]*?<\/style>/giu, "$1</style>")
    .replace(/(<svg\b[^>]*>)[^]*?<\/svg>/giu, "$1</svg>")
    .replace(/"data:[^"]*"/gu, '"data:,"')
    .replace(/<link\b[^>]*\brel="?(?:modulepreload|preload|stylesheet)[^>]*>/giu, "");
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** @param {string} cwd @param {string[]} command @param {"pipe" | "inherit"} stdio */
function run(cwd, [command, ...args], stdio) {
  const PATH = [`${cwd}node_modules/.bin`, `${WORK}python/bin`, `${WORK}bin`, process.env.PATH].join(":");
  const env = { ...process.env, PATH, ASTRO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", NO_COLOR: "1" };
  execFileSync(command, args, { cwd, env, stdio, encoding: "utf8" });
}
