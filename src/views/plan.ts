/**
 * Planned views: an array cut into tiles with a halo. Plain data, so that every worker can load views without help.
 *
 * @module
 */

import "../dataset/storage/all_kinds.ts";
import { readerBytes } from "../dataset/storage/kinds.ts";
import { TilewiseError } from "../errors.ts";
import { checkOptionNames, type OptionNames, withOption } from "../options.ts";
import { needed, number, truth } from "../options/rules.ts";
import { ALIGNMENT, roundUp } from "../memory/arena.ts";
import { type Context, defaultContext } from "../runner/context.ts";
import { context as contextRule } from "../runner/rules.ts";
import { type AxisBorder, type BorderInput, borderRule, bordersOf } from "../space/border.ts";
import { type DType, dtypeInfo, resultType } from "../space/dtype.ts";
import { type Grid, gridOf } from "../space/box.ts";
import { type Halo, haloOf, type Radius, radiusRule } from "../space/halo.ts";
import { dtypeName, shapeFrom } from "../space/rules.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import { orderOf, type TileOrder, type TraversalInput, traversalRule } from "../space/traversal.ts";
import { type ArraySpec, type FrameArray, inputOf, type JoinedArray, type MapInput } from "./array.ts";
import { frameReading } from "./frame_reading.ts";
import { clippedShape, viewShape } from "./geometry.ts";
import { spanOfRows } from "./near_rows.ts";

/**
 * Options of {@link planViews}.
 * @category Views
 */
export interface ViewOptions {
  /** Size of a tile. */
  readonly tile: Shape;
  /** Samples of halo: one number per dimension, or one for all of them; `{ front, back }` where sides differ. Default 0. */
  readonly radius?: Radius;
  /**
   * What is seen outside of the array: the name of a border, or another name for it, or a function; one for all
   * dimensions, or a list with one per dimension. Default `constant`.
   */
  readonly border?: BorderInput | readonly BorderInput[];
  /** The constant of the border `constant` (of complex samples: its real part). Any number. Default 0. */
  readonly fill?: number;
  /** Whether views end where the array ends, instead of being continued by a border. Default false. */
  readonly clipped?: boolean;
  /** Type of the samples in views, which holds those of the array. Default: that of the array. */
  readonly dtype?: DType;
  /**
   * The order in which all views are read: a name, a list of indices, or a function that makes them, such as a generator;
   * these may leave out tiles and repeat them. Default `row-major`.
   */
  readonly traversal?: TraversalInput;
  /** The context that holds the views. Default: the shared context. */
  readonly context?: Context;
}

/** The options that determine the layout of views. */
export type ViewLayoutOptions = Omit<ViewOptions, "context" | "traversal">;

// deno-fmt-ignore: written by `deno task build`
const VIEW_OPTIONS: OptionNames<ViewOptions> = {
  tile: needed(shapeFrom(0, "[256, 256]")), radius: radiusRule, border: borderRule, fill: number,
  clipped: truth, dtype: dtypeName, traversal: traversalRule, context: contextRule,
};

/**
 * Views of an array: plain data, so that every worker can load views by itself.
 * @category Views
 */
export interface ViewLayout {
  /** The array, or several that were joined. */
  readonly array: ArraySpec | JoinedArray;
  /** Its tiles. */
  readonly grid: Grid;
  /** Samples of halo before a tile, per dimension; behind it there are as many, unless {@link halo} says otherwise. */
  readonly radius: Shape;
  /** Samples of halo on either side. */
  readonly halo: Halo;
  /** Type of the samples in views. */
  readonly dtype: DType;
  /** Samples of every view, per dimension: tile plus halo. Clipped views have as many, or fewer. */
  readonly shape: Shape;
  /** Whether views end where the array ends. */
  readonly clipped: boolean;
  /** What is seen outside of the array, per dimension. */
  readonly borders: readonly AxisBorder[];
  /** The constant of the border `constant`. */
  readonly fill: number;
  /** Bytes of a view of {@link shape}; of joined arrays, of the views of all of them. */
  readonly byteLength: number;
  /** Bytes that loading a view needs besides the view: for frames that are decoded first, and for near rows. */
  readonly readerBytes: number;
}

/**
 * Planned views of an array.
 * @category Views
 */
export interface ViewPlan extends ViewLayout {
  /** The order in which all views are read. */
  readonly traversal: TileOrder;
  /** The context that holds them. */
  readonly context: Context;
}

/**
 * Plans views of `array`, of a data set as one array, scan dimensions first, or of several that {@link joinArrays} has
 * joined; nothing is opened or read.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { arrayOf, planViews } from "@tilewise/tilewise/unstable/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: new Uint8Array(24), shape: [4, 6] });
 * const { shape, grid, byteLength } = planViews(arrayOf(image), { tile: [2, 3], radius: 1, border: "edge" });
 * assertEquals([shape, grid.counts, byteLength], [[4, 5], [2, 2], 20]);
 * ```
 * @category Views
 */
