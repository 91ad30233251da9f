/**
 * Auxiliary data: arrays that come with a UDF and are cut like its buffers, such as one shift a frame.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { checkOptionNames, inWords, type OptionNames } from "../options.ts";
import { oneOf } from "../options/rules.ts";
import { type DType, dtypeOf, type TypedArray, typedArray, zeros } from "../space/dtype.ts";
import type { NdArray } from "../space/ndarray.ts";
import { dtypeName, isArray, shapeFrom } from "../space/rules.ts";
import { type Shape, showShape, sizeOf } from "../space/shape.ts";
import { unitsOf, type Window } from "./buffers.ts";
import { checkSpec, declaredEntries } from "./declarations.ts";
import { guarded } from "./guard.ts";
import { type PixelRun, toSliceOrder } from "./slice_order.ts";
import type { DataMeta, Params, ParamValue, Udf, UdfMeta } from "./udf.ts";

/** An array that a UDF sees cut like a buffer of the same kind. */
export interface AuxSpec {
  /** What one entry belongs to: a position of the scan, a pixel, or all. */
  readonly kind: "nav" | "sig" | "single";
  /** The numbers, all entries one after another: those of `nav` data for the whole scan. */
  readonly data: TypedArray;
  /** Type of the numbers. */
  readonly dtype: DType;
  /** Shape of one entry. Default: a number. */
  readonly extraShape?: Shape;
}

const AUX_NAMES: OptionNames<AuxSpec> = {
  kind: true,
  data: true,
  dtype: dtypeName,
  extraShape: shapeFrom(0, "[2]"),
};

/** Options of {@link auxData}. */
export interface AuxOptions {
  /** What one entry belongs to. Default `nav`. */
  readonly kind?: "nav" | "sig" | "single";
  /** Type of the numbers. Default: that of the array. */
  readonly dtype?: DType;
  /** Shape of one entry. Default: a number. */
  readonly extraShape?: Shape;
}

const AUX_OPTIONS: OptionNames<AuxOptions> = {
  kind: oneOf("nav", "sig", "single"),
  dtype: dtypeName,
  extraShape: shapeFrom(0, "[2]"),
};

/**
 * Auxiliary data as a parameter of a UDF; the UDF passes it on with `aux: () => ({ shift: params.shift })`. Its
 * numbers do not travel with the parameters: they are placed once in shared memory, where `context.aux` shows them.
 *
 * @example One shift a frame
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const shift = auxData(new Float32Array(2 * 12), { extraShape: [2] });
 * assertEquals([shift.kind, shift.dtype], ["nav", "float32"]);
 * ```
 */
export function auxData(
  array: TypedArray | NdArray,
  options: AuxOptions = {},
): AuxSpec {
  checkOptionNames("auxData()", options, AUX_OPTIONS);
  const { kind = "nav", dtype, extraShape = [] } = options;
  if (!ArrayBuffer.isView(array) && !isArray(array)) {
    const text = `auxData() takes a typed array or an array with a shape, not ${inWords(array)}`;
    throw new TilewiseError("invalid", text, { found: inWords(array) });
  }
  const data = ArrayBuffer.isView(array) ? array : array.data;
  const own = ArrayBuffer.isView(array) ? dtypeOf(array) : array.dtype;
  const spec: AuxSpec = { kind, data, dtype: dtype ?? own, extraShape };
  MADE.add(spec);
  return spec;
}

const MADE = new WeakSet<object>();

/** Parameters as they travel to workers: without the numbers of {@link auxData}, which lie in shared memory. */
export function travelling(params: Params): Params {
  const light = ([key, value]: [string, ParamValue]): [string, ParamValue] => {
    if (typeof value !== "object" || value === null || !MADE.has(value)) return [key, value];
    const spec = value as AuxSpec;
    return [key, { ...spec, data: zeros(spec.dtype, 0) }];
  };
  return Object.fromEntries(Object.entries(params).map(light));
}

/** The auxiliary data of a UDF, checked against the data set. */
export function declaredAux(udf: Udf, meta: UdfMeta): Record<string, AuxSpec> {
  const declared = guarded(udf.name, "aux()", () => udf.aux?.(meta) ?? {});
  const entries = declaredEntries(udf, "aux()", declared);
  for (const [name, spec] of entries) checkAux(udf, name, spec, meta);
  return Object.fromEntries(entries);
}

