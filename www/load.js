/**
 * Opens a bundle: one `.wasm` with the engine and the index of a site.
 *
 * Nothing here touches `window`, `document` or `fetch` when it is imported, so the module can be
 * imported by a server that renders pages.
 *
 * @module
 */

import { BUILD_ID, createGlue } from "./engine.js";
import { GroundlingError, fromEngine } from "./errors.js";

export { GroundlingError };

/** @typedef {import("./engine.js").Docs} Engine */
/** @typedef {import("./engine.js").Info} Info */
/** @typedef {import("./engine.js").SearchOptions} SearchOptions */
/** @typedef {import("./engine.js").SearchResults} SearchResults */
/** @typedef {import("./engine.js").SuggestOptions} SuggestOptions */
/** @typedef {import("./engine.js").Suggestion} Suggestion */
/** @typedef {import("./engine.js").Page} Page */
/** @typedef {import("./engine.js").RetrieveOptions} RetrieveOptions */
/** @typedef {import("./engine.js").Source} Source */
/** @typedef {import("./engine.js").Prompt} Prompt */
/** @typedef {import("./engine.js").AskOptions} AskOptions */
/** @typedef {import("./engine.js").Answer} Answer */
/** @typedef {import("./engine.js").EngineEvent | import("./engine.js").DownloadProgress | { type: "error", error: unknown }} AskEvent */
/** @typedef {import("./engine.js").ContextAnswer} ContextAnswer */
/** @typedef {import("./engine.js").Verification} Verification */

/** Name of the custom section that holds the id of the build that made an engine. */
const BUILD_SECTION = "groundling-build";

/**
 * Opens a bundle. Every call makes an instance of its own, so two bundles on one page keep apart.
 *
 * @param {string | URL | Response | Promise<Response> | ArrayBuffer | ArrayBufferView | WebAssembly.Module} source
 *   address of the bundle, a response that carries it, its bytes, or the compiled module
 * @param {{
 *   signal?: AbortSignal,
 *   fetch?: typeof globalThis.fetch,
 *   budget?: import("./budget.js").Limits,
 * }} [options] `signal` stops the download; `fetch` replaces the global one, for the bundle and for questions;
 *   `budget` limits what this page asks of models
 * @returns {Promise<Docs>}
 * @throws {GroundlingError} `bundle-fetch`, `bundle-not-wasm`, `engine-mismatch`, `no-index`, or an
 *   `index-…` code
 */
export async function load(source, options = {}) {
  /** @type {typeof globalThis.fetch} */
  const fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const module = await compile(source, fetch, options.signal);
  checkBuild(module);
  const crash = new Crash();
  const glue = createGlue(crash.guardedWebAssembly(), fetch, crash.waiting);
  const budget = options.budget && new (await import("./budget.js")).Budget(options.budget);
  await glue({ module_or_path: module });
  return new Docs(crash.run(() => new glue.Docs()), crash, budget);
}

/**
 * Compiles a bundle while it downloads. Where the host serves another media type than
 * `application/wasm` the bytes of the same response are compiled; nothing is asked for twice.
 *
 * @param {Parameters<typeof load>[0]} source
 * @param {typeof globalThis.fetch} fetch
 * @param {AbortSignal} [signal]
 */
async function compile(source, fetch, signal) {
  if (source instanceof WebAssembly.Module) return source;
  try {
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
      return await WebAssembly.compile(/** @type {BufferSource} */ (source));
    }
    const response = await (typeof source === "string" || source instanceof URL
      ? fetch(String(source), { signal, credentials: "same-origin" })
      : source);
    if (typeof response?.arrayBuffer !== "function") {
      throw new GroundlingError(
        "bad-options",
        "load() takes the address of a bundle, a response that carries it, its bytes, or the compiled module",
      );
    }
    if (!response.ok) {
      throw new GroundlingError(
        "bundle-fetch",
        `the bundle ${response.url} was answered with status ${response.status}: check its address`,
        { status: response.status },
      );
    }
    const type = response.headers.get("content-type")?.split(";", 1)[0].trim();
    return type === "application/wasm" && "compileStreaming" in WebAssembly
      ? await WebAssembly.compileStreaming(response)
      : await WebAssembly.compile(await response.arrayBuffer());
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (cause instanceof GroundlingError) throw cause;
    if (cause instanceof WebAssembly.CompileError) {
      throw new GroundlingError(
        "bundle-not-wasm",
        "the bundle could not be compiled: it is no WebAssembly file, was cut on the way, or the page's " +
          `content security policy lacks 'wasm-unsafe-eval' (${cause.message})`,
        { cause },
      );
    }
    const name = typeof source === "string" || source instanceof URL ? ` ${source}` : "";
    throw new GroundlingError(
      "bundle-fetch",
      `the bundle${name} could not be fetched whole: check its address and that this page may read it`,
      { cause },
    );
  }
}

