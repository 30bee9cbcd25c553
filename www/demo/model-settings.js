/** The form that connects a model. Nothing of it is stored, and nothing of it is read from the address. */

import { byId } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("../load.js").AskOptions["provider"]} Provider */
/** @typedef {Extract<Provider, { endpoint: string }>} Endpoint */

/** Fields that a protocol has no use for. @type {Record<string, string[]>} */
const WITHOUT = {
  browser: ["endpoint", "model", "key"],
  gemini: ["model"],
  "ui-message-stream": ["model"],
};

export class ModelSettings {
  #protocol = byId("protocol", HTMLSelectElement);
  #endpoint = byId("endpoint", HTMLInputElement);
  #model = byId("model-name", HTMLInputElement);
  #key = byId("key", HTMLInputElement);
  #forget = byId("forget-key", HTMLButtonElement);
  #disconnect = byId("disconnect", HTMLButtonElement);
  /** @type {Provider} */
  #provider = "offline";
  #onChange;

  /** @param {(provider: Provider) => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
    byId("model-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#connect();
    });
    this.#protocol.addEventListener("change", () => this.show());
    this.#forget.addEventListener("click", () => this.#forgetKey("key-forgotten"));
    this.#disconnect.addEventListener("click", () => {
      this.#key.value = "";
      this.#use("offline", "disconnected");
    });
    this.#key.addEventListener("input", () => this.show());
    this.#endpoint.addEventListener("change", () => {
      // A key is meant for the server that it was typed in for, and for no other.
      const used = this.#used;
      if (used && originOf(this.#endpoint.value) !== originOf(used.endpoint)) this.#forgetKey("key-other-server");
    });
  }

  /** Shows who answers, and the fields that the chosen protocol has. */
  show() {
    const without = WITHOUT[this.#protocol.value] ?? [];
    for (const label of document.querySelectorAll("#model-form [data-for]")) {
      const isLeftOut = without.includes(/** @type {HTMLElement} */ (label).dataset.for ?? "");
      /** @type {HTMLElement} */ (label).hidden = isLeftOut;
      for (const field of label.querySelectorAll("input")) field.disabled = isLeftOut;
    }
    this.#endpoint.placeholder = this.#protocol.selectedOptions[0]?.dataset.example ?? "";
    const used = this.#used;
    const isOffline = this.#provider === "offline";
    this.#forget.disabled = this.#key.value === "" && !used?.key;
    this.#disconnect.disabled = isOffline;
    byId("model-action", HTMLElement).textContent = say(isOffline ? "connect" : "change");
    byId("model-summary", HTMLElement).textContent = used
      ? say("answers-model", { model: used.model ?? used.protocol ?? "", host: hostOf(used.endpoint) })
      : say(isOffline ? "answers-offline" : "answers-browser");
  }

  /** @returns {Endpoint | undefined} */
  get #used() {
    const provider = this.#provider;
    return typeof provider === "object" && "endpoint" in provider ? provider : undefined;
  }

  #connect() {
    const protocol = this.#protocol.value;
    if (protocol === "browser") return this.#use({ protocol, languages: [document.documentElement.lang] }, "connected");
    const model = this.#model.disabled ? undefined : this.#model.value.trim();
    const key = this.#key.value.trim() || undefined;
    const endpoint = { protocol, endpoint: this.#endpoint.value.trim(), ...(model && { model }), ...(key && { key }) };
    return this.#use(/** @type {Endpoint} */ (endpoint), "connected");
  }

  /** @param {string} reason */
  #forgetKey(reason) {
    this.#key.value = "";
    const { key, ...keyless } = this.#used ?? {};
    this.#use(this.#used ? /** @type {Endpoint} */ (keyless) : this.#provider, reason);
  }

  /**
   * @param {Provider} provider
   * @param {string} words
   */
  #use(provider, words) {
    this.#provider = provider;
    this.#onChange(provider);
    byId("model-state", HTMLElement).textContent = say(words);
    this.show();
  }
}

/** @param {string} address */
function originOf(address) {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/** @param {string} address */
function hostOf(address) {
  return URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).host : address;
}
