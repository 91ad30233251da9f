/**
 * Calls a function of the user for every frame and collects the values it returns.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { wholeUrl } from "../../executor/module_url.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { text, truth } from "../../options/rules.ts";
import { type DType, dtypeInfo, DTYPES, type TypedArray, zeros } from "../../space/dtype.ts";
import { fillNumbers, setNumber } from "../../space/numbers.ts";
import { shapeFrom } from "../../space/rules.ts";
import { type Shape, showShape, sizeOf, unravel } from "../../space/shape.ts";
import type { DTypeWish } from "../interface/buffer_types.ts";
import { importExport } from "../../runner/import_export.ts";
import type { Params } from "../interface/params.ts";
import type { BufferSpec, ResultsContext, Udf, UdfMeta } from "../interface/udf.ts";
import { builtin, udf, type UdfRef } from "../interface/udf_ref.ts";
import { withMask } from "../interface/with_mask.ts";
import {
  isObjectSpec,
  mixedKinds,
  OBJECT_KINDS,
  objectValue,
  type ResultSpec,
  resultSpecOf,
} from "./map/objects.ts";
import { type FrameValue, type GivenSpec, storeValue, type ValueSpec } from "./map/values.ts";

/**
 * Facts that a frame function gets besides the samples.
 * @category User-defined functions
 */
export interface FrameInfo {
  /** Shape of the frame; its samples lie in row-major order. */
  readonly shape: Shape;
  /** Its coordinates in the scan. */
  readonly coordinates: readonly number[];
  /** Its position in the scan as one number. */
  readonly position: number;
  /** Facts of the data. */
  readonly meta: UdfMeta;
  /** {@link MapOptions.params}. */
  readonly params: Params;
}

/**
 * A function of one frame. The memory of the samples is reused for the next frame, and other UDFs of the run read it as
 * well: copy what you keep, and do not change it. Complex samples are pairs of numbers.
 * @category User-defined functions
 */
export type FrameFunction<F extends TypedArray = Float32Array, V extends FrameValue = FrameValue> = (
  frame: F,
  info: FrameInfo,
) => V;

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
 * Options of {@link mapFrames}.
 * @category User-defined functions
 */
export interface MapOptions {
  /** The export of the module. Default `default`. */
  readonly export?: string;
  /** Given to the function as `info.params`. */
  readonly params?: Params;
  /**
   * Type of the result; values are converted. `object`: any JSON value. Default: the type of the value for a frame of
   * ones.
   */
  readonly dtype?: DType | "object";
  /**
   * Shape of one value; lists with that number of entries are accepted as well. Default: the shape of the value for a
   * frame of ones.
   */
  readonly shape?: Shape;
  /** Type of the samples that the function gets, combined with the type of the file by NumPy's rules. Default `float32`. */
  readonly input?: DTypeWish;
  /** Whether there is a result `monitor`: the value of the last frame that has been processed. Default false. */
  readonly monitor?: boolean;
}

/** The names of {@link MapOptions}. */
export const MAP_OPTIONS: OptionNames<MapOptions> = {
  export: text,
  params: true,
  dtype: true,
  shape: shapeFrom(0, "[2]"),
  input: true,
  monitor: truth,
};

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
    return udf(mapUdf(source as FrameFunction<TypedArray>, source.name || "map", options));
  }
  const module = wholeUrl(source, "map the function");
  const { export: name = "default", ...rest } = options;
  return { ...builtin("map", { module, export: name, ...rest }), name: `map ${name}` };
}

/** The UDF behind {@link mapFrames} of a module. */
export async function map(
  { module, export: name, ...options }: MapOptions & { module: string; export: string },
): Promise<Udf<Types, Parts>> {
  const found = await importExport(module, name, "function");
  if (typeof found === "function") return mapUdf(found as FrameFunction<TypedArray>, name, options);
  const text = `Cannot map "${name}" of ${module}: it is no function of a frame, but ${typeof found}`;
  throw new TilewiseError("udf", text, { file: module, found: typeof found });
}

type Types = { readonly result: DType | "object"; readonly monitor?: DType | "object" };

/** The parts besides its buffers: type and shape of a value, encoded as an array for workers and decoded there. */
interface Parts {
  readonly constants: { readonly spec: Float64Array };
  readonly taskData: ResultSpec;
}