/**
 * Script and module are made together and fit only each other; a cache may mix two versions.
 *
 * @param {WebAssembly.Module} module
 */
function checkBuild(module) {
  const [section] = WebAssembly.Module.customSections(module, BUILD_SECTION);
  const id = section && new TextDecoder().decode(section);
  if (id === BUILD_ID) return;
  throw new GroundlingError(
    "engine-mismatch",
    id
      ? `the bundle was made by build ${id} of groundling, this script is build ${BUILD_ID}: ` +
        "reload the page; if that does not help, deploy bundle and script of one version"
      : "this WebAssembly file is no groundling bundle: give the file that `groundling build` wrote",
    { scriptBuild: BUILD_ID, bundleBuild: id },
  );
}

/**
 * Watches one instance. A trap leaves its memory in an unknown state, so every call that is under
 * way or comes later rejects with `engine-crashed`; other instances are not concerned.
 */
class Crash {
  /** @type {GroundlingError | undefined} */
  #error;
  /** @type {Set<(error: GroundlingError) => void>} */
  #calls = new Set();
  /** Calls on the stack, ours and those into the instance. */
  #depth = 0;
  /** What the instance waits for. */
  waiting = new Waiting();

  /**
   * The `WebAssembly` object for the glue: its instances report traps, also those in callbacks
   * that no caller of ours awaits.
   */
  guardedWebAssembly() {
    return {
      /** @param {any} module @param {WebAssembly.Imports} [imports] */
      instantiate: async (module, imports) => {
        const instance = await WebAssembly.instantiate(/** @type {WebAssembly.Module} */ (module), imports);
        /** @type {Record<string, any>} */
        const exports = {};
        for (const [name, value] of Object.entries(instance.exports)) {
          exports[name] = typeof value === "function" ? this.#guardCall(value) : value;
        }
        return { exports };
      },
    };
  }

