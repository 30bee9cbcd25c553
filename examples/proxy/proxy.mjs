// A proxy that keeps the key of a model off the page: Node's http and nothing else.
//
//   OPENAI_API_KEY=… ALLOWED_ORIGIN=https://docs.example.com node proxy.mjs
//
// It passes one protocol on, OpenAI Responses. Upstream, model, instructions and the length of replies are fixed
// here; of a request only the input counts. Budgets are kept in memory: they begin anew with the process, and
// each process has its own.

import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Headers of the upstream that a page may see. `Retry-After` tells it how long to wait. */
const PASSED_ON = ["content-type", "retry-after", "retry-after-ms", "x-request-id"];

/**
 * @param {object} settings
 * @param {string} settings.upstream address of the model's endpoint
 * @param {string} settings.key
 * @param {string} settings.model
 * @param {string} settings.instructions those of the template, whatever a page sends
 * @param {string} settings.origin the one origin whose pages may read replies
 * @param {number} [settings.maxOutputTokens]
 * @param {number} [settings.maxBodyBytes]
 * @param {number} [settings.perMinute] requests of one address
 * @param {number} [settings.perDay] requests of all addresses together
 * @param {(request: import("node:http").IncomingMessage) => string} [settings.addressOf] behind a load balancer
 *   of your own: what it says in `X-Forwarded-For`; that header is worth nothing from anyone else
 */
export function proxy(settings) {
  const { upstream, key, model, instructions, origin } = settings;
  const { maxOutputTokens = 600, maxBodyBytes = 64_000, perMinute = 10, perDay = 1_000 } = settings;
  const { addressOf = (request) => request.socket.remoteAddress ?? "" } = settings;
  const minute = { ends: 0, counts: new Map() };
  const day = { ends: 0, count: 0 };

  /** Counts a request. Gives the seconds to wait where there may be no more of them. */
  function secondsToWait(address, now = Date.now()) {
    if (now >= minute.ends) Object.assign(minute, { ends: now + MINUTE_MS, counts: new Map() });
    if (now >= day.ends) Object.assign(day, { ends: now + DAY_MS, count: 0 });
    const count = minute.counts.get(address) ?? 0;
    if (day.count >= perDay) return Math.ceil((day.ends - now) / 1000);
    if (count >= perMinute) return Math.ceil((minute.ends - now) / 1000);
    minute.counts.set(address, count + 1);
    day.count += 1;
    return 0;
  }

  return createServer(async (request, response) => {
    const refuse = (status, message, headers = {}) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify({ error: { message } }));
    response.setHeader("vary", "origin");
    response.setHeader("access-control-allow-origin", origin);
    response.setHeader("access-control-expose-headers", "retry-after, retry-after-ms, x-request-id");
    if (request.headers.origin !== undefined && request.headers.origin !== origin) return refuse(403, "this origin may not ask");
    if (request.method === "OPTIONS") {
      const allowed = { "access-control-allow-methods": "POST", "access-control-allow-headers": "content-type" };
      return response.writeHead(204, { ...allowed, "access-control-max-age": "7200" }).end();
    }
    if (request.method !== "POST") return refuse(405, "only POST is answered", { allow: "POST" });

    const wait = secondsToWait(addressOf(request));
    if (wait > 0) return refuse(429, "too many questions for now", { "retry-after": String(wait) });
    const left = new AbortController();
    response.on("close", () => left.abort());
    try {
      const asked = JSON.parse(await bodyOf(request, maxBodyBytes));
      if (typeof asked?.input !== "string") return refuse(400, "`input` must be a string");
      const reply = await fetch(upstream, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
        body: JSON.stringify({
          ...{ model, instructions, input: asked.input, stream: asked.stream === true },
          ...{ max_output_tokens: maxOutputTokens, store: false },
        }),
        redirect: "error",
        signal: left.signal,
      });
      const headers = PASSED_ON.flatMap((name) => (reply.headers.has(name) ? [[name, reply.headers.get(name)]] : []));
      // Not to be changed on the way: a compressing proxy would hold the stream back.
      response.writeHead(reply.status, { ...Object.fromEntries(headers), "cache-control": "no-store, no-transform" });
      for await (const piece of reply.body ?? []) response.write(piece);
      response.end();
    } catch (error) {
      if (response.headersSent) response.destroy();
      else if (error instanceof SyntaxError) refuse(400, "the body must be JSON");
      else if (error instanceof RangeError) refuse(413, "the body is too long", { connection: "close" });
      // Without its words, which can name the upstream.
      else refuse(502, "the model could not be reached");
    }
  });
}

/** The body as text; a `RangeError` where it is longer than `most` bytes. */
async function bodyOf(request, most) {
  const pieces = [];
  let length = 0;
  for await (const piece of request) {
    if ((length += piece.length) > most) throw new RangeError("too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { OPENAI_API_KEY, ALLOWED_ORIGIN, MODEL, INSTRUCTIONS, PORT = "8787" } = process.env;
  if (!OPENAI_API_KEY || !ALLOWED_ORIGIN || !MODEL || !INSTRUCTIONS) {
    throw new Error("set OPENAI_API_KEY, ALLOWED_ORIGIN, MODEL and INSTRUCTIONS (`docs.prompt` shows those of your template)");
  }
  const upstream = "https://api.openai.com/v1/responses";
  const settings = { upstream, key: OPENAI_API_KEY, model: MODEL, instructions: INSTRUCTIONS, origin: ALLOWED_ORIGIN };
  proxy(settings).listen(Number(PORT));
}
