/** The packed package, installed and used as its readers do. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { staticServer } from "../../cli/static-server.js";
import { answerOf, buildLessons, consumer, copy, filesBelow, groundling, pack, removeAll } from "./support.js";

const run = promisify(execFile);

/** Budget of the tarball: engines, builder, their glue, command and page; about a tenth above what it has. */
const MOST_PACKED_BYTES = 1_800_000;

/** Budget of what Vite makes of the package's module, what that imports on demand, and the few lines that use it, before compression. */
const MOST_SCRIPT_BYTES = 30_000;

const TSC = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));

const QUESTION = "What is a covering index?";

/** Asks and leaves the answer in the page. */
const ASKING = `
import { load } from "groundling";
const docs = await load("/docs.wasm");
const answer = await docs.ask(${JSON.stringify(QUESTION)});
const output = document.createElement("output");
output.textContent = JSON.stringify(answer);
output.dataset.done = "";
document.body.append(output);
`;

const HEAD = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Consumer</title><link rel="icon" href="data:,">`;

/** @type {Awaited<ReturnType<typeof pack>>} */
let packed;

before(async () => {
  packed = await pack();
});
after(removeAll);

/** @param {{ answer: any, problems: string[] }} page */
function assertAnswered({ answer, problems }) {
  assert.deepEqual(problems, []);
  assert.equal(answer.grounded, true);
  assert.deepEqual(answer.sources.map((/** @type {any} */ source) => source.path), ["sql/covering-index.md"]);
}

/**
 * @param {import("node:test").TestContext} t
 * @param {string} root
 */
async function served(t, root) {
  const server = staticServer(root, "not found").listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/`;
}

test("the tarball holds what users need and nothing else", (t) => {
  const names = packed.files.map((file) => file.path);
  const kilobytes = (/** @type {number} */ bytes) => `${Math.ceil(bytes / 1000)} kB`;
  t.diagnostic(`tarball: ${kilobytes(packed.bytes)}, ${names.length} files, ${kilobytes(packed.unpackedBytes)} unpacked`);
  for (const needed of [
    ...["engine.js", "engine.d.ts", "engine.wasm", "engine-all.wasm", "builder.js", "builder.d.ts", "builder.wasm"].map((name) => `dist/${name}`),
    ...["load.js", "load.d.ts", "errors.js", "errors.d.ts"].map((name) => `dist/${name}`),
    ...["cli/groundling.js", "www/demo/index.html", "package.json", "LICENSE-MIT", "LICENSE-APACHE", "README.md"],
  ]) {
    assert.ok(names.includes(needed), `${needed} is missing`);
  }
  const allowed = /^(?:dist|cli|www\/demo)\/|^(?:package\.json|README\.md|LICENSE-MIT|LICENSE-APACHE)$/u;
  assert.deepEqual(names.filter((name) => !allowed.test(name) || /test|\.map$/u.test(name)), []);
  assert.ok(packed.bytes <= MOST_PACKED_BYTES, `the tarball has ${packed.bytes} bytes, at most ${MOST_PACKED_BYTES} are allowed`);
});

