/**
 * Hands tasks to the workers of a run, and waits until all are done.
 *
 * @module
 */

import type { TileCount } from "../../runner/tiles.ts";
import type { ImagingTask } from "./task.ts";

/** The tasks of a run, in groups. */
export class Crew {
  #given = 0;
  #open = 0;
  #idle: () => void = () => {};
  readonly #sums = new Map<number, number>();

  /** No tasks yet. */
  constructor(
    /** The progress. */
    readonly count: TileCount,
  ) {}

  /** Hands out tasks, then waits for all of them. */
  async *all(tasks: readonly ImagingTask[]): AsyncGenerator<ImagingTask, void> {
    for (const task of tasks) {
      this.#given++;
      this.#open++;
      yield task;
    }
    while (this.#open > 0) await new Promise<void>((resolve) => this.#idle = resolve);
  }

  /** The same, for tasks whose results are summed. */
  async *summed(tasks: readonly ImagingTask[]): AsyncGenerator<ImagingTask, void> {
    for (let i = 0; i < tasks.length; i++) this.#sums.set(this.#given + i, 0);
    yield* this.all(tasks);
  }

  /** Notes that a task is done. */
  done(index: number, value: number): void {
    if (this.#sums.has(index)) this.#sums.set(index, value);
    if (--this.#open === 0) this.#idle();
  }

  /** The sum of those results, in the order of the tasks. */
  get sum(): number {
    return [...this.#sums.values()].reduce((all, one) => all + one, 0);
  }
}
