/** The commands `ask` and `search`, and what all commands have in common. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";
import { COMMAND, folderWith, groundling, lessonsBundle } from "./support/command.js";

let bundle = "";
let removeBundle = async () => {};
before(async () => ({ folder: bundle, remove: removeBundle } = await lessonsBundle()));
after(() => removeBundle());

for (const [question, page] of [
  ["What is a covering index?", "sql/covering-index.md"],
  ["What does the GIL do?", "python/gil.md"],
  ["When should I use a pandas UDF?", "spark/pandas-udf.md"],
  ["What does the KV cache store?", "llm/kv-cache.md"],
]) {
  test(`"${question}" is answered from ${page}`, async () => {
    const { code, stdout, stderr } = await groundling(["ask", "--json", "--bundle", bundle, question]);
    const answer = JSON.parse(stdout);
    assert.equal(code, 0, stderr);
    assert.equal(stderr, "");
    assert.equal(answer.grounded, true);
    assert.equal(answer.sources[0].path, page);
    assert.ok(answer.answer.includes("[1]"), answer.answer);
  });
}

test("a question that no lesson answers ends with exit code 1 and no source", async () => {
  const question = "How long do I roast a chicken?";
  const { code, stdout } = await groundling(["ask", "--json", "--bundle", bundle, question]);
  const { answer, grounded, sources } = JSON.parse(stdout);
  assert.deepEqual({ code, answer, grounded, sources }, { code: 1, answer: "I don't know.", grounded: false, sources: [] });
});

test("without --json the answer and its numbered sources are printed", async () => {
  const { code, stdout } = await groundling(["ask", "--bundle", bundle, "What", "is", "a", "covering", "index?"]);
  assert.equal(code, 0);
  assert.match(stdout, /^A covering index .*\[1\]\n\n\[1\] SQL › .+\n {4}\/sql\/covering-index\.html/u);
});

test("the bundle can be named by its file", async () => {
  const file = path.join(bundle, "docs.wasm");
  const { code } = await groundling(["ask", "--bundle", file, "What is a covering index?"]);
  assert.equal(code, 0);
});

test("search prints title, address and snippet of each hit", async () => {
  const { code, stdout } = await groundling(["search", "--bundle", bundle, "--limit", "1", "covering index"]);
  const [title, url, snippet] = stdout.split("\n");
  assert.equal(code, 0);
  assert.match(title, /^SQL › /u);
  assert.match(url, /^\/sql\/covering-index\.html/u);
  assert.match(snippet, /index/iu);
});

test("search finds only what the filter allows", async () => {
  const args = ["search", "--json", "--bundle", bundle, "--collection", "spark", "cache"];
  const { hits } = JSON.parse((await groundling(args)).stdout);
  assert.ok(hits.length > 0);
  assert.deepEqual(new Set(hits.map((/** @type {any} */ hit) => hit.collection.id)), new Set(["spark"]));
});

test("a search that finds nothing ends with exit code 1 and names the missing word", async () => {
  const { code, stdout, stderr } = await groundling(["search", "--bundle", bundle, "qwzxv"]);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
  assert.match(stderr, /Nothing was found/u);
  assert.match(stderr, /qwzxv/u);
});

/**
 * @param {string} name
 * @param {() => string[] | Promise<string[]>} args
 * @param {RegExp} message
 */
function refuses(name, args, message) {
  test(`${name} is refused with exit code 2 and a message that says what to do`, async () => {
    const { code, stdout, stderr } = await groundling(await args());
    assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n\s+at /u, "no stack trace");
  });
}

refuses("an unknown command", () => ["answer"], /no command `answer`: use one of init, build, ask, search, serve, inspect, eval/u);
refuses("an unknown option", () => ["ask", "--loud"], /'--loud'.*groundling ask --help/u);
refuses("a missing bundle option", () => ["search", "words"], /--bundle DIR is missing/u);
refuses("a bundle that does not exist", () => ["ask", "--bundle", "nowhere", "Why?"], /no bundle at nowhere.*groundling build/u);
refuses("a folder without a bundle", () => ["ask", "--bundle", path.dirname(COMMAND), "Why?"], /no bundle at .*docs\.wasm/u);
refuses("a file that is no bundle", () => ["ask", "--bundle", COMMAND, "Why?"], /\(bundle-not-wasm\)/u);
refuses("an empty question", () => ["ask", "--bundle", bundle, " "], /the question is missing/u);
refuses("a number out of range", () => ["search", "--bundle", bundle, "--limit", "0", "x"], /from 1 to 1000/u);
refuses("an unknown collection", () => ["search", "--bundle", bundle, "--collection", "cobol", "x"], /it has sql, python, spark, llm|"cobol"/u);
refuses("an unknown prompt", () => ["ask", "--bundle", bundle, "--prompt", "poem", "Why?"], /must be one of cited, .*\(bad-options\)/u);
refuses(
  "an endpoint without a model",
  () => ["ask", "--bundle", bundle, "--endpoint", "https://a.example/v1/responses", "Why?"],
  /no model is named/u,
);

