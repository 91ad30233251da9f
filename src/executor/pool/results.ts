/**
 * Results on their way from the workers to the caller.
 *
 * @module
 */

import type { TaskResult } from "../task.ts";

interface Entry<R> {
  readonly result: TaskResult<R>;
  readonly units: number;
}

/** A queue that one caller iterates over. It ends or fails; a failure is thrown before results that still wait. */
export class ResultQueue<R> {
  #entries: Entry<R>[] = [];
  #failure: { readonly error: unknown } | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  /** How many results wait for the caller. */
  get length(): number {
    return this.#entries.length;
  }

  /** Units of the results that wait. */
  get units(): number {
    return this.#entries.reduce((sum, { units }) => sum + units, 0);
  }

  /** Adds a result whose task has reported `units` units. */
  push(result: TaskResult<R>, units: number): void {
    this.#entries.push({ result, units });
    this.#wake?.();
  }

  /** No more results: the iteration throws `error` next. */
  fail(error: unknown): void {
    if (this.#failure || this.#ended) return;
    this.#failure = { error };
    this.#entries = [];
    this.#wake?.();
  }

  /** No more results: the iteration ends after those that wait. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** The next result; `undefined` at the end. */
  async next(): Promise<TaskResult<R> | undefined> {
    for (;;) {
      if (this.#failure) throw this.#failure.error;
      const entry = this.#entries.shift();
      if (entry || this.#ended) return entry?.result;
      await new Promise<void>((resolve) => this.#wake = resolve);
      this.#wake = undefined;
    }
  }
}
