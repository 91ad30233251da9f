/**
 * Products with masks that are mostly zero, entry by entry; and with sparse frames.
 *
 * Sparse masks have an order of additions of their own, whatever the frames are: f64, the weights of a mask in the
 * order of pixels. Whether masks are sparse depends on them and on the type of the samples alone, so that dense and
 * sparse frames with the same samples give the same bits.
 *
 * @module
 */

import { kernel } from "../../../kernels/registry.ts";
import { lowerBound } from "../../../space/search.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import { ravel } from "../../../space/shape.ts";
import type { Tile } from "../../tile.ts";
import type { ScratchSpec, UdfContext, UdfMeta } from "../../udf.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { maskPitch, maskStack, type StackType, stackType, unitDType } from "./multiply.ts";
import { type MaskRow, unitsOf } from "./rows.ts";

/** Whether masks are sparse: where that is faster, always, or never. */
export type UseSparse = "auto" | boolean;

/** How masks are multiplied, and why. */
export interface SparseChoice {
  /** Entry by entry. */
  readonly sparse: boolean;
  /** Half a sentence. */
  readonly why: string;
  /** Bytes of the constants that they become. */
  readonly bytes: number;
}

/** Weights that a vector kernel passes in the time of one entry (AMD EPYC: 0.6 ns), with some margin. */
const WORTH = { Int16Array: 25, Float32Array: 12, Float64Array: 5 } as const;

/** Chooses for masks (as real rows); `looked`: numbers of a frame that a vector kernel looks at. */
export function chooseSparse(
  rows: readonly MaskRow[],
  looked: number,
  meta: UdfMeta,
  wanted: UseSparse = "auto",
): SparseChoice {
  if (typeof wanted === "boolean") {
    const facts = {
      sparse: wanted,
      entries: () => totalEntries(rows),
      type: () => stackType(rows, meta),
    };
    const why = `masks ${wanted ? "sparse" : "dense"} as asked for`;
    return { sparse: wanted, why, bytes: bytesOf(rows.length, meta, facts) };
  }
  const type = stackType(rows, meta);
  const entries = totalEntries(rows);
  const share = entries / Math.max(1, rows.length * looked);
  const sparse = share < 1 / WORTH[type.name as keyof typeof WORTH];
  const percent = `${Number((100 * share).toPrecision(2))} % of the weights are not zero`;
  const bytes = bytesOf(rows.length, meta, { sparse, entries: () => entries, type: () => type });
  return { sparse, why: `masks ${sparse ? "sparse" : "dense"}, as ${percent}`, bytes };
}

/** Bytes of the constants that masks become. */
function bytesOf(
  rows: number,
  meta: UdfMeta,
  { sparse, entries, type }: { sparse: boolean; entries: () => number; type: () => StackType },
): number {
  if (sparse && meta.backend !== "csr") return 12 * entries() + 4 * rows;
  const { BYTES_PER_ELEMENT } = sparse ? Float64Array : type();
  return rows * maskPitch(meta) * BYTES_PER_ELEMENT;
}

function totalEntries(rows: readonly MaskRow[]): number {
  return rows.reduce((sum, row) => sum + countEntries(row), 0);
}

function countEntries(row: MaskRow): number {
  if (row.list) return row.list.pixels.length;
  const { values } = row;
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) count++;
  return count;
}

/** The constants for sparse masks: lists of entries for dense frames, rows of f64 for sparse ones. */
export function sparseConstants(
  rows: readonly MaskRow[],
  meta: UdfMeta,
): Readonly<Record<string, TypedArray>> {
  if (meta.backend === "csr") {
    return { masks: maskStack(rows, meta, Float64Array), sequential: Int32Array.of(1) };
  }
  const entries = totalEntries(rows);
  const [indices, weights] = [new Uint32Array(entries), new Float64Array(entries)];
  const starts = new Int32Array(rows.length + 1);
  let next = 0;
  const add = (pixel: number, weight: number) => {
    indices[next] = pixel;
    weights[next++] = weight;
  };
  rows.forEach((row, m) => {
    if (row.list) row.list.pixels.forEach((pixel, i) => add(pixel, row.list.values[i]!));
    else for (let i = 0; i < row.values.length; i++) if (row.values[i] !== 0) add(i, row.values[i]!);
    starts[m + 1] = next;
  });
  return { indices, weights, starts };
}

/** Masks that go to the kernel at once. */
const AT_ONCE = 64;

/** Where the kernel finds which entries a tile meets. */
export const SPARSE_SCRATCH: Readonly<Record<string, ScratchSpec>> = {
  ranges: { dtype: "int32", length: 2 * AT_ONCE },
};

/** Adds the products of a dense tile with sparse masks to `out`, an address of f64: those of frame after frame. */
export function multiplySparse(
  tile: Tile,
  out: number,
  { kernels, constants, scratch, meta }: UdfContext,
): void {
  const { raw, frames } = tile;
  const [indices, starts] = [constants.indices as Uint32Array, constants.starts as Int32Array];
  const units = unitsOf(raw.dtype);
  const first = ravel(tile.box.origin, meta.sigShape) * units;
  const end = first + tile.pixels * units;
  const count = starts.length - 1;
  const ranges = scratch.ranges as Int32Array;
  const dot = kernel(kernels, "dot_sparse", unitDType(raw.dtype), raw.byteOrder);
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Math.min(AT_ONCE, count - from);
    for (let m = 0; m < some; m++) {
      const [start, stop] = [starts[from + m]!, starts[from + m + 1]!];
      const entries = indices.subarray(start, stop);
      ranges[2 * m] = start + lowerBound(entries, first);
      ranges[2 * m + 1] = start + lowerBound(entries, end);
    }
    const frame = [raw.pointer, frames, raw.frameStride, first] as const;
    const masks = [ranges.byteOffset, indices.byteOffset, constants.weights!.byteOffset, some] as const;
    dot(out + 8 * from, 8 * count, ...frame, ...masks);
  }
}

/** Adds the products of a sparse tile with masks, which lie dense in memory, to `out`. */
export function multiplyCsr(tile: Tile, out: number, { kernels, constants, meta }: UdfContext): void {
  const { indptr, indices, data } = tile.csr;
  const masks = constants.masks!;
  const itemSize = masks.BYTES_PER_ELEMENT;
  const pointer = masks.byteOffset + ravel(tile.box.origin, meta.sigShape) * itemSize;
  const count = masks.length / maskPitch(meta);
  const csr = [indptr.byteOffset, indices.byteOffset, data.byteOffset, tile.frames] as const;
  const args = [out, 8 * count, ...csr, pointer, count, maskPitch(meta) * itemSize] as const;
  const dtype = meta.inputDType;
  if (constants.sequential) kernel(kernels, "csr_dot_seq", dtype)(...args);
  else if (masks instanceof Int16Array) kernel(kernels, "csr_dot_i16", dtype)(...args);
  else if (masks instanceof Float32Array) kernel(kernels, "csr_dot_f32", dtype)(...args, tile.rowLength);
  else kernel(kernels, "csr_dot_f64", dtype)(...args, tile.rowLength);
}

/** Numbers of a frame in these rows. */
export function numbersIn(
  [first, end]: readonly [number, number],
  { sigShape, nativeDType }: UdfMeta,
): number {
  return (end - first) * (sigShape.at(-1) ?? 1) * unitsOf(nativeDType);
}

/** Whether frames of this type can be sparse for masks: complex ones cannot. */
export function takesCsr({ nativeDType }: Pick<UdfMeta, "nativeDType">): boolean {
  return dtypeInfo(nativeDType).kind !== "c";
}
