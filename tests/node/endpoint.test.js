/** Questions to a real endpoint on this machine, in aimock's protocols, with a stream and without. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { GroundlingError, load } from "../../dist/load.js";
import { lessonsBundle } from "./support/command.js";
import { CUT, FACTS, KEY, PROTOCOLS, allTextOf, modelEndpoint } from "./support/model.js";

const QUESTION = "What is a covering index?";
const CITED = "A covering index holds every column that the query needs [1].";

/** @type {import("../../dist/load.js").Docs} */
let docs;
let removeBundle = async () => {};

before(async () => {
  const bundle = await lessonsBundle();
  removeBundle = bundle.remove;
  docs = await load(await readFile(path.join(bundle.folder, "docs.wasm")));
});
after(() => removeBundle());

/**
 * @typedef {object} Asked
 * @property {import("../../dist/load.js").Answer} [answer]
 * @property {any} [error]
 * @property {import("../../dist/load.js").AskEvent[]} events
 */

/**
 * Asks through `stream` and through `ask`, which must agree, and looks for the key in everything
 * that comes out.
 *
 * @param {import("node:test").TestContext} t
 * @param {typeof PROTOCOLS[number] & { stream: boolean }} how
 * @param {(mock: import("@copilotkit/aimock").LLMock) => void} fixtures
 */
async function ask(t, { protocol, path: endpointPath, stream }, fixtures) {
  const endpoint = await modelEndpoint(t);
  fixtures(endpoint.mock);
  const options = {
    provider: { protocol, endpoint: endpoint.origin + endpointPath, model: "model-asked", key: KEY, stream },
  };
  /** @type {Asked} */
  const asked = { events: [] };
  for await (const event of docs.stream(QUESTION, options)) asked.events.push(event);
  const requests = [...endpoint.requests];
  try {
    asked.answer = await docs.ask(QUESTION, options);
  } catch (error) {
    asked.error = error;
  }
  const prompt = await docs.prompt(QUESTION, options);
  assert.ok(!allTextOf([asked, prompt]).includes(KEY), "the key is in what comes back");
  const last = asked.events.at(-1);
  if (asked.answer) {
    assert.ok(last?.type === "done" || last?.type === "withdrawn");
    // Two requests have two ids.
    const withoutOwn = { timings: 0, requestId: 0 };
    assert.deepEqual({ ...last.answer, ...withoutOwn }, { ...asked.answer, ...withoutOwn });
  } else {
    assert.ok(last?.type === "error");
    // Two requests have two ids.
    assert.deepEqual({ .../** @type {any} */ (last.error), requestId: 0 }, { ...asked.error, requestId: 0 });
  }
  const ends = asked.events.filter(({ type }) => ["done", "withdrawn", "error"].includes(type));
  assert.equal(ends.length, 1);
  return { ...asked, last, requests, prompt };
}

/** @param {Asked} asked */
function streamedText({ events }) {
  return events.map((event) => (event.type === "delta" ? event.text : "")).join("");
}

