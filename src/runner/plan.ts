/**
 * What plans of all kinds have in common.
 *
 * @module
 */

import type { MemoryAccount } from "../memory/account.ts";
import type { Context } from "./context.ts";

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
  /** How many parts of it machines could compute on their own; 1: it is not cut. */
  parts(): Promise<number>;
  /** Does what was planned. What the options and the result are depends on the kind. */
  run(options?: object): unknown;
}

/**
 * What is known of a plan before it is known how it runs.
 * @category Runs
 */
export type Planned<P extends AnyPlan = AnyPlan> = Omit<P, "run">;

/** The facts of a plan, without what it does. */
export type FactsOf<P extends Planned> = Omit<P, "explain" | "parts" | "run">;

/** Number of parts of a plan that is not cut. */
export function notCut(): Promise<number> {
  return Promise.resolve(1);
}
