/**
 * `<groundling-search>`: search and answers of a documentation site.
 *
 * Importing this module has no side effect and touches no browser object, so it can be imported
 * where pages are rendered on a server. `groundling/define` registers the element.
 *
 * @module
 */

import { Announcer } from "./announcer.js";
import { button, element, icon } from "./dom.js";
import { isHotkey, labelOf, parseHotkeys } from "./hotkey.js";
import { KnownPages } from "./links.js";
import { Messages, messagesFor } from "./messages.js";
import { PageTheme } from "./page-theme.js";
import { Panel } from "./panel.js";
import style from "./style/search.css?inline";
import { adopt } from "./style-sheets.js";

/** @typedef {import("../load.js").Docs} Docs */
/** @typedef {import("../load.js").AskOptions} AskOptions */
/** @typedef {import("./messages.js").Texts} Texts */

/** On a server there are no elements, and the class only has to exist. @type {typeof HTMLElement} */
const Base = globalThis.HTMLElement ?? class {};

/** The address whose `?q=` has been taken; a page that moves the element shall not open it again. */
let takenAddress = "";

/**
 * A button that opens a dialog to search and ask in, or with the attribute `inline` the same as a
 * part of the page.
 *
 * Attributes: `bundle` address of the bundle · `mode` `both` (default), `search` or `ask` · `inline` ·
 * `endpoint`, `protocol`, `model` who answers; without an endpoint answers are quoted offline ·
 * `prompt` preset · `placeholder` · `lang` language of the words, by default the page's · `messages`
 * address of a JSON file with the words of another language · `hotkey` default `/, mod+k`, `none` for
 * none · `theme` `light` or `dark` instead of the page's · `recent` keeps recent searches on the
 * reader's machine · `questions` suggested questions, divided by `|` · `base` what relative
 * addresses of the index are relative to, by default the page · `preload` opens the bundle at once ·
 * `query-param` parameter of the page's address that opens a search, default `q`.
 *
 * @slot - Shown where scripts do not run, and when the bundle cannot be opened
 * @slot button - Label of the button
 * @slot start - Below what is shown before anything is typed
 * @slot empty - Below what is shown when nothing is found
 * @slot footer - At the panel's foot
 *
 * @csspart button - The button that opens the dialog
 * @csspart dialog - The dialog
 * @csspart panel - What is in the dialog, or inline
 * @csspart field - The search field
 * @csspart facets - The choice of a part of the documentation
 * @csspart results - The list of results
 * @csspart result-group - Results of one page
 * @csspart result - A result
 * @csspart ask-option - The result that asks
 * @csspart empty - What is shown when nothing is found
 * @csspart question - A question in the conversation
 * @csspart answer - The text of an answer
 * @csspart footnote - A footnote marker
 * @csspart card - The card of a source
 * @csspart sources - The list of sources
 * @csspart composer - The field for questions
 * @csspart error - A failure
 *
 * The custom properties are listed at the head of `style/search.css`, the events in `types.d.ts`.
 */
export class GroundlingSearch extends Base {
  static observedAttributes = ["bundle", "mode", "inline", "placeholder", "lang", "messages", "hotkey", "theme", "recent", "questions", "base"];

  /** @type {ShadowRoot | undefined} */
  #root;
  /** @type {PageTheme | undefined} */
  #theme;
  #messages = new Messages("en");
  /** @type {Panel | undefined} */
  #panel;
  /** @type {HTMLDialogElement | undefined} */
  #dialog;
  /** Where the focus goes when the dialog closes. @type {HTMLElement | undefined} */
  #opener;
  /** @type {Promise<Docs> | undefined} */
  #docs;
  /** Counts what makes a rendering under way obsolete. */
  #rendering = 0;
  /** @type {Promise<void>} */
  #rendered = Promise.resolve();
  #isRenderingAsked = false;
  /** @type {AbortController | undefined} */
  #listening;

  /** @type {AskOptions["provider"]} */
  #provider;
  /** @type {AskOptions["prompt"]} */
  #prompt;
  /** @type {Texts | undefined} */
  #texts;
  /** @type {string[] | undefined} */
  #questions;

  /**
   * Registers the element.
   *
   * @param {string} [tag]
   * @param {CustomElementRegistry} [registry]
   */
  static define(tag = "groundling-search", registry = customElements) {
    if (!registry.get(tag)) registry.define(tag, this);
  }

  connectedCallback() {
    this.#takeProperties();
    this.#root ??= this.attachShadow({ mode: "open" });
    this.#theme ??= new PageTheme(this, () => this.#followTheme());
    this.#theme.connect();
    this.#listening = new AbortController();
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal: this.#listening.signal });
    this.#render();
    if (this.hasAttribute("preload")) this.#open().catch(() => {});
  }

