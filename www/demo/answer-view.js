/** The answer on the page, from the question to its end. */

import { announce, announceFailure } from "./announcer.js";
import { button, byId } from "./dom.js";
import { parse, render } from "./format.js";
import { STOPPED, outcomeOf, outcomeOfError } from "./outcome.js";

/** @typedef {import("../../dist/load.js").Answer} Answer */
/** @typedef {import("../../dist/load.js").Source} Source */
/** @typedef {import("./format.js").Citation} Citation */
/** @typedef {import("./source-cards.js").SourceCards} SourceCards */

/** Often enough to look alive. */
const CLOCK_MS = 100;

export class AnswerView {
  #article = byId("answer", HTMLElement);
  #question = byId("answer-question", HTMLElement);
  #state = byId("answer-state", HTMLElement);
  #elapsed = byId("answer-elapsed", HTMLElement);
  #stop = byId("stop", HTMLButtonElement);
  #again = byId("again", HTMLButtonElement);
  #notice = byId("answer-notice", HTMLElement);
  #body = byId("answer-body", HTMLElement);
  #basis = byId("answer-basis", HTMLElement);
  #cards;
  #text = "";
  /** @type {Citation[]} */
  #citations = [];
  #startedAt = 0;
  #isOffline = true;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;
  /** The frame in which what has come since the last one is drawn. */
  #frame = 0;

  /** @param {SourceCards} cards */
  constructor(cards) {
    this.#cards = cards;
  }

  /**
   * @param {string} question
   * @param {boolean} isOffline
   */
  start(question, isOffline) {
    this.#text = "";
    this.#citations = [];
    this.#isOffline = isOffline;
    this.#cards.show([]);
    this.#question.textContent = question;
    this.#notice.hidden = true;
    this.#notice.classList.remove("problem");
    this.#basis.textContent = "";
    this.#body.replaceChildren();
    this.#body.setAttribute("aria-busy", "true");
    this.#article.classList.add("unchecked");
    this.#article.hidden = false;
    this.#stop.hidden = false;
    this.#again.hidden = true;
    this.#state.textContent = "Searching";
    this.#startedAt = performance.now();
    this.#tick();
    clearInterval(this.#clock);
    this.#clock = setInterval(() => this.#tick(), CLOCK_MS);
    announce("Answering");
  }

  /** @param {Source[]} sources */
  showSources(sources) {
    this.#cards.show(sources);
    this.#state.textContent = "Waiting for the model";
  }

  /** @param {string} text */
  add(text) {
    this.#text += text;
    this.#state.textContent = "Writing, not yet checked";
    this.#drawSoon();
  }

  /** @param {Citation} citation */
  cite({ n, start, end }) {
    this.#citations.push({ n, start, end });
    this.#drawSoon();
  }

  /**
   * The end of an answer, also of one that is not shown.
   *
   * @param {Answer} answer
   */
  finish(answer) {
    const outcome = outcomeOf(answer);
    this.#text = answer.answer;
    this.#citations = answer.citations;
    this.#end(outcome);
    if (!answer.grounded) return announce(`${outcome.state}. ${outcome.notice}`);
    this.#article.classList.remove("unchecked");
    this.#cards.markCited(answer.cited);
    this.#basis.textContent = this.#isOffline
      ? "Quoted from the documentation, without a model."
      : "Checked: every footnote leads to a passage that the model was given. Whether it says what the answer says is for you to judge.";
    const sources = answer.cited.length === 1 ? "1 source" : `${answer.cited.length} sources`;
    return announce(`Answer complete, with ${sources}.`);
  }

  /** The reader stopped it. */
  stop() {
    this.#citations = [];
    this.#end(STOPPED);
    announce("Stopped");
  }

  /** @param {unknown} error */
  fail(error) {
    const outcome = outcomeOfError(error);
    this.#notice.classList.add("problem");
    this.#end(outcome);
    this.#again.hidden = false;
    announceFailure(outcome.notice);
  }

  /** @param {import("./outcome.js").Outcome} outcome */
  #end({ state, notice, showsText }) {
    clearInterval(this.#clock);
    this.#tick();
    if (!showsText) this.#text = "";
    this.#draw();
    this.#body.setAttribute("aria-busy", "false");
    this.#state.textContent = state;
    this.#notice.textContent = notice;
    this.#notice.hidden = notice === "";
    // The button must not take the focus with it when it goes.
    if (document.activeElement === this.#stop) this.#question.focus({ preventScroll: true });
    this.#stop.hidden = true;
  }

  #tick() {
    const elapsedMs = performance.now() - this.#startedAt;
    const isInstant = elapsedMs < CLOCK_MS;
    this.#elapsed.textContent = isInstant ? `${Math.ceil(elapsedMs)} ms` : `${(elapsedMs / 1000).toFixed(1)} s`;
  }

  #drawSoon() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    render(this.#body, parse(this.#text, this.#citations), (n) => this.#footnote(n));
  }

  /** @param {number} n */
  #footnote(n) {
    const footnote = button(`[${n}]`, () => this.#cards.leadTo(n, footnote), {
      class: "footnote",
      "aria-label": `Source ${n}: ${this.#cards.titleOf(n)}`,
    });
    return footnote;
  }
}
