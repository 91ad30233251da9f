/**
 * Loops over the outer dimensions of samples, for kernels that take lines or planes, and the passes of operations that compute
 * one dimension after another.
 *
 * @module
 */

import type { Shape } from "../../space/shape.ts";
import type { PlacedSamples } from "./operation.ts";

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

/** Calls `work` with both addresses for every line of `to`, which has `n` samples. */
export function eachLine(
  from: { readonly pointer: number; readonly strides: Shape },
  to: PlacedSamples,
  work: (from: number, to: number, n: number) => void,
): void {
  const n = to.shape.at(-1)!;
  eachPlace(to.shape.slice(0, -1), from, to, (a, b) => work(a, b, n));
}

/** Calls `work` with addresses and strides of rows for every plane of `to`, of rows and columns. */
export function eachPlane(
  from: { readonly pointer: number; readonly strides: Shape },
  to: PlacedSamples,
  work: (from: number, stride: number, to: number, toStride: number, rows: number, n: number) => void,
): void {
  const [rows, n] = [to.shape.at(-2) ?? 1, to.shape.at(-1)!];
  const [stride, toStride] = [from.strides.at(-2) ?? 0, to.strides.at(-2) ?? 0];
  eachPlace(to.shape.slice(0, -2), from, to, (a, b) => work(a, stride, b, toStride, rows, n));
}

/**
 * Calls `work` for strips of at most `most` rows of a tile, with all columns and one position of each outer dimension; views
 * have a halo of `radius`.
 */
export function eachStrip(
  most: number,
  radius: Shape,
  view: PlacedSamples,
  out: PlacedSamples,
  work: (view: PlacedSamples, out: PlacedSamples) => void,
): void {
  const [rows, n] = [out.shape.at(-2) ?? 1, out.shape.at(-1)!];
  const [step, outStep] = [view.strides.at(-2) ?? 0, out.strides.at(-2) ?? 0];
  const outer = out.shape.slice(0, -2);
  eachPlace(outer, view, out, (data, to) => {
    for (let y = 0; y < rows; y += most) {
      const shape = [...outer.map(() => 1), Math.min(most, rows - y), n].slice(-out.shape.length);
      const around = shape.map((count, d) => count + 2 * radius[d]!);
      work(
        { pointer: data + y * step, shape: around, strides: view.strides },
        { pointer: to + y * outStep, shape, strides: out.strides },
      );
    }
  });
}

/** The dimensions of the passes, slowest first: those that need one, or, if none does, the last one. */
export function passesOf(rank: number, needed: (d: number) => boolean): number[] {
  const passes = Array.from({ length: rank }, (_, d) => d).filter(needed);
  return passes.length > 0 ? passes : [rank - 1];
}

/** The dimensions of the passes of windows with a radius. */
export function passesAlong(radius: Shape): number[] {
  return passesOf(radius.length, (d) => radius[d]! > 0);
}

/** The scratch memory that has the results of pass `n`: those of the pass before are in the other one. */
export function betweenPasses(n: number): "first" | "second" {
  return n % 2 === 0 ? "first" : "second";
}

/** The shapes of what each pass makes of samples with a halo of `reach`. */
export function shapesOfPasses(tile: Shape, reach: Shape, passes: readonly number[]): Shape[] {
  let shape: Shape = tile.map((n, d) => n + 2 * reach[d]!);
  return passes.map((d) => shape = shape.with(d, tile[d]!));
}
