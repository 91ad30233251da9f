/**
 * Messages over the page, which stays as it is below them: one at a time.
 *
 * @module
 */

/// <reference lib="dom" />

import { adviceFor, detailsOf, isCancelled } from "../../open/failures.ts";
import { textButton } from "../../parts/buttons.ts";
import { element } from "../../parts/dom.ts";
import { message, type MessageFacts } from "../../parts/messages.ts";

/** Milliseconds after which a notice leaves. */
const NOTICE = 4000;

/** Most warnings that are shown, and most characters of each; the sheet of the source has all. */
const [WARNINGS, CHARACTERS] = [3, 240];

/** The place of messages. */
export class Notes {
  /** The element. */
  readonly root: HTMLElement = element("div", { class: "messages" });

  /** `again` does once more what has failed. */
  constructor(readonly again: () => void) {}

  /** Says what has failed, and what can be done; nothing if someone has only cancelled. */
  tell(error: unknown): void {
    if (error === undefined || isCancelled(error)) return;
    const { title, text, steps, again } = adviceFor(error);
    const press = () => {
      this.clear();
      this.again();
    };
    const actions = again ? [textButton({ label: "Try again", look: "small", press })] : [];
    this.#show({ kind: "bad", title, text, steps, details: detailsOf(error), actions });
  }

  /** Shows warnings about a source; of several sources that were given together, `others` lets the user choose another one. */
  warn(warnings: readonly string[], others: () => void): void {
    const title = warnings.length === 1 ? "One thing to know" : `${warnings.length} things to know`;
    const steps = warnings.slice(0, WARNINGS).map((text) => text.slice(0, CHARACTERS));
    const isOneOf = warnings.some((text) => / was opened; there are also /.test(text));
    const press = () => {
      this.clear();
      others();
    };
    const actions = isOneOf ? [textButton({ label: "Choose another", look: "small", press })] : [];
    this.#show({ kind: "warn", title, steps, actions });
  }

  /** Says one sentence for a while. */
  say(text: string): void {
    const shown = this.#show({ kind: "info", title: text });
    setTimeout(() => shown.remove(), NOTICE);
  }

  /** Takes the message away. */
  clear(): void {
    this.root.replaceChildren();
  }

  #show(facts: MessageFacts): HTMLElement {
    const shown = message({ ...facts, close: () => shown.remove() });
    this.root.replaceChildren(shown);
    return shown;
  }
}
