/**
 * Dimensions as targets describe them that have an array of positions for each.
 *
 * @module
 */

import type { AxisFacts } from "../../space/axes.ts";
import type { Shape } from "../../space/shape.ts";
import type { Hdf5Array } from "../hdf5/head.ts";
import type { FramesToWrite } from "./layout.ts";

/** A dimension. */
export interface WrittenDimension {
  /** A name for an array: letters, digits and underscores, unlike all others. */
  readonly name: string;
  /** What is known of its axis. */
  readonly axis: AxisFacts;
  /** Position of every sample; their numbers, if nothing is known. */
  readonly positions: Hdf5Array;
}

/** The shape of frames as one array, and what its dimensions are. */
export function dimensionsOf(
  { nav, sig, axes = [] }: FramesToWrite,
): { readonly shape: Shape; readonly dimensions: readonly WrittenDimension[] } {
  const shape = [...nav, ...sig], names: string[] = [];
  const dimensions = shape.map((size, d): WrittenDimension => {
    const { scale = 1, offset = 0, positions, ...axis } = axes[d] ?? {};
    const given = (axis.name ?? "").replace(/\W/g, "_");
    const name = given === "" || given === "data" || names.includes(given) ? `axis_${d}` : given;
    names.push(name);
    const numbers = positions ?? Array.from({ length: size }, (_, i) => offset + i * scale);
    return { name, axis, positions: hasNumbers(numbers) };
  });
  return { shape, dimensions };
}

/** Positions of samples along an axis, as an array of its own. */
export function hasNumbers(numbers: readonly number[]): Hdf5Array {
  const data = new Uint8Array(Float64Array.from(numbers).buffer);
  return { shape: [numbers.length], dtype: "float64", data };
}
