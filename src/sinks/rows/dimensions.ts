/**
 * Dimensions as targets describe them that have an array of positions for each.
 *
 * @module
 */

import type { AxisFacts, AxisKind } from "../../space/axes.ts";
import { kindsByUnit } from "../../space/meaning/said_kinds.ts";
import type { Shape } from "../../space/shape.ts";
import { scanDimensions } from "../array.ts";
import type { Hdf5Array } from "../hdf5/head.ts";
import { type AxisKept, type DescribedArray, MEASURED } from "../losses.ts";
import type { FramesToWrite } from "./layout.ts";

/** A dimension. */
interface WrittenDimension {
  /** A name for an array: letters, digits and underscores, unlike all others. */
  readonly name: string;
  /** What is known of its axis. */
  readonly axis: AxisFacts;
  /** Position of every sample; their numbers, if nothing is known. */
  readonly positions: Hdf5Array;
}

/** What positions of all samples keep of axes: of one sample they have no step. */
export function vectorsKept({ shape, axes = [] }: DescribedArray): AxisKept[] {
  return axes.map(({ scale }, d) => ({ ...MEASURED, scale: shape[d]! > 1 || scale === undefined }));
}

/** The same where axes have the names of their arrays. */
export function namedVectorsKept(array: DescribedArray): AxisKept[] {
  const names = arrayNames(array);
  return vectorsKept(array).map((kept, d) => ({ ...kept, name: names[d] === array.axes![d]!.name }));
}

/** What readers take axes for of which names and units are written. */
export function measuredKinds({ axes = [] }: DescribedArray): (AxisKind | undefined)[] {
  return kindsByUnit(axes.map(({ kind: _kind, ...axis }) => axis)).map(({ kind }) => kind);
}

/** What readers take axes for of files of frames that say none: patterns of a scan. */
export function patternKinds(array: DescribedArray): AxisKind[] {
  const nav = scanDimensions(array);
  return array.shape.map((_, d) => d < nav ? "scan" : "detector");
}

/** Names of axes for arrays: letters, digits and underscores, unlike all others. */
function arrayNames({ shape, axes = [] }: DescribedArray): string[] {
  const names: string[] = [];
  for (const d of shape.keys()) {
    const given = (axes[d]?.name ?? "").replace(/\W/g, "_");
    names.push(given === "" || given === "data" || names.includes(given) ? `axis_${d}` : given);
  }
  return names;
}

/** The shape of frames as one array, and what its dimensions are. */
export function dimensionsOf(
  { nav, sig, dtype, axes = [] }: FramesToWrite,
): { readonly shape: Shape; readonly dimensions: readonly WrittenDimension[] } {
  const shape = [...nav, ...sig], names = arrayNames({ shape, dtype, axes });
  const dimensions = shape.map((size, d): WrittenDimension => {
    const { scale = 1, offset = 0, positions, ...axis } = axes[d] ?? {};
    const numbers = positions ?? Array.from({ length: size }, (_, i) => offset + i * scale);
    return { name: names[d]!, axis, positions: hasNumbers(numbers) };
  });
  return { shape, dimensions };
}

/** Positions of samples along an axis, as an array of its own. */
export function hasNumbers(numbers: readonly number[]): Hdf5Array {
  const data = new Uint8Array(Float64Array.from(numbers).buffer);
  return { shape: [numbers.length], dtype: "float64", data };
}
