/** What the parts of the component share, and the events that a site can listen to. */

import type { Answer, Docs } from "../load.js";
import type { Announcer } from "./announcer.js";
import type { Source } from "./ask/sources.js";
import type { Filter, Hit } from "./engine.js";
import type { KnownPages } from "./links.js";
import type { Messages } from "./messages.js";
import type { GroundlingSearch } from "./widget.js";

/** What each event carries in `detail`. All events bubble and cross shadow roots. */
export interface GroundlingEvents {
  /** The dialog was opened. */
  "groundling-open": Record<string, never>;
  /** The dialog was closed. */
  "groundling-close": Record<string, never>;
  /** A bundle was opened. */
  "groundling-ready": { docs: Docs };
  /** A search was made: the reader paused after typing, opened a result or asked. */
  "groundling-search": { query: string; total: number };
  /** A search found nothing. */
  "groundling-no-result": { query: string; missing: string[] };
  /** A result is about to be opened; `preventDefault()` leaves the navigation to the page. */
  "groundling-result-open": { query: string; url: string; hit: Hit };
  /** A question was asked. */
  "groundling-ask": { question: string };
  /** An answer ended and is shown, whole or cut off; `answer` says which. */
  "groundling-answer": { question: string; answer: Answer };
  /** A reply was not shown or was taken back, or nothing was found; `answer.reason` says why. */
  "groundling-withdrawn": { question: string; answer: Answer };
  /** The reader stopped an answer. */
  "groundling-stop": { question: string };
  /** A source is about to be opened; `preventDefault()` leaves the navigation to the page. */
  "groundling-source-open": { question: string; url: string; source: Source };
  /** An answer was copied. */
  "groundling-copy": { question: string; text: string };
  /** The reader judged an answer. */
  "groundling-feedback": { question: string; answer: Answer; helpful: boolean };
  /** Something failed; the component says so itself. */
  "groundling-error": { error: unknown; during: "open" | "search" | "ask" };
}

export type GroundlingEvent<Name extends keyof GroundlingEvents> = CustomEvent<GroundlingEvents[Name]>;

/** What a part of the component may use of the whole. */
export interface Ui {
  readonly messages: Messages;
  readonly announcer: Announcer;
  readonly pages: KnownPages;
  /** What relative addresses of the index are relative to. */
  readonly base: string;
  /** Opens the bundle, once for all parts. */
  docs(): Promise<Docs>;
  /** @returns whether no listener prevented what is about to happen */
  emit<Name extends keyof GroundlingEvents>(name: Name, detail: GroundlingEvents[Name]): boolean;
  /** Closes the dialog; does nothing inline. */
  close(): void;
  /** Who answers, as the site has set it. */
  readonly provider: import("../load.js").AskOptions["provider"];
  readonly prompt: import("../load.js").AskOptions["prompt"];
  /** Questions that the site suggests. */
  readonly questions: string[];
  readonly filter: Filter;
}

declare global {
  interface HTMLElementTagNameMap {
    "groundling-search": GroundlingSearch;
  }
  interface HTMLElementEventMap extends GroundlingEventMap {}
}

type GroundlingEventMap = { [Name in keyof GroundlingEvents]: GroundlingEvent<Name> };
