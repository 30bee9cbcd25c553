/** The form that connects a model. Nothing of it is stored, and nothing of it is read from the URL. */

import { announce } from "./announcer.js";
import { byId, element } from "./dom.js";

/** @typedef {"offline" | import("../../dist/engine.js").Endpoint} Provider */

export class ModelSettings {
  #summary = byId("model-summary", HTMLElement);
  #state = byId("model-state", HTMLElement);
  #protocol = byId("protocol", HTMLSelectElement);
  #endpoint = byId("endpoint", HTMLInputElement);
  #model = byId("model-name", HTMLInputElement);
  #key = byId("key", HTMLInputElement);
  #forget = byId("forget-key", HTMLButtonElement);
  #disconnect = byId("disconnect", HTMLButtonElement);
  /** @type {Provider} */
  #provider = "offline";

  constructor() {
    byId("model-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#connect();
    });
    this.#forget.addEventListener("click", () => this.#forgetKey("The key is forgotten."));
    this.#disconnect.addEventListener("click", () => this.#goOffline());
    this.#key.addEventListener("input", () => this.#update());
    this.#endpoint.addEventListener("change", () => {
      // A key is meant for the server that it was typed in for, and for no other.
      if (typeof this.#provider === "object" && originOf(this.#endpoint.value) !== originOf(this.#provider.endpoint)) {
        this.#forgetKey("The server has changed, so its key is asked for again.");
      }
    });
    this.#update();
  }

  /** What to ask with now. */
  get provider() {
    return this.#provider;
  }

  get isOffline() {
    return this.#provider === "offline";
  }

  #connect() {
    this.#provider = {
      protocol: /** @type {"openai-chat" | "openai-responses"} */ (this.#protocol.value),
      endpoint: this.#endpoint.value.trim(),
      model: this.#model.value.trim(),
      key: this.#key.value.trim() || undefined,
    };
    this.#tell("This model answers from now on.");
  }

  #goOffline() {
    this.#provider = "offline";
    this.#key.value = "";
    this.#tell("Answers are quoted offline from now on.");
  }

  /** @param {string} reason */
  #forgetKey(reason) {
    this.#key.value = "";
    if (typeof this.#provider === "object") this.#provider = { ...this.#provider, key: undefined };
    this.#tell(reason);
  }

  /** @param {string} text */
  #tell(text) {
    this.#state.textContent = text;
    announce(text);
    this.#update();
  }

  #update() {
    const connected = typeof this.#provider === "object" ? this.#provider : undefined;
    this.#forget.disabled = this.#key.value === "" && connected?.key === undefined;
    this.#disconnect.disabled = connected === undefined;
    this.#summary.replaceChildren(
      connected
        ? `Answers are written by ${connected.model} at ${hostOf(connected.endpoint)}. `
        : "Answers are quoted offline. ",
      element("span", { class: "action" }, connected ? "Change" : "Connect a model"),
    );
  }
}

/** @param {string} address */
function originOf(address) {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/** @param {string} address */
function hostOf(address) {
  return URL.canParse(address) ? new URL(address).host : address;
}
