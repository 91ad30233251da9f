/**
 * Parts of views: the tile, or the tile with a smaller halo, as strided arrays over the samples of the view.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { copyView } from "../memory/copy_box.ts";
import { stridedView, viewOf } from "../memory/strided.ts";
import { type Box, box, boxEnd } from "../space/box.ts";
import { type DType, dtypeInfo, type TypedArray, unitsOf } from "../space/dtype.ts";
import { covers, type Halo, haloOf, type Radius, showHalo, withHalo } from "../space/halo.ts";
import { type NDArray, zeroArray } from "../space/ndarray.ts";
import { type Shape, showShape, sizeOf, stridesOf } from "../space/shape.ts";
import type { ViewGeometry } from "./geometry.ts";
import type { ViewLayout } from "./plan.ts";

/** The place in a view of its tile with a smaller halo: what a view of that radius would be. */
export function placeAround(
  { clipped, grid, halo }: Pick<ViewLayout, "clipped" | "grid" | "halo">,
  { central, shape }: ViewGeometry,
  radius: Radius,
): Box {
  const wanted = haloOf(radius, grid.shape);
  if (!covers(halo, wanted)) throw tooWide(halo, wanted);
  const start = central.origin.map((o, d) => o - wanted.front[d]!);
  if (!clipped) return box(start, withHalo(grid.tile, wanted));
  const end = boxEnd(central).map((e, d) => Math.min(shape[d]!, e + wanted.back[d]!));
  const origin = start.map((s) => Math.max(0, s));
  return box(origin, end.map((e, d) => e - origin[d]!));
}

/** The samples of a part of a dense array of `shape`, where they are. */
export function partOf<D extends DType>(data: TypedArray, dtype: D, shape: Shape, part: Box): NDArray<D> {
  const end = boxEnd(part);
  const inside = part.shape.length === shape.length &&
    part.origin.every((o, d) => o >= 0 && part.shape[d]! >= 0 && end[d]! <= shape[d]!);
  if (!inside) {
    const found = `${showShape(part.shape)} at ${part.origin.join(", ")}`;
    const text = `A view of ${showShape(shape)} has no part of ${found}`;
    throw new TilewiseError("invalid", text, { expected: showShape(shape), found });
  }
  const stride = stridesOf(shape);
  const first = part.origin.reduce((sum, o, d) => sum + o * stride[d]!, 0);
  const span = sizeOf(part.shape) === 0
    ? 0
    : 1 + part.shape.reduce((sum, n, d) => sum + (n - 1) * stride[d]!, 0);
  const units = unitsOf(dtype);
  // a part of an array is an array of the same class
  const samples = data.subarray(first * units, (first + span) * units) as NDArray<D>["data"];
  return { data: samples, shape: part.shape, stride, dtype };
}

/** The samples of a strided array as a dense one of its own. */
export function denseCopy<D extends DType>({ data, shape, stride, dtype }: NDArray<D>): NDArray<D> {
  const copy = zeroArray(shape, dtype);
  const { itemSize } = dtypeInfo(dtype);
  const strides = stride.map((samples) => samples * itemSize);
  if (sizeOf(shape) > 0) {
    const from = stridedView(data.buffer, data.byteOffset, dtype, shape, strides);
    copyView(from, viewOf(copy.data, dtype, shape));
  }
  return copy;
}

function tooWide(halo: Halo, wanted: Halo): TilewiseError {
  const [expected, found] = [showHalo(halo), showHalo(wanted)];
  const text = `A view with a halo of ${expected} has no part with a halo of ${found}`;
  return new TilewiseError("invalid", text, { option: "radius", expected, found });
}
