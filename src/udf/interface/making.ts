/**
 * Masks and tables that take long to make while a run is planned: in steps, between which others have a turn, the call can
 * be cancelled, and what is about to be made is counted before it is.
 *
 * @module
 */

import { alive } from "../../activity.ts";
import { throwIfAborted } from "../../errors.ts";
import { Turns } from "../../turns.ts";
import { guarded } from "./guard.ts";
import type { Udf, UdfMeta } from "./udf.ts";

/** What is known between two steps. */
export interface Step {
  /** Bytes that will be held at least, with those of the next step. */
  readonly bytes: number;
  /** Which share of the work is done, from 0 to 1. */
  readonly done: number;
}

/** Work in steps. */
export type Steps<T = void> = Generator<Step, T>;

/** Names the member of a UDF of ours that makes its constants in steps, so that its other members find them made. */
export const MAKING: unique symbol = Symbol("making");

/** A UDF that may make its constants in steps. */
export interface MakingUdf {
  /** Makes them; called after `leastBytes`, before `buffers`. */
  readonly [MAKING]?: (meta: UdfMeta) => Steps;
}

/**
 * How far the plan of a run is.
 * @category Runs
 */
export interface PlanProgress {
  /** The key of the UDF whose masks or tables are made. */
  readonly key: string;
  /** Which share of them is made, from 0 to 1. */
  readonly done: number;
}

/** Who is heard while a run is planned. */
export interface PlanControl {
  /** Cancels the plan. */
  readonly signal?: AbortSignal;
  /** Called now and then while masks and tables are made, and once when those of a UDF are. */
  readonly onProgress?: (progress: PlanProgress) => void;
}

/** Makes what `udf` makes in steps; `count` is told how many bytes it will hold at least, and may refuse. */
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

/** Makes all of it at once. */
export function allAtOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
