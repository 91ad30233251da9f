/**
 * Views under way: being put together, or ready and not delivered yet.
 *
 * @module
 */

import type { Lease } from "../../memory/arena.ts";
import type { HeldView } from "./memory.ts";
import type { Batch } from "./requests.ts";
import type { ViewInProgress } from "./tile_supply.ts";

/** A view that is being put together. */
export interface Active extends ViewInProgress {
  /** The number in which it was served, among those that go to the iterator; −1 for others. */
  readonly turn: number;
  /** When it got its place. */
  readonly since: number;
}

/** A view that is ready. */
export interface Undelivered {
  /** Its memory, as its user will see it. */
  readonly held: HeldView;
  /** Its request. */
  readonly batch: Batch;
  /** Its memory, as the session sees it. */
  readonly lease: Lease;
}
