/**
 * Reads the pattern that is wanted: of one position, or the sum of all. The newest wish counts.
 *
 * @module
 */

import type { ShownImage } from "../../draw/image.ts";
import { isCancelled } from "../../open/failures.ts";
import type { Position } from "../../state/state.ts";
import type { Workbench } from "../workbench.ts";

/** The pattern that is shown, or is being read. */
export class PatternReader {
  #wanted = "";
  #reading: AbortController | undefined;

  /** Reads from the session of the workbench, and gives patterns to `shown`. */
  constructor(private readonly bench: Workbench, private readonly shown: (image: ShownImage) => void) {}

  /** Something else is shown in its place: the next pattern is read, even if it is the same. */
  forget(): void {
    this.#wanted = "";
  }

  /** Ends reading. */
  stop(): void {
    this.#reading?.abort();
  }

  /** Reads the pattern at a position, or the sum, unless it is shown already. */
  async read(position: Position | undefined): Promise<void> {
    const { session } = this.bench;
    const wanted = position?.join(",") ?? "sum";
    if (!session || wanted === this.#wanted) return;
    this.#wanted = wanted;
    this.stop();
    const { signal } = this.#reading = new AbortController();
    try {
      const image = await session.frame(position, signal);
      if (!signal.aborted) this.shown(image);
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      this.forget();
      this.bench.fail(error);
    }
  }
}
