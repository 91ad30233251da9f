/**
 * Samples as records: where they are on the grid, and what is spread there.
 *
 * All phases have the form `exp(−2πi …)`, for which the transforms are made: values of the other sign are conjugated, and so are
 * those with a negative w, which stand for the mirrored baseline, as images are real.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { SPEED_OF_LIGHT } from "../geometry/constants.ts";
import type { Layout } from "./layout.ts";
import type { ImagingShared, PartPlace } from "./task.ts";
import { correctionAt } from "./window.ts";

/** Numbers of a record. */
export const RECORD = 5;

/** The arrays of a part. */
export interface PartArrays {
  /** Baselines. */
  readonly uvw: Float64Array;
  /** Pairs. */
  readonly values: Float64Array;
  /** Weights, if there are any. */
  readonly weights: Float64Array | undefined;
  /** Records. */
  readonly records: Float64Array;
  /** The tile of each record. */
  readonly keys: Int32Array;
  /** Where the next record of each tile goes in their order. */
  readonly next: Int32Array;
  /** Their order. */
  readonly order: Int32Array;
  /** Where rows of tiles start. */
  readonly starts: Int32Array;
}

/** The arrays of `rows` rows of a part. */
export function arraysOf(
  { buffer }: WebAssembly.Memory,
  place: PartPlace,
  rows: number,
  { layout, frequency }: ImagingShared,
): PartArrays {
  const count = rows * frequency.length;
  return {
    uvw: new Float64Array(buffer, place.uvw, 3 * rows),
    values: new Float64Array(buffer, place.values, 2 * count),
    weights: place.weights ? new Float64Array(buffer, place.weights, count) : undefined,
    records: new Float64Array(buffer, place.records, RECORD * count),
    ...sortingAt(buffer, place, count, layout.tiles),
  };
}

/** What orders records by tiles. */
type Sorting = Pick<PartArrays, "keys" | "next" | "order" | "starts">;

/** It, in memory: a new array per part would be garbage that waits for 64 MiB of its kind. */
export function sortingAt(
  buffer: ArrayBufferLike,
  place: Pick<PartPlace, keyof Sorting>,
  count: number,
  [across, down]: readonly [number, number],
): Sorting {
  return {
    keys: new Int32Array(buffer, place.keys, count),
    next: new Int32Array(buffer, place.next, across * down + 1),
    order: new Int32Array(buffer, place.order, count),
    starts: new Int32Array(buffer, place.starts, down + 1),
  };
}

/** Bytes of it. */
export function sortingBytes(
  count: number,
  [across, down]: readonly [number, number],
): Record<keyof Sorting, number> {
  return { keys: 4 * count, next: 4 * (across * down + 1), order: 4 * count, starts: 4 * (down + 1) };
}

/** Numbers at an address. */
export function floatsAt(
  { buffer }: WebAssembly.Memory,
  dtype: "float32" | "float64",
  at: number,
  length: number,
): Float32Array | Float64Array {
  return dtype === "float64" ? new Float64Array(buffer, at, length) : new Float32Array(buffer, at, length);
}

/** Records of gridding, and the order of those with a weight; the sum of the weights. */
export function prepareSamples(
  arrays: PartArrays,
  first: number,
  shared: ImagingShared,
  density?: Float64Array,
): number {
  const { uvw, values, weights, records, keys } = arrays;
  const { layout, frequency, convention } = shared;
  const place = placing(layout), isTurned = isTurnedOf(layout), nchan = frequency.length;
  keys.fill(-1);
  let sum = 0;
  for (let k = 0, row = -1, channel = nchan; k < keys.length; k++, channel++) {
    if (channel === nchan) [channel, row] = [0, row + 1];
    let weight = weights ? weights[k]! : 1;
    if (weight === 0) continue;
    const mirror = mirrorOf(layout, uvw[3 * row + 2]!);
    const scale = mirror * frequency[channel]! / SPEED_OF_LIGHT;
    const u = uvw[3 * row]! * scale, v = uvw[3 * row + 1]! * scale, w = uvw[3 * row + 2]! * scale;
    const re = values[2 * k]!, im = values[2 * k + 1]!;
    if (!areNumbers(weight, u + v + w, re + im)) {
      throw noNumbers(first + row, channel, weight, u + v + w, re + im);
    }
    if (density) weight /= density[cellOf(layout, u, v)]!;
    sum += weight;
    const own = (convention === "fourier") === (mirror > 0) ? -im : im;
    const a = isTurned ? angleOf(layout, u, v, w) : 0;
    const cos = a === 0 ? 1 : Math.cos(a), sin = a === 0 ? 0 : Math.sin(a);
    const at = RECORD * k;
    records[at] = u;
    records[at + 1] = v;
    records[at + 2] = w;
    records[at + 3] = weight * (re * cos - own * sin);
    records[at + 4] = weight * (re * sin + own * cos);
    keys[k] = place(records, at);
  }
  sortByTiles(arrays, layout.tiles);
  return sum;
}

