/**
 * One question that has been asked: it tells who asked how far its answer is.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "@tilewise/tilewise";
import type { AnalysisContext } from "../../src/analyses/mod.ts";
import { answer, type Desk, type Step } from "./answering.ts";
import type { Work } from "./latest.ts";
import type { Answer, AnswerProgress, NamedResult, Question } from "./session.ts";

/** Least time between two parts, in milliseconds. */
const BETWEEN = 40;

/** Time before the first part where the whole answer is near: half a picture would only flicker. */
const SOON = 150;

/** Parts may take this share of the time. */
const SHARE = 0.25;

const NOTHING: AnswerProgress = { done: 0, frames: 0, seconds: 0, bytesPerSecond: 0, etaSeconds: Infinity };

/** What the session knows of an answer. */
export interface Place {
  /** What it is computed with. */
  desk(): Desk;
  /** Milliseconds that it should take, as far as that is known. */
  expected(): number;
  /** Notes how long it took. */
  took(milliseconds: number): void;
}

/** A question, and what is known of its answer. */
export class Asked implements Work {
  readonly #since = performance.now();
  readonly #notes: string[] = [];
  #found: Answer["found"] = {};
  #begun: number | undefined;
  #progress = NOTHING;
  #results: readonly NamedResult[] = [];
  #over = false;

  /** A question that has not begun; `heard` is told of its answer. */
  constructor(
    private readonly question: Question,
    private readonly heard: (answer: Answer) => void,
    private readonly place: Place,
  ) {}

  /** Computes the answer. */
  async run(signal: AbortSignal): Promise<void> {
    const begun = this.#begun = performance.now();
    try {
      let last: Step | undefined;
      let next = begun + (this.place.expected() < SOON ? SOON : BETWEEN);
      for await (const step of answer(this.question, this.place.desk(), signal, this.#note(signal))) {
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
      this.place.took(performance.now() - begun);
      this.#tell("done");
    } catch (error) {
      if (!signal.aborted) this.#tell("failed", asTilewise(error));
    }
  }

  remaining(): number {
    if (this.#over) return 0;
    const now = performance.now();
    if (this.#progress.done > 0) return 1000 * this.#progress.etaSeconds;
    const left = this.place.expected() - (now - (this.#begun ?? now));
    return left > 0 ? left : Infinity; // it should have ended
  }

  cancelled(): void {
    this.#tell("cancelled");
  }

  #note(signal: AbortSignal): AnalysisContext["tell"] {
    return (text, found) => {
      if (signal.aborted) return;
      this.#notes.push(text);
      this.#found = { ...this.#found, ...found };
    };
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
        found: this.#found,
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
