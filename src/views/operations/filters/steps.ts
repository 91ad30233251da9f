/**
 * Steps from what a pass has made to the next one along a dimension: means or sums, each of which is some samples and a rest.
 *
 * @module
 */

import type { Kernels } from "../../../kernels/bind.ts";
import type { KernelFamilies } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { Places } from "../../../memory/places.ts";
import { denseStrides } from "../../../memory/strided.ts";
import type { DType } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { eachPlace } from "../lines.ts";
import type { PlacedSamples } from "../operation.ts";

/** Rows of a strip of a tile: what is between two passes over it stays in the second cache. */
export const STRIP_ROWS = 16;

/** The shape of a full strip. */
export function stripOf(tile: Shape): Shape {
  const rank = tile.length;
  return tile.map((n, d) => d === rank - 1 ? n : d === rank - 2 ? Math.min(n, STRIP_ROWS) : 1);
}

/** Bytes of the steps along dimension `d` of a block of an array of a shape. */
export function stepBytes(shape: Shape, d: number): number {
  return 8 * sizeOf(shape.slice(d));
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

/** A block: its part of what the pass before has made, the steps, which stand as that does, and its part of the result. */
export interface Block {
  readonly from: PlacedSamples;
  readonly steps: number;
  readonly to: PlacedSamples;
}

/**
 * Calls `work` for blocks of `from` and `to`, whose first dimension is the `d` along which there are steps: for rows, if that is the
 * last one. Steps stay in the cache as long as they are needed. `samples` has the shape of `from`.
 */
export type EachBlock = (
  along: Along,
  samples: PlacedSamples,
  from: PlacedSamples,
  to: PlacedSamples,
  work: (block: Block) => void,
) => void;

/** Blocks of an array with samples of a type. */
export function blocksOf(kernels: Kernels, dtype: DType, scratch: Places<"steps">): EachBlock {
  const restSteps: KernelFamilies["rest_steps"] = kernel(kernels, "rest_steps", dtype);
  return ({ d, each }, samples, from, to, work) => {
    const within = from.shape.slice(d).with(0, from.shape[d]! - 1);
    const [step, restStep, n] = [samples.strides[d]!, from.strides[d]!, within.at(-1)!];
    const steps = scratch.at("steps");
    const walk = (k: number, data: number, rests: number, out: number): void => {
      if (k < d) {
        const [a, b, c] = [samples.strides[k]!, from.strides[k]!, to.strides[k]!];
        for (let i = 0; i < to.shape[k]!; i++) walk(k + 1, data + i * a, rests + i * b, out + i * c);
        return;
      }
      const block = blockAt(from, rests, d);
      eachPlace(within.slice(0, -1), blockAt(samples, data, d), block, (data, rest) => {
        restSteps(steps + rest - rests, data, step, rest, restStep, n, each);
      });
      work({ from: block, steps, to: blockAt(to, out, d) });
    };
    walk(0, samples.pointer, from.pointer, to.pointer);
  };
}

/** The dimensions of an array from `d` on. */
function blockAt({ shape, strides }: PlacedSamples, pointer: number, d: number): PlacedSamples {
  return { pointer, shape: shape.slice(d), strides: strides.slice(d) };
}