test("a Vite project builds with it and its page answers", async (t) => {
  const folder = await consumer(packed.tarball, {
    "index.html": `${HEAD}<script type="module" src="/main.js"></script></head><body></body></html>`,
    "main.js": ASKING,
  });
  await buildLessons(folder, "bundle");
  await copy(folder, "bundle/docs.wasm", "public/docs.wasm");
  const { build } = await import("vite");
  await build({ root: folder, configFile: false, logLevel: "error", build: { target: "es2022" } });
  const page = await answerOf(await served(t, path.join(folder, "dist")));
  assertAnswered(page);
  // The engine travels inside the bundle; the one in the package would be a second download.
  assert.deepEqual(page.requests.filter((name) => name.endsWith(".wasm")), ["/docs.wasm"]);
  const scripts = (await filesBelow(path.join(folder, "dist"))).filter((name) => name.endsWith(".js"));
  const sizes = await Promise.all(scripts.map(async (name) => (await stat(name)).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  t.diagnostic(`scripts of the Vite page: ${total} bytes`);
  assert.ok(total <= MOST_SCRIPT_BYTES, `the page's scripts have ${total} bytes, at most ${MOST_SCRIPT_BYTES} are allowed`);
});

test("a plain page with an import map answers from the installed files", async (t) => {
  const map = JSON.stringify({ imports: { groundling: "/node_modules/groundling/dist/load.js" } });
  const folder = await consumer(packed.tarball, {
    "index.html": `${HEAD}<script type="importmap">${map}</script><script type="module">${ASKING}</script></head><body></body></html>`,
  });
  await buildLessons(folder, "bundle");
  await copy(folder, "bundle/docs.wasm", "docs.wasm");
  assertAnswered(await answerOf(await served(t, folder)));
});

test("case 61-deploy-import-without-window: importing it in Node touches no browser object", async () => {
  const folder = await consumer(packed.tarball, {
    "import.js": `
const touched = [];
for (const name of ["window", "document", "customElements", "navigator", "location", "localStorage", "fetch"]) {
  Object.defineProperty(globalThis, name, { get() { touched.push(name); throw new Error(name + " was touched"); } });
}
const { load, GroundlingError } = await import("groundling");
console.log(JSON.stringify({ touched, load: typeof load, error: typeof GroundlingError }));
`,
  });
  const { stdout } = await run(process.execPath, ["import.js"], { cwd: folder });
  assert.deepEqual(JSON.parse(stdout), { touched: [], load: "function", error: "function" });
});

test("a strict TypeScript project compiles against its types, and a wrong use does not", async () => {
  const folder = await consumer(packed.tarball, {
    "right.ts": `
import { GroundlingError, load } from "groundling";
import type { Answer, AskOptions, Page } from "groundling";

export async function ask(question: string, signal: AbortSignal): Promise<Answer> {
  const docs = await load(new URL("https://docs.test/docs.wasm"), { signal });
  const options: AskOptions = {
    provider: { protocol: "openai-chat", endpoint: "/api/chat/completions", model: "m", stream: true },
    filter: { collections: ["guide"] },
  };
  for await (const event of docs.stream(question, options)) {
    if (event.type === "delta") console.log(event.text);
    if (event.type === "error" && event.error instanceof GroundlingError) console.log(event.error.code);
  }
  const page: Page | undefined = await docs.page("index.md");
  const { hits } = await docs.search(question, { limit: 3 });
  const marked: string[] = hits.flatMap(({ snippet }) =>
    snippet.marks.map(({ start, end }) => snippet.text.slice(start, end)));
  console.log(docs.info.pages, page?.chunks[0]?.anchor, marked);
  const reply = await docs.ask(question, { provider: (prompt) => prompt.refusal, signal });
  const first: number | undefined = reply.sources[0]?.n;
  return first === undefined ? docs.ask(question) : reply;
}
`,
    "wrong.ts": `
import { load } from "groundling";
const docs = await load("docs.wasm");
await docs.ask("Why?", { provider: { protocol: "telepathy", endpoint: "/", model: "m" } });
`,
  });
  const compile = (/** @type {string} */ file) => {
    // A project of its own, although it lies inside of this one.
    const settings = ["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom,dom.asynciterable"];
    return run(TSC, [...settings, file], { cwd: folder });
  };
  await compile("right.ts");
  await assert.rejects(compile("wrong.ts"), { stdout: /"telepathy"/u });
});

test("the installed command builds a bundle, and asks it", async () => {
  const folder = await consumer(packed.tarball, { "docs/index.md": "# Ports\n\nThe server listens on port 8080 by default.\n" });
  await groundling(folder, ["build", "docs", "--out", "out", "--quiet", "--no-cache"]);
  const { stdout } = await groundling(folder, ["ask", "--json", "--bundle", "out", "On which port does the server listen?"]);
  const answer = JSON.parse(stdout);
  assert.equal(answer.grounded, true);
  assert.equal(answer.answer, "The server listens on port 8080 by default. [1]");
});