function mapUdf(fn: FrameFunction<TypedArray>, name: string, options: MapOptions): Udf<Types, Parts> {
  const { input = "float32", params = {}, monitor = false } = options;
  const given = givenOf(name, options);
  let tried: { readonly meta: UdfMeta; readonly spec: ResultSpec } | undefined; // so that the function is called only once
  const specFor = (meta: UdfMeta) => {
    const spec = () => options.dtype === "object" ? ANY_OBJECT : trySpec(fn, name, meta, params, given);
    if (tried?.meta !== meta) tried = { meta, spec: spec() };
    return tried.spec;
  };
  return {
    name,
    buffers: (meta) => {
      const spec = specFor(meta);
      const what = isObjectSpec(spec) ? { dtype: spec.dtype } : { dtype: spec.dtype, extraShape: spec.shape };
      const result: BufferSpec<DType | "object"> = { kind: "nav", ...what };
      const last: BufferSpec = { kind: "single", ...what, use: "result" };
      return monitor ? { result, monitor: last } : { result };
    },
    inputDType: input,
    constants: (meta) => ({ spec: packed(specFor(meta)) }),
    taskData: ({ constants }) => unpacked(constants.spec),
    processFrame(frame, { result }, { meta, taskData: spec, objects }) {
      const position = frame.positions[0]!;
      const info = { shape: meta.sigShape, coordinates: frame.coordinates(0), position, meta, params };
      try {
        const value = fn(frame.data, info);
        if (isObjectSpec(spec)) objects.result.set(0, objectValue(value, spec));
        else storeNumbers(result, value, spec, given);
      } catch (error) {
        throw failure(name, `at scan position (${info.coordinates.join(", ")})`, error);
      }
    },
    results({ result }, meta, context) {
      if (!monitor) return {};
      const spec = specFor(meta);
      return { monitor: isObjectSpec(spec) ? lastObject(context) : lastOf(result, spec, context) };
    },
  };
}

/** For results of any JSON values. */
const ANY_OBJECT: ResultSpec = { dtype: "object" };

/** Writes a value that consists of numbers; any other value is an error that says so. */
function storeNumbers(row: TypedArray, value: unknown, spec: ValueSpec, given: GivenSpec): void {
  try {
    storeValue(row, value, spec, given);
  } catch (error) {
    throw new Error((error as Error).message + mixedKinds(value, spec, given));
  }
}

function givenOf(name: string, { dtype, shape }: MapOptions): GivenSpec {
  if (dtype === "object") {
    if (!shape) return {};
    const text =
      `Cannot map "${name}" to objects of ${showShape(shape)}: each frame has one JSON value; leave ` +
      `shape out`;
    throw new TilewiseError("udf", text, { udf: name, found: showShape(shape) });
  }
  if (dtype !== undefined && !DTYPES.includes(dtype)) {
    const text = `Cannot map "${name}": the dtype "${dtype}" is unknown; known are object, ${
      DTYPES.join(", ")
    }`;
    throw new TilewiseError("udf", text, { udf: name, found: dtype });
  }
  return { ...(dtype ? { dtype } : {}), ...(shape ? { shape } : {}) };
}

/** Finds type and shape of a value with a frame of ones. */
function trySpec(
  fn: FrameFunction<TypedArray>,
  name: string,
  meta: UdfMeta,
  params: Params,
  given: GivenSpec,
): ResultSpec {
  if (given.dtype && given.shape) return { dtype: given.dtype, shape: given.shape };
  const { inputDType, navShape, sigShape, pixels } = meta;
  const info = { shape: sigShape, coordinates: unravel(0, navShape), position: 0, meta, params };
  try {
    return resultSpecOf(fn(ones(inputDType, pixels), info), given);
  } catch (error) {
    const frame = `for a frame of ones, ${showShape(sigShape)} ${inputDType}, that shows type and shape of ` +
      `its values (give dtype and shape to do without)`;
    throw failure(name, frame, error);
  }
}

function ones(dtype: DType, pixels: number): TypedArray {
  const frame = zeros(dtype, pixels);
  const step = dtypeInfo(dtype).kind === "c" ? 2 : 1;
  for (let i = 0; i < frame.length; i += step) setNumber(frame, i, 1);
  return frame;
}

function failure(name: string, where: string, error: unknown): TilewiseError {
  if (isTilewiseError(error, "aborted")) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new TilewiseError("udf", `Function "${name}" failed ${where}: ${reason}`, { udf: name }, {
    cause: error,
  });
}

/** The value of the last frame that has one. */
function lastOf(result: TypedArray, { dtype, shape }: ValueSpec, { validNav }: ResultsContext) {
  const last = validNav(true).lastIndexOf(1);
  const units = sizeOf(shape) * (dtypeInfo(dtype).kind === "c" ? 2 : 1);
  if (last >= 0) return result.slice(last * units, (last + 1) * units);
  const none = zeros(dtype, sizeOf(shape));
  if ("fc".includes(dtypeInfo(dtype).kind)) fillNumbers(none, NaN);
  return withMask(none, false);
}

/** The same for objects. */
function lastObject({ validNav, objects }: ResultsContext) {
  const last = validNav(true).lastIndexOf(1);
  return last >= 0 ? [objects.result!.get(last)] : withMask([null], false);
}

/** Stands for JSON values in the place of a type. */
const OBJECT = -1;

/** Type and shape, or the description of the value for a frame of ones, as an array that travels to workers. */
function packed(spec: ResultSpec): Float64Array {
  if (!isObjectSpec(spec)) return Float64Array.of(DTYPES.indexOf(spec.dtype), ...spec.shape);
  return Float64Array.of(OBJECT, spec.for ? OBJECT_KINDS.indexOf(spec.for) : OBJECT);
}

function unpacked([dtype, ...shape]: Float64Array): ResultSpec {
  if (dtype !== OBJECT) return { dtype: DTYPES[dtype!]!, shape };
  const kind = OBJECT_KINDS[shape[0]!];
  return { dtype: "object", ...(kind ? { for: kind } : {}) };
}
