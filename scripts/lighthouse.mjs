// Lighthouse on the page that `groundling build` writes: the median of five runs.
//
//   node scripts/lighthouse.mjs    (npm run lighthouse)
//
// Lighthouse is installed below .tmp/. Accessibility and best practices must be 100; the performance is
// reported, for a phone that Lighthouse simulates, with files compressed as a static host does.

import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { ROOT, runMain, setUp } from "./lib/environment.mjs";

const MEDIA_TYPES = {
  ...{ ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".svg": "image/svg+xml" },
  ".wasm": "application/wasm",
};
const RUNS = 5;
const WORK = `${ROOT}.tmp/lighthouse`;
// The last version for Node 20.
const LIGHTHOUSE = "lighthouse@12";
const MUST_BE_FULL = ["accessibility", "best-practices"];
const CATEGORIES = ["performance", ...MUST_BE_FULL];
const CHROME_FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-background-networking";

await runMain(async () => {
  setUp("test");
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: ROOT, stdio: "inherit" });
  const site = `${WORK}/site`;
  const build = ["cli/groundling.js", "build", "docs", "tests/fixtures/lessons", "--config", "scripts/demo-site.json", "--out", site, "--quiet"];
  execFileSync(process.execPath, build, { cwd: ROOT, stdio: "inherit" });
  mkdirSync(WORK, { recursive: true });
  const command = `${WORK}/node_modules/lighthouse/cli/index.js`;
  if (!existsSync(command)) {
    execFileSync("npm", ["install", "--silent", "--no-save", "--no-package-lock", "--prefix", WORK, LIGHTHOUSE], { stdio: "inherit" });
  }
  const server = host(site).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${server.address().port}/`;
  /** @type {Record<string, number[]>} */
  const scores = Object.fromEntries(CATEGORIES.map((name) => [name, []]));
  const faults = new Set();
  for (let run = 0; run < RUNS; run += 1) {
    const report = await lighthouse(command, address);
    for (const name of CATEGORIES) scores[name].push(Math.round(report.categories[name].score * 100));
    for (const name of MUST_BE_FULL) {
      for (const { id, weight } of report.categories[name].auditRefs) {
        const { score, title } = report.audits[id];
        if (weight > 0 && score !== null && score < 1) faults.add(`${name}: ${title}`);
      }
    }
  }
  server.close();
  for (const name of CATEGORIES) console.log(`${name.padEnd(15)} ${median(scores[name])}  (${scores[name].join(", ")})`);
  if (faults.size > 0) throw new Error([...faults].join("\n"));
});

async function lighthouse(command, address) {
  const options = [`--only-categories=${CATEGORIES.join()}`, `--chrome-flags=${CHROME_FLAGS}`];
  const { stdout } = await promisify(execFile)(process.execPath, [command, address, "--output=json", "--quiet", ...options], {
    env: { ...process.env, CHROME_PATH: process.env.CHROMIUM || "/usr/bin/chromium" },
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout);
}

/** A host that compresses, as static hosts do. */
function host(folder) {
  return createServer((request, response) => {
    const name = new URL(request.url, "http://host.test").pathname.replace(/\/$/u, "/index.html");
    if (!existsSync(folder + name)) return response.writeHead(404).end();
    const body = brotliCompressSync(readFileSync(folder + name));
    const type = MEDIA_TYPES[extname(name)] ?? "application/octet-stream";
    return response.writeHead(200, { "content-type": type, "content-encoding": "br", "cache-control": "max-age=3600" }).end(body);
  });
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
