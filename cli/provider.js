/** Who answers: the options of a command that name an endpoint. */

import { UsageError } from "./errors.js";

/** @typedef {import("../dist/load.js").AskOptions} AskOptions */
/** @typedef {import("../dist/engine.js").Endpoint} Endpoint */

/**
 * @typedef {object} ProviderValues
 * @property {string} [endpoint]
 * @property {string} [model]
 * @property {string} [protocol]
 * @property {boolean} [no-stream]
 */

/** @type {Record<string, import("./args.js").Option>} */
export const PROVIDER_OPTIONS = {
  endpoint: { value: "URL", help: "Address of a model. Default: answer offline, by quoting the sources." },
  model: { value: "NAME", help: "Model to ask; needed with --endpoint, but for gemini and ui-message-stream." },
  protocol: {
    value: "NAME",
    help: "openai-responses, openai-chat, anthropic, ollama, gemini or ui-message-stream. Default: told by the address.",
  },
  "no-stream": { help: "Ask the endpoint for one whole reply, for servers that cannot stream." },
};

/**
 * @param {ProviderValues} values
 * @returns {NonNullable<AskOptions["provider"]>}
 */
export function providerOf({ endpoint, model, protocol, "no-stream": noStream }) {
  if (endpoint === undefined) {
    if (model === undefined) return "offline";
    throw new UsageError("--model is given without --endpoint: add --endpoint URL, or leave both out to answer offline");
  }
  if (!URL.canParse(endpoint)) {
    throw new UsageError(`--endpoint ${endpoint} is no whole address: give one such as https://api.example/v1/responses`);
  }
  // Whether a model must be named depends on the protocol, which the engine tells from the address.
  return {
    protocol: /** @type {Endpoint["protocol"]} */ (protocol),
    endpoint,
    model,
    key: process.env.GROUNDLING_KEY || undefined,
    stream: !noStream,
  };
}