for (const protocol of PROTOCOLS) {
  for (const stream of [true, false]) {
    const how = { ...protocol, stream };
    const name = `${protocol.protocol}, ${stream ? "streamed" : "in one piece"}`;

    test(`${name}: a reply that cites its sources is passed on with them`, async (t) => {
      const { answer, events, last } = await ask(t, how, (mock) =>
        mock.onMessage(/covering index/u, { content: CITED, ...FACTS }),
      );
      assert.equal(answer?.status, "complete");
      assert.equal(answer.grounded, true);
      assert.equal(answer.answer, CITED);
      assert.deepEqual(answer.sources.map(({ n, path }) => [n, path]), [[1, "sql/covering-index.md"]]);
      assert.deepEqual(answer.citations.map(({ start, end }) => CITED.slice(start, end)), ["[1]"]);
      if (protocol.tellsFacts) assert.deepEqual(answer.usage, { input: 120, output: 17 });
      assert.equal(answer.model, protocol.tellsFacts ? FACTS.model : "model-asked");
      assert.equal(answer.promptVersion, "answer-v1");
      assert.equal(last?.type, "done");
      assert.equal(events[0].type, "sources");
      assert.equal(streamedText({ events }), CITED);
      assert.equal(events.filter(({ type }) => type === "citation").length, 1);
    });

    test(`${name}: the request has the fields of its protocol and no others`, async (t) => {
      const { requests, prompt } = await ask(t, how, (mock) => mock.onMessage(/./u, { content: CITED }));
      assert.equal(requests.length, 1);
      const [{ path: asked, headers, body }] = requests;
      assert.equal(asked, protocol.path);
      for (const [header, value] of Object.entries(protocol.keyed)) assert.equal(headers[header], value);
      assert.equal("authorization" in headers, "authorization" in protocol.keyed);
      assert.equal(headers["content-type"], "application/json");
      assert.equal(JSON.stringify(body).includes(KEY), false);
      assert.deepEqual(body, JSON.parse(prompt.request?.body ?? ""));
      const { instructions, input } = prompt;
      if (protocol.protocol === "openai-responses") {
        const metadata = { prompt_version: "answer-v1" };
        assert.deepEqual(body, { model: "model-asked", instructions, input, stream, store: false, metadata });
      } else if (protocol.protocol === "anthropic") {
        const messages = [{ role: "user", content: input }];
        assert.deepEqual(body, { model: "model-asked", max_tokens: 1024, system: instructions, messages, stream });
      } else {
        const messages = [
          { role: "system", content: instructions },
          { role: "user", content: input },
        ];
        const usage = stream && protocol.protocol === "openai-chat" ? { stream_options: { include_usage: true } } : {};
        assert.deepEqual(body, { model: "model-asked", messages, stream, ...usage });
      }
    });

    test(`${name}: a reply that cites a made-up source is withdrawn`, async (t) => {
      const { answer, last } = await ask(t, how, (mock) =>
        mock.onMessage(/./u, { content: "It is fast [1]. It is also free [99].", ...FACTS }),
      );
      assert.equal(last?.type, "withdrawn");
      assert.equal(answer?.answer, "I don't know.");
      assert.equal(answer.grounded, false);
      assert.equal(answer.reason, "unknown_source");
      assert.deepEqual([answer.cited, answer.invalid, answer.sources], [[1, 99], [99], []]);
      if (protocol.tellsFacts) assert.deepEqual(answer.usage, { input: 120, output: 17 });
    });

    test(`${name}: a refusal is passed on as one and is not withdrawn`, async (t) => {
      const { answer, last } = await ask(t, how, (mock) => mock.onMessage(/./u, { content: "I don't know." }));
      assert.equal(last?.type, "done");
      assert.equal(answer?.status, "complete");
      assert.equal(answer.answer, "I don't know.");
      assert.equal(answer.grounded, false);
      assert.equal(answer.reason, "not_in_sources");
    });

    test(`${name}: a key that the server does not know is told, and is not repeated from its words`, async (t) => {
      const { error, requests } = await ask(t, how, (mock) =>
        mock.onMessage(/./u, {
          error: { message: `Incorrect API key provided: ${KEY}.`, type: "invalid_request_error", code: "invalid_api_key" },
          status: 401,
        }),
      );
      assert.ok(error instanceof GroundlingError);
      assert.equal(error.code, "provider-auth");
      assert.equal(/** @type {any} */ (error).status, 401);
      assert.match(error.message, /Incorrect API key provided/u);
      assert.equal(requests.length, 1, "a wrong key does not become right by asking again");
    });

    test(`${name}: a wait longer than anybody waits is told and not asked again`, async (t) => {
      const { error, requests } = await ask(t, how, (mock) =>
        mock.onMessage(/./u, { error: { message: "Rate limit reached", type: "requests" }, status: 429, retryAfter: 90 }),
      );
      assert.equal(error?.code, "provider-rate-limited");
      assert.equal(error.status, 429);
      assert.equal(error.retryAfterMs, 90_000);
      assert.equal(requests.length, 1);
    });

    test(`${name}: a server that fails is asked three times`, async (t) => {
      const { error, requests } = await ask(t, how, (mock) =>
        mock.onMessage(/./u, { error: { message: "The server had an error", type: "server_error" }, status: 500 }),
      );
      assert.equal(error?.code, "provider-server");
      assert.equal(error.status, 500);
      assert.match(error.message, /The server had an error/u);
      assert.equal(requests.length, 3);
    });
  }

  test(`${protocol.protocol}: a stream that is cut is no verified answer, whatever it cites`, async (t) => {
    const { answer, last } = await ask(t, { ...protocol, stream: true }, (mock) =>
      mock.onMessage(/./u, { content: CITED + " Never drop it".repeat(20) }, CUT),
    );
    assert.equal(last?.type, "done");
    assert.equal(answer?.status, "partial");
    assert.equal(answer.grounded, false);
    assert.deepEqual([answer.sources, answer.citations], [[], []]);
    assert.ok(answer.answer.startsWith(CITED), "the cut came before the citation, so it proves nothing");
  });

  test(`${protocol.protocol}: a short wait is kept, then the answer comes`, async (t) => {
    const endpoint = await modelEndpoint(t);
    const busy = { error: { message: "Rate limit reached", type: "requests" }, status: 429, retryAfter: 1 };
    endpoint.mock.on({ userMessage: /./u, sequenceIndex: 0 }, busy);
    endpoint.mock.on({ userMessage: /./u, sequenceIndex: 1 }, { content: CITED });
    const started = performance.now();
    const answer = await docs.ask(QUESTION, {
      provider: { protocol: protocol.protocol, endpoint: endpoint.origin + protocol.path, model: "m", key: KEY },
    });
    assert.ok(performance.now() - started >= 1000, "asked again earlier than the server told");
    assert.equal(endpoint.requests.length, 2);
    assert.equal(answer.grounded, true);
  });
}

test("without a key no Authorization header is sent", async (t) => {
  const endpoint = await modelEndpoint(t);
  endpoint.mock.onMessage(/./u, { content: CITED });
  await docs.ask(QUESTION, {
    provider: { protocol: "openai-chat", endpoint: `${endpoint.origin}/v1/chat/completions`, model: "m" },
  });
  assert.equal("authorization" in endpoint.requests[0].headers, false);
});

test("askContext sends its prompt to the endpoint and passes the reply on as it is", async (t) => {
  const endpoint = await modelEndpoint(t);
  endpoint.mock.onMessage(/./u, { content: "Без ссылок." });
  const { answer, sources } = await docs.askContext("What does the GIL do?", {
    provider: { protocol: "openai-chat", endpoint: `${endpoint.origin}/v1/chat/completions`, model: "m" },
  });
  assert.equal(answer, "Без ссылок.");
  assert.equal(sources[0], "python/gil.md");
  assert.match(endpoint.requests[0].body.messages.at(-1).content, /^Используй следующий контекст/u);
});