  /** @param {Function} call */
  #guardCall(call) {
    return (/** @type {unknown[]} */ ...parameters) => {
      // The instance is not entered again; the glue takes the empty list for results without an error.
      if (this.#error) return [];
      this.#depth++;
      try {
        return call(...parameters);
      } catch (cause) {
        // Stack exhaustion inside wasm surfaces as a RangeError in some engines.
        if (!(cause instanceof WebAssembly.RuntimeError || cause instanceof RangeError)) throw cause;
        this.#report(cause);
        if (this.#depth > 1) throw this.#error;
        // A timer or a promise called back. No caller of ours is there to catch anything, and all
        // that was pending is rejected already; an exception here would end a process.
        return [];
      } finally {
        this.#depth--;
      }
    };
  }

  /** @param {Error} cause */
  #report(cause) {
    this.#end(
      new GroundlingError(
        "engine-crashed",
        `the search engine stopped (${cause.message}): open the bundle again with load(); please report this`,
        { cause },
      ),
    );
  }

  /** Ends the use of an instance that was freed. */
  close() {
    this.#end(new GroundlingError("docs-freed", "this bundle was freed: open it again with load()"));
  }

  /** @param {GroundlingError} error */
  #end(error) {
    this.#error ??= error;
    for (const reject of this.#calls) reject(this.#error);
    this.#calls.clear();
    this.waiting.end();
  }

  /**
   * @template T
   * @param {() => T} call
   * @returns {T}
   */
  run(call) {
    const value = this.#enter(call);
    // A promise that was being made may have swallowed what the trap threw.
    if (this.#error) throw this.#error;
    return value;
  }

  /**
   * @template T
   * @param {() => T} call
   * @returns {T}
   */
  #enter(call) {
    if (this.#error) throw this.#error;
    this.#depth++;
    try {
      return call();
    } catch (thrown) {
      throw fromEngine(thrown);
    } finally {
      this.#depth--;
    }
  }

  /**
   * @template T
   * @param {() => Promise<T>} call
   * @returns {Promise<T>}
   */
  async runAsync(call) {
    /** @type {(error: GroundlingError) => void} */
    let reject = () => {};
    const crashed = new Promise((_, rejectCrashed) => (reject = rejectCrashed));
    // A trap before the race begins would else be a rejection that nobody handles.
    crashed.catch(() => {});
    this.#calls.add(reject);
    try {
      return await Promise.race([this.#enter(call), crashed]);
    } catch (thrown) {
      throw fromEngine(thrown);
    } finally {
      this.#calls.delete(reject);
    }
  }
}

/**
 * Makes the timers and abort signals of one instance. One that has trapped or was freed can end none of them,
 * and they would hold connections open and keep a process alive.
 */
class Waiting {
  /** @type {Set<unknown>} */
  #timers = new Set();
  /** @type {Set<AbortController>} */
  #controllers = new Set();

  /** @type {(callback: () => void, ms: number) => unknown} */
  setTimeout = (callback, ms) => {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      callback();
    }, ms);
    this.#timers.add(timer);
    return timer;
  };

  clearTimeout = (/** @type {any} */ timer) => {
    this.#timers.delete(timer);
    clearTimeout(timer);
  };

  get AbortController() {
    const controllers = this.#controllers;
    return class extends AbortController {
      constructor() {
        super();
        controllers.add(this);
      }

      /** @param {unknown} [reason] */
      abort(reason) {
        controllers.delete(this);
        super.abort(reason);
      }
    };
  }

  end() {
    this.#timers.forEach(this.clearTimeout);
    for (const controller of this.#controllers) controller.abort();
  }
}

/** An open bundle. Made by {@link load}. */
export class Docs {
  #engine;
  #crash;
  #budget;

  /**
   * @param {Engine} engine
   * @param {Crash} crash
   * @param {import("./budget.js").Budget} [budget]
   */
  constructor(engine, crash, budget) {
    this.#engine = engine;
    this.#crash = crash;
    this.#budget = budget;
  }

  /**
   * Pages, chunks, languages, collections, builder and format version.
   * @returns {Info}
   */
  get info() {
    return this.#crash.run(() => this.#engine.info);
  }

  /**
   * Finds chunks for words, best first, each with a snippet and the ranges to highlight in it.
   *
   * @param {string} query
   * @param {SearchOptions} [options]
   * @returns {Promise<SearchResults>}
   */
  async search(query, options) {
    return this.#crash.run(() => this.#engine.search(text(query, "query"), options));
  }

  /**
   * What a query may become that is being typed: with its last word completed, and titles that have its words.
   *
   * @param {string} query
   * @param {SuggestOptions} [options]
   * @returns {Promise<Suggestion[]>}
   */
  async suggest(query, options) {
    return this.#crash.run(() => this.#engine.suggest(text(query, "query"), options));
  }

  /**
   * The paths of all pages, in the order of the index.
   * @returns {Promise<string[]>}
   */
  async pages() {
    return this.#crash.run(() => this.#engine.pages());
  }

  /**
   * A page with its chunks as the index stores them, or `undefined` where no page has that path.
   *
   * @param {string} path file relative to the documentation root, or a record's URL
   * @returns {Promise<Page | undefined>}
   */
  async page(path) {
    return this.#crash.run(() => this.#engine.page(text(path, "path")));
  }

  /**
   * The sources that a question would be answered from, numbered as in the prompt.
   *
   * @param {string} question
   * @param {RetrieveOptions} [options]
   * @returns {Promise<Source[]>}
   */
  async retrieve(question, options) {
    return this.#crash.run(() => this.#engine.retrieve(text(question, "question"), options));
  }

  /**
   * Exactly what `ask` would send, without sending it.
   *
   * @param {string} question
   * @param {AskOptions} [options]
   * @returns {Promise<Prompt>}
   */
  async prompt(question, options) {
    return this.#crash.run(() => this.#engine.prompt(text(question, "question"), withBrowserModel(options)));
  }

  /**
   * Answers a question from the documentation, with the sources that the answer cites.
   *
   * @param {string} question
   * @param {AskOptions} [options]
   * @returns {Promise<Answer>} rejects with {@link GroundlingError}, or with `signal.reason`
   */
  ask(question, options) {
    return this.#run("ask", question, options);
  }

  /**
   * Asks with all chunks found as context, without citations: the answer as the model gave it.
   *
   * @param {string} question
   * @param {AskOptions} [options]
   * @returns {Promise<ContextAnswer>}
   */
  askContext(question, options) {
    return this.#run("askContext", question, options);
  }

  /**
   * @param {"ask" | "askContext"} method
   * @param {string} question
   * @param {AskOptions} [options]
   * @returns {Promise<any>}
   */
  #run(method, question, options) {
    const run = (/** @type {AskOptions | undefined} */ given) =>
      this.#crash.runAsync(() => {
        const asked = this.#engine[method](text(question, "question"), withBrowserModel(given));
        return /** @type {Promise<any>} */ (asked);
      });
    return this.#budget ? this.#budget.run(method, question, options ?? {}, run) : run(options);
  }

  /**
   * As `ask`, as a sequence of events. It ends with exactly one `done`, `withdrawn` or `error`.
   * Leaving the loop stops the request.
   *
   * @param {string} question
   * @param {Omit<AskOptions, "onEvent">} [options]
   * @returns {AsyncGenerator<AskEvent, void, void>}
   */
  async *stream(question, options = {}) {
    /** @type {AskEvent[]} */
    const events = [];
    let wake = () => {};
    const left = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
    let over = false;
    const push = (/** @type {AskEvent} */ event) => {
      events.push(event);
      wake();
    };
    const finished = this.ask(question, { ...options, signal, onEvent: push })
      .catch((error) => push({ type: "error", error }))
      .finally(() => {
        over = true;
        wake();
      });
    try {
      for (;;) {
        const event = events.shift();
        if (event) yield event;
        else if (over) return;
        else await new Promise((resolve) => (wake = () => resolve(undefined)));
      }
    } finally {
      left.abort();
      await finished;
    }
  }

  /**
   * Checks the citations of a reply that was made elsewhere from given sources.
   *
   * @param {string} reply
   * @param {number} sources number of sources that the model was given
   * @returns {Promise<Verification>}
   */
  async verify(reply, sources) {
    return this.#crash.run(() => this.#engine.verify(text(reply, "reply"), count(sources, "sources")));
  }

  /** Gives the instance's memory back. Every later call throws or rejects with `docs-freed`. */
  free() {
    this.#crash.run(() => this.#engine.free());
    this.#crash.close();
  }
}

