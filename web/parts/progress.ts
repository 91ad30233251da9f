/**
 * Progress: a bar for the eye, and from time to time a sentence for readers of the screen.
 *
 * @module
 */

/// <reference lib="dom" />

import { element, setAttribute, setText } from "./dom.ts";

/** Least time between two sentences about the same work. */
const PAUSE = 4000;

/** A bar. */
export class ProgressBar {
  /** The element. */
  readonly root: HTMLElement;
  readonly #fill = element("span");

  /** A bar with a name for readers of the screen. */
  constructor(label: string) {
    this.root = element(
      "div",
      {
        class: "progress unknown",
        role: "progressbar",
        "aria-label": label,
        "aria-valuemin": "0",
        "aria-valuemax": "100",
      },
      this.#fill,
    );
  }

  /** Shows a share from 0 to 1; `undefined`: nobody knows. */
  show(share: number | undefined): void {
    this.root.classList.toggle("unknown", share === undefined);
    const percent = share === undefined ? undefined : Math.round(100 * Math.max(0, Math.min(1, share)));
    setAttribute(this.root, "aria-valuenow", percent === undefined ? undefined : `${percent}`);
    this.#fill.style.transform = percent === undefined ? "" : `scaleX(${percent / 100})`;
  }
}

/** Says sentences to readers of the screen: work in progress not more often than one can listen to. */
export class Announcer {
  /** The region that is read out. */
  readonly root: HTMLElement = element("div", { class: "unseen", "aria-live": "polite", role: "status" });
  #last = -Infinity;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  /** Says it now. */
  say(text: string): void {
    clearTimeout(this.#waiting);
    this.#last = performance.now();
    setText(this.root, "");
    setTimeout(() => setText(this.root, text)); // a change of the text is what is read
  }

  /** Says it when there was a pause; a later sentence takes its place. */
  progress(text: string): void {
    clearTimeout(this.#waiting);
    const wait = Math.max(0, this.#last + PAUSE - performance.now());
    this.#waiting = setTimeout(() => this.say(text), wait);
  }
}
