/**
 * Sources and sinks: the functions that provide the inputs of a tile and take its outputs.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { dtypeInfo, type TypedArray, typedArray } from "../../space/dtype.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { sameShape, type Shape, showShape, sizeOf, stridesOf } from "../../space/shape.ts";
import type { ArraySchema, Extent, Hypercube } from "../cube/cube.ts";

/**
 * The facts about array and tile that a source or sink gets.
 * @category Hypercubes
 */
export interface ProviderContext {
  /** The name of the array. */
  readonly name: string;
  /** Its schema, with abstract shape, description and units. */
  readonly schema: ArraySchema;
  /** Its sizes in this tile. */
  readonly shape: Shape;
  /** Its ranges in the whole problem, axis by axis. */
  readonly extents: readonly Extent[];
  /** The cube with its window on this tile. */
  readonly cube: Hypercube;
  /** The number of the tile, from 0; -1 for inputs that are requested once. */
  readonly tile: number;
}

/**
 * The argument of a sink.
 * @category Hypercubes
 */
export interface SinkContext extends ProviderContext {
  /** The samples of this tile. The memory is reused after the sink has returned: `data.slice()` keeps them. */
  readonly data: NDArray;
  /** An input from which this tile was computed; its memory is reused as well. */
  input(name: string): NDArray;
}

/**
 * Provides an array of exactly `context.shape` samples of its dtype (complex samples as pairs), dense, row-major.
 * @category Hypercubes
 */
export type Source = (context: ProviderContext) => TypedArray | NDArray | Promise<TypedArray | NDArray>;

/**
 * Takes an output of a tile. Sinks are called for one tile after another, in the order of the tiles.
 * @category Hypercubes
 */
export type Sink = (context: SinkContext) => void | Promise<void>;

/** The place of an array of a tile; plain data for the worker. */
export interface CubeArray {
  /** Address of the first sample. */
  readonly pointer: number;
  /** Sizes in this tile. */
  readonly shape: Shape;
  /** Type of the samples. */
  readonly dtype: ArraySchema["dtype"];
}

/** The context of an array for a tile. */
export function contextOf(cube: Hypercube, name: string, tile: number): ProviderContext {
  const schema = cube.array(name);
  return { name, schema, shape: cube.arrayShape(name), extents: cube.arrayExtents(name), cube, tile };
}

/** The samples of an array in memory. */
export function viewOf(memory: WebAssembly.Memory, { pointer, shape, dtype }: CubeArray): NDArray {
  return ndarray(typedArray(dtype, memory.buffer, pointer, sizeOf(shape)), shape, dtype);
}

/** Calls a source and checks the samples that it provides: they must match `target`. */
export async function bring(
  source: Source,
  context: ProviderContext,
  target: TypedArray,
): Promise<TypedArray> {
  const brought = await calling("source", context, () => source(context));
  const data = samplesOf(brought, context);
  if (data?.constructor !== target.constructor || data.length !== target.length) {
    throw wrong(context, `it brought ${describe(brought)}`);
  }
  return data;
}

/** Runs a source or sink; if it throws, the error becomes the cause of a `udf` error that names array and tile. */
export async function calling<T>(
  kind: "source" | "sink",
  context: ProviderContext,
  call: () => T | Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const text = `The ${kind} of ${context.name} failed for tile ${context.tile}: ${message}\n${
      help(context)
    }`;
    throw new TilewiseError("udf", text, { array: context.name, tile: context.tile }, { cause });
  }
}

function samplesOf(value: TypedArray | NDArray, { shape, schema }: ProviderContext): TypedArray | undefined {
  if (ArrayBuffer.isView(value)) return value;
  if (typeof value !== "object" || value === null) return undefined;
  const dense = value.dtype === schema.dtype && sameShape(value.shape, shape) &&
    sameShape(value.stride, stridesOf(shape));
  return dense ? value.data : undefined;
}

function wrong(context: ProviderContext, what: string): TilewiseError {
  const { name, tile, schema: { dtype }, shape } = context;
  const pairs = dtypeInfo(dtype).kind === "c" ? " (pairs of re and im)" : "";
  const text =
    `The source of ${name} must bring ${showShape(shape)} samples of ${dtype}${pairs} for tile ${tile}; ` +
    `${what}\n${help(context)}`;
  return new TilewiseError("invalid", text, { array: name, tile });
}

function describe(value: unknown): string {
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${(value as TypedArray).length}`;
  if (typeof value !== "object" || value === null) return String(value);
  const { shape, stride, dtype } = value as Partial<NDArray>;
  return shape ? `an array of ${showShape(shape)} ${dtype}, stride ${stride?.join(", ")}` : "an object";
}

/** What a source or sink must do, as text for the end of every message about it. */
export function help({ name, schema, extents, cube }: ProviderContext): string {
  const axes = schema.shape.map((axis, d) => {
    const [lower, upper] = extents[d]!;
    if (typeof axis === "number") return `${axis}`;
    const { size, description } = cube.dimension(axis);
    return `${axis} ${lower} to ${upper} of ${size}${description && ` (${description})`}`;
  });
  const { description, units, dtype } = schema;
  const what = [description, units && `in ${units}`].filter((part) => part).join(", ");
  return `${name}: ${dtype} of [${axes.join("; ")}]${what && `: ${what}`}`;
}
