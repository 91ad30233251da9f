/**
 * Products of dense frames with masks that are mostly zero, entry by entry; and products with sparse frames.
 *
 * Sparse masks have their own order of additions, independent of the form of the frames: in f64, the weights of a mask
 * in the order of pixels. Whether masks are sparse depends only on the masks and on the type of the samples, so that
 * dense and sparse frames with the same samples give the same bits.
 *
 * @module
 */

import { arraysOf } from "../../../space/ndarray.ts";
import { kernel } from "../../../kernels/registry.ts";
import { lowerBound } from "../../../space/search.ts";
import { type TypedArray, unitsOf, unitType } from "../../../space/dtype.ts";
import { ravel } from "../../../space/shape.ts";
import type { Tile } from "../../interface/tile.ts";
import type { ScratchSpec, UdfContext, UdfMeta } from "../../interface/udf.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { maskPitch, type MaskRow, maskStack, type RowSteps, type StackType } from "./multiply.ts";

/** Whether to use sparse masks: if that is faster, always, or never. */
type UseSparse = "auto" | boolean;

/** How masks are multiplied, and why. */
export interface SparseChoice {
  /** Whether they are multiplied entry by entry. */
  readonly sparse: boolean;
  /** The reason, as half a sentence. */
  readonly why: string;
  /** Bytes of the constants for this form. */
  readonly bytes: number;
}

/** Weights that a vector kernel processes in the time of one entry (AMD EPYC: 0.6 ns), with some margin. */
const WORTH = { Int16Array: 25, Float32Array: 12, Float64Array: 5 } as const;

/** Facts about masks, after all their weights have been examined. */
interface WeightFacts {
  /** Rows of real weights. */
  readonly rows: number;
  /** Number of non-zero weights. */
  readonly entries: number;
  /** The type that holds all of them. */
  readonly type: StackType;
}

/** Chooses the form of masks; `looked`: numbers of a frame that a vector kernel would process. */
export function chooseSparse(
  { rows, entries, type }: WeightFacts,
  looked: number,
  meta: UdfMeta,
  wanted: UseSparse = "auto",
): SparseChoice {
  const share = entries / Math.max(1, rows * looked);
  const auto = wanted === "auto";
  const sparse = auto ? share < 1 / WORTH[type.name as keyof typeof WORTH] : wanted;
  const percent = `${Number((100 * share).toPrecision(2))} % of the weights are not zero`;
  const why = `masks ${sparse ? "sparse" : "dense"}${auto ? `, as ${percent}` : " as asked for"}`;
  const { BYTES_PER_ELEMENT } = sparse ? Float64Array : type;
  const asLists = sparse && meta.backend !== "csr";
  const bytes = asLists ? 12 * entries + 4 * rows : rows * maskPitch(meta) * BYTES_PER_ELEMENT;
  return { sparse, why, bytes };
}

/** Number of non-zero weights in a row. */
export function countEntries(row: MaskRow): number {
  if (row.list) return row.list.pixels.length;
  const { values } = row;
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) count++;
  return count;
}

/** The constants for sparse masks: lists of entries for dense frames, rows of f64 for sparse frames. */
export function* sparseConstants(
  rows: (MaskRow | undefined)[],
  entries: number,
  meta: UdfMeta,
): RowSteps<Readonly<Record<string, TypedArray>>> {
  if (meta.backend === "csr") {
    return { masks: yield* maskStack(rows, meta, Float64Array), sequential: Int32Array.of(1) };
  }
  const [indices, weights] = [new Uint32Array(entries), new Float64Array(entries)];
  const starts = new Int32Array(rows.length + 1);
  let next = 0;
  for (const [m, row] of rows.entries()) {
    if (row!.list) {
      indices.set(row!.list.pixels, next);
      weights.set(row!.list.values, next);
      next += row!.list.pixels.length;
    } else {
      const { values } = row!;
      for (let i = 0; i < values.length; i++) {
        if (values[i] === 0) continue;
        indices[next] = i;
        weights[next++] = values[i]!;
      }
    }
    starts[m + 1] = next;
    rows[m] = undefined; // so that its memory can be freed
    yield m;
  }
  return { indices, weights, starts };
}

/** Masks that are passed to the kernel in one call. */
const AT_ONCE = 64;

/** Scratch to which the kernel writes the ranges of entries that belong to a tile. */
export const SPARSE_SCRATCH: Readonly<Record<string, ScratchSpec>> = {
  ranges: { dtype: "int32", length: 2 * AT_ONCE },
};

/** Adds the products of a dense tile with sparse masks to `out`, the address of f64 numbers, frame after frame. */
export function multiplySparse(
  tile: Tile,
  out: number,
  { kernels, constants, scratch, meta }: UdfContext,
): void {
  const { raw, frames } = tile;
  const { indices, starts } = arraysOf(constants, { indices: "uint32", starts: "int32" });
  const units = unitsOf(raw.dtype);
  const first = ravel(tile.box.origin, meta.sigShape) * units;
  const end = first + tile.pixels * units;
  const count = starts.length - 1;
  const { ranges } = arraysOf(scratch, { ranges: "int32" });
  const dot = kernel(kernels, "dot_sparse", unitType(raw.dtype), raw.byteOrder);
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

/** Adds the products of a sparse tile with masks, stored densely, to `out`. */
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

/** Whether masks for frames of this type can be sparse: those for complex frames cannot. */
export function takesCsr({ nativeDType }: Pick<UdfMeta, "nativeDType">): boolean {
  return dtypeInfo(nativeDType).kind !== "c";
}
