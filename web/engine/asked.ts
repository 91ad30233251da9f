/**
 * One question that has been asked: it tells who asked how far its answer is.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "@tilewise/tilewise";
import { answer, type Desk, type Step } from "./answering.ts";
import type { Work } from "./latest.ts";
import type { Answer, AnswerProgress, NamedResult, Question } from "./session.ts";

/** Least time between two parts, in milliseconds. */
const BETWEEN = 40;

/** Parts may take this share of the time. */
const SHARE = 0.25;

const NOTHING: AnswerProgress = { done: 0, frames: 0, seconds: 0, bytesPerSecond: 0, etaSeconds: Infinity };

/** A question, and what is known of its answer. */
export class Asked implements Work {
  readonly #since = performance.now();
  readonly #notes: string[] = [];
  #begun: number | undefined;
  #progress = NOTHING;
  #results: readonly NamedResult[] = [];
  #over = false;

  /** `expected`: milliseconds that it should take, as far as that is known. */
  constructor(
    private readonly question: Question,
    private readonly heard: (answer: Answer) => void,
    private readonly desk: () => Desk,
    private readonly expected: () => number,
    private readonly took: (milliseconds: number) => void,
  ) {}

  /** Computes the answer. */
  async run(signal: AbortSignal): Promise<void> {
    const begun = this.#begun = performance.now();
    try {
      let last: Step | undefined;
      let next = begun + BETWEEN;
      const note = (text: string) => void (signal.aborted || this.#notes.push(text));
      for await (const step of answer(this.question, this.desk(), signal, note)) {
        if (signal.aborted) return;
        last = step;
        this.#progress = step.progress;
        const now = performance.now();
        if (now < next) continue;
        this.#results = step.results();
        this.#tell("running");
        next = performance.now() + Math.max(BETWEEN, (performance.now() - now) / SHARE);
      }
      if (signal.aborted) return;
      this.#results = last!.results();
      this.took(performance.now() - begun);
      this.#tell("done");
    } catch (error) {
      if (!signal.aborted) this.#tell("failed", asTilewise(error));
    }
  }

  remaining(): number {
    if (this.#over) return 0;
    const passed = performance.now() - (this.#begun ?? performance.now());
    const { etaSeconds } = this.#progress;
    return Math.min(this.expected() - passed, 1000 * etaSeconds);
  }

  cancelled(): void {
    this.#tell("cancelled");
  }

  #tell(state: Answer["state"], error?: TilewiseError): void {
    if (this.#over) return;
    this.#over = state !== "running";
    try {
      this.heard({
        question: this.question,
        results: this.#results,
        progress: this.#progress,
        state,
        notes: [...this.#notes],
        milliseconds: performance.now() - this.#since,
        ...(error ? { error } : {}),
      });
    } catch (thrown) {
      reportError(thrown); // who listens must not stop the work
    }
  }
}

/** Any thrown value as an error of Tilewise. */
export function asTilewise(error: unknown): TilewiseError {
  if (isTilewiseError(error)) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new TilewiseError("corrupt", text, {}, { cause: error });
}
