/**
 * Reference kernels of grids: samples spread over cells and gathered from them, transforms of lines, phases of w.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { complexes, transform } from "../../../../src/kernels/families/fft_tables.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { doubles } from "../samples.ts";
import { numbersOf } from "./numbers.ts";
import { expOfTurns } from "./turns.ts";

/** What places a sample along one axis: its first cell, and the weights from there on. */
interface Place {
  readonly first: number;
  readonly weights: readonly number[];
}

/** How weights are computed. */
interface Weighing {
  readonly table: number;
  readonly degree: number;
  readonly support: number;
}

function placing(memory: WebAssembly.Memory, dtype: DType) {
  const { get, round, size } = numbersOf(memory, dtype);
  return (x: number, { table, degree, support }: Weighing): Place => {
    const padded = (support + 3) & ~3;
    const first = Math.ceil(x - support / 2);
    const t = round(first - (x - support / 2) - 0.5);
    const weights = Array.from({ length: support }, (_, j) => {
      let sum = get(table + size * j);
      for (let d = 1; d <= degree; d++) sum = round(round(sum * t) + get(table + size * (d * padded + j)));
      return sum;
    });
    return { first, weights };
  };
}

/** Places of a record along x, y and w; with one plane that of w is the first plane. */
function placesOf(memory: WebAssembly.Memory, dtype: DType) {
  const { get: double } = doubles(memory), place = placing(memory, dtype);
  return (record: number, how: Weighing, depth: number, firstPlane: number) => ({
    x: place(double(record), how),
    y: place(double(record + 8), how),
    z: depth === 1 ? { first: firstPlane, weights: [1] } : place(double(record + 16), how),
  });
}

const modulo = (a: number, n: number) => ((a % n) + n) % n;

/** Adds samples to cells. */
export function gridSpread(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["grid_spread"] {
  const { get, set, round, size } = numbersOf(memory, dtype);
  const { get: double } = doubles(memory), int = reader(memory, "int32"), places = placesOf(memory, dtype);
  return (
    grid,
    records,
    order,
    count,
    width,
    height,
    first,
    rows,
    firstPlane,
    planes,
    rowStride,
    planeStride,
    table,
    degree,
    support,
    depth,
    _scratch,
  ) => {
    const weighing = { table, degree, support };
    for (let i = 0; i < count; i++) {
      const record = records + 40 * int(order + 4 * i);
      const { x, y, z } = places(record, weighing, depth, firstPlane);
      const value = [24, 32].map((at) => round(double(record + at)));
      z.weights.forEach((wz, k) => {
        const plane = z.first + k - firstPlane;
        if (plane < 0 || plane >= planes) return;
        const inPlane = depth === 1 ? value : value.map((part) => round(part * wz));
        y.weights.forEach((wy, j) => {
          const row = modulo(y.first + j - first, height);
          if (row >= rows) return;
          x.weights.forEach((wx, c) => {
            const at = grid + plane * planeStride + row * rowStride + 2 * size * (modulo(x.first, width) + c);
            inPlane.forEach((part, p) => {
              set(at + p * size, round(get(at + p * size) + round(round(part * wy) * wx)));
            });
          });
        });
      });
    }
  };
}

/** Adds cells to samples. */
export function gridGather(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["grid_gather"] {
  const { get, round, size } = numbersOf(memory, dtype);
  const { get: double, set: setDouble } = doubles(memory);
  const int = reader(memory, "int32"), places = placesOf(memory, dtype);
  return (
    records,
    grid,
    order,
    count,
    width,
    height,
    firstPlane,
    planes,
    rowStride,
    planeStride,
    table,
    degree,
    support,
    depth,
    _scratch,
  ) => {
    const weighing = { table, degree, support };
    for (let i = 0; i < count; i++) {
      const record = records + 40 * int(order + 4 * i);
      const { x, y, z } = places(record, weighing, depth, firstPlane);
      for (const part of [0, 1]) {
        let sum = double(record + 24 + 8 * part);
        z.weights.forEach((wz, k) => {
          const plane = z.first + k - firstPlane;
          if (plane < 0 || plane >= planes) return;
          const seen = [0, 0]; // cells of even and of odd numbers
          y.weights.forEach((wy, j) => {
            const row = grid + plane * planeStride + modulo(y.first + j, height) * rowStride;
            const inRow = [0, 0];
            x.weights.forEach((wx, c) => {
              const cell = get(row + size * (2 * (modulo(x.first, width) + c) + part));
              inRow[c & 1] = round(inRow[c & 1]! + round(cell * wx));
            });
            for (const odd of [0, 1]) seen[odd] = round(seen[odd]! + round(inRow[odd]! * wy));
          });
          sum += round(seen[0]! + seen[1]!) * wz;
        });
        setDouble(record + 24 + 8 * part, sum);
      }
    }
  };
}

/** Transforms lines in place. */
export function gridTransform(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["grid_transform"] {
  const { get, set, round, size } = numbersOf(memory, dtype);
  return (data, count, laneStep, step, length, kept, used, widen, tables, _scratch) => {
    const table = Array.from({ length: get(tables + 3 * size) }, (_, i) => get(tables + i * size));
    const middle = (i: number) => modulo(i - (used >> 1), length);
    const outer = (i: number) => i < kept - (kept >> 1) ? i : length - kept + i;
    for (let line = data; count > 0; count--, line += laneStep) {
      const z = complexes(length);
      for (let i = 0; i < (widen ? used : kept); i++) {
        const k = widen ? middle(i) : outer(i);
        [z.re[k], z.im[k]] = [get(line + i * step), get(line + i * step + size)];
      }
      const found = transform(z, table, round);
      for (let i = 0; i < (widen ? kept : used); i++) {
        const k = widen ? outer(i) : middle(i);
        set(line + i * step, found.re[k]!);
        set(line + i * step + size, found.im[k]!);
      }
    }
  };
}

/** A plane times the phases of w, and an image. */
export function gridScreen(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["grid_screen"] {
  const { get, set, round, size } = numbersOf(memory, dtype);
  const { get: double, set: setDouble } = doubles(memory);
  return (image, plane, columns, rows, imageStride, planeStride, start, l, dl, m, dm, middle, w, back) => {
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < columns; i++) {
        const [x, y] = [l + (start + i) * dl, m + j * dm];
        const square = x * x + y * y;
        const [cos, sin] = expOfTurns(w * (-square / (1 + Math.sqrt(1 - square)) - middle));
        const pixel = image + j * imageStride + 8 * i, at = plane + j * planeStride + 2 * size * i;
        if (back) {
          set(at, round(double(pixel) * cos));
          set(at + size, round(-(double(pixel) * sin)));
        } else setDouble(pixel, double(pixel) + (get(at) * cos + get(at + size) * sin));
      }
    }
  };
}