function checkAux(udf: Udf, name: string, spec: AuxSpec, meta: DataMeta): void {
  const fail = (text: string, details: Record<string, string | number>): never => {
    throw new TilewiseError("udf", `UDF "${udf.name}": auxiliary data "${name}" ${text}`, {
      udf: udf.name,
      ...details,
    });
  };
  checkSpec(udf, `aux.${name}`, spec, AUX_NAMES);
  const { kind, data, dtype, extraShape = [] } = spec;
  if (!["nav", "sig", "single"].includes(kind)) {
    fail(`has kind "${kind}"; it can be nav, sig or single`, { found: String(kind) });
  }
  if (!ArrayBuffer.isView(data)) fail("is no typed array", { found: typeof data });
  const wanted = zeros(dtype, 0).constructor;
  if (data.constructor !== wanted) {
    const found = data.constructor.name;
    fail(`is declared ${dtype}, which lies in a ${wanted.name}; it is a ${found}`, {
      expected: dtype,
      found,
    });
  }
  const whole = { nav: meta.navShape, sig: meta.sigShape, single: [] }[kind];
  const units = sizeOf([...whole, ...extraShape]) * unitsOf(dtype);
  if (data.length === units) return;
  fail(
    `has ${data.length} numbers; as ${kind} data of ${
      showShape([...whole, ...extraShape])
    } ${dtype} it needs ${units}`,
    { expected: units, found: data.length },
  );
}

/** Numbers of one entry in its typed array. */
function entryUnits({ dtype, extraShape = [] }: AuxSpec): number {
  return sizeOf(extraShape) * unitsOf(dtype);
}

/** Auxiliary data in shared memory. */
export interface PlacedAux {
  /** What one entry belongs to. */
  readonly kind: "nav" | "sig" | "single";
  /** Type of the numbers. */
  readonly dtype: DType;
  /** Numbers of one entry, counted as in a typed array. */
  readonly unit: number;
  /** Numbers in all, counted as in a typed array. */
  readonly length: number;
  /** Address of the entries: of `nav` data only those of frames that are read. */
  readonly pointer: number;
  /** Address of `sig` data slice by slice, where that is another order. */
  readonly sliced?: number;
}

/** Bytes that auxiliary data take: those of the frames that are read; twice where pixels have two orders. */
export function auxBytes(spec: AuxSpec, selected: number, twoOrders: boolean): number {
  const { kind, data } = spec;
  if (kind === "nav") return selected * entryUnits(spec) * data.BYTES_PER_ELEMENT;
  return data.byteLength * (kind === "sig" && twoOrders ? 2 : 1);
}

/** Puts auxiliary data into shared memory with `lease`; `positions` are those of the frames that are read. */
export function placeAux(
  spec: AuxSpec,
  positions: Uint32Array,
  runs: readonly PixelRun[] | undefined,
  place: (array: TypedArray) => number,
): PlacedAux {
  const { kind, dtype } = spec;
  const unit = entryUnits(spec);
  const data = kind === "nav" ? rowsOf(spec.data, positions, unit) : spec.data;
  const placed = { kind, dtype, unit, length: data.length, pointer: place(data) };
  if (kind !== "sig" || !runs) return placed;
  const sliced = data.slice();
  toSliceOrder(runs, sliced, unit);
  return { ...placed, sliced: place(sliced) };
}

function rowsOf(data: TypedArray, positions: Uint32Array, unit: number): TypedArray {
  if (positions.length * unit === data.length) return data;
  const rows = new (data.constructor as new (length: number) => TypedArray)(positions.length * unit);
  positions.forEach((position, i) => {
    rows.set(data.subarray(position * unit, (position + 1) * unit) as never, i * unit);
  });
  return rows;
}

/** Auxiliary data on a worker: cuts what a call may see. */
export class AuxViews {
  readonly #all:
    readonly (PlacedAux & { readonly name: string; readonly whole: TypedArray; readonly cut: TypedArray })[];

  /** Views of `placed` in `memory`. */
  constructor(placed: Readonly<Record<string, PlacedAux>>, memory: WebAssembly.Memory) {
    this.#all = Object.entries(placed).map(([name, aux]) => {
      const open = (pointer: number) =>
        typedArray(aux.dtype, memory.buffer, pointer, aux.length / unitsOf(aux.dtype));
      const whole = open(aux.pointer);
      return { ...aux, name, whole, cut: aux.sliced === undefined ? whole : open(aux.sliced) };
    });
  }

  /** Whether there is nothing to see. */
  get none(): boolean {
    return this.#all.length === 0;
  }

  /** For a call that sees `window` of a partition whose first frame is number `first` of those that are read. */
  at(first: number, window: Window): Record<string, TypedArray> {
    const views: Record<string, TypedArray> = {};
    for (const { name, kind, unit, whole, cut } of this.#all) {
      views[name] = kind === "single"
        ? whole
        : kind === "nav"
        ? rows(whole, first + window.frame, window.frames, unit)
        : rows(cut, window.pixel, window.pixels, unit);
    }
    return views;
  }

  /** For calls that see a whole partition: `frames` frames, and pixels in row-major order. */
  partition(first: number, frames: number): Record<string, TypedArray> {
    return Object.fromEntries(
      this.#all.map((
        { name, kind, unit, whole },
      ) => [name, kind === "nav" ? rows(whole, first, frames, unit) : whole]),
    );
  }
}

function rows(array: TypedArray, first: number, count: number, unit: number): TypedArray {
  return array.subarray(first * unit, (first + count) * unit) as TypedArray;
}
