/**
 * Reads the pattern that is wanted: of one position, or the sum of all. The newest wish counts.
 *
 * @module
 */

import type { Session } from "../../engine/session.ts";
import type { ShownImage } from "../../draw/image.ts";
import { isCancelled } from "../../open/failures.ts";
import type { Position } from "../../state/state.ts";
import type { Workbench } from "../workbench.ts";
import { middle } from "./places.ts";

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
      const image = session.frame(position, signal);
      if (!position && !session.sum) void this.#meanwhile(session, signal);
      const shown = await image;
      if (!signal.aborted) this.shown(shown);
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      this.forget();
      this.bench.fail(error);
    }
  }

  /** Shows one frame, that in the middle of the scan, until the sum of all of them has been computed. */
  async #meanwhile(session: Session, signal: AbortSignal): Promise<void> {
    const image = await session.frame(middle(session.dataset), signal).catch(() => undefined); // the sum says why
    if (image && !signal.aborted && !session.sum) this.shown(image);
  }
}
