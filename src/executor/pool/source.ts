/**
 * The tasks of one run, taken one by one from the iterable of the caller.
 *
 * @module
 */

import type { Death } from "../failure.ts";

/** A task that has not been finished. */
export interface PendingTask<T> {
  /** Position in the order of tasks. */
  readonly index: number;
  /** What to do. */
  readonly task: T;
  /** The workers it has lost. */
  readonly deaths: Death[];
}

/** Events of a source. They are never raised inside a call of the source. */
interface SourceEvents {
  /** An asynchronous source has brought a task or has ended. */
  changed(): void;
  /** The iterable has thrown. */
  failed(error: unknown): void;
}

/** Pulls tasks from an iterable, never two at a time, and keeps tasks that were put back. */
export class TaskSource<T> {
  readonly #hand: PendingTask<T>[] = [];
  readonly #events: SourceEvents;
  readonly #iterable: Iterable<T> | AsyncIterable<T>;
  #iterator: Iterator<T> | AsyncIterator<T> | undefined;
  #count = 0;
  #pulling = false;
  #ended = false;

  /** The tasks of `iterable`; it is not touched before the first {@link pull}. */
  constructor(iterable: Iterable<T> | AsyncIterable<T>, events: SourceEvents) {
    this.#iterable = iterable;
    this.#events = events;
  }

  /** Whether a task can be taken now. */
  get ready(): boolean {
    return this.#hand.length > 0;
  }

  /** Whether there are no more tasks, unless one is put back. */
  get exhausted(): boolean {
    return this.#ended && !this.ready;
  }

  /** The next task; call it when {@link ready}. */
  take(): PendingTask<T> {
    return this.#hand.shift()!;
  }

  /** Puts back tasks that have lost their worker: they are next. */
  putBack(...tasks: PendingTask<T>[]): void {
    this.#hand.unshift(...tasks);
  }

  /** Asks the iterable for a task, unless one is here or has been requested. Returns whether something came immediately. */
  pull(): boolean {
    if (this.#ended || this.#pulling || this.ready) return false;
    try {
      this.#iterator ??= begin(this.#iterable);
      const step = this.#iterator.next();
      if (!("then" in step)) return this.#arrived(step);
      this.#pulling = true;
      step.then(
        (result) => this.#later(() => this.#arrived(result)),
        (error) => this.#later(() => this.#broken(error)),
      );
      return false;
    } catch (error) {
      this.#broken(error);
      return true;
    }
  }

  /** Asks for nothing more and lets the iterable clean up. */
  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#hand.length = 0;
    try {
      const closing = this.#iterator?.return?.();
      if (closing && "then" in closing) closing.then(undefined, () => {}); // the run has its error already
    } catch {
      // the run has its error already
    }
  }

  #later(act: () => void): void {
    this.#pulling = false;
    if (this.#ended) return;
    act();
    this.#events.changed();
  }

  #arrived({ done, value }: IteratorResult<T>): true {
    if (done) this.#ended = true;
    else this.#hand.push({ index: this.#count++, task: value, deaths: [] });
    return true;
  }

  #broken(error: unknown): void {
    this.#ended = true;
    this.#events.failed(error);
  }
}

function begin<T>(iterable: Iterable<T> | AsyncIterable<T>): Iterator<T> | AsyncIterator<T> {
  if (Symbol.asyncIterator in iterable) return iterable[Symbol.asyncIterator]();
  return iterable[Symbol.iterator]();
}
