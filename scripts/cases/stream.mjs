// Cases of the kind `stream`: a provider's reply, cut as the case says, read by `docs.ask`.

import { ANY_CALL, containsEach, differences, lacksEach, timed } from "./compare.mjs";
import { anyDocs } from "./product.mjs";
import { Endpoint } from "./replies.mjs";

/** The protocols by the names that cases use. */
const PROTOCOLS = {
  openai_chat: "openai-chat",
  openai_responses: "openai-responses",
  anthropic: "anthropic",
  ollama: "ollama",
  gemini: "gemini",
  ui_message_stream: "ui-message-stream",
};

const OUTCOMES = { complete: "complete", partial: "truncated" };

/** Above any wait between two attempts, so that the clock of the run lets it be. */
const TIMEOUT_MS = 600_000;

const SOURCES = [1, 2, 3].map((n) => ({ url: `/p${n}.html`, title: `Source ${n}`, text: `Text of source ${n}.` }));

/** @typedef {import("../../dist/load.js").Answer} Answer */

/**
 * The end of a question, with the text as it was streamed and the waits before each request.
 *
 * @typedef {import("./compare.mjs").Ended<Answer> & { text: string, askedMs: number[] }} Asked
 */

/** @type {import("./compare.mjs").Fields<Asked>} */
const FIELDS = {
  text: { read: ({ text }) => text },
  answer_text: { read: ({ text }) => text },
  outcome: { read: outcome },
  error_contains: { read: ({ error }) => error?.message ?? "", check: containsEach },
  error_lacks: { read: ({ error }) => error?.message ?? "", check: lacksEach },
  http_status: { read: ({ error }) => error?.status },
  // Here null says that the wait must be unknown.
  retry_after_seconds: {
    read: ({ error }) => (error?.retryAfterMs === undefined ? null : error.retryAfterMs / 1000),
    judgesNull: true,
  },
  cited: { read: ({ value }) => value?.cited },
  final_answer: { read: ({ value }) => value?.answer },
  final_sources: { read: ({ value }) => value?.sources, check: sameSources },
  ...ANY_CALL,
};

/**
 * @param {{ input: any, expected: Record<string, any> }} testCase
 * @returns {Promise<string[]>} what differs
 */
export async function run({ input, expected }) {
  const endpoint = new Endpoint();
  const docs = await anyDocs({ fetch: endpoint.fetch });
  /** @type {Asked[]} */
  const runs = [];
  const { error, seconds } = await timed(async () => {
    for (const run of input.runs) {
      endpoint.reply = reply(run);
      runs.push(await ask(docs, endpoint, run, run.now ?? input.now));
    }
  });
  docs.free();
  if (error) throw error;
  return differences(expected, { runs, seconds }, {
    max_seconds: ANY_CALL.max_seconds,
    runs: {
      read: (all) => all.runs,
      check: (wanted, all) =>
        wanted.flatMap((each, index) =>
          [...(each === null ? [] : differences(each, all[index], FIELDS)), ...unsafe(all[index])].map(
            (difference) => `run ${index + 1}: ${difference}`,
          ),
        ),
    },
  });
}

/**
 * @param {import("../../dist/load.js").Docs} docs
 * @param {Endpoint} endpoint
 * @param {{ provider: keyof typeof PROTOCOLS, stream?: boolean }} run
 * @param {string | number} [now]
 * @returns {Promise<Asked>}
 */
async function ask(docs, endpoint, { provider, stream }, now) {
  const protocol = PROTOCOLS[provider];
  if (!protocol) throw new Error(`the runner does not know the provider ${provider}`);
  let text = "";
  const options = {
    provider: { protocol, endpoint: "https://model.test/", model: "test", stream },
    sources: SOURCES,
    timeoutMs: TIMEOUT_MS,
    onEvent: (event) => {
      if (event.type === "delta") text += event.text;
    },
  };
  const ended = await timed(() => endpoint.withoutWaiting(now, () => docs.ask("Which port?", options)));
  return { ...ended, text, askedMs: endpoint.askedMs };
}

/** @returns {import("./replies.mjs").Reply} */
function reply({ http, chunks, chunks_bytewise_utf8: bytewise }) {
  const pieces = bytewise === undefined ? chunks.map(bytesOf) : [...Buffer.from(bytewise)].map((byte) => Buffer.of(byte));
  return { status: http.status, headers: http.headers ?? {}, pieces };
}

function bytesOf({ utf8, hex }) {
  return hex === undefined ? Buffer.from(utf8) : Buffer.from(hex, "hex");
}

/** @param {Asked} asked */
function outcome({ value: answer }) {
  return answer ? (OUTCOMES[answer.status] ?? answer.status) : "error";
}

/**
 * What must hold whatever the case says: only a whole reply is presented as verified, and no
 * server is asked earlier than it told.
 *
 * @param {Asked} asked
 */
function unsafe({ value: answer, error, askedMs }) {
  const found = [];
  if (answer && answer.status !== "complete" && (answer.grounded || answer.sources.length > 0)) {
    found.push("a reply that is not whole is presented as verified");
  }
  const early = askedMs.slice(1).some((at, index) => at - askedMs[index] < (error?.retryAfterMs ?? 0));
  if (early) found.push("the server was asked again earlier than it told");
  return found;
}

/** @param {(string | number)[]} wanted addresses, or numbers in the prompt */
function sameSources(wanted, sources = []) {
  const got = sources.map((source) => (typeof wanted[0] === "number" ? source.n : source.url));
  return differences({ sources: wanted }, got, { sources: { read: (list) => list } });
}