export function planViews(array: MapInput, options: ViewOptions): ViewPlan {
  checkOptionNames("planViews()", options, VIEW_OPTIONS);
  const { context = defaultContext(), traversal = "row-major", ...layout } = options;
  const order = withOption("traversal", () => orderOf(traversal));
  return { ...layoutOf(inputOf("planViews()", array), layout), traversal: order, context };
}

/** Views of one array. */
export interface SingleLayout extends ViewLayout {
  /** The array. */
  readonly array: ArraySpec;
}

/** The views of joined arrays, one array after another: all have the same tiles, halo and border. */
export function layoutsOf({ array, grid, halo, borders, fill, clipped, dtype }: ViewLayout): SingleLayout[] {
  const options = {
    tile: grid.tile,
    radius: halo,
    dtype,
    ...(clipped ? { clipped } : { border: borders, fill }),
  };
  return "parts" in array
    ? Object.values(array.parts).map((part) => layoutOf(part, options))
    : [layoutOf(array, options)];
}

/** Bytes from the view of one joined array to that of the next. */
export function bytesApart({ shape, dtype }: Pick<ViewLayout, "shape" | "dtype">): number {
  return roundUp(sizeOf([...shape, dtypeInfo(dtype).itemSize]), ALIGNMENT);
}

/** The views of `array`. */
export function layoutOf(array: ArraySpec, options: ViewLayoutOptions): SingleLayout;
/** The views of `array`, or of joined arrays. */
export function layoutOf(array: ArraySpec | JoinedArray, options: ViewLayoutOptions): ViewLayout;
export function layoutOf(array: ArraySpec | JoinedArray, options: ViewLayoutOptions): ViewLayout {
  const layout = layoutOfOne(array, options);
  if (!("parts" in array)) return layout;
  const parts = layoutsOf(layout);
  const readerBytes = parts.reduce((sum, part) => sum + roundUp(part.readerBytes, ALIGNMENT), 0);
  return { ...layout, byteLength: parts.length * bytesApart(layout), readerBytes };
}

function layoutOfOne(array: ArraySpec | JoinedArray, options: ViewLayoutOptions): ViewLayout {
  const grid = withOption("tile", () => gridOf(array.shape, options.tile));
  const { fill = 0, border = "constant", clipped = false, dtype = array.dtype } = options;
  if (clipped) mustHaveNoBorder(options);
  const halo = haloOf(options.radius ?? 0, array.shape);
  const shape = clipped ? clippedShape(grid, halo) : viewShape(grid, halo);
  const byteLength = sizeOf([...shape, dtypeInfo(dtype).itemSize]);
  mustWiden(array.dtype, dtype);
  mustHold(dtype, fill);
  const readerBytes = "parts" in array
    ? 0
    : "layout" in array
    ? frameBytesOf(array, shape)
    : spanOfRows(array, shape);
  return {
    array,
    grid,
    radius: halo.front,
    halo,
    dtype,
    shape,
    clipped,
    borders: withOption("border", () => bordersOf(border, array.shape)),
    fill,
    byteLength,
    readerBytes,
  };
}

/** Clipped views show nothing outside of the array. */
function mustHaveNoBorder({ border, fill }: ViewLayoutOptions): void {
  const option = border !== undefined ? "border" : fill !== undefined ? "fill" : undefined;
  if (option === undefined) return;
  const text = `Clipped views have no samples outside of the array: the option "${option}" would have no ` +
    "effect; leave it out, or leave out { clipped }";
  throw new TilewiseError("invalid", text, { option });
}

/** Refuses a type that would change samples. */
function mustWiden(stored: DType, dtype: DType): void {
  const holds = resultType(stored, dtype);
  if (holds === dtype) return;
  const text =
    `Cannot show samples of ${stored} as ${dtype}, which does not hold all of them; ${holds} would`;
  throw new TilewiseError("unsupported", text, { option: "dtype", expected: holds, found: dtype });
}

/** Refuses a fill value that the samples cannot have: it would become another one. */
export function mustHold(dtype: DType, fill: number): void {
  const { kind, itemSize } = dtypeInfo(dtype);
  if (kind === "f" || kind === "c") return;
  const bits = kind === "b" ? 1 : Math.min(53, 8 * itemSize - (kind === "i" ? 1 : 0));
  const [least, most] = [kind === "i" ? -(2 ** bits) : 0, 2 ** bits - 1];
  if (Number.isInteger(fill) && fill >= least && fill <= most) return;
  const text = `Cannot fill samples of ${dtype} with ${fill}: use whole numbers from ${least} to ${most}`;
  throw new TilewiseError("invalid", text, { option: "fill", expected: `${least} to ${most}`, found: fill });
}

/** Bytes of the reader of the frames for views of `shape`. */
function frameBytesOf(array: FrameArray, shape: Shape): number {
  const { part, frames } = frameReading(array, shape);
  return readerBytes(array.layout, frames, part);
}
