/** Opening a bundle: from what, and what it says where that is none. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { GroundlingError, load } from "../../dist/load.js";
import { BUILD_ID } from "../../dist/engine.js";
import { builder, bundleOf, engine, lessonsBundle } from "./support/bundle.js";
import { serverFor } from "./support/server.js";

const tea = Buffer.from(bundleOf({ "tea.md": "# Kettles\n\nA kettle boils the water for tea.\n" }));
const LOAD = new URL("../../dist/load.js", import.meta.url).href;

const opens = async (source, options) => assert.equal((await load(source, options)).info.pages, 1);

/** Checks the code of the error and that its message tells what to do. */
async function fails(source, code, message, options) {
  const error = await load(source, options).then(
    () => assert.fail("it was opened"),
    (thrown) => thrown,
  );
  assert.ok(error instanceof GroundlingError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return error;
}

/** A server for one file. */
function fileServer(t, bytes, type = "application/wasm", status = 200) {
  return serverFor(t, (response) => response.writeHead(status, { "content-type": type }).end(bytes));
}

test("bytes are opened, whatever holds them", async () => {
  const apart = Buffer.concat([Buffer.from("before"), tea, Buffer.from("after")]);
  const view = new Uint8Array(apart.buffer, apart.byteOffset + 6, tea.length);
  await opens(tea);
  await opens(view);
  await opens(Uint8Array.from(tea).buffer);
});

test("a compiled module is opened, several times", async () => {
  const module = await WebAssembly.compile(tea);
  await Promise.all([opens(module), opens(module)]);
});

test("an address is fetched once", async (t) => {
  const server = await fileServer(t, tea);
  await opens(`${server.url}/docs.wasm`);
  await opens(new URL(`${server.url}/docs.wasm`));
  assert.deepEqual(server.requests.map(({ method, url }) => [method, url]), [["GET", "/docs.wasm"], ["GET", "/docs.wasm"]]);
});

for (const type of ["application/wasm", "application/octet-stream"]) {
  test(`a response of type ${type} is opened without a second request`, async (t) => {
    const server = await fileServer(t, tea, type);
    await opens(await fetch(server.url));
    await opens(fetch(server.url));
    assert.equal(server.requests.length, 2);
  });
}

test("a fetch of one's own is used for the bundle and for questions", async (t) => {
  const asked = [];
  const own = async (input) => {
    const url = typeof input === "string" ? input : input.url;
    asked.push(url);
    return url.endsWith(".wasm")
      ? new Response(tea, { headers: { "content-type": "application/wasm" } })
      : Response.json({ choices: [{ message: { content: "It boils [1]." }, finish_reason: "stop" }] });
  };
  const docs = await load("http://bundle.test/docs.wasm", { fetch: own });
  const endpoint = "https://llm.test/v1/chat/completions";
  const answer = await docs.ask("kettle", { provider: { protocol: "openai-chat", endpoint, model: "m", stream: false } });
  assert.equal(answer.answer, "It boils [1].");
  assert.deepEqual(asked, ["http://bundle.test/docs.wasm", endpoint]);
});

test("a missing file is told with its status", async (t) => {
  const server = await fileServer(t, "not here", "text/plain", 404);
  const error = await fails(`${server.url}/docs.wasm`, "bundle-fetch", /docs\.wasm.*404.*check its address/u);
  assert.equal(error.status, 404);
});

test("a server that cannot be reached is told with the cause", async (t) => {
  const own = () => Promise.reject(new TypeError("fetch failed"));
  const error = await fails("http://bundle.test/docs.wasm", "bundle-fetch", /bundle\.test/u, { fetch: own });
  assert.ok(error.cause instanceof TypeError);
});

test("a page in place of the bundle is no bundle", async (t) => {
  const server = await fileServer(t, "<!doctype html><title>Home</title>", "text/html");
  await fails(server.url, "bundle-not-wasm", /no WebAssembly file/u);
});

test("a page that claims to be a bundle is none either", async (t) => {
  const server = await fileServer(t, "<!doctype html><title>Home</title>");
  await fails(server.url, "bundle-not-wasm", /no WebAssembly file/u);
});

for (const [what, length] of [["one byte", 1], ["a half", tea.length >> 1], ["its last byte", tea.length - 1]]) {
  test(`a bundle cut to ${what} is no bundle`, () => fails(tea.subarray(0, length), "bundle-not-wasm", /was cut on the way/u));
}

test("another program's module is told from a bundle", () =>
  fails(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0), "engine-mismatch", /no groundling bundle.*groundling build/u));

