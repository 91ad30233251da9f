/**
 * What plans of all kinds have in common.
 *
 * @module
 */

import type { MemoryAccount } from "../memory/account.ts";
import type { Context } from "./face.ts";

/**
 * A plan of any kind: nothing has been computed yet, and the memory that the run will need is known.
 * @category Runs
 */
export interface AnyPlan {
  /** All memory that the run will hold, at most. */
  readonly memory: MemoryAccount;
  /** The context in which it will run. */
  readonly context: Context;
  /** The plan as text: what will be done, the memory, and the reason of each decision. */
  explain(): string;
}
