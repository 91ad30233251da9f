/**
 * Asks the question that the state means, once per picture on the screen: a drag changes the state more often than that.
 *
 * @module
 */

/// <reference lib="dom" />

import type { PageState } from "../state/state.ts";
import type { Workbench } from "./workbench.ts";

/** Keeps the answer up to date with the state. */
export class Asking {
  #frame: number | undefined;
  #asked = "";

  /** Listens to the workbench. */
  constructor(readonly bench: Workbench) {
    bench.store.listen((state, before) => {
      const isOther = state.analysis !== before.analysis || state.roi !== before.roi;
      if (isOther || state.panel !== before.panel) this.#soon();
    });
    bench.on("session", () => {
      this.#asked = "";
      this.#soon();
    });
  }

  /** Asks again, although nothing has changed: after a failure. */
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
    session.ask({ analysis, ...(roi ? { roi } : {}) }, (answer) => {
      if (session === this.bench.session && answer.state !== "cancelled") this.bench.setAnswer(answer);
    });
  }
}
