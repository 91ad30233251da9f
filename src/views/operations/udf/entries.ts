/**
 * The entries that a UDF fills for one tile, as bytes: they travel from workers to the thread that merges.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { checkOptionNames, defined, inWords, type OptionNames } from "../../../options.ts";
import { callable, each, inner, needed, oneOf, text } from "../../../options/rules.ts";
import {
  type ArrayOf,
  type DType,
  dtypeInfo,
  isComplex,
  type TypedArray,
  typedArray,
  unitsOf,
} from "../../../space/dtype.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { fillNumbers, identityOf, NUMBER_RULES, type NumberRule } from "../../../space/numbers.ts";
import { dtypeName, shapeFrom } from "../../../space/rules.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import type { Radius } from "../operation.ts";
import { inputsRule, radiusRule } from "../rules.ts";
import type { FunctionParams, FunctionView } from "../view_function.ts";

/** The place of an entry among those of a tile. */
interface EntryPlace {
  /** Its buffer. */
  readonly name: string;
  /** What it belongs to. */
  readonly kind: "tile" | "single";
  /** Type of its numbers. */
  readonly dtype: DType;
  /** Its shape. */
  readonly shape: Shape;
  /** Its first byte. */
  readonly offset: number;
  /** How it is merged. */
  readonly merge?: NumberRule;
}

/** Entries begin at multiples of this, so that typed arrays can show them. */
const STEP = 16;

/** The places of all entries, and the bytes of a tile. */
export function placesOf(buffers: ViewBuffers): { readonly places: EntryPlace[]; readonly bytes: number } {
  const places: EntryPlace[] = [];
  let bytes = 0;
  for (const [name, { kind, dtype = "float32", extraShape: shape = [], merge }] of Object.entries(buffers)) {
    places.push({ name, kind, dtype, shape, offset: bytes, ...defined({ merge }) });
    bytes += Math.ceil(sizeOf([...shape, dtypeInfo(dtype).itemSize]) / STEP) * STEP;
  }
  return { places, bytes };
}

/** The entries that begin at `pointer`, as typed arrays. */
export function entriesAt(
  places: readonly EntryPlace[],
  buffer: ArrayBufferLike,
  pointer: number,
): Record<string, TypedArray> {
  return Object.fromEntries(
    places.map(({ name, dtype, shape, offset }) => [
      name,
      typedArray(dtype, buffer, pointer + offset, sizeOf(shape)),
    ]),
  );
}

/** Fills entries with what they begin with. */
export function startEntries(places: readonly EntryPlace[], entries: Record<string, TypedArray>): void {
  for (const { name, dtype, merge = "sum" } of places) fillNumbers(entries[name]!, identityOf(merge, dtype));
}

/** Numbers of an entry in a typed array. */
export function entryLength({ dtype, shape }: EntryPlace): number {
  return sizeOf(shape) * unitsOf(dtype);
}

// UDFs over views: what they declare, and what they get and give.

/**
 * A result of a UDF over views. What a view adds to it begins at zero, or at the greatest or the least number of its type
 * for the rules `min` and `max`.
 * @category Views
 */
export interface ViewBuffer<D extends DType = DType> {
  /** `tile`: an entry per tile. `single`: one entry, merged from those of all tiles, in row-major order. */
  readonly kind: "tile" | "single";
  /** Type of the numbers. Default `float32`. */
  readonly dtype?: D;
  /** Shape of one entry. Default: a number. */
  readonly extraShape?: Shape;
  /** How entries of `single` buffers are merged; without a rule, {@link ViewUdf.merge} does it. */
  readonly merge?: NumberRule;
}

/**
 * The buffers of a UDF over views, by name.
 * @category Views
 */
export type ViewBuffers = Readonly<Record<string, ViewBuffer>>;

/**
 * The type of the numbers of a buffer.
 * @category Views
 */
export type ViewBufferType<S> = S extends { readonly dtype: infer D extends DType } ? D : "float32";

/**
 * One entry of each buffer, as typed arrays.
 * @category Views
 */
export type ViewEntries<B extends ViewBuffers> = { readonly [K in keyof B]: ArrayOf<ViewBufferType<B[K]>> };

