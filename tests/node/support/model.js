/**
 * An endpoint on this machine: aimock answers in its protocols, and a recorder in front of it
 * keeps what really came over the wire, for aimock rewrites requests and allows every origin.
 */

import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import { LLMock } from "@copilotkit/aimock";

/** @typedef {{ path: string, headers: import("node:http").IncomingHttpHeaders, body: any }} Recorded */

/** A word that is in no document; where it turns up, the key got out. */
export const KEY = "sk-canary-7f3b9c";

/** What each protocol sends with a key: the name of the header, and the key in it. */
const BEARER = { authorization: `Bearer ${KEY}` };
const ANTHROPIC = {
  "anthropic-version": "2023-06-01",
  "x-api-key": KEY,
  "anthropic-dangerous-direct-browser-access": "true",
};

/**
 * The protocols, with the path that each is served at, the headers with a key and without one, and
 * whether aimock tells model and usage in it.
 */
export const PROTOCOLS = /** @type {const} */ ([
  { protocol: "openai-responses", path: "/v1/responses", keyed: BEARER, keyless: {}, tellsFacts: true },
  { protocol: "openai-chat", path: "/v1/chat/completions", keyed: BEARER, keyless: {}, tellsFacts: true },
  { protocol: "anthropic", path: "/v1/messages", keyed: ANTHROPIC, keyless: { "anthropic-version": "2023-06-01" }, tellsFacts: true },
  { protocol: "ollama", path: "/api/chat", keyed: BEARER, keyless: {}, tellsFacts: false },
]);

/** What aimock says besides the text, in the words of the protocols. */
export const FACTS = {
  model: "model-that-answered",
  usage: { prompt_tokens: 120, completion_tokens: 17, total_tokens: 137, input_tokens: 120, output_tokens: 17 },
};

/** How aimock cuts a stream after some of its text; the pauses let what came before leave the socket. */
export const CUT = { chunkSize: 30, truncateAfterChunks: 8, latency: 10 };

/** A stream in a browser that breaks forgets what was not read yet, so the cut waits for a slow page. */
const PAUSE_BEFORE_CUT_MS = 500;

/**
 * Starts an endpoint that is stopped after the test. Fixtures are added to `mock`; with none that
 * fits aimock answers 404.
 *
 * @param {{ after: (clean: () => Promise<void>) => void }} t
 * @param {{ origin?: string }} [options] `origin`: the one page that may read the replies
 */
export async function modelEndpoint(t, { origin } = {}) {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  await mock.start();
  /** @type {Recorded[]} */
  const requests = [];
  /** @type {import("node:http").IncomingHttpHeaders[]} */
  const preflights = [];

  const recorder = createServer(async (request, response) => {
    if (origin) response.setHeader("access-control-allow-origin", origin);
    if (request.method === "OPTIONS") {
      preflights.push(request.headers);
      response.setHeader("access-control-allow-headers", ["content-type", ...Object.keys({ ...BEARER, ...ANTHROPIC })].join());
      return void response.writeHead(204).end();
    }
    const body = Buffer.concat(await request.toArray());
    requests.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(body.toString("utf8")) });
    pass(mock.url + request.url, request.headers, body, response);
  }).listen(0, "127.0.0.1");
  await once(recorder, "listening");
  t.after(async () => {
    recorder.closeAllConnections();
    recorder.close();
    await mock.stop();
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (recorder.address());
  return { mock, requests, preflights, origin: `http://127.0.0.1:${port}` };
}

/**
 * Passes a request on and its reply back; a reply that breaks off breaks off here too.
 *
 * @param {string} url
 * @param {import("node:http").IncomingHttpHeaders} headers
 * @param {Buffer} body
 * @param {import("node:http").ServerResponse} response
 */
function pass(url, { host, origin, "content-length": length, connection, ...headers }, body, response) {
  const upstream = forward(url, { method: "POST", headers }, (reply) => {
    for (const [name, value] of Object.entries(reply.headers)) {
      // Which pages may read the reply is the recorder's to say.
      if (value !== undefined && !name.startsWith("access-control-")) response.setHeader(name, value);
    }
    response.writeHead(reply.statusCode ?? 502);
    reply.pipe(response);
    reply.on("error", () => setTimeout(() => response.socket?.end(), PAUSE_BEFORE_CUT_MS));
  });
  upstream.on("error", () => response.destroy());
  upstream.end(body);
}

/**
 * Everything that can be read from a value, its errors' causes and hidden properties included.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function allTextOf(value) {
  /** @type {Set<unknown>} */
  const seen = new Set();
  /** @type {string[]} */
  const texts = [];
  const visit = (/** @type {unknown} */ inner) => {
    if (typeof inner !== "object" || inner === null) return void texts.push(String(inner));
    if (seen.has(inner)) return;
    seen.add(inner);
    for (const name of Reflect.ownKeys(inner)) {
      texts.push(String(name));
      visit(/** @type {any} */ (inner)[name]);
    }
  };
  visit(value);
  return texts.join("\n");
}
