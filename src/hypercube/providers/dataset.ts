/**
 * Sources from data sets: arrays of any format that Tilewise opens.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import { TilewiseError } from "../../errors.ts";
import { copyView } from "../../memory/copy_box.ts";
import { denseStrides, stridedView } from "../../memory/strided.ts";
import { checkOptionNames, nearest, type OptionNames } from "../../options.ts";
import { each, must, needed, text, truth, whole } from "../../options/rules.ts";
import { dtypeInfo, resultType, type TypedArray, zeros } from "../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { type ArraySpec, specOf } from "../../views/array.ts";
import { BoxReader } from "../../views/box_reader.ts";
import { convert } from "../../views/operations/function_arrays.ts";
import type { ArraySchema, Hypercube } from "../cube/cube.ts";
import { largestShape } from "./arrays.ts";
import type { ProviderContext, StartContext } from "./context.ts";
import type { DimensionUpdates, Provider } from "./provider.ts";

/**
 * Options of {@link fromDataset}.
 * @category Hypercubes
 */
export interface FromDatasetOptions {
  /** The name of the input. */
  readonly array: string;
  /**
   * The dimensions of the cube to which the axes of the data set belong: a list in the order of its axes (without those in
   * `at`), or an object by the names of its axes. Default: the axes of the same names, if all of them have one; otherwise
   * the axes of the input in their order.
   */
  readonly axes?: readonly string[] | Readonly<Record<string, string>>;
  /** Axes of the data set that the input does not have, by name, with the position that is read. */
  readonly at?: Readonly<Record<string, number>>;
  /**
   * Whether dimensions of the cube get the sizes of the data set. Default true. With false the cube may be smaller, and its
   * first samples are read.
   */
  readonly dimensions?: boolean;
  /** The name of the provider in messages. Default: that of the source of the data set. */
  readonly name?: string;
}

const OPTIONS: OptionNames<FromDatasetOptions> = {
  array: needed(text),
  axes: must(
    "a list of dimensions, or an object of dimensions by the names of axes",
    (value) => typeof value === "object" && value !== null,
  ),
  at: each("an object of positions by the names of axes", whole()),
  dimensions: truth,
  name: text,
};

/** An axis of the data set: the axis of the input that it is, or the position at which it is read. */
type AxisSource = { readonly axis: number } | { readonly at: number };

/**
 * A provider of one input, whose samples are those of a data set, or of an array as `arrayOf` makes it. Each tile reads the
 * box of its extents, with axes in another order if need be, on the calling thread; the memory for that counts in the budget.
 * Samples are converted if their type can hold those of the data set.
 *
 * @param dataset the samples
 * @param options the input, and which axis is which dimension
 * @returns the provider
 * @throws {TilewiseError} `invalid` for axes that do not fit, `unsupported` for types that would lose digits, and those of
 * reading
 *
 * @example
 * ```ts
 * import { createContext, open, run } from "@tilewise/tilewise";
 * import { fromDataset, hypercube, toMemory } from "@tilewise/tilewise/hypercube";
 * import { cubeExpression } from "@tilewise/tilewise/unstable/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { ny: 1, nx: 1 }, // the data set says how many
 *   arrays: [
 *     { name: "image", shape: ["nx", "ny"], dtype: "float32" },
 *     { name: "out", shape: ["nx", "ny"], dtype: "float32", role: "output" },
 *   ],
 * });
 * const image = await open({ data: Uint8Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] });
 * await using context = createContext({ workers: 0 });
 * const memory = toMemory("out");
 * await run(cube, {
 *   kernel: cubeExpression({ out: "2 * image" }),
 *   sources: [fromDataset(image, { array: "image", axes: ["ny", "nx"] })],
 *   sinks: [memory],
 *   plan: { context, tile: ["nx"] },
 * });
 * assertEquals(memory.array("out", "float32").data, Float32Array.of(2, 8, 4, 10, 6, 12));
 * ```
 * @category Hypercubes
 */
export function fromDataset(dataset: Dataset | ArraySpec, options: FromDatasetOptions): Provider {
  checkOptionNames("fromDataset()", options, OPTIONS);
  const array = specOf("fromDataset()", dataset);
  const { array: name, dimensions = true } = options;
  let reader: BoxReader | undefined;
  const placesIn = (cube: Hypercube) => placesOf(array, cube.array(name), options);
  return {
    name: options.name ??
      ("source" in dataset && typeof dataset.source === "string" ? dataset.source : "a data set"),
    dimensions: ({ cube }) => dimensions ? sizesOf(array, cube.array(name), placesIn(cube)) : {},
    memory(context) {
      const places = placesIn(context.cube);
      const { dtype } = context.cube.array(name);
      const samples = sizeOf(largestShape(context, name));
      const copies = array.dtype === dtype ? 1 : 2; // what is read, and the samples of the input
      return BoxReader.bytesFor(array, largestOf(context, name, places)) +
        copies * samples * dtypeInfo(dtype).itemSize;
    },
    async start(context) {
      const places = placesIn(context.cube);
      check(array, context.cube, name, places);
      reader = await BoxReader.open(array, largestOf(context, name, places), context.signal);
    },
    sources: { [name]: (context) => boxOf(array, reader!, placesIn(context.cube), context) },
    async stop() {
      await reader?.[Symbol.asyncDispose]();
      reader = undefined;
    },
  };
}

