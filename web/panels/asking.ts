/**
 * Asks the question that the state means: at once, but no more than once per picture on the screen, as a drag changes the state
 * more often than that.
 *
 * @module
 */

/// <reference lib="dom" />

import type { PageState } from "../state/state.ts";
import type { Workbench } from "./workbench.ts";

/** Milliseconds after which a question is asked although the screen shows no picture, as of a page that is hidden. */
const LATEST = 250;

/** Keeps the answer up to date with the state. */
export class Asking {
  /** Whether the next picture of the screen is waited for. */
  #isDue = false;
  #asked = "";

  /** Listens to the workbench. */
  constructor(readonly bench: Workbench) {
    bench.store.listen((state, before) => {
      const isOther = state.analysis !== before.analysis || state.roi !== before.roi;
      if (!isOther && state.panel === before.panel) return;
      const isOpen = state.source === before.source && state.open === before.open;
      if (!this.#isDue && isOpen) this.#ask(state); // before handles are drawn: workers begin
      this.#soon();
    });
    bench.on("session", () => this.again());
    bench.on("picked", () => this.again());
  }

  /** Asks again, although the question is the same: after a failure, or with other files. */
  again(): void {
    this.#asked = "";
    this.#soon();
  }

  #soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const ask = () => {
      this.#isDue = false;
      this.#ask(this.bench.store.state);
    };
    requestAnimationFrame(ask);
    setTimeout(ask, LATEST);
  }

  #ask({ analysis, roi, panel }: PageState): void {
    const { session } = this.bench;
    if (panel === "pyramid") return; // it reads only the tiles that are seen
    const question = JSON.stringify([analysis, roi]);
    if (!session || question === this.#asked) return;
    this.#asked = question;
    const asked = { analysis, ...(roi ? { roi } : {}) };
    this.bench.asked(asked);
    session.ask(asked, (answer) => {
      if (session === this.bench.session && answer.state !== "cancelled") this.bench.setAnswer(answer);
    });
  }
}
