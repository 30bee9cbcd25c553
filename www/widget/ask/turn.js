/** One question and its answer, from the search for sources to the end. */

import { button, element, icon } from "../dom.js";
import { historyTurn, questionOptions } from "../engine.js";
import { AnswerText } from "../markdown/answer-text.js";
import { problemNotice } from "../problem.js";
import { webLink } from "../links.js";
import { copyButton } from "./clipboard.js";
import { codeBlock } from "./code-block.js";
import { STOPPED, outcomeOf } from "./outcome.js";
import { SourceList } from "./sources.js";

/** @typedef {import("../types.js").Ui} Ui */
/** @typedef {import("../../load.js").Answer} Answer */
/** @typedef {import("../../load.js").AskEvent} AskEvent */
/** @typedef {import("./sources.js").Source} Source */
/** @typedef {import("./footnotes.js").Reference} Reference */

/** @typedef {AskEvent | { type: "progress", loaded: number }} FullEvent `loaded`: part of the browser's own model that has been downloaded, from 0 to 1 */

export class Turn {
  #ui;
  #card;
  question;
  #before;
  #onEnd;
  #heading;
  #state = element("span", { class: "state" });
  #elapsed = element("span", { class: "elapsed" });
  #status = element("p", { class: "status" }, this.#state, this.#elapsed);
  #body = element("div", { class: "answer", part: "answer" });
  #notice = element("div");
  #basis = element("p", { class: "quiet basis", hidden: "" });
  #sourceList;
  #actions = element("div", { class: "actions", hidden: "" });
  element;
  #text;
  /** What came, for the reader who stops it. */
  #written = "";
  /** @type {Source[]} */
  #sources = [];
  /** @type {Answer | undefined} */
  #answer;
  #controller = new AbortController();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;
  /** The frame in which what has come since the last one is drawn. */
  #frame = 0;