/** For each axis of the data set, what it is in the input. */
function placesOf(
  array: ArraySpec,
  schema: ArraySchema,
  { axes, at = {} }: FromDatasetOptions,
): AxisSource[] {
  const names = array.shape.map((_, d) => array.axes?.[d]?.name ?? `axis ${d}`);
  for (const axis of Object.keys(at)) if (!names.includes(axis)) throw noAxis("at", axis, names);
  const free = names.filter((one) => !Object.hasOwn(at, one));
  const dims = dimensionsOf(schema, free, axes);
  return names.map((one, d): AxisSource => {
    if (!Object.hasOwn(at, one)) return { axis: schema.shape.indexOf(dims.get(one)!) };
    if (at[one]! < array.shape[d]!) return { at: at[one]! };
    const words = `${one} has ${array.shape[d]} positions, there is no ${at[one]}`;
    throw new TilewiseError("invalid", words, {
      option: `at.${one}`,
      expected: array.shape[d]!,
      found: at[one]!,
    });
  });
}

/** The axis of the input for each axis of the data set that is not fixed. */
function dimensionsOf(
  { name, shape }: ArraySchema,
  free: readonly string[],
  axes: FromDatasetOptions["axes"],
): Map<string, string | number> {
  const refuse = (words: string): never => {
    throw new TilewiseError("invalid", words, {
      option: "axes",
      expected: shape.join(", "),
      found: free.join(", "),
    });
  };
  if (free.length !== shape.length) {
    refuse(
      `${name} has ${shape.length} axes (${shape.join(", ")}), the data set ${free.length} (${
        free.join(", ")
      }); ` +
        "name positions of the others in { at }",
    );
  }
  const known: readonly (string | number)[] = shape;
  const byName = !Array.isArray(axes) && axes
    ? free.map((one) => (axes as Readonly<Record<string, string>>)[one] ?? one)
    : free;
  const given = Array.isArray(axes)
    ? axes
    : byName.every((one) => known.includes(one))
    ? byName
    : axes
    ? byName
    : known;
  const list: readonly (string | number)[] = given;
  if (list.length !== shape.length || shape.some((axis) => !list.includes(axis))) {
    refuse(`${name} has the axes ${shape.join(", ")}; the data set was said to have ${list.join(", ")}`);
  }
  return new Map(free.map((one, n) => [one, list[n]!]));
}

function noAxis(option: string, axis: string, names: readonly string[]): TilewiseError {
  const near = nearest(axis, names);
  const hint = near ? `did you mean "${near}"?` : `there are ${names.join(", ")}`;
  const words = `The data set has no axis "${axis}"; ${hint}`;
  return new TilewiseError("invalid", words, {
    option: `${option}.${axis}`,
    expected: near ?? names.join(", "),
    found: axis,
  });
}

function sizesOf({ shape }: ArraySpec, schema: ArraySchema, places: readonly AxisSource[]): DimensionUpdates {
  return Object.fromEntries(places.flatMap((place, d) => {
    const axis = "axis" in place ? schema.shape[place.axis]! : 0;
    return typeof axis === "string" ? [[axis, shape[d]!]] : [];
  }));
}

/** Refuses types that lose digits, and axes that are too short. */
function check(array: ArraySpec, cube: Hypercube, name: string, places: readonly AxisSource[]): void {
  const { dtype, shape } = cube.array(name);
  const holds = resultType(dtype, array.dtype);
  if (holds !== dtype) {
    const words =
      `${name} has samples of ${dtype}, which do not hold those of the data set, ${array.dtype}; ${holds} would`;
    throw new TilewiseError("unsupported", words, { array: name, expected: holds, found: array.dtype });
  }
  for (const [d, place] of places.entries()) {
    if (!("axis" in place)) continue;
    const axis = shape[place.axis]!;
    const wanted = typeof axis === "number" ? axis : cube.dimension(axis).size;
    if (wanted <= array.shape[d]! && (typeof axis === "string" || wanted === array.shape[d])) continue;
    const words = `${name} has ${wanted} samples along ${axis}; the data set, ${
      showShape(array.shape)
    }, has ${array.shape[d]}`;
    throw new TilewiseError("invalid", words, { array: name, expected: array.shape[d]!, found: wanted });
  }
}

/** The largest box that a tile reads, in the axes of the data set. */
function largestOf(context: StartContext, name: string, places: readonly AxisSource[]): number[] {
  const shape = largestShape(context, name);
  return places.map((place) => "axis" in place ? shape[place.axis]! : 1);
}

/** The samples of a tile. */
async function boxOf(
  array: ArraySpec,
  reader: BoxReader,
  places: readonly AxisSource[],
  { extents, shape, dtype, signal }: ProviderContext,
): Promise<TypedArray> {
  const origin = places.map((place) => "axis" in place ? extents[place.axis]![0] : place.at);
  const size = places.map((place) => "axis" in place ? shape[place.axis]! : 1);
  const read = await reader.read({ origin, shape: size }, signal);
  const turned = inOrder(read, array, size, places, shape);
  if (array.dtype === dtype) return turned;
  const converted = zeros(dtype, sizeOf(shape));
  convert(turned, array.dtype, converted, dtype);
  return converted;
}

/** The samples of a box with the axes of the input. */
function inOrder(
  read: TypedArray,
  { dtype }: ArraySpec,
  size: Shape,
  places: readonly AxisSource[],
  shape: Shape,
): TypedArray {
  const order = shape.map((_, axis) => places.findIndex((place) => "axis" in place && place.axis === axis));
  if (order.every((d, axis) => axis === 0 || d > order[axis - 1]!)) return read;
  const strides = denseStrides(size, dtype);
  const turned = zeros(dtype, sizeOf(shape));
  copyView(
    stridedView(read.buffer, read.byteOffset, dtype, shape, order.map((d) => strides[d]!)),
    stridedView(turned.buffer, turned.byteOffset, dtype, shape),
  );
  return turned;
}
