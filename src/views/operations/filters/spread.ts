/**
 * Means of windows, and sums of squares of deviations from them: right for samples of any size, however far from 0.
 *
 * A tile is computed in strips of rows, with one pass for each dimension that has a radius, slowest first: the first one makes
 * means and spreads of samples, the others join those of the pass before. Nothing cancels, and a result depends on the samples
 * of its window only.
 *
 * @module
 */

import type { Kernels } from "../../../kernels/bind.ts";
import type { KernelFamilies, KernelFamily } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { Places } from "../../../memory/places.ts";
import { denseStrides } from "../../../memory/strided.ts";
import type { DType } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { eachPlace, eachStrip } from "../lines.ts";
import type { PlacedSamples, TileWork } from "../operation.ts";
import type { RowsAt } from "./separable.ts";

/** Names of scratch memory: results of odd and even passes. */
export type SpreadScratch = "first" | "second";

/** The kernels that are called. */
export const SPREAD_KERNELS: readonly KernelFamily[] = ["spreads", "join_spreads"];

/** Of which samples. */
interface Windows {
  readonly dtype: DType;
  readonly radius: Shape;
  /** Samples of a full tile, per dimension. */
  readonly tile: Shape;
}

/** What is made of a strip: means (bases and rests) and spreads of `rows` rows of `n` windows, and the samples in their middle. */
export type SpreadFinish = (
  strip: Readonly<Record<"bases" | "rests" | "spreads" | "samples", RowsAt>>,
  out: RowsAt,
  rows: number,
  n: number,
) => void;

const STRIP_ROWS = 32;

/** Bytes of scratch memory. */
export function spreadScratch({ radius, tile }: Windows): Record<SpreadScratch, number> {
  const rank = tile.length;
  const strip = tile.map((n, d) => d === rank - 1 ? n : d === rank - 2 ? Math.min(n, STRIP_ROWS) : 1);
  const bytes = { first: 0, second: 0 };
  let shape: Shape = strip.map((n, d) => n + 2 * radius[d]!);
  for (const [n, d] of passesOf(radius).entries()) {
    shape = shape.with(d, strip[d]!);
    bytes[placeOf(n)] = Math.max(bytes[placeOf(n)], 24 * sizeOf(shape));
  }
  return bytes;
}

/** The function that computes tiles. */
export function spreadWork(
  { dtype, radius }: Windows,
  kernels: Kernels,
  scratch: Places<SpreadScratch>,
  finish: SpreadFinish,
): TileWork {
  const ofSamples: KernelFamilies["spreads"] = kernel(kernels, "spreads", dtype);
  const ofParts: KernelFamilies["join_spreads"] = kernel(kernels, "join_spreads", "float64");
  const passes = passesOf(radius);
  const strip = (view: PlacedSamples, out: PlacedSamples) => {
    let [from, apart, each] = [view, 0, 1]; // three arrays behind each other: bases, rests, spreads
    for (const [n, d] of passes.entries()) {
      const shape = from.shape.with(d, out.shape[d]!);
      const to = { pointer: scratch.at(placeOf(n)), shape, strides: denseStrides(shape, "float64") };
      const [length, step, count, next] = [
        shape.at(-1)!,
        from.strides[d]!,
        2 * radius[d]! + 1,
        8 * sizeOf(shape),
      ];
      eachPlace(shape.slice(0, -1), from, to, (data, mean) => {
        const out = [mean, mean + next, mean + 2 * next] as const;
        if (n === 0) ofSamples(...out, data, length, step, count);
        else ofParts(...out, data, data + apart, data + 2 * apart, length, step, count, each);
      });
      [from, apart, each] = [to, next, each * count];
    }
    const { pointer, strides } = from;
    const rowStride = strides.at(-2) ?? 0;
    const middle = radius.reduce((at, r, d) => at + r * view.strides[d]!, view.pointer);
    const made = {
      bases: { pointer, rowStride },
      rests: { pointer: pointer + apart, rowStride },
      spreads: { pointer: pointer + 2 * apart, rowStride },
      samples: { pointer: middle, rowStride: view.strides.at(-2) ?? 0 },
    };
    const to = { pointer: out.pointer, rowStride: out.strides.at(-2) ?? 0 };
    finish(made, to, out.shape.at(-2) ?? 1, out.shape.at(-1)!);
  };
  return (view, out) => eachStrip(STRIP_ROWS, radius, view, out, strip);
}

function placeOf(pass: number): SpreadScratch {
  return pass % 2 === 0 ? "first" : "second";
}

/** The dimensions of the passes; without a halo only the last one. */
function passesOf(radius: Shape): number[] {
  const passes = [...radius.keys()].filter((d) => radius[d]! > 0);
  return passes.length > 0 ? passes : [radius.length - 1];
}
