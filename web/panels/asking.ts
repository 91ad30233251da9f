/**
 * Asks the question that the state means: at once, but no more than once per picture on the screen, as a drag changes the state
 * more often than that.
 *
 * @module
 */

/// <reference lib="dom" />

import type { PageState } from "../state/state.ts";
import type { Workbench } from "./workbench.ts";

/** Keeps the answer up to date with the state. */
export class Asking {
  /** Set until the next picture of the screen. */
  #frame: number | undefined;
  #asked = "";

  /** Listens to the workbench. */
  constructor(readonly bench: Workbench) {
    bench.store.listen((state, before) => {
      const isOther = state.analysis !== before.analysis || state.roi !== before.roi;
      if (!isOther && state.panel === before.panel) return;
      const isOpen = state.source === before.source && state.open === before.open;
      if (this.#frame === undefined && isOpen) this.#ask(state); // before handles are drawn: workers begin
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
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#ask(this.bench.store.state);
    });
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