test("a bundle that was cut is refused", async (t) => {
  const bytes = await readFile(path.join(bundle, "docs.wasm"));
  const folder = await folderWith(t);
  await writeFile(path.join(folder, "docs.wasm"), bytes.subarray(0, bytes.length / 2));
  const { code, stderr } = await groundling(["ask", "--bundle", folder, "Why?"]);
  assert.equal(code, 2);
  assert.match(stderr, /\((?:bundle|index)-[a-z-]+\)/u);
});

test("with --json an error is a JSON object on standard error", async () => {
  const { code, stdout, stderr } = await groundling(["ask", "--json", "--bundle", "nowhere", "Why?"]);
  assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
  assert.equal(JSON.parse(stderr).error.code, "usage");
});

for (const name of ["build", "ask", "search", "serve", "eval"]) {
  test(`${name} --help names its options and ends with exit code 0`, async () => {
    const { code, stdout, stderr } = await groundling([name, "--help"]);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    assert.match(stdout, new RegExp(`Usage: groundling ${name} .*\n\n  --`, "u"));
  });
}

test("--version prints the version of the package", async () => {
  const manifest = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  assert.equal((await groundling(["--version"])).stdout, `${manifest.version}\n`);
});

test("a reader of the output who stops early causes no error", async () => {
  const child = spawn(process.execPath, [COMMAND, "search", "--json", "--bundle", bundle, "--limit", "1000", "a table of data"]);
  let stderr = "";
  child.stderr.on("data", (text) => (stderr += text));
  child.stdout.destroy();
  await once(child, "close");
  assert.equal(stderr, "");
});

test("control characters of a document do not reach the terminal", async (t) => {
  const folder = await folderWith(t, {
    "docs/a.jsonl": JSON.stringify({ url: "/a", title: "Bell\u0007 \u001b]0;owned\u0007", text: "The kettle whistles \u001b[31mwhenever it boils." }),
  });
  await groundling(["build", "docs", "--out", "out"], { cwd: folder });
  const { code, stdout } = await groundling(["search", "--bundle", "out", "kettle"], { cwd: folder });
  assert.equal(code, 0);
  assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f]/u);
});

/**
 * An endpoint of Chat Completions that answers every request alike.
 *
 * @param {{ after: (clean: () => void) => void }} t
 * @param {number} status
 * @param {unknown} body
 */
async function endpoint(t, status, body) {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return ["--endpoint", `http://127.0.0.1:${port}/v1/chat/completions`, "--model", "test", "--no-stream"];
}

/** @param {string} content */
function reply(content) {
  return { choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] };
}

test("a model's answer is printed with the sources that it cites", async (t) => {
  const model = await endpoint(t, 200, reply("It holds all columns of a query [1]."));
  const { code, stdout } = await groundling(["ask", "--bundle", bundle, ...model, "What is a covering index?"]);
  assert.equal(code, 0);
  assert.match(stdout, /^It holds all columns of a query \[1\]\.\n\n\[1\] SQL/u);
});

test("a model's answer that cites a made-up source is not shown", async (t) => {
  const model = await endpoint(t, 200, reply("Kettles whistle [99]."));
  const { code, stdout, stderr } = await groundling(["ask", "--bundle", bundle, ...model, "What is a covering index?"]);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: "I don't know.\n" });
  assert.match(stderr, /cited a source that was not given/u);
});

test("with a context prompt any answer will do", async (t) => {
  const model = await endpoint(t, 200, reply("Whatever it may be."));
  const args = ["ask", "--bundle", bundle, ...model, "--prompt", "context", "What is a covering index?"];
  const { code, stdout } = await groundling(args);
  assert.equal(code, 0);
  assert.match(stdout, /^Whatever it may be\.\n\n\[1\] SQL/u);
  assert.match(stdout, /\n\[10\] /u);
});

test("an endpoint that refuses the key ends with exit code 3 and does not show the key", async (t) => {
  const model = await endpoint(t, 401, { error: { message: "wrong key sk-secret-123", type: "invalid_request_error" } });
  const args = ["ask", "--json", "--bundle", bundle, ...model, "What is a covering index?"];
  const { code, stdout, stderr } = await groundling(args, { env: { GROUNDLING_KEY: "sk-secret-123" } });
  assert.deepEqual({ code, stdout }, { code: 3, stdout: "" });
  assert.equal(JSON.parse(stderr).error.code, "provider-auth");
  assert.doesNotMatch(stderr, /sk-secret-123/u);
});

test("settings that no request can be made of end with exit code 2", async () => {
  const endpoint = "http://docs.example/v1/responses";
  const { code, stderr } = await groundling([
    "ask", "--bundle", bundle, "--endpoint", endpoint, "--model", "m", "What is a covering index?",
  ]);
  assert.equal(code, 2);
  assert.match(stderr, /is not https; .*\(provider-endpoint-insecure\)/u);
});

test("an endpoint that is not there ends with exit code 3", async () => {
  // Port 9 is "discard", which nothing listens on.
  const model = ["--endpoint", "http://127.0.0.1:9/v1/responses", "--model", "test"];
  const { code, stderr } = await groundling(["ask", "--bundle", bundle, ...model, "What is a covering index?"]);
  assert.equal(code, 3);
  assert.match(stderr, /\(provider-[a-z-]+\)/u);
});
