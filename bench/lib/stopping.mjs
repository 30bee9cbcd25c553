// How soon a question that is stopped in the middle of a stream lets go of its caller and of the server.

import { once } from "node:events";
import { createServer } from "node:http";
import { load } from "../../dist/load.js";

const DELTA = `data: ${JSON.stringify({ choices: [{ delta: { content: "It " } }] })}\n\n`;

/**
 * Stops `rounds` questions, each when its first text is there. Fails where one does not reject with the reason.
 *
 * @param {Uint8Array} bundle
 * @param {string} question
 * @param {number} rounds
 * @returns {Promise<{ caller: number[], server: number[] }>} milliseconds from the abort until the call rejected,
 *   and until the server saw its connection closed
 */
export async function stopping(bundle, question, rounds) {
  const docs = await load(bundle);
  const closes = [];
  const server = createServer((request, response) => {
    closes.push(once(response, "close").then(() => performance.now()));
    response.writeHead(200, { "content-type": "text/event-stream" }).write(DELTA);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${server.address().port}/v1/chat/completions`;
  const times = { caller: [], server: [] };
  for (let round = 0; round < rounds; round += 1) {
    const stop = new AbortController();
    let stopped = 0;
    const onEvent = ({ type }) => {
      // Not within the callback, where nothing is waited for: a reader stops while the next piece is.
      if (type === "delta") setTimeout(() => ((stopped = performance.now()), stop.abort(round)), 1);
    };
    const thrown = await docs.ask(question, { provider: { endpoint, model: "m" }, signal: stop.signal, onEvent }).catch((reason) => reason);
    times.caller.push(performance.now() - stopped);
    if (thrown !== round) throw new Error(`a stopped question rejected with ${thrown}`);
    times.server.push((await closes[round]) - stopped);
  }
  server.close();
  docs.free();
  return times;
}
