/** The command `serve` and its static file server. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, symlink, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";
import { COMMAND, folderWith, groundling, lessonsBundle } from "./support/command.js";

let bundle = "";
let outside = "";
let removeBundle = async () => {};
before(async () => {
  ({ folder: bundle, remove: removeBundle } = await lessonsBundle());
  outside = `${bundle}-outside.txt`;
  await writeFile(outside, "secret");
  await writeFile(path.join(bundle, ".hidden"), "secret");
  await symlink(outside, path.join(bundle, "link.txt"));
});
after(async () => {
  await removeBundle();
  await rm(outside);
});

/**
 * Starts the server and gives its address.
 *
 * @param {{ after: (clean: () => void) => void }} t
 * @param {...string} args
 */
async function serve(t, ...args) {
  const child = spawn(process.execPath, [COMMAND, "serve", "--bundle", bundle, ...args]);
  t.after(() => child.kill());
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  const address = /http:\/\/\S+/u.exec(line)?.[0];
  assert.ok(address, line);
  return address;
}

/**
 * A request whose path is sent as it is; `fetch` would resolve `..` first.
 *
 * @param {string} address
 * @param {string} target
 * @param {{ method?: string, headers?: Record<string, string> }} [options]
 */
async function get(address, target, options) {
  const { hostname, port } = new URL(address);
  const sent = request({ hostname, port, path: target, ...options }).end();
  const [response] = await once(sent, "response");
  let body = "";
  for await (const chunk of response.setEncoding("latin1")) body += chunk;
  return { status: response.statusCode, headers: response.headers, body };
}

test("it serves the page, the scripts and the bundle with their media types", async (t) => {
  const address = await serve(t, "--port", "0");
  for (const [target, type] of [
    ["/", "text/html; charset=utf-8"],
    ["/demo.js", "text/javascript; charset=utf-8"],
    ["/demo.css?v=1", "text/css; charset=utf-8"],
    ["/docs.wasm", "application/wasm"],
  ]) {
    const { status, headers } = await get(address, target);
    assert.deepEqual([status, headers["content-type"], headers["cache-control"]], [200, type, "no-cache"], target);
  }
});

test("it gives nothing outside the folder, nothing hidden and no list of files", async (t) => {
  const address = await serve(t, "--port", "0");
  const name = path.basename(outside);
  for (const target of [
    `/../${name}`,
    `/groundling/../../${name}`,
    `/%2e%2e/${name}`,
    `/..%2f${name}`,
    `/..%5c${name}`,
    "/link.txt",
    "/.hidden",
    "/groundling/",
    "/%00",
    "/%zz",
    "//example.com/",
  ]) {
    const { status, body } = await get(address, target);
    assert.equal(status, 404, target);
    assert.doesNotMatch(body, /secret|load\.js/u, target);
  }
});

test("a folder's name without its slash leads to the folder on this host", async (t) => {
  const { status, headers } = await get(await serve(t, "--port", "0"), "/groundling");
  assert.deepEqual([status, headers.location], [301, "groundling/"]);
});

test("an unchanged file is not sent again", async (t) => {
  const address = await serve(t, "--port", "0");
  const first = await get(address, "/docs.wasm");
  const second = await get(address, "/docs.wasm", { headers: { "if-none-match": String(first.headers.etag) } });
  assert.deepEqual([second.status, second.body], [304, ""]);
});

test("it only reads", async (t) => {
  const address = await serve(t, "--port", "0");
  assert.equal((await get(address, "/docs.wasm", { method: "POST" })).status, 405);
  const head = await get(address, "/docs.wasm", { method: "HEAD" });
  assert.deepEqual([head.status, head.body], [200, ""]);
});

test("a taken port is refused where it was asked for", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  t.after(() => other.close());
  await once(other, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (other.address());
  const { code, stderr } = await groundling(["serve", "--bundle", bundle, "--port", String(port)]);
  assert.equal(code, 2);
  assert.match(stderr, new RegExp(`port ${port} of 127\\.0\\.0\\.1: it is taken; try --port 0`, "u"));
});

test("where no port is asked for the next free one is taken", async (t) => {
  const first = await serve(t);
  const second = await serve(t);
  assert.notEqual(first, second);
  assert.equal((await get(second, "/")).status, 200);
});

test("a folder with a bundle and no page is refused", async (t) => {
  const folder = await folderWith(t, { "docs.wasm": "x" });
  const { code, stderr } = await groundling(["serve", "--bundle", folder]);
  assert.equal(code, 2);
  assert.match(stderr, /no page/u);
});
