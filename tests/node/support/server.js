/** A server on this machine that answers as a test says and keeps what it was asked. */

import { createServer } from "node:http";
import { once } from "node:events";

/**
 * @typedef {object} Received
 * @property {string} method
 * @property {string} url
 * @property {import("node:http").IncomingHttpHeaders} headers
 * @property {string} body
 * @property {Promise<void>} closed resolves when the connection of the response is closed
 */

/**
 * Starts a server; it is stopped after the test.
 *
 * @param {{ after: (clean: () => void) => void }} test
 * @param {(response: import("node:http").ServerResponse, request: Received) => void} answer
 * @returns {Promise<{ url: string, requests: Received[], arrived: () => Promise<Received> }>} `arrived`
 *   waits for the next request that no earlier call has given
 */
export async function serverFor(test, answer) {
  /** @type {Received[]} */
  const requests = [];
  let wake = () => {};
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const closed = once(response, "close").then(() => {});
    const received = { method: request.method, url: request.url, headers: request.headers, body, closed };
    requests.push(received);
    wake();
    answer(response, received);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  let taken = 0;
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    async arrived() {
      while (requests.length <= taken) await new Promise((resolve) => (wake = resolve));
      return requests[taken++];
    },
  };
}

/** Answers with JSON. */
export function sendJson(response, value, status = 200) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** A whole reply of the Responses API. */
export function responsesReply(text, usage = { input_tokens: 321, output_tokens: 12, total_tokens: 333 }) {
  return {
    id: "resp_1",
    object: "response",
    status: "completed",
    model: "test-model-2026",
    output: [
      { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [{ type: "output_text", text, annotations: [] }] },
    ],
    usage,
  };
}

/** Begins a stream of the Responses API, with one piece of text for each of `deltas`. */
export function beginResponsesStream(response, ...deltas) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const event = (type, fields) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  event("response.created", { sequence_number: 0, response: { id: "resp_1", status: "in_progress" } });
  for (const delta of deltas) {
    event("response.output_text.delta", { item_id: "msg_1", output_index: 0, content_index: 0, delta });
  }
}

/** Ends such a stream, its whole text being `text`. */
export function endResponsesStream(response, text) {
  const data = { type: "response.completed", response: responsesReply(text) };
  response.end(`event: response.completed\ndata: ${JSON.stringify(data)}\n\n`);
}
