/**
 * Makes masks and tables that take long, while a run is planned. The work is done in steps: between two steps other
 * code can run and the call can be cancelled, and the bytes of the next step are counted before it starts.
 *
 * @module
 */

import { alive } from "../../activity.ts";
import { throwIfAborted } from "../../errors.ts";
import { Turns } from "../../turns.ts";
import { guarded } from "./guard.ts";
import type { Udf, UdfMeta } from "./udf.ts";

/** The state between two steps. */
interface Step {
  /** Bytes that will be held at least, including those of the next step. */
  readonly bytes: number;
  /** Share of the work that is done, from 0 to 1. */
  readonly done: number;
}

/** Work in steps. */
export type Steps<T = void> = Generator<Step, T>;

/** Key of the member of a built-in UDF that makes its constants in steps, so that its other members can use them. */
export const MAKING: unique symbol = Symbol("making");

/** A UDF that may make its constants in steps. */
export interface MakingUdf {
  /** Makes the constants; called after `leastBytes`, before `buffers`. */
  readonly [MAKING]?: (meta: UdfMeta) => Steps;
}

/**
 * How far the plan of a run is.
 * @category Runs
 */
export interface PlanProgress {
  /** The key of the UDF whose masks or tables are made. */
  readonly key: string;
  /** Share of them that is made, from 0 to 1. */
  readonly done: number;
}

/** Options that control the planning of a run. */
export interface PlanControl {
  /** Cancels the plan. */
  readonly signal?: AbortSignal;
  /** Called repeatedly while masks and tables are made, and once when those of a UDF are complete. */
  readonly onProgress?: (progress: PlanProgress) => void;
}

/** Makes what `udf` makes in steps. `count` gets the number of bytes that will be held at least, and may refuse. */
export async function makeInSteps(
  key: string,
  udf: Udf & MakingUdf,
  meta: UdfMeta,
  count: (bytes: number) => void,
  { signal, onProgress }: PlanControl,
): Promise<void> {
  const steps = udf[MAKING]?.(meta);
  if (!steps) return;
  const turns = new Turns();
  for (;;) {
    const { done, value } = guarded(udf.name, "what it says for the plan", () => steps.next());
    if (done) break;
    count(value.bytes);
    if (!turns.due) continue;
    alive();
    onProgress?.({ key, done: value.done });
    await turns.give();
    throwIfAborted(signal);
  }
  onProgress?.({ key, done: 1 });
}

/** Runs all steps without a pause. */
export function allAtOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
