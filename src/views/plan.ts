/**
 * Planned views: an array cut into tiles with a halo. Plain data, so that every worker can load views without help.
 *
 * @module
 */

import type { Dataset } from "../dataset/face.ts";
import { readerBytes } from "../dataset/storage/kinds.ts";
import { TilewiseError } from "../errors.ts";
import { checkOptionNames, type OptionNames, withOption } from "../options.ts";
import { either, list, needed, number, text } from "../options/rules.ts";
import { type Context, defaultContext } from "../runner/face.ts";
import { context as contextRule } from "../runner/rules.ts";
import { type Border, parseBorder } from "../space/border.ts";
import { dtypeInfo } from "../space/dtype.ts";
import { type Grid, gridOf } from "../space/grid.ts";
import { shapeFrom } from "../space/rules.ts";
import { type Shape, showShape, sizeOf } from "../space/shape.ts";
import { type ArraySpec, type FrameArray, specOf } from "./array.ts";
import { frameReading } from "./frame_reading.ts";
import { viewShape } from "./geometry.ts";

/**
 * Options of {@link planViews}.
 * @category Views
 */
export interface ViewOptions {
  /** Size of a tile. */
  readonly tile: Shape;
  /** Samples of halo on both sides: one number per dimension, or one for all of them. Default 0. */
  readonly radius?: number | Shape;
  /** What is seen outside of the array: the name of a border, or another name for it. Default `constant`. */
  readonly border?: Border | string;
  /** The constant of the border `constant` (of complex samples: its real part). Default 0. */
  readonly fill?: number;
  /** The context that holds the views. Default: the shared context. */
  readonly context?: Context;
}

/** The options that determine the layout of views. */
export type ViewLayoutOptions = Omit<ViewOptions, "context">;

const VIEW_OPTIONS: OptionNames<ViewOptions> = {
  tile: needed(shapeFrom(0, "[256, 256]")),
  radius: either("a number of samples, or a list with one per dimension", number, list),
  border: text,
  fill: number,
  context: contextRule,
};

/**
 * Views of an array: plain data, so that every worker can load views by itself.
 * @category Views
 */
export interface ViewLayout {
  /** The array. */
  readonly array: ArraySpec;
  /** Its tiles. */
  readonly grid: Grid;
  /** Samples of halo on both sides, per dimension. */
  readonly radius: Shape;
  /** Samples of every view, per dimension: tile plus twice the radius. */
  readonly shape: Shape;
  /** What is seen outside of the array. */
  readonly border: Border;
  /** The constant of the border `constant`. */
  readonly fill: number;
  /** Bytes of every view. */
  readonly byteLength: number;
  /** Bytes that loading a view needs besides the view, for frames that are decoded first. */
  readonly readerBytes: number;
}

/**
 * Planned views of an array.
 * @category Views
 */
export interface ViewPlan extends ViewLayout {
  /** The context that holds them. */
  readonly context: Context;
}

/**
 * Plans views of `array`, or of a data set as one array, scan dimensions first; nothing is opened or read.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { arrayOf, planViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: new Uint8Array(24), shape: [4, 6] });
 * const { shape, grid, byteLength } = planViews(arrayOf(image), { tile: [2, 3], radius: 1, border: "edge" });
 * assertEquals([shape, grid.counts, byteLength], [[4, 5], [2, 2], 20]);
 * ```
 * @category Views
 */
export function planViews(array: ArraySpec | Dataset, options: ViewOptions): ViewPlan {
  checkOptionNames("planViews()", options, VIEW_OPTIONS);
  const { context = defaultContext(), ...layout } = options;
  return { ...layoutOf(specOf("planViews()", array), layout), context };
}

/** The views of `array`. */
export function layoutOf(array: ArraySpec, options: ViewLayoutOptions): ViewLayout {
  const grid = withOption("tile", () => gridOf(array.shape, options.tile));
  const { fill = 0, border = "constant" } = options;
  const radius = radiusOf(options.radius ?? 0, array.shape);
  const shape = viewShape(grid, radius);
  const byteLength = sizeOf([...shape, dtypeInfo(array.dtype).itemSize]);
  const forFrames = "layout" in array ? frameBytesOf(array, shape) : 0;
  return {
    array,
    grid,
    radius,
    shape,
    border: withOption("border", () => parseBorder(border)),
    fill,
    byteLength,
    readerBytes: forFrames,
  };
}

/** The radius per dimension, for an array of `shape`. */
export function radiusOf(asked: number | Shape, shape: Shape): Shape {
  const radius = typeof asked === "number" ? shape.map(() => asked) : asked;
  if (radius.length === shape.length && radius.every((r) => Number.isSafeInteger(r) && r >= 0)) return radius;
  const text = `Cannot make views with radius ${radius.join(", ")}: an array of ${showShape(shape)} ` +
    `takes ${shape.length} counts`;
  throw new TilewiseError("invalid", text, {
    option: "radius",
    expected: shape.length,
    found: radius.join(", "),
  });
}

/** Bytes of the reader of the frames for views of `shape`. */
function frameBytesOf(array: FrameArray, shape: Shape): number {
  const { part, frames } = frameReading(array, shape);
  return readerBytes(array.layout, frames, part);
}
