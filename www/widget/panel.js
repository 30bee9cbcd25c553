/** What is in the dialog: the head, and below it the search or the conversation. */

import { button, element, icon } from "./dom.js";
import { problemNotice } from "./problem.js";
import { SearchView } from "./search-view.js";
import { adopt } from "./style-sheets.js";

/** @typedef {import("./types.js").Ui} Ui */
/** @typedef {import("./ask/conversation.js").Conversation} Conversation */

/**
 * @typedef {object} Settings
 * @property {"both" | "search" | "ask"} mode
 * @property {string} [placeholder]
 * @property {boolean} keepsRecent
 * @property {boolean} isInline
 */

export class Panel {
  #ui;
  #settings;
  #search;
  #title;
  #back;
  #clear;
  #failure = element("div", { class: "view", hidden: "" });
  #keys;
  /** @type {Promise<Conversation> | undefined} */
  #conversation;
  element;

  /**
   * @param {Ui} ui
   * @param {Settings} settings
   */
  constructor(ui, settings) {
    this.#ui = ui;
    this.#settings = settings;
    const { messages } = ui;
    const { mode } = settings;
    this.#search = new SearchView(ui, {
      placeholder: settings.placeholder ?? messages.text(mode === "both" ? "placeholder-both" : "placeholder"),
      keepsRecent: settings.keepsRecent,
      ask: mode === "both" ? (question) => this.ask(question) : undefined,
    });
    this.#back = button(icon("back"), () => this.#showSearch(), { class: "round", "aria-label": messages.text("back") });
    this.#title = element("h2", { class: "title" }, messages.text("dialog-ask"));
    this.#clear = button(messages.text("clear-thread"), () => this.clear(), { class: "link", "aria-label": messages.text("clear-thread-label") });
    this.#keys = keyHints(ui, settings);
    const closing = button(icon("close"), () => ui.close(), { class: "round close", "aria-label": messages.text("close") });
    this.element = element(
      "div",
      { class: settings.isInline ? "panel inline" : "panel", part: "panel" },
      element("div", { class: "head" }, this.#back, this.#search.bar, this.#title, this.#clear, settings.isInline ? null : closing),
      this.#search.body,
      this.#failure,
      element("div", { class: "foot" }, this.#keys, element("slot", { name: "footer" })),
      ui.announcer.region,
    );
    this.#show(mode === "ask" ? "conversation" : "search");
    // A page that has just been opened keeps its focus.
    if (mode === "ask" && settings.isInline) this.#showConversation();
  }

  get filter() {
    return this.#search.filter;
  }

  /** Moves the focus to where one types. */
  async focus() {
    if (this.element.dataset.view === "search") {
      this.#search.field.focus();
      this.#search.field.select();
    } else {
      (await this.#showConversation())?.focus();
    }
  }

  /** @param {string} query */
  search(query) {
    if (this.#settings.mode === "ask") return;
    this.#showSearch();
    this.#search.search(query);
  }

  /** @param {string} question */
  async ask(question) {
    if (this.#settings.mode === "search") return;
    const conversation = await this.#showConversation();
    conversation?.focus();
    conversation?.ask(question);
  }

  async clear() {
    (await this.#conversation)?.clear();
    this.#ui.announcer.say(this.#ui.messages.text("cleared"));
  }

  /** Stops what is under way, because the component goes. */
  stop() {
    this.#conversation?.then((conversation) => conversation.stop(), () => {});
  }

  /** The dialog has been closed; an answer that is under way goes on. */
  rest() {
    this.#ui.announcer.say("");
  }

  #showSearch() {
    this.#show("search");
    this.#search.field.focus();
  }

  /** Shows the conversation, whose code is fetched when it is first shown. */
  async #showConversation() {
    this.#show("conversation");
    try {
      this.#conversation ??= this.#loadConversation();
      const conversation = await this.#conversation;
      this.#failure.hidden = true;
      return conversation;
    } catch (error) {
      this.#conversation = undefined;
      const title = this.#ui.messages.text("failed-open");
      this.#failure.replaceChildren(problemNotice(this.#ui, title, error, () => this.#showConversation()));
      this.#failure.hidden = false;
      this.#ui.emit("groundling-error", { error, during: "open" });
      return undefined;
    }
  }

  async #loadConversation() {
    const { Conversation, style } = await import("./ask/conversation.js");
    const conversation = new Conversation(this.#ui, this.#settings.mode === "ask" ? this.#settings.placeholder : undefined);
    this.#failure.before(conversation.element);
    adopt(/** @type {ShadowRoot} */ (this.element.getRootNode()), style);
    return conversation;
  }

  /** @param {"search" | "conversation"} view */
  #show(view) {
    // What belongs to the other view is hidden by the style sheet.
    this.element.dataset.view = view;
    const isSearch = view === "search";
    this.#back.hidden = isSearch || this.#settings.mode === "ask";
    this.#search.bar.hidden = this.#search.body.hidden = !isSearch;
    this.#title.hidden = this.#clear.hidden = isSearch;
    this.#keys.hidden = !isSearch;
    this.#failure.hidden = true;
  }
}

/**
 * @param {Ui} ui
 * @param {Settings} settings
 */
function keyHints({ messages }, { mode, isInline }) {
  const hint = (/** @type {string} */ keys, /** @type {string} */ text) =>
    element("span", {}, element("kbd", {}, keys), ` ${text}`);
  return element(
    "p",
    { class: "keys", "aria-hidden": "true" },
    hint("↑↓", messages.text("keys-move")),
    hint("↵", messages.text(mode === "both" ? "keys-ask" : "keys-open")),
    isInline ? null : hint("esc", messages.text("keys-close")),
  );
}
