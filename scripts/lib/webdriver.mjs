// The few commands of WebDriver that the walk through the page needs (https://www.w3.org/TR/webdriver2/).

import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** Nothing on the page takes longer, even on a slow machine. */
const TIMEOUT_MS = 30_000;

/** The name under which WebDriver gives an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

export class Session {
  #base;
  version;

  /** @param {string} base @param {string} version */
  constructor(base, version) {
    this.#base = base;
    this.version = version;
  }

  /** Waits for the driver, and opens a window. */
  static async start(port, capabilities) {
    const base = `http://127.0.0.1:${port}`;
    await until("the driver answers", async () => (await fetch(`${base}/status`)).ok);
    const { sessionId, capabilities: given } = await send(`${base}/session`, "POST", { capabilities: { alwaysMatch: capabilities } });
    return new Session(`${base}/session/${sessionId}`, `${given.browserName} ${given.browserVersion}`);
  }

  go(url) {
    return this.#send("url", { url });
  }

  /** What a script gives. */
  run(script) {
    return this.#send("execute/sync", { script, args: [] });
  }

  /** The element that a script gives, by its name. */
  async element(script) {
    return (await this.run(script))[ELEMENT];
  }

  until(what, script) {
    return until(what, () => this.run(script));
  }

  type(element, text) {
    return this.#send(`element/${element}/value`, { text });
  }

  clear(element) {
    return this.#send(`element/${element}/clear`, {});
  }

  async screenshot() {
    return Buffer.from(await send(`${this.#base}/screenshot`, "GET"), "base64");
  }

  end() {
    return send(this.#base, "DELETE");
  }

  #send(command, body) {
    return send(`${this.#base}/${command}`, "POST", body);
  }
}

async function send(url, method, body) {
  const sent = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await fetch(url, { method, ...sent });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

async function until(what, test) {
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    const isSo = await Promise.resolve(test()).catch(() => false);
    if (isSo) return;
    if (performance.now() > end) throw new Error(`in vain: ${what}`);
    await wait(50);
  }
}
