/**
 * Calls a function of the user for every frame and collects the values it returns.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { wholeUrl } from "../../executor/module_url.ts";
import { checkOptionNames, inWords } from "../../options.ts";
import { importExport } from "../../runner/import_export.ts";
import type { DType, TypedArray } from "../../space/dtype.ts";
import { type FrameFunction, type FrameValue, MAP_OPTIONS, type MapOptions } from "./map/options.ts";
import { type Parts, type Types, udfOfFunction } from "./map/udf.ts";
import type { Udf } from "../interface/udf.ts";
import { builtin, udf, type UdfRef } from "../interface/udf_ref.ts";

export type { FrameFunction, FrameInfo, MapOptions } from "./map/options.ts";
export { MAP_OPTIONS } from "./map/options.ts";

/**
 * The dtype of the values of a frame function, if its type says it.
 * @category User-defined functions
 */
export type MappedDType<V> = V extends number | readonly number[] ? "float64"
  : V extends boolean ? "bool"
  : V extends bigint ? "int64"
  : V extends string | null ? "object"
  : DType | "object";

/**
 * The dtypes of the results of {@link mapFrames}.
 * @category User-defined functions
 */
export type MappedTypes<D extends DType | "object" = DType | "object"> = {
  /** The values, one per frame. */
  readonly result: D;
  /** The value of the last frame that has been processed. */
  readonly monitor?: D;
};

/**
 * Calls your own function for every frame: an export of a module, which runs on workers, or the function itself, which
 * runs on the calling thread. Result `result`: shape (…scan, …value). To find type and shape of a value, the function
 * is called with a frame of ones when the run is planned, unless both are given. Numbers become float64, truth values
 * bool, bigints int64; typed arrays keep their type. Results with more dimensions are nested lists or arrays
 * (`ndarray`).
 *
 * If the value is a string, an object, null, or a list that is not an array of numbers (also an empty list), the result
 * is one JSON value per frame, read with {@link objectsOf}; `dtype: "object"` asks for this whatever the value is.
 *
 * Errors, with the scan position: `udf` if the function throws or returns nothing, if a value has another shape or a
 * type that does not fit into the type of the first value, or if some frames give numbers and others objects.
 *
 * @param source the address of a module, or the function itself
 * @param options parameters of the function, the name of the export, and type and shape of a value
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example The brightest sample of every frame
 * ```ts
 * import { mapFrames, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 4, 3), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const most = mapFrames((frame) => frame.reduce((a, b) => Math.max(a, b)));
 * const results = await run(await plan(scan, { most }));
 * assertEquals([...results.most.result.data], [2, 4]);
 * ```
 *
 * @example All bright samples of every frame
 * ```ts
 * import { mapFrames, open, plan, run } from "@tilewise/tilewise";
 * import { objectsOf } from "@tilewise/tilewise/udf";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 4, 3), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const bright = mapFrames((frame) => [...frame].flatMap((value, x) => value > 2 ? [{ x, value }] : []));
 * const results = await run(await plan(scan, { bright }));
 * assertEquals(objectsOf(results.bright).result.data, [[], [{ x: 0, value: 4 }, { x: 1, value: 3 }]]);
 * ```
 * @category User-defined functions
 */
export function mapFrames<D extends DType | "object">(
  source: string | URL | FrameFunction<never>,
  options: MapOptions & {
    /** Type of the values. */
    readonly dtype: D;
  },
): UdfRef<MappedTypes<D>>;

/** The values have the dtype that the function returns. */
export function mapFrames<V extends FrameValue, F extends TypedArray = Float32Array>(
  source: FrameFunction<F, V>,
  options?: MapOptions,
): UdfRef<MappedTypes<MappedDType<V>>>;

/** The dtype of the values is determined when a run is planned. */
export function mapFrames(
  source: string | URL | FrameFunction<never>,
  options?: MapOptions,
): UdfRef<MappedTypes>;

export function mapFrames(source: string | URL | FrameFunction<never>, options: MapOptions = {}): UdfRef {
  checkOptionNames("mapFrames()", options, MAP_OPTIONS);
  if (typeof source === "function") {
    return udf(udfOfFunction(source as FrameFunction<TypedArray>, source.name || "map", options));
  }
  if (typeof source !== "string" && !(source instanceof URL)) {
    const text = `Cannot map ${
      inWords(source)
    }: give a function of a frame, or the URL of a module that exports it`;
    throw new TilewiseError("udf", text, { found: inWords(source) });
  }
  const module = wholeUrl(source, "map the function");
  const { export: name = "default", ...rest } = options;
  return { ...builtin("map_frames", { module, export: name, ...rest }), name: `map ${name}` };
}

/** The UDF behind `mapFrames` of a module. */
export async function mapFramesUdf(
  { module, export: name, ...options }: MapOptions & { module: string; export: string },
): Promise<Udf<Types, Parts>> {
  const found = await importExport(module, name, "function");
  if (typeof found === "function") return udfOfFunction(found as FrameFunction<TypedArray>, name, options);
  const text = `Cannot map "${name}" of ${module}: it is not a function of a frame, but ${typeof found}`;
  throw new TilewiseError("udf", text, { file: module, found: typeof found });
}
