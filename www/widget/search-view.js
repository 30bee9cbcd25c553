/** The field and what is found while the reader types: a combobox with a listbox, as WAI-ARIA describes it. */

import { button, element, icon } from "./dom.js";
import { findPages } from "./engine.js";
import { problemNotice } from "./problem.js";
import { forgetSearches, keepSearch, recentSearches } from "./recent-searches.js";
import { resultGroups } from "./results.js";

/** @typedef {import("./types.js").Ui} Ui */
/** @typedef {import("./engine.js").Found} Found */
/** @typedef {import("./engine.js").Filter} Filter */
/** @typedef {import("./engine.js").Hit} Hit */

/** Who types on has not searched yet; events tell of searches, not of keys. */
const PAUSE_MS = 800;

/**
 * @typedef {object} Settings
 * @property {string} placeholder
 * @property {boolean} keepsRecent
 * @property {((question: string) => void) | undefined} ask where questions can be asked
 */

export class SearchView {
  #ui;
  #settings;
  field;
  #clear;
  #facets = element("div", { class: "facets", role: "group", part: "facets", hidden: "" });
  #list;
  #beside = element("div", { class: "beside" });
  /** The field with its icon and button; stands in the panel's head. */
  bar;
  body;
  /** @type {HTMLElement[]} */
  #options = [];
  #active = -1;
  /** @type {Filter} */
  filter = {};
  /** What is shown belongs to what is typed now: the reply to an older search is dropped. */
  #latest = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pause;
  #told = "";
  #isOpened = false;