  disconnectedCallback() {
    this.#theme?.disconnect();
    this.#listening?.abort();
    this.#panel?.stop();
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    if (!this.isConnected) return;
    if (name === "theme") return this.#followTheme();
    if (name === "bundle") this.#docs = undefined;
    if (this.#isRenderingAsked) return;
    // Several attributes that are set together are one change.
    this.#isRenderingAsked = true;
    queueMicrotask(() => {
      this.#isRenderingAsked = false;
      if (this.isConnected) this.#render();
    });
  }

  /** Whether the dialog is open. */
  get open() {
    return this.#dialog?.open ?? false;
  }

  /**
   * Who answers: `"offline"`, an endpoint, or a function. By default what the attributes `endpoint`,
   * `protocol` and `model` say, and `"offline"` without them.
   *
   * @returns {AskOptions["provider"]}
   */
  get provider() {
    return this.#provider ?? this.#endpoint ?? "offline";
  }

  set provider(provider) {
    this.#provider = provider;
  }

  /**
   * Preset or template; by default what the attribute `prompt` says, and the cited preset of the
   * component's language without it.
   *
   * @returns {AskOptions["prompt"]}
   */
  get prompt() {
    return this.#prompt ?? /** @type {AskOptions["prompt"]} */ (this.getAttribute("prompt") ?? undefined);
  }

  set prompt(prompt) {
    this.#prompt = prompt;
  }

  /** Suggested questions, in place of the attribute `questions`. @returns {string[]} */
  get questions() {
    const written = (this.getAttribute("questions") ?? "").split("|").map((question) => question.trim());
    return this.#questions ?? written.filter((question) => question !== "");
  }

  set questions(questions) {
    this.#questions = questions;
    if (this.isConnected) this.#render();
  }

  /** The words of the component, in place of those of its language. @returns {Texts | undefined} */
  get messages() {
    return this.#texts;
  }

  set messages(texts) {
    this.#texts = texts;
    if (this.isConnected) this.#render();
  }

  /**
   * The open bundle, to share one among several components; the attribute `bundle` is not read then.
   *
   * @param {Docs | Promise<Docs> | undefined} docs
   */
  set docs(docs) {
    this.#docs = docs === undefined ? undefined : Promise.resolve(docs);
    this.#docs?.catch(() => {});
  }

  /** Opens the dialog, and moves the focus into it. Inline only the focus is moved. */
  show() {
    this.#whenShown(() => {});
  }

  /**
   * @param {(panel: Panel) => void} action now, or once the words of the language have come
   */
  #whenShown(action) {
    const panel = this.#panelShown();
    if (panel) {
      this.#showPanel(panel);
      return action(panel);
    }
    this.#rendered.then(() => {
      if (this.#panelShown()) this.#whenShown(action);
    });
    return undefined;
  }

  /** @param {Panel} panel */
  #showPanel(panel) {
    if (!this.#dialog || this.#dialog.open) return panel.focus();
    this.#opener = deepestActive();
    this.#dialog.showModal();
    this.#open().catch(() => {});
    panel.focus();
    this.#emit("groundling-open", {});
    return undefined;
  }

  /** Closes the dialog; the focus goes back to where it was. */
  close() {
    this.#dialog?.close();
  }

  /**
   * Opens with a search.
   *
   * @param {string} query
   */
  search(query) {
    this.#whenShown((panel) => panel.search(query));
  }

  /**
   * Opens with a question, and asks it.
   *
   * @param {string} question
   */
  ask(question) {
    this.#whenShown((panel) => panel.ask(question));
  }

  /** Clears the conversation. */
  clear() {
    this.#panel?.clear();
  }

  /** Properties that were set before the element was defined would hide those of the class. */
  #takeProperties() {
    for (const name of /** @type {const} */ (["provider", "prompt", "questions", "messages", "docs"])) {
      const given = Object.getOwnPropertyDescriptor(this, name);
      if (!given) continue;
      delete (/** @type {any} */ (this)[name]);
      /** @type {any} */ (this)[name] = given.value;
    }
  }

  /** @returns {string} */
  get #lang() {
    const around = /** @type {HTMLElement | null} */ (this.closest("[lang]"));
    return around?.lang || document.documentElement.lang || navigator.language || "en";
  }

  #render() {
    this.#rendered = this.#renderInLanguage();
  }

  async #renderInLanguage() {
    const turn = ++this.#rendering;
    try {
      this.#messages = await messagesFor(this.#lang, this.#texts ?? (await this.#fetchedTexts()));
    } catch (error) {
      this.#messages = new Messages(this.#lang);
      this.#emit("groundling-error", { error, during: "open" });
    }
    if (turn !== this.#rendering || !this.#root || !this.isConnected) return;
    const wasOpen = this.open;
    this.#panel?.stop();
    this.#panel = undefined;
    this.#dialog = undefined;
    adopt(this.#root, style);
    const frame = element("div", { class: "root", lang: this.#messages.lang, dir: this.#messages.dir });
    this.#root.replaceChildren(frame);
    this.#followTheme();
    if (this.hasAttribute("inline")) frame.append(this.#makePanel().element);
    else frame.append(this.#makeButton());
    if (wasOpen) this.show();
    this.#takeAddress();
  }

  /** @returns {Promise<Texts | undefined>} */
  async #fetchedTexts() {
    const address = this.getAttribute("messages");
    if (!address) return undefined;
    const response = await fetch(new URL(address, document.baseURI));
    if (!response.ok) throw new Error(`the words of the attribute “messages” were answered with status ${response.status}`);
    return response.json();
  }

  #makeButton() {
    const [hotkey] = parseHotkeys(this.getAttribute("hotkey")).slice(-1);
    const label = this.#messages.text(this.#mode === "ask" ? "button-ask" : "button");
    const opening = button(icon(this.#mode === "ask" ? "spark" : "search"), () => this.show(), {
      class: "open",
      part: "button",
      "aria-haspopup": "dialog",
    });
    opening.append(element("slot", { name: "button" }, label));
    if (hotkey) opening.append(element("kbd", { "aria-hidden": "true" }, labelOf(hotkey)));
    // The bundle is fetched while the reader is on the way to the button.
    for (const intent of ["pointerenter", "focus"]) {
      opening.addEventListener(intent, () => this.#open().catch(() => {}), { once: true });
    }
    return opening;
  }

  /** The panel, which is made when it is first shown. */
  #panelShown() {
    if (this.#panel || !this.#root?.firstElementChild) return this.#panel;
    const panel = this.#makePanel();
    const name = this.#messages.text(this.#mode === "ask" ? "dialog-ask" : "dialog");
    const dialog = element("dialog", { part: "dialog", "aria-label": name }, panel.element);
    dialog.addEventListener("close", () => {
      panel.rest();
      this.#opener?.focus();
      this.#emit("groundling-close", {});
    });
    // A click beside the panel hits the dialog itself.
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    this.#dialog = dialog;
    this.#root.firstElementChild.append(dialog);
    return panel;
  }

  #makePanel() {
    const widget = this;
    const base = new URL(this.getAttribute("base") ?? "", document.baseURI).href;
    /** @type {import("./types.js").Ui} */
    const ui = {
      ...{ messages: this.#messages, announcer: new Announcer(), pages: new KnownPages(base), base },
      docs: () => this.#open(),
      emit: (name, detail) => this.#emit(name, detail),
      close: () => this.close(),
      get provider() {
        return widget.provider;
      },
      get prompt() {
        return widget.prompt;
      },
      get questions() {
        return widget.questions;
      },
      get filter() {
        return panel.filter;
      },
    };
    const panel = new Panel(ui, {
      mode: this.#mode,
      placeholder: this.getAttribute("placeholder") ?? undefined,
      keepsRecent: this.hasAttribute("recent"),
      isInline: this.hasAttribute("inline"),
    });
    panel.element.addEventListener("focusin", () => this.#open().catch(() => {}), { once: true });
    this.#panel = panel;
    return panel;
  }

  /** @returns {"both" | "search" | "ask"} */
  get #mode() {
    const mode = this.getAttribute("mode");
    return mode === "search" || mode === "ask" ? mode : "both";
  }

  get #endpoint() {
    const endpoint = this.getAttribute("endpoint");
    if (!endpoint) return undefined;
    const protocol = this.getAttribute("protocol") ?? undefined;
    const model = this.getAttribute("model") ?? undefined;
    return /** @type {AskOptions["provider"]} */ ({ endpoint, ...(protocol && { protocol }), ...(model && { model }) });
  }

  /** Opens the bundle; after a failure the next call tries again. */
  #open() {
    if (this.#docs) return this.#docs;
    const opening = this.#load();
    this.#docs = opening;
    opening.then(
      (docs) => this.#emit("groundling-ready", { docs }),
      () => {
        if (this.#docs === opening) this.#docs = undefined;
      },
    );
    return opening;
  }

  async #load() {
    const bundle = this.getAttribute("bundle");
    if (!bundle) throw new Error(this.#messages.text("no-bundle"));
    const { load } = await import("../load.js");
    return load(new URL(bundle, document.baseURI));
  }

  /** `?q=` opens with that search. It never asks: a link must not send anything by itself. */
  #takeAddress() {
    const { href, search } = location;
    const query = new URLSearchParams(search).get(this.getAttribute("query-param") ?? "q")?.trim();
    if (!query || href === takenAddress || this.#mode === "ask") return;
    takenAddress = href;
    this.search(query.slice(0, 200));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (!isHotkey(event, parseHotkeys(this.getAttribute("hotkey")))) return;
    event.preventDefault();
    this.show();
  }

  #followTheme() {
    const frame = this.#root?.firstElementChild;
    if (frame && this.#theme) frame.setAttribute("data-theme", this.#theme.current);
  }

  /**
   * @template {keyof import("./types.js").GroundlingEvents} Name
   * @param {Name} name
   * @param {import("./types.js").GroundlingEvents[Name]} detail
   */
  #emit(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

/** The focused element, also within shadow trees. */
function deepestActive() {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : undefined;
}
