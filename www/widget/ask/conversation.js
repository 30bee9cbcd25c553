/** Questions and answers in a thread, with the field for the next question. */

import { button, element, icon } from "../dom.js";
import style from "../style/ask.css?inline";
import { FootnoteCard } from "./footnotes.js";
import { Turn } from "./turn.js";

export { style };

/** @typedef {import("../types.js").Ui} Ui */

export class Conversation {
  #ui;
  #card;
  #placeholder;
  /** @type {Turn[]} */
  #turns = [];
  #thread = element("div", { class: "thread" });
  #field;
  #send;
  #stop;
  element;

  /**
   * @param {Ui} ui
   * @param {string} [placeholder]
   */
  constructor(ui, placeholder) {
    this.#ui = ui;
    this.#card = new FootnoteCard(ui);
    const { messages } = ui;
    this.#placeholder = placeholder ?? messages.text("placeholder-ask");
    this.#field = element("textarea", {
      ...{ class: "field", part: "composer", rows: "1", maxlength: "4000", dir: "auto", enterkeyhint: "send", "aria-label": messages.text("question") },
    });
    this.#send = button(icon("send"), () => this.#submit(), { class: "round send", "aria-label": messages.text("send") });
    this.#stop = button(icon("stop"), () => this.#stopAndStay(), { class: "round send stop", "aria-label": messages.text("stop"), hidden: "" });
    this.#field.addEventListener("keydown", (event) => {
      // Enter may end a composition instead; Safari tells that by the old key code only.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      this.#submit();
    });
    this.element = element(
      "div",
      { class: "view conversation" },
      this.#thread,
      element("div", { class: "composer" }, element("div", { class: "bar" }, this.#field, this.#send, this.#stop), this.#note()),
      this.#card.element,
    );
    this.#showThread();
  }

  focus() {
    this.#field.focus();
  }

  /** @param {string} question */
  ask(question) {
    this.stop();
    const turn = new Turn(this.#ui, this.#card, question, [...this.#turns], () => this.#showRunning());
    this.#turns.push(turn);
    this.#showThread();
    this.#ui.emit("groundling-ask", { question });
    turn.run();
    this.#showRunning();
    turn.element.scrollIntoView({ block: "start" });
  }

  /** Stops the answer that is under way. */
  stop() {
    this.#turns.at(-1)?.stop();
  }

  clear() {
    this.stop();
    this.#card.hide();
    this.#turns = [];
    this.#showThread();
    this.focus();
  }

  #submit() {
    const question = this.#field.value.trim();
    if (question === "") return this.focus();
    this.#field.value = "";
    return this.ask(question);
  }

  /** The button goes, and must not take the focus with it. */
  #stopAndStay() {
    this.stop();
    this.focus();
  }

  #showRunning() {
    const isRunning = this.#turns.at(-1)?.isRunning ?? false;
    this.#send.hidden = isRunning;
    this.#stop.hidden = !isRunning;
  }

  #showThread() {
    const { messages, questions } = this.#ui;
    const isEmpty = this.#turns.length === 0;
    this.#field.placeholder = isEmpty ? this.#placeholder : messages.text("placeholder-follow");
    if (!isEmpty) return this.#thread.replaceChildren(...this.#turns.map((turn) => turn.element));
    const rows = questions.map((question) => button(element("span", { dir: "auto" }, question), () => this.ask(question), { class: "row" }));
    return this.#thread.replaceChildren(
      element("p", { class: "quiet" }, messages.text("start-help-ask")),
      ...(rows.length > 0 ? [element("section", { class: "rows" }, element("header", {}, element("h3", {}, messages.text("questions"))), ...rows)] : []),
    );
  }

  /** Says who gets the question before it is asked. */
  #note() {
    const { provider, messages } = this.#ui;
    if (provider === "offline") return element("p", { class: "quiet note" }, messages.text("offline"));
    if (typeof provider !== "object" || !("endpoint" in provider)) return null;
    const host = new URL(provider.endpoint, document.baseURI).host;
    return element("p", { class: "quiet note" }, messages.text("sent-to", { host }));
  }
}
