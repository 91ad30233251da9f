/**
 * UDFs over views: results that are not arrays of the shape of the data, merged from an entry per tile.
 *
 * @module
 */

import { checkOptionNames, defined, type OptionNames } from "../../../options.ts";
import { each, text } from "../../../options/rules.ts";
import { isTilewiseError, TilewiseError } from "../../../errors.ts";
import { reasonOf } from "../../../reason.ts";
import { wholeUrl } from "../../../executor/module_url.ts";
import { mustTravel } from "../../../runner/travel.ts";
import type { DType } from "../../../space/dtype.ts";
import { type NDArray, zeroArray } from "../../../space/ndarray.ts";
import { joinNumbers } from "../../../space/numbers.ts";
import type { ReducedArray, TileResult, ViewOperation, ViewReduction } from "../operation.ts";
import {
  type AnyViewUdf,
  checkViewUdf,
  entriesAt,
  entryLength,
  placesOf,
  startEntries,
  type ViewBuffers,
  type ViewResults,
  type ViewUdf,
  type ViewUdfOptions,
} from "./entries.ts";
import { udfOf, type ViewUdfUse } from "./work.ts";

/**
 * The results of a UDF, or of the UDF that a function makes.
 * @category Views
 */
export type ViewResultsOf<U> = U extends (...args: never) => infer M ? ViewResultsOf<M>
  : U extends { readonly buffers: infer B extends ViewBuffers } ? ViewResults<B>
  : ViewResults<ViewBuffers>;

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<ViewUdfOptions> = {
  export: text, params: each("an object of parameters by name", () => {}),
};

/**
 * A UDF over views, for {@link reduceViews}. `processView` fills an entry of each buffer for every view; entries of
 * `single` buffers are merged in row-major order of their tiles, so that results do not depend on workers. As tiles decide
 * what is merged with what, sums of floats may differ in their last digits if tiles have other sizes.
 *
 * A UDF itself runs on the calling thread; one in a module runs on workers.
 *
 * Errors: `udf`, with the place of the tile, if it throws or returns a promise; `unsupported` if `input` cannot hold
 * the samples.
 *
 * @example The number of steps in an image, and the greatest step of each tile
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { reduceViews, viewUdf } from "@tilewise/tilewise/unstable/views";
 * import { assertEquals } from "@std/assert";
 * const steps = viewUdf({
 *   buffers: {
 *     count: { kind: "single", dtype: "int32", merge: "sum" },
 *     greatest: { kind: "tile" },
 *   },
 *   radius: { back: [0, 1] },
 *   processView({ data }, { count, greatest }) { // one row, with one sample behind it
 *     for (let i = 1; i < data.length; i++) {
 *       const step = Math.abs(data[i]! - data[i - 1]!);
 *       if (step > 0) count[0]!++;
 *       greatest[0] = Math.max(greatest[0]!, step);
 *     }
 *   },
 * });
 * const image = await open({ data: Uint8Array.of(3, 3, 9, 8, 8, 1), shape: [1, 6] });
 * await using context = createContext({ workers: 0 });
 * const { count, greatest } = await reduceViews(image, steps, { tile: [1, 3], context });
 * assertEquals([count.data[0], greatest.shape, ...greatest.data], [3, [1, 2], 6, 7]);
 * ```
 * @category Views
 */
export function viewUdf<
  const B extends ViewBuffers,
  const I extends DType = "float32",
  const N extends string = never,
>(
  udf: ViewUdf<B, I, N>,
): ViewReduction<ViewResults<B>, "uint8">;
/**
 * A UDF in a module: its export, or what its export makes from `params`. With `viewUdf<typeof mine>(…)` results have
 * their types.
 */
