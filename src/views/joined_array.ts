/**
 * Several arrays as the input of one operation, and one of the arrays that a data set consists of.
 *
 * @module
 */

import type { Dataset } from "../dataset/dataset.ts";
import { TilewiseError } from "../errors.ts";
import { defined, inWords } from "../options.ts";
import { type AxisFacts, factsOf, usualValues } from "../space/axes.ts";
import { dtypeInfo, resultType } from "../space/dtype.ts";
import { sampleOf } from "../space/meaning/axes.ts";
import { valuesOfAll } from "../space/meaning/values.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../space/shape.ts";
import { type ArraySpec, type JoinedArray, specOf } from "./array.ts";

/**
 * Several arrays of one shape, by name, for an operation that takes arrays with these names. Their samples come to it in
 * one type, which holds those of all, and all with the same halo and border. Of the axes, what one of them says holds for all.
 *
 * Errors: `invalid` for arrays of different shapes, and for axes of different kinds, steps or units.
 *
 * @example A normalized difference
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { joinArrays } from "@tilewise/tilewise/unstable/views";
 * import { mapViews, viewExpression } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const nir = await open({ data: Uint16Array.of(3, 6, 9, 1), shape: [2, 2] });
 * const red = await open({ data: Uint8Array.of(1, 6, 3, 3), shape: [2, 2] });
 * const ndvi = viewExpression("(nir - red) / (nir + red)", { inputs: ["nir", "red"] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(joinArrays({ nir, red }), ndvi, { context });
 * assertEquals(data, Float32Array.of(0.5, 0, 0.5, -0.5));
 * ```
 * @category Views
 */
export function joinArrays(arrays: Readonly<Record<string, ArraySpec | Dataset>>): JoinedArray {
  const call = "joinArrays()";
  const given = Object.entries(arrays ?? {});
  const [[firstName, one] = [], ...others] = given;
  if (firstName === undefined || one === undefined) {
    const text = `${call} takes an object of arrays by name, such as { nir, red }; it was given ${
      inWords(arrays)
    }`;
    throw new TilewiseError("invalid", text, { found: inWords(arrays) });
  }
  const first = specOf(call, one);
  const parts: Record<string, ArraySpec> = { [firstName]: first };
  for (const [name, array] of others) {
    const part = specOf(call, array);
    if (!sameShape(part.shape, first.shape)) throw differ([firstName, first.shape], [name, part.shape]);
    parts[name] = part;
  }
  const { shape, isScalar } = first;
  const axes = sharedAxes(parts, shape.length);
  const dtype = resultType(first.dtype, ...Object.values(parts).map((part) => part.dtype));
  const values = valuesOfAll(
    Object.values(parts).map((part) => part.values ?? usualValues(part.dtype)),
    dtype,
  );
  return {
    shape,
    dtype,
    byteOrder: "little",
    parts,
    values,
    ...defined({ axes }),
    ...(isScalar ? { isScalar } : {}),
  };
}

/** What is said of an axis, and must be the same. */
const SHARED = ["kind", "unit", "scale", "positions"] as const;

/** Most relative difference of steps that counts as none. */
const ROUNDING = 1e-6;

/** The axes of all arrays: what some say of them, where they agree. */
function sharedAxes(parts: Readonly<Record<string, ArraySpec>>, rank: number): AxisFacts[] | undefined {
  const told = Object.entries(parts).filter(([, { axes }]) => axes?.length === rank);
  if (told.length === 0) return undefined;
  return Array.from({ length: rank }, (_, d) => {
    const all = told.map(([name, { axes }]) => [name, axes![d]!] as const);
    const known = SHARED.flatMap((key) => {
      const [first, ...others] = all.filter(([, axis]) => axis[key] !== undefined);
      const other = first && others.find(([, axis]) => !isSame(axis[key], first[1][key]));
      if (other) throw axesDiffer(key, first, other, d);
      return first ? [[key, first[1][key]]] : [];
    });
    const described = all.filter(([, axis]) => SHARED.some((key) => axis[key] !== undefined));
    const [first, ...others] = described;
    const turned = others.find(([, axis]) => axis.upwards !== first![1].upwards);
    if (turned) throw axesDiffer("upwards", first!, turned, d); // samples would meet those of other rows
    const axes = [...described, ...all].map(([, axis]) => axis);
    const said = <K extends keyof AxisFacts>(key: K) => axes.find((axis) => axis[key] !== undefined)?.[key];
    const offsets = axes.filter(({ scale }) => scale !== undefined).map(({ offset }) => offset);
    const isOnePlace = offsets.every((offset) => offset === offsets[0]);
    const names = said("names");
    const isNamedSo = axes.every((axis) => axis.names === undefined || isSame(axis.names, names));
    return factsOf({
      ...defined({ name: said("name"), upwards: said("upwards"), signal: said("signal") }),
      ...defined({ offset: offsets.length === 0 ? said("offset") : isOnePlace ? offsets[0] : undefined }),
      ...defined({ names: isNamedSo ? names : undefined }),
      ...Object.fromEntries(known),
    });
  });
}

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") return a === b || Math.abs(a / b - 1) <= ROUNDING;
  return JSON.stringify(a) === JSON.stringify(b);
}

