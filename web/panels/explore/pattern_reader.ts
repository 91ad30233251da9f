/**
 * Reads the pattern that is wanted: of one position, or the sum of all. The newest wish counts.
 *
 * @module
 */

import type { Session } from "../../engine/session.ts";
import type { ShownImage } from "../../draw/image.ts";
import { isCancelled } from "../../open/failures.ts";
import { Newest } from "../../state/newest.ts";
import type { Position } from "../../state/state.ts";
import type { Workbench } from "../workbench.ts";
import { middle } from "./places.ts";

/** The pattern that is shown, or is being read. */
export class PatternReader {
  #wanted = "";
  readonly #newest = new Newest();

  /** Reads from the session of the workbench, and gives patterns to `shown`. */
  constructor(private readonly bench: Workbench, private readonly shown: (image: ShownImage) => void) {}

  /** Something else is shown in its place: reading ends, and the next pattern is read, even if it is the same. */
  stop(): void {
    this.#wanted = "";
    this.#newest.stop();
  }

  /** Reads the pattern at a position, or the sum, unless it is shown already. */
  async read(position: Position | undefined): Promise<void> {
    const { session } = this.bench;
    const wanted = position?.join(",") ?? "sum";
    if (!session || wanted === this.#wanted) return;
    this.#wanted = wanted;
    await this.#newest.begin(
      (signal) => {
        const image = session.frame(position, signal);
        if (!position && !session.sum) void this.#meanwhile(session, signal);
        return image;
      },
      this.shown,
      (error) => {
        this.#wanted = "";
        if (!isCancelled(error)) this.bench.fail(error);
      },
    );
  }

  /** Shows one frame, that in the middle of the scan, until the sum of all of them has been computed. */
  async #meanwhile(session: Session, signal: AbortSignal): Promise<void> {
    const image = await session.frame(middle(session.dataset), signal).catch(() => undefined); // the sum says why
    if (image && !signal.aborted && !session.sum) this.shown(image);
  }
}
