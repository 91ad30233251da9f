/**
 * One dimension of a view as a short list of runs: samples to read, samples to copy within the view, and samples that
 * get the fill value. A view is the product of the lists of its dimensions.
 *
 * ```text
 *   F = 5, T = 3, r = 2, i = 1, symmetric:   view  1 2 [3 4 4] 3 2      (array 0 1 2 3 4)
 *   read 1 2 3 4 → 0        copy 3 ← 4 backwards: what is in the view already is not read again
 * ```
 *
 * @module
 */

import { type Border, type BorderMap, BORDERS } from "../space/border.ts";

/** Samples of one dimension that are handled in the same way. */
export interface AxisRun {
  /** `read`: from the array. `copy`: from elsewhere in the view. `fill`: the fill value. */
  readonly kind: "read" | "copy" | "fill";
  /** First sample of the run, in the view. */
  readonly at: number;
  /** The source of that sample: a position in the array (`read`) or in the view (`copy`). */
  readonly from: number;
  /** Step from the source of one sample to the source of the next; never 0 for `read`. */
  readonly step: -1 | 0 | 1;
  /** Number of samples. */
  readonly count: number;
}

/**
 * The runs of a view that begins at `start` in an array of `n` samples and has `length` samples; `read` runs come
 * first.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(axisRuns("edge", -2, 6, 10), [
 *   { kind: "read", at: 2, from: 0, step: 1, count: 4 },
 *   { kind: "copy", at: 0, from: 2, step: 0, count: 2 },
 * ]);
 * ```
 */
export function axisRuns(border: Border | BorderMap, start: number, length: number, n: number): AxisRun[] {
  const map = typeof border === "string" ? BORDERS[border] : border;
  const [min, max] = [Math.max(0, start), Math.min(n, start + length)];
  const whole: AxisRun = { kind: "read", at: min - start, from: min, step: 1, count: max - min };
  const ghost = (at: number): AxisRun => {
    const from = map(start + at, n);
    if (from < 0) return { kind: "fill", at, from: 0, step: 0, count: 1 };
    if (from >= min && from < max) return { kind: "copy", at, from: from - start, step: 1, count: 1 };
    return { kind: "read", at, from, step: 1, count: 1 };
  };
  const runs: AxisRun[] = [whole];
  for (const [first, end] of [[0, min - start], [max - start, length]] as const) {
    let open: AxisRun | undefined;
    for (let at = first; at < end; at++) {
      const one = ghost(at);
      const longer: AxisRun | undefined = open && joined(open, one);
      if (open && !longer) runs.push(open);
      open = longer ?? one;
    }
    if (open) runs.push(open);
  }
  const order = { read: 0, copy: 1, fill: 2 };
  return runs.sort((a, b) => order[a.kind] - order[b.kind]);
}

/** `run` extended by the next sample, if that continues `run`; a run of one sample can be continued with any step. */
function joined(run: AxisRun, next: AxisRun): AxisRun | undefined {
  if (run.kind !== next.kind) return undefined;
  const count = run.count + 1;
  if (run.kind === "fill") return { ...run, count };
  const step = run.count === 1 ? next.from - run.from : run.step;
  if (next.from !== run.from + run.count * step) return undefined;
  if (step === 1 || step === -1) return { ...run, step, count };
  return step === 0 && run.kind === "copy" ? { ...run, step, count } : undefined;
}
