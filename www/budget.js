/**
 * A limit on what one page asks of a model. Loaded only where `load` is given a budget.
 *
 * It spares the site's owner the cost of a reader, or a loop in a script, that asks without end. It is no
 * protection against anyone who means harm: that needs a limit on the server.
 *
 * @module
 */

import { GroundlingError } from "./errors.js";

/** @typedef {import("./engine.js").AskOptions} AskOptions */
/** @typedef {Parameters<NonNullable<AskOptions["onEvent"]>>[0]} Event */
/** @typedef {{ questionsPerMinute?: number, tokensPerSession?: number }} Limits */

const MINUTE_MS = 60_000;

/** Characters that count as one model token where the server reports no usage: a rule of thumb for English. */
const CHARACTERS_PER_TOKEN = 4;

/** Counts what is asked of models. Questions wait for each other, and the same question is asked once. */
export class Budget {
  #questionsPerMinute;
  #tokensPerSession;
  /** When the questions of the last minute were asked, oldest first. @type {number[]} */
  #times = [];
  #tokens = 0;
  /** Resolves when no question is under way. @type {Promise<unknown>} */
  #idle = Promise.resolve();
  /** The questions that are under way or wait, by all that their answers depend on. @type {Map<string, Shared>} */
  #shared = new Map();
  /** Numbers for what only its identity tells apart. @type {WeakMap<object, number>} */
  #names = new WeakMap();
  #named = 0;

  /**
   * @param {Limits} limits
   * @throws {GroundlingError} `bad-options`
   */
  constructor(limits) {
    this.#questionsPerMinute = limit(limits, "questionsPerMinute");
    this.#tokensPerSession = limit(limits, "tokensPerSession");
  }

  /**
   * Asks within the budget.
   *
   * @template T
   * @param {string} method the name of the call, whose answers have a shape of their own
   * @param {string} question
   * @param {AskOptions} options
   * @param {(options: AskOptions) => Promise<T>} ask
   * @returns {Promise<T>} rejects with {@link GroundlingError} `budget-questions` or `budget-tokens`
   */
  async run(method, question, options, ask) {
    if ((options.provider ?? "offline") === "offline") return ask(options);
    const { signal, onEvent, ...rest } = options;
    const key = this.#keyOf([method, question, rest]);
    let shared = this.#shared.get(key);
    if (!shared) {
      const time = this.#admit();
      shared = new Shared((own) => this.#inTurn(question, time, own, (started) => ask({ ...rest, ...started })));
      this.#shared.set(key, shared);
      shared.over.finally(() => this.#shared.delete(key));
    }
    // Every caller gets an object of its own.
    return structuredClone(await shared.join(signal, onEvent));
  }

  /** Counts a question, if there may be one more in this minute. */
  #admit() {
    const now = performance.now();
    this.#times = this.#times.filter((time) => time > now - MINUTE_MS);
    if (this.#times.length >= this.#questionsPerMinute) {
      throw new GroundlingError(
        "budget-questions",
        `this page asks at most ${this.#questionsPerMinute} questions a minute: wait before asking again`,
        { retryAfterMs: Math.ceil((this.#times[0] ?? now) + MINUTE_MS - now) },
      );
    }
    this.#times.push(now);
    return now;
  }

  /**
   * Waits until no other question is under way, asks, and counts what was used.
   *
   * @template T
   * @param {string} question
   * @param {number} time when it was counted
   * @param {Started} own
   * @param {(started: Started) => Promise<T>} ask
   */
  async #inTurn(question, time, { signal, onEvent }, ask) {
    const before = this.#idle;
    let end = () => {};
    this.#idle = Promise.all([before, new Promise((resolve) => (end = () => resolve(undefined)))]);
    const meter = new Meter(question);
    try {
      await unlessAborted(before, signal);
      if (this.#tokens >= this.#tokensPerSession) {
        throw new GroundlingError(
          "budget-tokens",
          `this page has used its ${this.#tokensPerSession} model tokens: it can ask again when it is loaded anew`,
        );
      }
      return await ask({
        signal,
        onEvent(event) {
          meter.count(event);
          onEvent(event);
        },
      });
    } finally {
      this.#tokens += meter.tokens;
      if (meter.tokens === 0) this.#times = this.#times.filter((counted) => counted !== time);
      end();
    }
  }

  /** @param {unknown} value */
  #keyOf(value) {
    return JSON.stringify(value, (_, part) => {
      const isPlain = typeof part !== "function" && (typeof part !== "object" || isPlainObject(part));
      if (isPlain) return part;
      if (!this.#names.has(part)) this.#names.set(part, (this.#named += 1));
      return `#${this.#names.get(part)}`;
    });
  }
}

/** @typedef {{ signal: AbortSignal, onEvent: (event: Event) => void }} Started */

/** One question that several callers wait for. It is stopped when none of them waits any more. */
class Shared {
  #stop = new AbortController();
  /** @type {Event[]} */
  #events = [];
  /** @type {Set<(event: Event) => void>} */
  #members = new Set();
  #answer;

  /** @param {(started: Started) => Promise<any>} start */
  constructor(start) {
    const onEvent = (/** @type {Event} */ event) => {
      this.#events.push(event);
      for (const tell of this.#members) tell(event);
    };
    // Started a turn later, so that the first caller hears every event as it happens.
    this.#answer = Promise.resolve().then(() => start({ signal: this.#stop.signal, onEvent }));
    /** Resolves at the end, whatever it is. */
    this.over = this.#answer.then(
      () => {},
      () => {},
    );
  }

  /**
   * The answer, after all events so far and to come.
   *
   * @param {AbortSignal} [signal]
   * @param {(event: any) => void} [onEvent]
   * @returns {Promise<any>}
   */
  async join(signal, onEvent = () => {}) {
    const left = new AbortController();
    const tell = (/** @type {Event} */ event) => {
      if (left.signal.aborted) return;
      try {
        onEvent(event);
      } catch (thrown) {
        left.abort(thrown);
      }
    };
    this.#members.add(tell);
    this.#events.forEach(tell);
    try {
      const either = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
      return await unlessAborted(this.#answer, either);
    } finally {
      left.abort();
      this.#members.delete(tell);
      if (this.#members.size === 0) this.#stop.abort();
    }
  }
}

/** What one question used. Nothing was sent where no sources were told, or where there was nothing to ask. */
class Meter {
  #characters = 0;
  #isSent = false;
  /** @type {number | undefined} */
  #reported;

  /** @param {string} question */
  constructor(question) {
    this.#characters = question.length;
  }

  /** @param {Event} event */
  count(event) {
    if (event.type === "sources") {
      this.#isSent = true;
      for (const { text } of event.sources) this.#characters += text.length;
    }
    if (event.type === "delta") this.#characters += event.text.length;
    if (event.type === "done" || event.type === "withdrawn") {
      const { status, usage } = event.answer;
      if (status === "no_answer") this.#isSent = false;
      if (usage) this.#reported = usage.input + usage.output;
    }
  }

  get tokens() {
    if (!this.#isSent) return 0;
    return this.#reported ?? Math.ceil(this.#characters / CHARACTERS_PER_TOKEN);
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<T>} rejects with the signal's reason as soon as it is aborted
 */
function unlessAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** @param {object | null} value */
function isPlainObject(value) {
  return value === null || Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

/**
 * @param {Limits} limits
 * @param {keyof Limits} name
 */
function limit(limits, name) {
  const value = limits[name] ?? Infinity;
  if (typeof value === "number" && value > 0) return value;
  throw new GroundlingError("bad-options", `\`budget.${name}\` must be a number above 0`);
}