function areNumbers(weight: number, place: number, value: number): boolean {
  return weight > 0 && weight < Infinity && Number.isFinite(place) && Number.isFinite(value);
}

function noNumbers(
  row: number,
  channel: number,
  weight: number,
  place: number,
  value: number,
): TilewiseError {
  const wrong = !Number.isFinite(place)
    ? "uvw"
    : !(weight > 0 && weight < Infinity)
    ? "weights"
    : "visibilities";
  const found = wrong === "uvw" ? place : wrong === "weights" ? weight : value;
  const text =
    `${wrong} of row ${row}, channel ${channel}, are not what can be imaged: ${found}; samples that do not count, ` +
    "such as flagged ones, must have the weight 0";
  return new TilewiseError("invalid", text, { option: wrong, index: row, found: String(found) });
}

/** Records of degridding: all samples with what has been gathered so far. */
export function prepareGather(arrays: PartArrays, first: number, { layout, frequency }: ImagingShared): void {
  const { uvw, values, records, keys } = arrays;
  const place = placing(layout), nchan = frequency.length;
  for (let k = 0; k < keys.length; k++) {
    const row = Math.floor(k / nchan), perMetre = frequency[k - row * nchan]! / SPEED_OF_LIGHT;
    const sign = mirrorOf(layout, uvw[3 * row + 2]!) * perMetre;
    const u = uvw[3 * row]! * sign, v = uvw[3 * row + 1]! * sign, w = uvw[3 * row + 2]! * sign;
    if (!areNumbers(1, u + v + w, 0)) throw noNumbers(first + row, k - row * nchan, 1, u + v + w, 0);
    const at = RECORD * k;
    records[at] = u;
    records[at + 1] = v;
    records[at + 2] = w;
    records[at + 3] = values[2 * k]!;
    records[at + 4] = values[2 * k + 1]!;
    keys[k] = place(records, at);
  }
  sortByTiles(arrays, layout.tiles);
}

/** What has been gathered, as values; where it is all, as visibilities. */
export function finishGather(arrays: PartArrays, shared: ImagingShared, last: boolean): void {
  const { uvw, values, records } = arrays;
  const { layout, frequency, convention, sources, corrections } = shared;
  const isTurned = isTurnedOf(layout), nchan = frequency.length, [dl, dm] = layout.field.cell;
  for (let k = 0; k < values.length / 2; k++) {
    let [re, im] = [records[RECORD * k + 3]!, records[RECORD * k + 4]!];
    if (last) {
      const row = Math.floor(k / nchan), perMetre = frequency[k - row * nchan]! / SPEED_OF_LIGHT;
      const mirror = mirrorOf(layout, uvw[3 * row + 2]!);
      const scale = perMetre * mirror;
      const u = uvw[3 * row]! * scale, v = uvw[3 * row + 1]! * scale, w = uvw[3 * row + 2]! * scale;
      const a = isTurned ? angleOf(layout, u, v, w) : 0, cos = Math.cos(a), sin = Math.sin(a);
      const near = sources ? correctionAt(corrections[2], u * dl) * correctionAt(corrections[2], v * dm) : 1;
      [re, im] = [near * (re * cos - im * sin), near * (re * sin + im * cos)];
      if ((convention === "fourier") !== (mirror > 0)) im = -im;
    }
    values[2 * k] = re;
    values[2 * k + 1] = im;
  }
}