  /**
   * @param {Ui} ui
   * @param {Settings} settings
   */
  constructor(ui, settings) {
    this.#ui = ui;
    this.#settings = settings;
    const { messages } = ui;
    this.#list = element("div", { role: "listbox", id: "results", class: "list", part: "results", "aria-label": messages.text("results"), hidden: "" });
    this.field = element("input", {
      ...{ type: "search", role: "combobox", class: "field", part: "field", placeholder: settings.placeholder, dir: "auto" },
      ...{ "aria-label": messages.text("field"), "aria-autocomplete": "list", "aria-controls": "results", "aria-expanded": "false" },
      ...{ autocomplete: "off", autocorrect: "off", autocapitalize: "off", spellcheck: "false", maxlength: "1000", enterkeyhint: settings.ask ? "send" : "search" },
    });
    this.#clear = button(icon("close"), () => this.#clearField(), { class: "round clear", "aria-label": messages.text("clear"), hidden: "" });
    this.bar = element("div", { class: "bar" }, icon("search"), this.field, this.#clear);
    this.#facets.setAttribute("aria-label", messages.text("filter"));
    this.body = element("div", { class: "view search-view" }, this.#facets, this.#list, this.#beside);
    // Text that an input method is still composing is searched too: on-screen keyboards compose
    // every word, also in alphabets.
    this.field.addEventListener("input", () => this.#search());
    this.field.addEventListener("keydown", (event) => this.#onKey(event));
    this.#showStart();
  }

  get query() {
    return this.field.value.trim();
  }

  /** @param {string} query */
  search(query) {
    this.field.value = query;
    return this.#search();
  }

  async #search() {
    const turn = ++this.#latest;
    const { query } = this;
    clearTimeout(this.#pause);
    this.#clear.hidden = this.field.value === "";
    if (query === "") return this.#showStart();
    if (!this.#isOpened) this.#showBeside(element("p", { class: "quiet" }, this.#ui.messages.text("loading")));
    try {
      const docs = await this.#open();
      if (turn !== this.#latest) return undefined;
      const found = await findPages(docs, query, this.filter);
      if (turn === this.#latest) this.#show(query, found);
    } catch (error) {
      if (turn === this.#latest) this.#fail(error);
    }
    return undefined;
  }

  async #open() {
    const docs = await this.#ui.docs();
    if (!this.#isOpened) this.#offerFacets(docs);
    this.#isOpened = true;
    return docs;
  }

  /** @param {import("../load.js").Docs} docs */
  #offerFacets({ info }) {
    if (info.collections.length < 2) return;
    const choices = [{ id: "", name: this.#ui.messages.text("filter-all") }, ...info.collections];
    const chips = choices.map(({ id, name }) => {
      const chip = button(name, () => {
        this.filter = id ? { collections: [id] } : {};
        for (const other of chips) other.setAttribute("aria-pressed", String(other === chip));
        this.#search();
      }, { class: "pill", "aria-pressed": String(id === "") });
      return chip;
    });
    this.#facets.replaceChildren(...chips);
    this.#facets.hidden = false;
  }

  /**
   * @param {string} query
   * @param {Found} found
   */
  #show(query, found) {
    const { messages, announcer } = this.#ui;
    this.#ui.pages.add(found.pages.flatMap(({ hits }) => hits.map(({ url }) => url)));
    const groups = resultGroups(this.#ui, found, (hit, url, event) => this.#openHit(hit, url, event));
    this.#fill([...this.#askRow(query), ...groups]);
    if (found.total > 0) {
      this.#beside.replaceChildren(...this.#didYouMean(found), ...this.#missing(found));
      announcer.saySoon(messages.text("count", { n: found.total }));
    } else {
      this.#beside.replaceChildren(this.#nothing(query, found));
      announcer.saySoon(messages.text("none", { query }));
    }
    this.#pause = setTimeout(() => this.#tell(query, found), PAUSE_MS);
    this.#lastFound = { query, found };
  }

  /** @type {{ query: string, found: Found } | undefined} */
  #lastFound;

  /** Tells the page of a search, once. @param {string} query @param {Found} found */
  #tell(query, { total, missing }) {
    clearTimeout(this.#pause);
    if (query === this.#told) return;
    this.#told = query;
    this.#ui.emit("groundling-search", { query, total });
    if (total === 0) this.#ui.emit("groundling-no-result", { query, missing });
  }

  /** The reader acts on a search. */
  #settle() {
    if (this.#lastFound?.query === this.query) this.#tell(this.query, this.#lastFound.found);
    if (this.#settings.keepsRecent && this.query !== "") keepSearch(this.query);
  }

  /** @param {string} query */
  #askRow(query) {
    const { ask } = this.#settings;
    if (!ask) return [];
    const { messages } = this.#ui;
    const row = element(
      "div",
      { role: "option", id: "ask", class: "option ask-row", part: "ask-option", "aria-selected": "false" },
      icon("spark"),
      element(
        "span",
        {},
        element("span", { class: "option-title", dir: "auto" }, messages.text("ask-row", { query })),
        element("span", { class: "snippet" }, messages.text("ask-hint")),
      ),
    );
    row.addEventListener("click", () => this.#ask());
    return [row];
  }

  #ask() {
    const { query } = this;
    if (query === "") return;
    this.#settle();
    this.#settings.ask?.(query);
  }

  /**
   * @param {Hit} hit
   * @param {string} url
   * @param {MouseEvent} event
   */
  #openHit(hit, url, event) {
    this.#settle();
    if (!this.#ui.emit("groundling-result-open", { query: this.query, url, hit })) event.preventDefault();
    // A link that opens elsewhere leaves the results where they are.
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) this.#ui.close();
  }

  /** @param {HTMLElement[]} rows */
  #fill(rows) {
    this.#list.replaceChildren(...rows);
    this.#options = [...this.#list.querySelectorAll(/** @type {"a"} */ ("[role=option]"))];
    this.#list.hidden = this.#options.length === 0;
    this.field.setAttribute("aria-expanded", String(!this.#list.hidden));
    this.#activate(-1);
    this.#list.scrollTop = 0;
  }

  /** @param {...Node} nodes in place of results */
  #showBeside(...nodes) {
    this.#fill([]);
    this.#beside.replaceChildren(...nodes);
  }

  #showStart() {
    const { messages, questions } = this.#ui;
    const { ask, keepsRecent } = this.#settings;
    /** @type {HTMLElement[]} */
    const nodes = [element("p", { class: "quiet" }, messages.text(ask ? "start-help-both" : "start-help"))];
    const recent = keepsRecent ? recentSearches() : [];
    if (recent.length > 0) {
      const forget = button(messages.text("forget"), () => {
        forgetSearches();
        this.#showStart();
        this.field.focus();
      }, { class: "link" });
      nodes.push(section(messages.text("recent"), recent.map((query) => button(labelled("clock", query), () => this.#take(query), { class: "row" })), forget));
    }
    if (ask && questions.length > 0) {
      nodes.push(section(messages.text("questions"), questions.map((question) => button(labelled("spark", question), () => ask(question), { class: "row" }))));
    }
    this.#showBeside(...nodes, element("slot", { name: "start" }));
  }

  /** @param {string} query */
  #take(query) {
    this.search(query);
    this.field.focus();
  }

  #clearField() {
    this.search("");
    this.field.focus();
  }

  /** @param {Found} found */
  #didYouMean({ didYouMean }) {
    if (!didYouMean) return [];
    const label = this.#ui.messages.text("did-you-mean", { query: didYouMean });
    return [button(label, () => this.#take(didYouMean), { class: "row did-you-mean" })];
  }

  /** @param {Found} found */
  #missing({ missing }) {
    if (missing.length === 0) return [];
    return [element("p", { class: "quiet", dir: "auto" }, this.#ui.messages.text("missing", { words: missing.join(", ") }))];
  }

  /**
   * @param {string} query
   * @param {Found} found
   */
  #nothing(query, found) {
    const { messages } = this.#ui;
    return element(
      "div",
      { class: "empty", part: "empty" },
      element("p", { class: "empty-title", dir: "auto" }, messages.text("none", { query })),
      ...this.#missing(found),
      element("p", { class: "quiet" }, messages.text("none-help")),
      ...this.#didYouMean(found),
      element("slot", { name: "empty" }),
    );
  }

  /** @param {unknown} error */
  #fail(error) {
    const during = this.#isOpened ? "search" : "open";
    const title = this.#ui.messages.text(this.#isOpened ? "failed-search" : "failed-open");
    // The page's own text, such as a link to another search, is a way on.
    this.#showBeside(problemNotice(this.#ui, title, error, () => this.#search()), element("slot"));
    this.#ui.emit("groundling-error", { error, during });
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    // Enter may end a composition instead; Safari tells that by the old key code only.
    if (event.isComposing || event.keyCode === 229 || event.altKey || event.ctrlKey || event.metaKey) return;
    const count = this.#options.length;
    switch (event.key) {
      case "ArrowDown":
        if (count > 0) this.#activate((this.#active + 1) % count);
        break;
      case "ArrowUp":
        if (count > 0) this.#activate(this.#active <= 0 ? (this.#active === 0 ? -1 : count - 1) : this.#active - 1);
        break;
      case "Enter":
        if (this.#active >= 0) this.#options[this.#active].click();
        else if (this.#settings.ask) this.#ask();
        else this.#options[0]?.click();
        break;
      case "Escape":
        // The first one empties the field, the next one closes the dialog.
        if (this.field.value === "") return;
        this.#clearField();
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  /** @param {number} index of the option that Enter takes; -1 for none */
  #activate(index) {
    this.#options[this.#active]?.setAttribute("aria-selected", "false");
    this.#active = index;
    const option = this.#options[index];
    if (!option) return this.field.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    this.field.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
    return undefined;
  }
}

/**
 * @param {"clock" | "spark"} drawing
 * @param {string} text
 */
function labelled(drawing, text) {
  const label = document.createDocumentFragment();
  label.append(icon(drawing), element("span", { dir: "auto" }, text));
  return label;
}

/**
 * @param {string} title
 * @param {HTMLElement[]} rows
 * @param {HTMLElement} [action]
 */
function section(title, rows, action) {
  return element("section", { class: "rows" }, element("header", {}, element("h2", {}, title), action), ...rows);
}