/**
 * The results of a UDF over views: of `tile` buffers tiles × entry, of `single` buffers an entry.
 * @category Views
 */
export type ViewResults<B extends ViewBuffers> = { readonly [K in keyof B]: NDArray<ViewBufferType<B[K]>> };

/**
 * A UDF over views: buffers, a function of a view that fills an entry of each, and how entries are merged.
 * @category Views
 */
export interface ViewUdf<
  B extends ViewBuffers = ViewBuffers,
  I extends DType = DType,
  N extends string = never,
> {
  /** Its name in messages. */
  readonly name?: string;
  /** Its results. */
  readonly buffers: B;
  /** Type of the samples that it gets; data that would lose digits are refused. Default `float32`. */
  readonly input?: I;
  /** Samples of halo that it reads. Default: the radius of the views, or 0 if they have none. */
  readonly radius?: Radius;
  /** Names of the arrays that it takes, as {@link joinArrays} joins them. Default: one array. */
  readonly inputs?: readonly N[];
  /** Fills the entries of one view; sizes of its tile are those of the view without `radius` and `back`. */
  processView(view: FunctionView<I, FunctionParams, N>, entries: ViewEntries<B>): void;
  /** Adds the entries of a later tile to those of the tiles before; needed for `single` buffers without a rule. */
  merge?(into: ViewEntries<B>, from: ViewEntries<B>): void;
}

/**
 * Options of {@link viewUdf} for UDFs in modules.
 * @category Views
 */
export interface ViewUdfOptions {
  /** The export of the module. Default `default`. */
  readonly export?: string;
  /** The argument of the export, if it is a function that makes the UDF; passed to it as `view.params` as well. */
  readonly params?: FunctionParams;
}

/** A UDF of unknown types. */
export type AnyViewUdf = Omit<ViewUdf, "processView" | "merge" | "inputs"> & {
  readonly inputs?: readonly string[];
  processView(view: FunctionView<DType>, entries: object): unknown;
  merge?(into: object, from: object): unknown;
};

// Refuses values that are not UDFs over views.

// deno-fmt-ignore: written by `deno task build`
const BUFFER_NAMES: OptionNames<ViewBuffer> = {
  kind: needed(oneOf("tile", "single")), dtype: dtypeName, extraShape: shapeFrom(0, "[2]"),
  merge: oneOf(...NUMBER_RULES),
};

// deno-fmt-ignore: written by `deno task build`
const UDF_NAMES: OptionNames<AnyViewUdf> = {
  name: text, buffers: needed(each("an object of buffers by name", inner(BUFFER_NAMES))), input: dtypeName,
  radius: radiusRule, inputs: inputsRule, processView: needed(callable), merge: callable,
};

/** Refuses `value`, called `name` in messages, if it is not a UDF over views, or declares what cannot be. */
export function checkViewUdf(name: string, value: unknown): asserts value is AnyViewUdf {
  if (typeof value !== "object" || value === null) {
    const words = `Cannot use ${name} over views: it is not a UDF, but ${inWords(value)}`;
    throw new TilewiseError("udf", words, { found: inWords(value) });
  }
  checkOptionNames("viewUdf()", value, UDF_NAMES);
  const { buffers, merge } = value as AnyViewUdf;
  const all = Object.entries(buffers);
  const fail = (words: string) => {
    throw new TilewiseError("udf", `Cannot use ${name} over views: ${words}`, { option: "buffers" });
  };
  if (all.length === 0) fail("it has no buffers; declare at least one");
  for (const [buffer, { kind, dtype = "float32", merge: rule }] of all) {
    if (kind === "tile" && rule) fail(`its buffer "${buffer}" has an entry per tile, which are not merged`);
    if (rule && rule !== "sum" && isComplex(dtype)) {
      fail(`its buffer "${buffer}" has merge "${rule}", but complex numbers have no order`);
    }
    if (kind === "single" && !rule && !merge) {
      fail(`its buffer "${buffer}" needs merge: "sum", "min" or "max", or the UDF a function merge`);
    }
  }
}
