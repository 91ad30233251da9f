/**
 * Loops over the outer dimensions of samples, for kernels that take lines or planes.
 *
 * @module
 */

import type { Shape } from "../../space/shape.ts";

/** Calls `work` with both addresses for every position of `counts`; strides are in bytes. */
export function eachPlace(
  counts: Shape,
  from: { readonly pointer: number; readonly strides: Shape },
  to: { readonly pointer: number; readonly strides: Shape },
  work: (from: number, to: number) => void,
): void {
  const walk = (d: number, a: number, b: number): void => {
    if (d === counts.length) return work(a, b);
    const [stepA, stepB] = [from.strides[d]!, to.strides[d]!];
    for (let i = 0; i < counts[d]!; i++) walk(d + 1, a + i * stepA, b + i * stepB);
  };
  walk(0, from.pointer, to.pointer);
}
