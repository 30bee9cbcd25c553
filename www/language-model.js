/**
 * The model that comes with some browsers, `LanguageModel` (Prompt API of the Web Machine Learning Community
 * Group), as a function that answers. Loaded only where a question names the protocol `browser`.
 *
 * @module
 */

import { GroundlingError } from "./errors.js";

/** @typedef {import("./engine.js").BrowserModel} BrowserModel */
/** @typedef {import("./engine.js").Prompt} Prompt */
/** @typedef {import("./engine.js").DownloadProgress} DownloadProgress */

/** What the errors of the API mean, by their names. @type {Record<string, [code: string, advice: string]>} */
const ERRORS = {
  QuotaExceededError: ["provider-context-too-long", "the prompt is too long for the browser's model: send fewer sources"],
  NotAllowedError: [
    "provider-blocked-by-browser",
    "the browser did not allow its model: ask after a click, since the model may have to be downloaded first, " +
      "and check the page's permissions policy",
  ],
  NotSupportedError: ["provider-bad-request", "the browser's model does not support the languages: see `languages`"],
  NotReadableError: ["provider-bad-request", "the browser kept the reply back, because it filters what its model writes"],
  NetworkError: ["provider-network", "the browser's model could not be downloaded: check the network"],
};

/**
 * Gives the reply to a prompt in pieces. The model's session lasts as long as the question.
 *
 * @param {BrowserModel} settings
 * @param {Prompt} prompt
 * @param {AbortSignal} signal
 * @param {(event: DownloadProgress) => void} onProgress
 * @returns {Promise<AsyncIterable<string>>}
 * @throws {GroundlingError} with the codes of an endpoint's errors
 */
export async function reply({ languages = ["en"] }, prompt, signal, onProgress) {
  const { LanguageModel } = /** @type {any} */ (globalThis);
  try {
    // The same for both calls: a model may be there for one language and not for another.
    const texts = [{ type: "text", languages }];
    const options = { expectedInputs: texts, expectedOutputs: texts };
    if (!LanguageModel || (await LanguageModel.availability(options)) === "unavailable") {
      throw new GroundlingError(
        "provider-model-not-found",
        "this browser has no model of its own for this page and these languages: name an endpoint as the provider",
      );
    }
    const session = await LanguageModel.create({
      ...options,
      // Not in the prompt: where the context overflows, only what came at the start is kept.
      initialPrompts: prompt.instructions ? [{ role: "system", content: prompt.instructions }] : [],
      signal,
      monitor(/** @type {EventTarget} */ download) {
        download.addEventListener("downloadprogress", (event) => {
          onProgress({ type: "progress", loaded: /** @type {ProgressEvent} */ (event).loaded });
        });
      },
    });
    return pieces(session, prompt.input, signal);
  } catch (thrown) {
    throw told(thrown);
  }
}

/**
 * @param {any} session
 * @param {string} input
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<string, void, void>}
 */
async function* pieces(session, input, signal) {
  try {
    // Of a prompt that is too long the beginning would be dropped without a word.
    const needed = (await session.measureContextUsage?.(input, { signal })) ?? 0;
    if (needed + session.contextUsage > session.contextWindow) {
      throw new DOMException(`${needed} tokens, window of ${session.contextWindow}`, "QuotaExceededError");
    }
    // Versions before these names gave with each piece all of the text so far.
    const isCumulative = !("contextUsage" in session);
    const reader = session.promptStreaming(input, { signal }).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const piece = isCumulative && value.startsWith(text) ? value.slice(text.length) : value;
      text += piece;
      yield piece;
    }
  } catch (thrown) {
    throw told(thrown);
  } finally {
    session.destroy();
  }
}

/**
 * The error to show for one of the API's.
 *
 * @param {unknown} thrown
 * @returns {unknown}
 */
function told(thrown) {
  const { name, message } = /** @type {Partial<Error>} */ (thrown ?? {});
  if (thrown instanceof GroundlingError || name === "AbortError") return thrown;
  const [code, advice] = ERRORS[name ?? ""] ?? ["provider-server", "the browser's model failed: ask again later"];
  return new GroundlingError(code, `${advice} (${message})`, { cause: thrown, providerCode: name });
}
