/** `groundling serve`: serves a bundle with its page on one's own machine. */

import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundleFile, openBundle } from "./bundle.js";
import { ExitCode, UsageError, isSystemError } from "./errors.js";
import { LiveBuild } from "./live.js";
import { note, printLine } from "./terminal.js";
import { previews } from "./preview.js";
import { staticServer } from "./static-server.js";

/** Used where no port is asked for. */
const DEFAULT_PORT = 4173;

/** How many further ports are tried where the default one is taken. */
const MORE_PORTS = 20;

/**
 * @typedef {object} ServeValues
 * @property {string} [bundle]
 * @property {number} [port]
 * @property {string} [host]
 * @property {string} [config]
 * @property {string} [base]
 * @property {string} [lang]
 */

/** @type {import("./args.js").Command} */
export const command = {
  name: "serve",
  summary: "Serves a page to search and ask in, for a bundle or for documents that change.",
  usage: "(--bundle DIR | DOCS...) [OPTIONS]",
  options: {
    bundle: { value: "DIR", help: "Folder that `groundling build` wrote." },
    port: { value: "N", help: `Port; 0 takes any free one. Default ${DEFAULT_PORT}, or the next that is free.`, range: [0, 65535] },
    host: { value: "ADDRESS", help: "Address to listen on. Default 127.0.0.1, for this machine only." },
    config: { value: "FILE", help: "With DOCS: configuration, as for `groundling build`." },
    base: { value: "URL", help: "With DOCS: path or address below which the site is served." },
    lang: { value: "CODE", help: "With DOCS: language of pages that name none." },
  },
  notes: `With DOCS it builds them into a temporary folder, and again whenever they change; open pages
reload then. If a build fails the reason is printed, and the page keeps the last good bundle.

It runs until it is stopped with Ctrl-C. It is meant for trying things out: on the web any
static host can serve the folder.

Exit code 2: wrong usage or bad input, such as a port that is taken.`,
  run,
};

/**
 * @param {ServeValues} values
 * @param {string[]} docs
 */
async function run({ bundle, port, host = "127.0.0.1", ...building }, docs) {
  if ((bundle === undefined) === (docs.length === 0)) {
    throw new UsageError("serve takes either --bundle DIR or the documents to build: see `groundling serve --help`");
  }
  const unused = Object.entries(building).find(([, value]) => value !== undefined);
  if (bundle !== undefined && unused) throw new UsageError(`--${unused[0]} is for building, and a bundle is built already`);
  if (bundle !== undefined) {
    const folder = path.dirname(await bundleFile(bundle));
    await stat(path.join(folder, "index.html")).catch((cause) => {
      throw new UsageError(`${folder} has a bundle but no page: give the folder that \`groundling build\` wrote`, { cause });
    });
    return serve(folder, folder, host, port, { page: previews(await openBundle(bundle)) });
  }
  return serveLive(docs, building, host, port);
}

/**
 * @param {string[]} docs
 * @param {{ config?: string, base?: string, lang?: string }} building
 * @param {string} host
 * @param {number} [port]
 */
async function serveLive(docs, building, host, port) {
  const out = await mkdtemp(path.join(tmpdir(), "groundling-serve-"));
  const remove = () => rmSync(out, { recursive: true, force: true });
  process.once("exit", remove);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit());
  const options = Object.entries(building).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  /** @type {Promise<(pathname: string) => Promise<string | undefined>> | undefined} */
  let preview;
  const live = new LiveBuild([...docs, "--out", out, "--quiet", ...options], {
    docs: building.config === undefined ? docs : [...docs, building.config],
    out,
    onBuilt: () => (preview = undefined),
  });
  if (!(await live.build())) return ExitCode.usage;
  live.watch();
  return serve(out, docs.join(", "), host, port, {
    page: async (pathname) => {
      preview ??= openBundle(out).then(previews);
      return (await preview)(pathname);
    },
    answer: (request, response) => live.answer(request, response),
    htmlOf: LiveBuild.listening,
  });
}

/**
 * @param {string} folder
 * @param {string} shown what is served, in words
 * @param {string} host
 * @param {number | undefined} port
 * @param {import("./static-server.js").Extras} extras
 */
async function serve(folder, shown, host, port, extras) {
  const notFound = "Not found. Only the bundle, its page and previews of the pages in it are served here.";
  const server = staticServer(folder, notFound, extras);
  const taken = await listen(server, host, port);
  const name = host.includes(":") ? `[${host}]` : host;
  if (port === undefined && taken !== DEFAULT_PORT) note(`Port ${DEFAULT_PORT} is taken.`);
  printLine(`Serving ${shown} at http://${name}:${taken}/ (Ctrl-C stops it)`);
  await once(server, "close");
  return ExitCode.ok;
}

/**
 * Listens on the port asked for, or on the first free one from the default on.
 *
 * @param {import("node:http").Server} server
 * @param {string} host
 * @param {number} [port]
 * @returns {Promise<number>} the port
 */
async function listen(server, host, port) {
  const last = port ?? DEFAULT_PORT + MORE_PORTS;
  for (let candidate = port ?? DEFAULT_PORT; ; candidate += 1) {
    try {
      const listening = once(server, "listening");
      server.listen(candidate, host);
      await listening;
      return /** @type {import("node:net").AddressInfo} */ (server.address()).port;
    } catch (error) {
      const isTaken = isSystemError(error) && error.code === "EADDRINUSE";
      if (isTaken && candidate < last) continue;
      const reason = isTaken ? "it is taken" : /** @type {Error} */ (error).message;
      throw new UsageError(`cannot listen on port ${candidate} of ${host}: ${reason}; try --port 0`, { cause: error });
    }
  }
}