/** The window that the least of the browsers' models has had. */
const BROWSER_WINDOW = 4096;

/**
 * The engine knows no `LanguageModel`: for it the browser's own model is a function that answers.
 *
 * @param {AskOptions | undefined} options
 * @returns {AskOptions | undefined}
 */
function withBrowserModel(options) {
  const provider = options?.provider;
  if (typeof provider !== "object" || provider?.protocol !== "browser") return options;
  /** @type {import("./engine.js").ProviderFunction} */
  const reply = async (prompt, { signal }) => {
    const model = await import("./language-model.js");
    return model.reply(provider, prompt, signal, (event) => options?.onEvent?.(event));
  };
  reply.contextWindow = provider.contextWindow ?? BROWSER_WINDOW;
  return { ...options, provider: reply };
}

/**
 * The glue would take a value of another type for a string and read beyond its memory.
 *
 * @param {unknown} value
 * @param {string} name
 * @returns {string}
 */
function text(value, name) {
  if (typeof value === "string") return value;
  throw new GroundlingError("bad-options", `\`${name}\` must be a string`);
}

/** Far beyond what a prompt holds; a range in a reply is read number by number up to it. */
const MOST_SOURCES = 10_000;

/**
 * The glue would make a number of 32 bits of any value: of -1 so many that every citation counts.
 *
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
function count(value, name) {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST_SOURCES) return value;
  throw new GroundlingError("bad-options", `\`${name}\` must be a whole number from 0 to ${MOST_SOURCES}`);
}
