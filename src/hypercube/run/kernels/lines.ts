/**
 * Lines of an output, and where the samples of inputs are along them.
 *
 * @module
 */

import type { Shape } from "../../../space/shape.ts";

/** Most samples of a line. */
export const LINE = 1024;

/** Loops over an output, the slowest first; the last one is a line. */
interface Loops {
  /** Steps of each loop. */
  readonly counts: Shape;
  /** Samples per step, of the output and then of each input; 0 repeats a sample. */
  readonly strides: readonly Shape[];
}

/**
 * The loops over an output of `shape`, as few as possible: axes that all arrays have without gaps become one. `strides`: samples
 * per step along each axis, of the output and then of each input.
 *
 * @example An image and a list of gains: one line is a whole image
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const loops = loopsOf([2, 4, 5], [[20, 5, 1], [0, 5, 1], [1, 0, 0]]);
 * assertEquals(loops, { counts: [2, 20], strides: [[20, 1], [0, 1], [1, 0]] });
 * ```
 */
export function loopsOf(shape: Shape, strides: readonly Shape[]): Loops {
  const counts: number[] = [];
  const steps: number[][] = strides.map(() => []);
  for (const [d, count] of shape.entries()) {
    if (count === 1) continue;
    const joins = counts.length > 0 && strides.every((all, n) => steps[n]!.at(-1) === all[d]! * count);
    if (joins) counts[counts.length - 1]! *= count;
    else counts.push(count);
    for (const [n, all] of strides.entries()) {
      if (joins) steps[n]!.pop();
      steps[n]!.push(all[d]!);
    }
  }
  if (counts.length === 0) return { counts: [1], strides: strides.map((_, n) => [n === 0 ? 1 : 0]) };
  return { counts, strides: steps };
}

/** Calls `line` with the first sample of every line, at most {@link LINE} samples each: of the output, then of the inputs. */
export function eachLine(
  { counts, strides }: Loops,
  line: (count: number, at: readonly number[]) => void,
): void {
  const last = counts.length - 1;
  const walk = (depth: number, at: readonly number[]): void => {
    const count = counts[depth]!;
    const step = depth === last ? LINE : 1;
    for (let i = 0; i < count; i += step) {
      const here = at.map((n, k) => n + i * strides[k]![depth]!);
      if (depth < last) walk(depth + 1, here);
      else line(Math.min(LINE, count - i), here);
    }
  };
  if (!counts.includes(0)) walk(0, strides.map(() => 0));
}
