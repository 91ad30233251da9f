/**
 * Auxiliary data in the memory of a run: their size, their place, and the views that calls get.
 *
 * @module
 */

import { type DType, type TypedArray, typedArray, unitsOf } from "../../space/dtype.ts";
import { copyNumbers, zerosLike } from "../../space/numbers.ts";
import { sizeOf } from "../../space/shape.ts";
import type { AuxSpec } from "../interface/aux_data.ts";
import type { Window } from "../interface/buffer_plan.ts";
import { type PixelRun, toSliceOrder } from "./slice_order.ts";

/** Auxiliary data in shared memory. */
export interface PlacedAux {
  /** What one entry belongs to. */
  readonly kind: "nav" | "sig" | "single";
  /** Type of the numbers. */
  readonly dtype: DType;
  /** Numbers per entry, counted as in a typed array. */
  readonly unit: number;
  /** Total of the numbers, counted as in a typed array. */
  readonly length: number;
  /** Address of the entries; `nav` data have only the entries of frames that are read. */
  readonly pointer: number;
  /** Address of a copy of `sig` data slice by slice, if that is a different order. */
  readonly sliced?: number;
}

/** Auxiliary data on a worker: makes the views that calls get. */
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

  /** Whether there are no auxiliary data. */
  get none(): boolean {
    return this.#all.length === 0;
  }

  /**
   * The views for a call that sees `window` of a partition; its first frame has number `first` among those that are
   * read.
   */
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

  /** The views for calls that see a whole partition: `frames` frames, and pixels in row-major order. */
  partition(first: number, frames: number): Record<string, TypedArray> {
    return Object.fromEntries(
      this.#all.map((
        { name, kind, unit, whole },
      ) => [name, kind === "nav" ? rows(whole, first, frames, unit) : whole]),
    );
  }
}

/** Puts auxiliary data into shared memory with `lease`; `positions` are the positions of the frames that are read. */
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
  const rows = zerosLike(data, positions.length * unit);
  positions.forEach((position, i) => {
    copyNumbers(rows, data.subarray(position * unit, (position + 1) * unit), i * unit);
  });
  return rows;
}

function rows(array: TypedArray, first: number, count: number, unit: number): TypedArray {
  return array.subarray(first * unit, (first + count) * unit);
}

/** Numbers of one entry in its typed array. */
function entryUnits({ dtype, extraShape = [] }: AuxSpec): number {
  return sizeOf(extraShape) * unitsOf(dtype);
}

/** Bytes of auxiliary data: only entries of frames that are read; twice if pixels are kept in two orders. */
export function auxBytes(spec: AuxSpec, selected: number, twoOrders: boolean): number {
  const { kind, data } = spec;
  if (kind === "nav") return selected * entryUnits(spec) * data.BYTES_PER_ELEMENT;
  return data.byteLength * (kind === "sig" && twoOrders ? 2 : 1);
}