/** −1 for baselines of which the mirrored one is taken: planes are those of |w|, however many there are. */
function mirrorOf({ wTerm }: Layout, w: number): 1 | -1 {
  return wTerm && w < 0 ? -1 : 1;
}

/** Whether the middle of the field has a phase. */
function isTurnedOf({ field: { centre: [l, m] }, middle }: Layout): boolean {
  return l !== 0 || m !== 0 || middle !== 0;
}

/** The angle of the phase of the middle of the field at a baseline. */
function angleOf({ field: { centre }, middle }: Layout, u: number, v: number, w: number): number {
  const turns = u * centre[0] + v * centre[1] + w * middle;
  return -2 * Math.PI * (turns - Math.round(turns));
}

/** Puts x, y and z of a sample in the place of its u, v and w, as numbers that are passed would be garbage; the number of its tile. */
function placing(
  { field: { cell }, cells: [nu, nv], kept: [columns, rows], w: [first, step], depth, window, tile, tiles }:
    Layout,
) {
  const half = window.support / 2;
  const [du, dv] = [cell[0] * nu, cell[1] * nv];
  return (records: Float64Array, at: number): number => {
    const x = around(records[at]! * du, nu, columns), y = around(records[at + 1]! * dv, nv, rows);
    records[at] = x;
    records[at + 1] = y;
    records[at + 2] = depth > 1 ? (records[at + 2]! - first) / step : 0;
    const column = Math.ceil(x - half), row = Math.ceil(y - half);
    const across = Math.floor((column < 0 ? column + columns : column) / tile);
    return Math.floor((row < 0 ? row + rows : row) / tile) * tiles[0] + across;
  };
}

/** A place on a grid that repeats itself, of whose cells the first and the last ones are kept. */
function around(x: number, cells: number, kept: number): number {
  const rest = x - Math.floor(x / cells) * cells;
  if (2 * rest < cells) return rest;
  return rest < cells ? rest - (cells - kept) : 0;
}

/** Orders samples by tiles, keeping the order of those in one tile; those with the key −1 are left out. */
export function sortByTiles(
  { keys, next, order, starts }: Sorting,
  [across, down]: readonly [number, number],
): void {
  next.fill(0);
  for (const key of keys) if (key >= 0) next[key + 1]!++;
  for (let t = 0; t < across * down; t++) next[t + 1]! += next[t]!;
  for (let row = 0; row <= down; row++) starts[row] = next[row * across]!;
  for (let k = 0; k < keys.length; k++) if (keys[k]! >= 0) order[next[keys[k]!]!++] = k;
}

/** Adds the weights of samples to those of their cells. */
export function addDensity(
  { uvw, weights, values }: PartArrays,
  { layout, frequency }: ImagingShared,
  density: Float64Array,
): void {
  const nchan = frequency.length;
  for (let k = 0; k < values.length / 2; k++) {
    const weight = weights ? weights[k]! : 1;
    if (weight === 0) continue;
    const row = Math.floor(k / nchan), perMetre = frequency[k - row * nchan]! / SPEED_OF_LIGHT;
    density[cellOf(layout, uvw[3 * row]! * perMetre, uvw[3 * row + 1]! * perMetre)]! += weight;
  }
}

/** The cell by which a baseline is weighed: the nearest; a baseline and its mirror image have the same. */
function cellOf({ weighed: [nx, ny], field: { cell } }: Layout, u: number, v: number): number {
  const i = Math.round(u * cell[0] * nx), j = Math.round(v * cell[1] * ny);
  const mirror = j < 0 || (j === 0 && i < 0) ? -1 : 1;
  return wrapped(mirror * j, ny) * nx + wrapped(mirror * i, nx);
}

function wrapped(k: number, n: number): number {
  return k - Math.floor(k / n) * n;
}