export function viewUdf<U = ViewUdf>(
  source: string | URL,
  options?: ViewUdfOptions,
): ViewReduction<ViewResultsOf<U>, "uint8">;
export function viewUdf(
  source: string | URL | object,
  options: ViewUdfOptions = {},
): ViewReduction<unknown, "uint8"> {
  checkOptionNames("viewUdf()", options, OPTIONS);
  const use = useOf(source, options);
  return {
    operation: operationFor(use),
    merge: async (partials, array) => merged(await udfOf(use), partials, array),
  };
}

/**
 * A UDF over views in a module: the compiler infers the types that its functions see from what it declares.
 *
 * @example
 * ```ts
 * import { defineViewUdf } from "@tilewise/tilewise/unstable/views";
 * import { assertEquals } from "@std/assert";
 * export const brightest = defineViewUdf({
 *   buffers: { most: { kind: "single", dtype: "uint16", merge: "max" } },
 *   input: "uint16",
 *   processView({ data }, { most }) {
 *     most[0] = data.reduce((a, b) => Math.max(a, b));
 *   },
 * });
 * assertEquals(Object.keys(brightest.buffers), ["most"]);
 * ```
 * @category Views
 */
export function defineViewUdf<
  const B extends ViewBuffers,
  const I extends DType = "float32",
  const N extends string = never,
>(
  udf: ViewUdf<B, I, N>,
): ViewUdf<B, I, N> {
  checkViewUdf("a value", udf);
  return udf;
}

function useOf(
  source: string | URL | object,
  { export: name = "default", params = {} }: ViewUdfOptions,
): ViewUdfUse {
  if (typeof source === "string" || source instanceof URL) {
    const module = wholeUrl(source, "use the UDF");
    mustTravel(`UDF "${name}" over views`, params);
    return { export: name, params, module };
  }
  checkViewUdf("a value", source);
  return { export: source.name ?? "viewUdf", params, udf: source };
}

function operationFor(use: ViewUdfUse): ViewOperation<"uint8"> {
  const { module, export: name, udf } = use;
  const operation = { name, operation: "viewUdf", ...(udf ? { here: true } : { modules: [module!] }) };
  const prepare = async () => {
    const { buffers, radius, inputs, input } = await udfOf(use);
    const optional = defined({ radius, inputs, input });
    return { ...operation, params: { ...use, buffers, ...optional } };
  };
  return { ...operation, params: use, prepare };
}

/** The results, from the entries of all tiles. */
async function merged(
  udf: AnyViewUdf,
  partials: AsyncIterable<TileResult<"uint8">>,
  { grid: { counts } }: ReducedArray,
): Promise<Record<string, NDArray>> {
  const { places, bytes } = placesOf(udf.buffers);
  const all = entriesAt(places, new ArrayBuffer(bytes), 0);
  startEntries(places, all);
  const results = Object.fromEntries(
    places.map(({ name, kind, dtype, shape }) => {
      const array = zeroArray(kind === "tile" ? [...counts, ...shape] : shape, dtype);
      return [name, kind === "tile" ? array : { ...array, data: all[name]! }] as const;
    }),
  ) as Record<string, NDArray>;
  let tile = 0;
  for await (const { data } of partials) {
    const entries = entriesAt(places, data.buffer, data.byteOffset);
    mergeOwn(udf, all, entries);
    for (const place of places) {
      const { name, kind, dtype, merge } = place;
      if (kind === "tile") results[name]!.data.set(entries[name] as never, tile * entryLength(place));
      else if (merge) joinNumbers(merge, dtype, all[name]!, entries[name]!);
    }
    tile++;
  }
  return results;
}

function mergeOwn(udf: AnyViewUdf, into: object, from: object): void {
  try {
    udf.merge?.(into, from);
  } catch (cause) {
    if (isTilewiseError(cause)) throw cause;
    const name = udf.name ?? "viewUdf";
    throw new TilewiseError(
      "udf",
      `UDF "${name}" failed in merge(): ${reasonOf(cause)}`,
      { operation: name },
      { cause },
    );
  }
}
