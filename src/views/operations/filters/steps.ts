/**
 * Steps from what a pass has made to the next one along a dimension: means or sums, each of which is some samples and a rest.
 *
 * @module
 */

import type { Kernels } from "../../../kernels/bind.ts";
import type { KernelFamilies } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import { denseStrides } from "../../../memory/strided.ts";
import type { DType } from "../../../space/dtype.ts";
import type { Shape } from "../../../space/shape.ts";
import { eachPlace } from "../lines.ts";
import type { PlacedSamples } from "../operation.ts";

/** Rows of a strip of a tile: what is between two passes over it stays in the second cache. */
export const STRIP_ROWS = 16;

/** The shape of a full strip. */
export function stripOf(tile: Shape): Shape {
  const rank = tile.length;
  return tile.map((n, d) => d === rank - 1 ? n : d === rank - 2 ? Math.min(n, STRIP_ROWS) : 1);
}

/** A dense array of f64. */
export function denseAt(pointer: number, shape: Shape): PlacedSamples {
  return { pointer, shape, strides: denseStrides(shape, "float64") };
}

/** Along which dimension, and how many samples are in what stands there. */
export interface Along {
  readonly d: number;
  readonly each: number;
}

/** Writes steps to the address `steps`, in the layout of `rests`; `samples` has their shape. */
export type WriteSteps = (along: Along, samples: PlacedSamples, rests: PlacedSamples, steps: number) => void;

/** Steps of an array with samples of a type. */
export function stepsOf(kernels: Kernels, dtype: DType): WriteSteps {
  const restSteps: KernelFamilies["rest_steps"] = kernel(kernels, "rest_steps", dtype);
  return ({ d, each }, samples, rests, steps) => {
    const within = rests.shape.with(d, rests.shape[d]! - 1);
    const [rows, n] = [within.at(-2) ?? 1, within.at(-1)!];
    const [rowStride, restStride] = [samples.strides.at(-2) ?? 0, rests.strides.at(-2) ?? 0];
    const [step, restStep, move] = [samples.strides[d]!, rests.strides[d]!, steps - rests.pointer];
    eachPlace(within.slice(0, -2), samples, rests, (data, rest) => {
      restSteps(rest + move, data, rowStride, step, rest, restStride, restStep, rows, n, each);
    });
  };
}
