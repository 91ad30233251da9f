/**
 * Deviations of Gaussian means from the samples in their middle: right for samples of any size, however far from 0.
 *
 * The mean is never made, as it would be rounded to the digits of samples. A tile is computed in strips of rows, with one pass
 * for each dimension that has weights, slowest first: a pass weighs the deviations of the pass before, and adds the weighted
 * deviations of samples along its own dimension. A result depends on its own samples only.
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
import { widens } from "./spread.ts";
import { folded, type Product, reachOf } from "./weights.ts";

/** Names of scratch memory: samples as f64, weights, results of odd and even passes. */
export type DeviationScratch = "samples" | "weights" | "first" | "second";

/** The kernels that are called. */
export const DEVIATION_KERNELS: readonly KernelFamily[] = ["convert_f64", "weigh_f64", "add_deviations"];

/** Of which samples, with which weights: symmetric ones whose sum is 1, as far as the halo reaches. */
export interface Deviations {
  readonly dtype: DType;
  readonly product: Product;
  /** Samples of a full tile, per dimension. */
  readonly tile: Shape;
}

/** What is made of a strip: the deviations of `rows` rows of `n` samples. */
export type DeviationFinish = (deviations: RowsAt, out: RowsAt, rows: number, n: number) => void;

const STRIP_ROWS = 16;

/** Bytes of scratch memory. */
export function deviationScratch({ dtype, product, tile }: Deviations): Record<DeviationScratch, number> {
  const rank = tile.length;
  const strip = tile.map((n, d) => d === rank - 1 ? n : d === rank - 2 ? Math.min(n, STRIP_ROWS) : 1);
  let shape: Shape = strip.map((n, d) => n + 2 * reachOf(product[d]!));
  const bytes = {
    samples: dtype === "float64" ? 0 : 8 * sizeOf(shape),
    weights: 8 * product.reduce((sum, { length }) => sum + length, 0),
    first: 0,
    second: 0,
  };
  for (const [n, d] of passesOf(product).entries()) {
    shape = shape.with(d, strip[d]!);
    bytes[placeOf(n)] = Math.max(bytes[placeOf(n)], 8 * sizeOf(shape));
  }
  return bytes;
}

/** The function that computes tiles. */
export function deviationWork(
  { dtype, product }: Deviations,
  kernels: Kernels,
  scratch: Places<DeviationScratch>,
  finish: DeviationFinish,
): TileWork {
  const weigh: KernelFamilies["weigh_f64"] = kernel(kernels, "weigh_f64", "float64");
  const addDeviations: KernelFamilies["add_deviations"] = kernel(kernels, "add_deviations", "float64");
  const widened = widens(dtype, kernels, scratch);
  const passes = placed(product, kernels, scratch.at("weights"));
  const reach = product.map(reachOf);
  const strip = (view: PlacedSamples, out: PlacedSamples) => {
    let before: PlacedSamples | undefined;
    let samples = widened(view); // in the middle of dimensions whose pass is done
    for (const [n, { d, pointer, count, fold }] of passes.entries()) {
      const shape = samples.shape.with(d, out.shape[d]!);
      const to = { pointer: scratch.at(placeOf(n)), shape, strides: denseStrides(shape, "float64") };
      const [length, step] = [shape.at(-1)!, samples.strides[d]!];
      if (before) {
        const apart = before.strides[d]!;
        eachPlace(shape.slice(0, -1), before, to, (from, sums) => {
          weigh(sums, 0, from, 0, 1, length, apart, pointer, count, fold);
        });
      } else new Float64Array(kernels.memory.buffer, to.pointer, sizeOf(shape)).fill(0);
      eachPlace(shape.slice(0, -1), samples, to, (data, sums) => {
        addDeviations(sums, data, length, step, pointer, count);
      });
      before = to;
      samples = { ...samples, shape, pointer: samples.pointer + reach[d]! * step };
    }
    const made = { pointer: before!.pointer, rowStride: before!.strides.at(-2) ?? 0 };
    const to = { pointer: out.pointer, rowStride: out.strides.at(-2) ?? 0 };
    finish(made, to, out.shape.at(-2) ?? 1, out.shape.at(-1)!);
  };
  return (view, out) => eachStrip(STRIP_ROWS, reach, view, out, strip);
}

function placeOf(pass: number): "first" | "second" {
  return pass % 2 === 0 ? "first" : "second";
}

/** The dimensions of the passes; without any weights only the last one, whose deviations are 0. */
function passesOf(product: Product): number[] {
  const passes = [...product.keys()].filter((d) => product[d]!.length > 1);
  return passes.length > 0 ? passes : [product.length - 1];
}

/** A pass: its dimension, and its weights in the memory of the kernels. */
interface Pass {
  readonly d: number;
  readonly pointer: number;
  readonly count: number;
  readonly fold: number;
}

function placed(product: Product, { memory }: Kernels, pointer: number): Pass[] {
  let next = pointer;
  return passesOf(product).map((d) => {
    const { weights, count, fold } = folded(product[d]!);
    const at = next;
    new Float64Array(memory.buffer, at, weights.length).set(weights);
    next += 8 * weights.length;
    return { d, pointer: at, count, fold };
  });
}