function axesDiffer(
  key: (typeof SHARED)[number] | "upwards",
  [first, one]: readonly [string, AxisFacts],
  [other, two]: readonly [string, AxisFacts],
  d: number,
): TilewiseError {
  const [expected, found] = [one, two].map((axis) => JSON.stringify(axis[key] ?? false)) as [string, string];
  const text =
    `Cannot join ${first} and ${other}: axis ${one.name ?? d} has ${key} ${expected} and ${found}; ` +
    "if they belong together all the same, convert one of them to .npy, which says no axes";
  return new TilewiseError("invalid", text, { option: "axes", expected, found });
}

type Named = readonly [name: string, shape: Shape];

function differ([first, expected]: Named, [other, found]: Named): TilewiseError {
  const text =
    `Cannot join arrays of different shapes: ${first} has ${showShape(expected)} samples, ${other} ` +
    showShape(found);
  return new TilewiseError("invalid", text, { expected: showShape(expected), found: showShape(found) });
}

/**
 * The array at one index of the first dimension of another, such as a channel of an image or an image of a stack. The
 * first dimension must not be one of the dimensions of a frame.
 *
 * @example The sum of two channels
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { arrayAt, joinArrays } from "@tilewise/tilewise/unstable/views";
 * import { mapViews, viewExpression } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(1, 2, 3, 4, 5, 6), shape: [3, 1, 2] }); // channel, row, column
 * const channels = joinArrays({ red: arrayAt(image, 0), blue: arrayAt(image, 2) });
 * const sum = viewExpression("red + blue", { inputs: ["red", "blue"] });
 * await using context = createContext({ workers: 0 });
 * assertEquals((await mapViews(channels, sum, { context })).data, Float32Array.of(6, 8));
 * ```
 * @category Views
 */
export function arrayAt(input: ArraySpec | Dataset, index: number): ArraySpec {
  const array = specOf("arrayAt()", input);
  const [count, ...shape] = array.shape;
  const frames = "layout" in array ? array.layout.sigShape.length : 0;
  if (count === undefined || shape.length < Math.max(1, frames)) {
    const text = `Cannot take a part of an array of ${
      showShape(array.shape)
    }: its first dimension belongs to the frames`;
    throw new TilewiseError("unsupported", text, { found: showShape(array.shape) });
  }
  if (!Number.isInteger(index) || index < 0 || index >= count) {
    const text = `An array of ${showShape(array.shape)} has no part ${index}: there are 0 to ${count - 1}`;
    throw new TilewiseError("invalid", text, { expected: `0 to ${count - 1}`, found: index });
  }
  const { nav, axes, values } = array;
  const said = values ?? usualValues(array.dtype);
  const taken = axes && { ...said, of: [...said.of ?? [], sampleOf(axes[0]!, index)] };
  const facts = defined({ axes: axes?.slice(1), values: taken, nav: nav && nav - 1 });
  if (!("layout" in array)) {
    const offset = array.offset + index * sizeOf([...shape, dtypeInfo(array.dtype).itemSize]);
    return { ...array, ...facts, shape, offset };
  }
  const skipped = index * sizeOf(shape.slice(0, shape.length - frames));
  return { ...array, ...facts, shape, syncOffset: array.syncOffset + skipped };
}