  /**
   * @param {Ui} ui
   * @param {import("./footnotes.js").FootnoteCard} card
   * @param {string} question
   * @param {readonly Turn[]} before the turns of the thread that it goes on
   * @param {() => void} onEnd
   */
  constructor(ui, card, question, before, onEnd) {
    this.#ui = ui;
    this.#card = card;
    this.question = question;
    this.#before = before;
    this.#onEnd = onEnd;
    this.#heading = element("h3", { class: "question", part: "question", tabindex: "-1", dir: "auto" }, question);
    this.#sourceList = new SourceList(ui, question);
    this.#text = new AnswerText(this.#body, {
      linkTo: (address) => ui.pages.linkTo(address),
      footnote: (numbers, start) => this.#footnote(numbers, start),
      codeBlock: (language, text) => codeBlock(ui, language, text),
    });
    const parts = [this.#heading, this.#status, this.#body, this.#notice, this.#basis, this.#sourceList.element, this.#actions];
    this.element = element("article", { class: "turn" }, ...parts);
  }

  get isRunning() {
    return this.#clock !== undefined;
  }

  /** What later questions have to know of this one. */
  get history() {
    const answer = this.#answer;
    return historyTurn(this.question, answer && outcomeOf(answer).showsText ? answer : undefined);
  }

  /** Asks, or asks again. */
  async run() {
    const ui = this.#ui;
    const controller = (this.#controller = new AbortController());
    this.#start();
    try {
      const docs = await ui.docs();
      const { provider, prompt, filter } = ui;
      const history = this.#before.map((turn) => turn.history);
      const options = questionOptions({ provider, prompt, filter, history, lang: ui.messages.lang });
      for await (const event of docs.stream(this.question, { ...options, signal: controller.signal })) {
        // What was stopped shows nothing that comes late.
        if (controller.signal.aborted) return;
        this.#take(event);
      }
      if (this.#answer) await this.#reviveLinks(docs, this.#answer);
    } catch (error) {
      if (!controller.signal.aborted) this.#fail(error);
    }
  }

  /** The reader stops it. */
  stop() {
    if (!this.isRunning) return;
    this.#controller.abort();
    this.#end(STOPPED, this.#written, []);
    this.#offerActions(undefined);
    this.#ui.announcer.say(this.#ui.messages.text("stopped"));
    this.#ui.emit("groundling-stop", { question: this.question });
  }

  focus() {
    this.#heading.focus({ preventScroll: true });
  }

  #start() {
    const { messages, announcer } = this.#ui;
    this.#written = "";
    this.#answer = undefined;
    this.#sources = [];
    this.#text.replace("", []);
    this.#notice.replaceChildren();
    this.#sourceList.show([], "");
    this.#basis.hidden = true;
    this.#actions.hidden = true;
    this.#body.setAttribute("aria-busy", "true");
    this.element.dataset.state = "searching";
    this.#state.textContent = messages.text("state-searching");
    this.#status.hidden = false;
    this.#elapsed.textContent = "";
    const startedAt = performance.now();
    clearInterval(this.#clock);
    this.#clock = setInterval(() => {
      this.#elapsed.textContent = messages.seconds(Math.round((performance.now() - startedAt) / 1000));
    }, 1000);
    announcer.say(messages.text("answering"));
  }

  /** @param {FullEvent} event */
  #take(event) {
    switch (event.type) {
      case "sources":
        this.#sources = event.sources;
        this.#ui.pages.add(event.sources.map(({ url }) => url));
        this.#sourceList.show(event.sources, this.#ui.messages.text("passages", { n: event.sources.length }));
        return this.#advance("waiting", "state-waiting");
      case "delta":
        this.#written += event.text;
        this.#text.append(event.text);
        this.#drawSoon();
        return this.#advance("writing", "state-writing");
      case "citation":
        this.#text.cite(event);
        return this.#drawSoon();
      case "restart":
        // What was shown did not hold, and the model is asked once more.
        this.#written = "";
        this.#text.replace("", []);
        return this.#advance("waiting", "state-waiting");
      case "progress":
        this.#state.textContent = this.#ui.messages.text("state-progress", { percent: Math.floor(event.loaded * 100) });
        return undefined;
      case "done":
      case "withdrawn":
        return this.#finish(event.answer);
      case "error":
        return this.#fail(event.error);
    }
  }

  /**
   * @param {string} state
   * @param {"state-waiting" | "state-writing"} key
   */
  #advance(state, key) {
    if (this.element.dataset.state === state) return;
    this.element.dataset.state = state;
    this.#state.textContent = this.#ui.messages.text(key);
  }

  /** @param {Answer} answer */
  #finish(answer) {
    const { messages, announcer, provider } = this.#ui;
    const outcome = outcomeOf(answer);
    this.#answer = answer;
    this.#end(outcome, answer.answer, answer.citations);
    this.#judgeFootnotes(answer);
    this.#showSources(answer, outcome);
    if (!outcome.state) {
      const isMarked = answer.citations.some(({ support }) => support === "weak" || support === "unsupported");
      const basis = isMarked ? "basis-marked" : provider === "offline" ? "basis-offline" : "basis-checked";
      this.#basis.textContent = messages.text(answer.grounded ? basis : "basis-unchecked");
      this.#basis.hidden = false;
      announcer.say(messages.text("complete", { n: answer.sources.length }));
    } else {
      announcer.say(`${messages.text(outcome.state)}. ${outcome.text ? messages.text(outcome.text) : ""}`);
    }
    this.#offerActions(outcome.showsText ? answer : undefined);
    this.#ui.emit(outcome.showsText ? "groundling-answer" : "groundling-withdrawn", { question: this.question, answer });
  }

  /** @param {unknown} error */
  #fail(error) {
    const { messages } = this.#ui;
    this.#end({ showsText: false }, "", []);
    this.#notice.replaceChildren(problemNotice(this.#ui, messages.text("failed-ask"), error, () => this.run()));
    this.element.dataset.state = "failed";
    this.#ui.emit("groundling-error", { error, during: "ask" });
  }

  /**
   * @param {import("./outcome.js").Outcome} outcome
   * @param {string} written what came of the answer
   * @param {Answer["citations"]} citations
   */
  #end({ state, text, showsText }, written, citations) {
    const { messages } = this.#ui;
    clearInterval(this.#clock);
    this.#clock = undefined;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#text.replace(showsText ? written : "", showsText ? citations : []);
    this.#body.setAttribute("aria-busy", "false");
    this.#status.hidden = true;
    this.element.dataset.state = state ?? "complete";
    if (state) {
      this.#notice.replaceChildren(
        element("div", { class: "notice" }, element("strong", {}, messages.text(state)), element("p", {}, text ? messages.text(text) : "")),
      );
    }
    this.#onEnd();
  }

  #drawSoon() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#text.draw();
    });
  }

  /**
   * @param {Answer} answer
   * @param {import("./outcome.js").Outcome} outcome
   */
  #showSources(answer, outcome) {
    const { messages } = this.#ui;
    if (outcome.showsNearest) {
      const nearest = answer.nearest.map((page, index) => ({ ...page, n: index + 1, title: page.pageTitle, text: page.title }));
      return this.#sourceList.show(nearest, messages.text("nearest"));
    }
    const cited = answer.sources;
    if (cited.length === 0) return undefined;
    return this.#sourceList.divide(cited, this.#sources.filter(({ n }) => !cited.some((source) => source.n === n)));
  }

  /**
   * @param {number[]} numbers
   * @param {number} start
   */
  #footnote(numbers, start) {
    const markers = numbers.map((n) => {
      const marker = this.#card.marker(n, () => this.#reference(n, start));
      marker.dataset.n = String(n);
      marker.dataset.start = String(start);
      return marker;
    });
    return element("span", { class: "footnotes" }, ...markers);
  }

  /**
   * @param {number} n
   * @param {number} start
   * @returns {Reference | undefined}
   */
  #reference(n, start) {
    const answer = this.#answer;
    const source = (answer?.sources ?? this.#sources).find((candidate) => candidate.n === n);
    if (!source) return undefined;
    const citation = answer?.citations.find((candidate) => candidate.n === n && candidate.start === start);
    const sentence = answer?.sentences.find((candidate) => candidate.start <= start && start < candidate.end);
    return { source, question: this.question, support: citation?.support, problems: sentence?.problems.map(({ text }) => text) ?? [] };
  }

  /** Marks those footnotes whose source does not bear out the sentence. @param {Answer} answer */
  #judgeFootnotes(answer) {
    for (const marker of this.#body.querySelectorAll(/** @type {"button"} */ (".footnote"))) {
      const n = Number(marker.dataset.n);
      const reference = this.#reference(n, Number(marker.dataset.start));
      if (!reference) continue;
      const { support, source } = reference;
      const key = support === "weak" || support === "unsupported" ? /** @type {const} */ (`footnote-${support}`) : "footnote";
      marker.setAttribute("aria-label", this.#ui.messages.text(key, { number: n, title: source.title }));
      if (support) marker.dataset.support = support;
    }
  }

  /**
   * Links to pages that were not among the sources live once all pages are known.
   *
   * @param {import("../../load.js").Docs} docs
   * @param {Answer} answer
   */
  async #reviveLinks(docs, answer) {
    if (this.#body.textContent === "" || !/\]\(|https?:/u.test(answer.answer)) return;
    await this.#ui.pages.addAll(docs);
    if (this.#answer !== answer) return;
    this.#text.replace(answer.answer, answer.citations);
    this.#judgeFootnotes(answer);
  }

  /** @param {Answer | undefined} answer that is shown, if one is */
  #offerActions(answer) {
    const { messages } = this.#ui;
    const actions = [button(messages.text("retry"), () => this.run(), { class: "link" })];
    if (answer) {
      actions.unshift(
        copyButton(this.#ui, messages.text("copy"), () => this.#copied(answer), (text) =>
          this.#ui.emit("groundling-copy", { question: this.question, text }),
        ),
      );
      actions.push(...this.#judgements(answer));
    }
    this.#actions.replaceChildren(...actions);
    this.#actions.hidden = false;
  }

  /** @param {Answer} answer */
  #judgements(answer) {
    const { messages, announcer } = this.#ui;
    const choices = /** @type {const} */ ([
      ["up", "helpful", true],
      ["down", "not-helpful", false],
    ]).map(([drawing, key, helpful]) => {
      const made = button(
        icon(drawing),
        () => {
          for (const choice of choices) choice.setAttribute("aria-pressed", String(choice === made));
          announcer.say(messages.text("thanks"));
          this.#ui.emit("groundling-feedback", { question: this.question, answer, helpful });
        },
        { class: "round", "aria-label": messages.text(key), "aria-pressed": "false" },
      );
      return made;
    });
    return choices;
  }

  /** @param {Answer} answer */
  #copied(answer) {
    const { messages, base } = this.#ui;
    const sources = answer.sources.map((source) => `[${source.n}] ${source.title}: ${webLink(source.url, base) ?? source.url}`);
    return sources.length > 0 ? `${answer.answer}\n\n${messages.text("copy-sources")}\n${sources.join("\n")}\n` : `${answer.answer}\n`;
  }
}
