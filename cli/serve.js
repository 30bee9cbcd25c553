/** `groundling serve`: serves a bundle with its page on one's own machine. */

import { once } from "node:events";
import { stat } from "node:fs/promises";
import path from "node:path";
import { bundleFile, openBundle } from "./bundle.js";
import { ExitCode, UsageError, isSystemError } from "./errors.js";
import { note, printLine } from "./terminal.js";
import { previews } from "./preview.js";
import { staticServer } from "./static-server.js";

/** Used where no port is asked for. */
const DEFAULT_PORT = 4173;

/** How many further ports are tried where the default one is taken. */
const MORE_PORTS = 20;

/**
 * @typedef {object} ServeValues
 * @property {string} bundle
 * @property {number} [port]
 * @property {string} [host]
 */

/** @type {import("./args.js").Command} */
export const command = {
  name: "serve",
  summary: "Serves a bundle with a page to search and ask in.",
  usage: "--bundle DIR [OPTIONS]",
  options: {
    bundle: { value: "DIR", help: "Folder that `groundling build` wrote.", required: true },
    port: { value: "N", help: `Port; 0 takes any free one. Default ${DEFAULT_PORT}, or the next that is free.`, range: [0, 65535] },
    host: { value: "ADDRESS", help: "Address to listen on. Default 127.0.0.1, for this machine only." },
  },
  notes: `It runs until it is stopped with Ctrl-C. It is meant for trying things out: on the web any
static host can serve the folder.

Exit code 2: wrong usage or bad input, such as a port that is taken.`,
  run,
};

/**
 * @param {ServeValues} values
 * @param {string[]} positionals
 */
async function run({ bundle, port, host = "127.0.0.1" }, positionals) {
  if (positionals.length > 0) {
    throw new UsageError(`"${positionals[0]}" is not understood: serve takes a folder with --bundle and nothing more`);
  }
  const folder = path.dirname(await bundleFile(bundle));
  await stat(path.join(folder, "index.html")).catch((cause) => {
    throw new UsageError(`${folder} has a bundle but no page: give the folder that \`groundling build\` wrote`, { cause });
  });
  const server = staticServer(
    folder,
    "Not found. Only the bundle, its page and previews of the pages in it are served here.",
    previews(await openBundle(bundle)),
  );
  const taken = await listen(server, host, port);
  const shown = host.includes(":") ? `[${host}]` : host;
  if (port === undefined && taken !== DEFAULT_PORT) note(`Port ${DEFAULT_PORT} is taken.`);
  printLine(`Serving ${folder} at http://${shown}:${taken}/ (Ctrl-C stops it)`);
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