test("a bundle of another build is refused with both builds", async () => {
  const other = Buffer.from(tea);
  const id = other.lastIndexOf(BUILD_ID);
  other.write("0123456789abcdef", id, "latin1");
  const error = await fails(other, "engine-mismatch", /0123456789abcdef.*reload/u);
  assert.deepEqual([error.scriptBuild, error.bundleBuild], [BUILD_ID, "0123456789abcdef"]);
});

test("an engine without an index is told from a bundle", () => fails(engine, "no-index", /groundling build/u));

test("an index that is none is refused", () => fails(builder.embed(engine, Buffer.alloc(500)), "index-not-an-index", /./u));

test("a signal stops the download with its reason", async (t) => {
  const server = await serverFor(t, (response) => response.writeHead(200, { "content-type": "application/wasm" }).write(tea.subarray(0, 100)));
  const stop = new AbortController();
  const loading = load(server.url, { signal: stop.signal });
  const { closed } = await server.arrived();
  const reason = new Error("the reader left");
  stop.abort(reason);
  await assert.rejects(loading, reason);
  await closed;
});

test("a damaged index never gives another result, at whatever byte", async () => {
  const bundle = Buffer.from(await lessonsBundle());
  const index = Buffer.from(builder.extract(bundle));
  const start = bundle.indexOf(index);
  const use = async (bytes) => {
    const docs = await load(bytes);
    return JSON.stringify([docs.info, await docs.search("covering index", { limit: 3 }), await docs.retrieve("What does the GIL do?")]);
  };
  const whole = await use(bundle);
  const codes = new Map();
  for (let i = 0; i < 60; i++) {
    const at = start + Math.floor((i * (index.length - 1)) / 59);
    bundle[at] ^= 0x10;
    const code = await use(bundle).then(
      (result) => (assert.equal(result, whole), "unused"),
      (error) => error.code,
    );
    bundle[at] ^= 0x10;
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  for (const code of codes.keys()) assert.match(code, /^(?:index-[a-z-]+|unused)$/u);
  assert.ok(codes.get("index-checksum") > 10, JSON.stringify([...codes]));
});

test("importing touches no global of a browser", async () => {
  const script = `
    for (const name of ["window", "document", "navigator", "location", "fetch", "self", "localStorage"]) {
      Object.defineProperty(globalThis, name, { get() { throw new Error(name + " was touched"); } });
    }
    const { load } = await import(${JSON.stringify(LOAD)});
    console.log(typeof load);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  assert.equal(stdout, "function\n");
});

test("what can be no bundle is refused with what can", async () => {
  for (const source of [null, undefined, 42, {}]) {
    await fails(source, "bad-options", /takes the address of a bundle/);
  }
});

test("a download that breaks off is told as one", async (t) => {
  const server = await serverFor(t, (response) => {
    response.writeHead(200, { "content-type": "application/wasm", "content-length": tea.length });
    response.write(tea.subarray(0, 1000), () => response.destroy());
  });
  await fails(server.url, "bundle-fetch", /could not be fetched whole/);
});

test("a bundle that was freed says so", async () => {
  const docs = await load(tea);
  docs.free();
  await assert.rejects(docs.search("tea"), { code: "docs-freed" });
  assert.throws(() => docs.info, { code: "docs-freed" });
});

test("an option that does not exist is refused by name", async () => {
  const docs = await load(tea);
  const asked = docs.ask("tea", /** @type {any} */ ({ budgetwords: 5 }));
  await assert.rejects(asked, { code: "bad-options", message: /`budgetwords`; there are: .*budgetWords/ });
  const listed = docs.ask("tea", /** @type {any} */ ([]));
  await assert.rejects(listed, { code: "bad-options", message: /`options` must be an object/ });
});

test("a value that is no string is refused, and the bundle stays usable", async () => {
  const docs = await load(tea);
  for (const value of /** @type {any[]} */ ([undefined, null, 5, 5n, {}, ["tea"], Symbol("tea")])) {
    for (const call of ["search", "page", "retrieve", "prompt", "ask", "askContext"]) {
      await assert.rejects(docs[call](value), { code: "bad-options", message: /must be a string/u });
    }
    await assert.rejects(docs.verify(value, 1), { code: "bad-options" });
  }
  assert.equal((await docs.search("kettle")).total, 1);
});

test("a number of sources that is none is refused, and lets no citation pass", async () => {
  const docs = await load(tea);
  for (const value of /** @type {any[]} */ ([-1, 1.5, NaN, "3", undefined, 2 ** 32])) {
    await assert.rejects(docs.verify("Tea. [1]", value), { code: "bad-options", message: /`sources`/u });
  }
});

test("a pasted book is searched in time that grows with its length", { timeout: 20_000 }, async () => {
  const docs = await load(tea);
  const words = Array.from({ length: 100_000 }, (_, i) => `w${i.toString(36)}`);
  assert.equal((await docs.search(`kettle ${words.join(" ")}`)).total, 1);
});
