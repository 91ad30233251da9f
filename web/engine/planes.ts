/**
 * Results of any number of dimensions as images of two.
 *
 * @module
 */

import type { Dataset, NDArray } from "@tilewise/tilewise";
import type { ImageAxis, ShownImage, ShownVectors } from "../draw/image.ts";

/** An axis of which nothing is known. */
const UNKNOWN: ImageAxis = { name: "", step: 1, unit: "px" };

/** The axes of images of a scan or of a frame: those of its last two dimensions. */
export function imageAxes(dataset: Dataset, kind: "scan" | "frame"): readonly [ImageAxis, ImageAxis] {
  const { axes, navShape } = dataset;
  const own = kind === "scan" ? axes.slice(0, navShape.length) : axes.slice(navShape.length);
  const shown = own.map(({ name, scale, unit, upwards }): ImageAxis => ({
    name,
    ...(scale !== undefined && scale > 0 && unit ? { step: scale, unit } : { step: 1, unit: "px" }),
    ...(upwards ? { upwards } : {}),
  }));
  return [shown.at(-2) ?? UNKNOWN, shown.at(-1) ?? UNKNOWN];
}

/** Axes of images that are neither. */
export const NO_AXES: readonly [ImageAxis, ImageAxis] = [UNKNOWN, UNKNOWN];

/** How the numbers of an array become images: leading dimensions, rows, columns, and entries of each pixel. */
export interface Planes {
  /** Images before the entries are counted: the product of the dimensions before rows. */
  readonly lead: number;
  /** Rows. */
  readonly rows: number;
  /** Columns. */
  readonly columns: number;
  /** Numbers per pixel. */
  readonly entries: number;
}

/** The planes of an array whose first dimensions are `place`. */
export function planesOf({ shape }: NDArray, place: readonly number[]): Planes {
  const entries = shape.slice(place.length).reduce((product, n) => product * n, 1);
  return {
    lead: place.slice(0, -2).reduce((product, n) => product * n, 1),
    rows: place.at(-2) ?? 1,
    columns: place.at(-1) ?? 1,
    entries,
  };
}

/** Image `lead` of entry `entry`, copied. */
export function planeOf(array: NDArray, planes: Planes, lead: number, entry: number): NDArray {
  const { rows, columns, entries } = planes;
  const { data, dtype } = array;
  const units = dtype.startsWith("complex") ? 2 : 1;
  const pixels = rows * columns;
  const first = lead * pixels;
  const Data = data.constructor as new (length: number) => typeof data;
  const out = new Data(pixels * units);
  if (entries === 1) {
    (out as Float64Array).set(data.subarray(first * units, (first + pixels) * units) as Float64Array);
  } else {
    for (let i = 0; i < pixels; i++) {
      const at = ((first + i) * entries + entry) * units;
      for (let u = 0; u < units; u++) out[i * units + u] = data[at + u] as never;
    }
  }
  const valid = validOf(array, planes, first, entry);
  const stride = [columns, 1];
  return { data: out, shape: [rows, columns], stride, dtype, ...(valid ? { valid } : {}) } as NDArray;
}

/** One byte per pixel; nothing if all are valid. A mask may have one byte for several numbers. */
function validOf(
  { valid, shape }: NDArray,
  { rows, columns, entries }: Planes,
  first: number,
  entry: number,
) {
  if (!valid || valid.length === 0) return undefined;
  const each = shape.reduce((product, n) => product * n, 1) / valid.length;
  const found = new Uint8Array(rows * columns);
  for (let i = 0; i < found.length; i++) {
    found[i] = valid[Math.floor(((first + i) * entries + entry) / each)]!;
  }
  return found.every((on) => on !== 0) ? undefined : found;
}

/** What all images of a result have. */
export type Frame = Omit<ShownImage, "array">;

/** An image that is cut from a result when it is first looked at. */
export class LazyImage implements ShownImage {
  #array: NDArray | undefined;
  readonly title: string;
  readonly axes: readonly [ImageAxis, ImageAxis];
  declare readonly unit?: string;
  declare readonly meaning?: NonNullable<Frame["meaning"]>;

  /** Described by `frame`; `cut` makes its numbers. */
  constructor(frame: Frame, private readonly cut: () => NDArray) {
    this.title = frame.title;
    this.axes = frame.axes;
    if (frame.unit !== undefined) this.unit = frame.unit;
    if (frame.meaning) this.meaning = frame.meaning;
  }

  /** Its numbers. */
  get array(): NDArray {
    return this.#array ??= this.cut();
  }
}

/** Vectors that are cut from a result when they are first looked at. */
export class LazyVectors implements ShownVectors {
  #y: NDArray | undefined;
  #x: NDArray | undefined;
  readonly title: string;
  readonly axes: readonly [ImageAxis, ImageAxis];
  declare readonly unit?: string;

  /** Described by `frame`; `cut` makes the component with that number, y before x. */
  constructor(frame: Frame, private readonly cut: (component: number) => NDArray) {
    this.title = frame.title;
    this.axes = frame.axes;
    if (frame.unit !== undefined) this.unit = frame.unit;
  }

  /** Components along rows. */
  get y(): NDArray {
    return this.#y ??= this.cut(0);
  }

  /** Components along columns. */
  get x(): NDArray {
    return this.#x ??= this.cut(1);
  }
}
