/**
 * What views are of: an array that lies row-major in a byte source, cut into tiles with a halo. Plain data, so that
 * every worker can load views by itself.
 *
 * @module
 */

import type { Dataset } from "../dataset/dataset.ts";
import { frameBytes } from "../dataset/layout.ts";
import { TilewiseError } from "../errors.ts";
import type { SourceSpec } from "../io/source.ts";
import { type Border, parseBorder } from "../space/border.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../space/dtype.ts";
import { type Grid, gridOf } from "../space/grid.ts";
import { type Shape, showShape, sizeOf } from "../space/shape.ts";
import { viewShape } from "./geometry.ts";

/** A row-major array in a byte source. */
export interface ArraySpec {
  /** How to open the source. */
  readonly source: SourceSpec;
  /** First byte of the array in it. */
  readonly offset: number;
  /** Sizes, slowest dimension first. */
  readonly shape: Shape;
  /** Type of the samples. */
  readonly dtype: DType;
  /** Their byte order in the source; in views they are little endian. */
  readonly byteOrder: ByteOrder;
}

/** Options of {@link planViews}. */
export interface ViewOptions {
  /** Size of a tile. */
  readonly tile: Shape;
  /** Samples of halo on both sides: one number a dimension, or one for all of them. Default 0. */
  readonly radius?: number | Shape;
  /** What is seen outside of the array: a border or another name of one. Default `constant`. */
  readonly border?: Border | string;
  /** The constant of the border `constant` (of complex samples: its real part). Default 0. */
  readonly fill?: number;
}

/** Views of an array, planned. */
export interface ViewPlan {
  /** The array. */
  readonly array: ArraySpec;
  /** Its tiles. */
  readonly grid: Grid;
  /** Samples of halo on both sides, per dimension. */
  readonly radius: Shape;
  /** Samples of every view, per dimension: tile and twice the radius. */
  readonly shape: Shape;
  /** What is seen outside of the array. */
  readonly border: Border;
  /** The constant of the border `constant`. */
  readonly fill: number;
  /** Bytes of every view. */
  readonly byteLength: number;
}

/**
 * Plans views of `array`; nothing is opened or read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { BytesSource } from "../io/bytes.ts";
 * const source = new BytesSource(new Uint8Array(24)).describe();
 * const array: ArraySpec = { source, offset: 0, shape: [4, 6], dtype: "uint8", byteOrder: "little" };
 * const { shape, grid, byteLength } = planViews(array, { tile: [2, 3], radius: 1, border: "edge" });
 * assertEquals([shape, grid.counts, byteLength], [[4, 5], [2, 2], 20]);
 * ```
 */
export function planViews(array: ArraySpec, options: ViewOptions): ViewPlan {
  const grid = gridOf(array.shape, options.tile);
  const { radius: asked = 0, fill = 0, border = "constant" } = options;
  const radius = typeof asked === "number" ? array.shape.map(() => asked) : asked;
  if (radius.length !== array.shape.length || !radius.every((r) => Number.isSafeInteger(r) && r >= 0)) {
    const text =
      `Cannot make views with radius ${radius.join(", ")}: an array of ${showShape(array.shape)} ` +
      `takes ${array.shape.length} counts`;
    throw new TilewiseError("invalid", text, { expected: array.shape.length, found: radius.join(", ") });
  }
  const shape = viewShape(grid, radius);
  const byteLength = sizeOf([...shape, dtypeInfo(array.dtype).itemSize]);
  return { array, grid, radius, shape, border: parseBorder(border), fill, byteLength };
}

/** A data set as one array, scan dimensions first: possible when its samples lie in one file without gaps. */
export function arrayOf(dataset: Dataset): ArraySpec {
  const { layout, shape, dtype, byteOrder, images, frames, syncOffset } = dataset;
  const bytes = frameBytes(layout.sigShape, dtype);
  const obstacle = layout.codec
    ? `its frames are encoded (${layout.codec.id})`
    : layout.order !== "C"
    ? "it is in Fortran order"
    : layout.chunks || layout.pieces
    ? "it is stored in chunks"
    : layout.sparse
    ? "only its samples that are not zero are stored"
    : layout.sectors
    ? "its frames are stored in sectors"
    : layout.files.length !== 1
    ? `it has ${layout.files.length} files`
    : layout.frameHeaderBytes + layout.frameFooterBytes > 0 || layout.storedBytes !== bytes
    ? "there are other bytes between its frames"
    : syncOffset !== 0 || images < frames
    ? "its scan does not begin with the first frame, or has more positions than frames"
    : undefined;
  if (obstacle) {
    const text = `Cannot make views of ${dataset.source}: ${obstacle}; they need plain samples in one file`;
    throw new TilewiseError("unsupported", text, { file: dataset.source });
  }
  const { source, headerBytes } = layout.files[0]!;
  return { source, offset: headerBytes, shape, dtype, byteOrder };
}
