/**
 * The UDF that calls a function with each frame.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { isTilewiseError, TilewiseError } from "../../../errors.ts";
import { type DType, dtypeInfo, DTYPES, type TypedArray, unitsOf, zeros } from "../../../space/dtype.ts";
import { fillNumbers, setNumber } from "../../../space/numbers.ts";
import { showShape, sizeOf, unravel } from "../../../space/shape.ts";
import type { Params } from "../../interface/udf_ref.ts";
import type { BufferSpec, ResultsContext, Udf, UdfMeta } from "../../interface/udf.ts";
import { withMask } from "../../interface/objects.ts";
import {
  type FrameFunction,
  type GivenSpec,
  isObjectSpec,
  type MapOptions,
  mixedKinds,
  OBJECT_KINDS,
  objectValue,
  type ResultSpec,
  resultSpecOf,
  storeValue,
  type ValueSpec,
} from "./options.ts";

/** The dtypes of its results. */
export type Types = { readonly result: DType | "object"; readonly monitor?: DType | "object" };

/** The parts besides its buffers: type and shape of a value, encoded as an array for workers and decoded there. */
export interface Parts {
  readonly constants: { readonly spec: Float64Array };
  readonly taskData: ResultSpec;
}

/** The UDF that calls `fn` with each frame. */
export function udfOfFunction(
  fn: FrameFunction<TypedArray>,
  name: string,
  options: MapOptions,
): Udf<Types, Parts> {
  const { input = "float32", params = {}, monitor = false, values = "unknown", axes } = options;
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
      const what = isObjectSpec(spec)
        ? { dtype: spec.dtype, values }
        : { dtype: spec.dtype, extraShape: spec.shape, values, ...defined({ axes }) };
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
  return defined({ dtype, shape });
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
  const step = unitsOf(dtype);
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
  const units = sizeOf(shape) * (unitsOf(dtype));
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
  return { dtype: "object", ...defined({ for: kind }) };
}
