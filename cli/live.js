/**
 * Documentation that is built again whenever it changes, and pages that reload then.
 *
 * A build is the command `build` itself, in a process of its own: the server answers meanwhile,
 * warnings and errors reach the terminal as they always do, and as a build replaces the bundle
 * only when it is whole, the page keeps the last good one.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { note } from "./terminal.js";

const COMMAND = fileURLToPath(new URL("groundling.js", import.meta.url));

/** Editors and generators write many files at once; the build starts when they are quiet. */
const QUIET_MS = 200;

/** Where the page hears of a new bundle. */
const EVENTS = "/groundling-live";

/** A script of its own, because the page's policy allows none inside it. */
const SCRIPT = "/groundling-live.js";
const SCRIPT_TEXT = `const events = new EventSource("${EVENTS}");
events.addEventListener("built", () => location.reload());
`;

export class LiveBuild {
  #args;
  #docs;
  #out;
  #onBuilt;
  /** @type {Set<import("node:http").ServerResponse>} */
  #pages = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isBuilding = false;
  #isStale = false;

  /**
   * @param {string[]} args for `groundling build`
   * @param {object} places
   * @param {string[]} places.docs what is watched: folders and files
   * @param {string} places.out what is written, and not watched
   * @param {() => void} places.onBuilt called when a new bundle is there
   */
  constructor(args, { docs, out, onBuilt }) {
    this.#args = args;
    this.#docs = docs;
    this.#out = path.resolve(out);
    this.#onBuilt = onBuilt;
  }

  /** @returns {Promise<boolean>} whether there is a new bundle */
  async build() {
    const child = spawn(process.execPath, [COMMAND, "build", ...this.#args], { stdio: ["ignore", "ignore", "inherit"] });
    const [code] = await once(child, "exit");
    return code === 0;
  }

  watch() {
    for (const place of this.#docs) {
      const changed = (/** @type {string} */ _event, /** @type {string | Buffer | null} */ name) => {
        const file = path.resolve(place, String(name ?? ""));
        if (file === this.#out || file.startsWith(this.#out + path.sep)) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#rebuild(), QUIET_MS);
      };
      watch(place, { recursive: true }, changed).on("error", (error) => note(`${place} is not watched any more: ${error.message}`));
    }
  }

  async #rebuild() {
    // A change during a build makes one more, however many there are.
    this.#isStale = true;
    if (this.#isBuilding) return;
    this.#isBuilding = true;
    while (this.#isStale) {
      this.#isStale = false;
      const started = performance.now();
      if (!(await this.build())) {
        note("The page keeps the last good bundle.");
        continue;
      }
      note(`Built again in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
      this.#onBuilt();
      for (const page of this.#pages) page.write("event: built\ndata:\n\n");
    }
    this.#isBuilding = false;
  }

  /**
   * Answers the requests by which a page hears of new bundles.
   *
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   * @returns {boolean} whether it was one
   */
  answer(request, response) {
    if (request.url === SCRIPT) {
      response.writeHead(200, { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache" });
      response.end(SCRIPT_TEXT);
      return true;
    }
    if (request.url !== EVENTS) return false;
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
    response.write("\n");
    this.#pages.add(response);
    response.on("close", () => this.#pages.delete(response));
    return true;
  }

  /**
   * A page of HTML that reloads itself.
   *
   * @param {string} html
   */
  static listening(html) {
    return html.replace("</head>", `<script type="module" src="${SCRIPT}"></script>\n</head>`);
  }
}
