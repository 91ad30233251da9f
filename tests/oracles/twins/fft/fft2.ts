/**
 * Reference kernels of Fourier transforms in two dimensions.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import {
  type Complexes,
  complexes,
  type Round,
  transform,
} from "../../../../src/kernels/families/fft_tables.ts";
import { type Read, reader } from "../../../../src/memory/sample_reader.ts";
import type { Write } from "../samples.ts";

/** One call: how it reads and writes numbers, and its tables. */
interface Numbers {
  readonly read: Read;
  readonly write: Write;
  readonly size: number;
  readonly round: Round;
}

function numbers(memory: WebAssembly.Memory, dtype: DType): Numbers {
  const view = new DataView(memory.buffer);
  const single = dtype === "float32";
  return {
    read: reader(memory, dtype),
    write: (at, x) => single ? view.setFloat32(at, x, true) : view.setFloat64(at, x, true),
    size: dtypeInfo(dtype).itemSize,
    round: single ? Math.fround : (x) => x,
  };
}

/** The tables of rows and of columns, which are stored one after the other. */
function tablesAt({ read, size }: Numbers, address: number): [rows: number[], columns: number[]] {
  const one = (at: number) => Array.from({ length: read(at + 3 * size) }, (_, i) => read(at + i * size));
  const rows = one(address);
  return [rows, one(address + rows.length * size)];
}

/** `z` with real and imaginary parts exchanged: transforming it gives the inverse transform. */
function swapped({ re, im }: Complexes): Complexes {
  return { re: im, im: re };
}

/** Transforms column `k` of `rows` (or inverts it), in place. */
function transformColumn(
  rows: readonly Complexes[],
  k: number,
  table: number[],
  round: Round,
  back: boolean,
) {
  const column = complexes(rows.length);
  rows.forEach(({ re, im }, y) => [column.re[y], column.im[y]] = [re[k]!, im[k]!]);
  const { re, im } = back
    ? swapped(transform(swapped(column), table, round))
    : transform(column, table, round);
  rows.forEach((row, y) => [row.re[k], row.im[k]] = [re[y]!, im[y]!]);
}

/**
 * The first `columns` columns of the spectrum of `height × width` real numbers. Two real rows are transformed as one
 * complex row.
 */
export function rfft2(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["rfft2"] {
  const io = numbers(memory, dtype);
  const { read, size, round } = io;
  return (dst, src, height, width, columns, tables, _scratch) => {
    const [rowTable, columnTable] = tablesAt(io, tables);
    const rows = Array.from({ length: height }, () => complexes(columns));
    for (let y = 0; y < height; y += 2) {
      const of = (row: number) =>
        Float64Array.from({ length: width }, (_, x) => read(src + (row * width + x) * size));
      const { re, im } = transform({ re: of(y), im: of(Math.min(y + 1, height - 1)) }, rowTable, round);
      const half = (a: number, b: number) => round(round(a * 0.5) + round(b * 0.5));
      for (let k = 0; k < columns; k++) {
        const mirror = (width - k) % width;
        rows[y]!.re[k] = half(re[k]!, re[mirror]!);
        rows[y]!.im[k] = half(im[k]!, -im[mirror]!);
        if (y + 1 === height) continue;
        rows[y + 1]!.re[k] = half(im[k]!, im[mirror]!);
        rows[y + 1]!.im[k] = half(re[mirror]!, -re[k]!);
      }
    }
    for (let k = 0; k < columns; k++) transformColumn(rows, k, columnTable, round, false);
    writePairs(io, dst, rows, 1);
  };
}

/** Complex rows as pairs re, im. */
function writePairs({ write, size, round }: Numbers, dst: number, rows: readonly Complexes[], scale: number) {
  for (const { re, im } of rows) {
    for (let k = 0; k < re.length; k++, dst += 2 * size) {
      write(dst, round(re[k]! * scale));
      write(dst + size, round(im[k]! * scale));
    }
  }
}

function readPairs({ read, size }: Numbers, src: number, height: number, width: number): Complexes[] {
  const part = (at: number) => Float64Array.from({ length: width }, (_, k) => read(at + 2 * k * size));
  const row = (at: number) => ({ re: part(at), im: part(at + size) });
  return Array.from({ length: height }, (_, y) => row(src + 2 * y * width * size));
}

/** `height × width` real numbers from half of their spectrum. */
export function irfft2(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["irfft2"] {
  const io = numbers(memory, dtype);
  const { write, size, round } = io;
  return (dst, src, height, width, tables, _scratch) => {
    if (width === 0) return;
    const columns = Math.floor(width / 2) + 1;
    const [rowTable, columnTable] = tablesAt(io, tables);
    const rows = readPairs(io, src, height, columns);
    for (let k = 0; k < columns; k++) transformColumn(rows, k, columnTable, round, true);
    const scale = round(1 / (height * width));
    for (let y = 0; y < height; y += 2) {
      const pair = twoRows(rows[y]!, rows[Math.min(y + 1, height - 1)]!, width, round);
      const { re, im } = swapped(transform(swapped(pair), rowTable, round));
      for (let x = 0; x < width; x++) {
        write(dst + (y * width + x) * size, round(re[x]! * scale));
        if (y + 1 < height) write(dst + ((y + 1) * width + x) * size, round(im[x]! * scale));
      }
    }
  };
}

/** The spectrum of `a + i b` from the half spectra of both; imaginary parts that a real row cannot have are dropped. */
function twoRows(a: Complexes, b: Complexes, width: number, round: Round): Complexes {
  const z = complexes(width);
  for (let k = 0; 2 * k <= width; k++) {
    const mirror = width - k;
    if (k === 0 || k === mirror) [z.re[k], z.im[k]] = [a.re[k]!, b.re[k]!];
    else {
      z.re[k] = round(a.re[k]! - b.im[k]!);
      z.im[k] = round(b.re[k]! + a.im[k]!);
      z.re[mirror] = round(a.re[k]! + b.im[k]!);
      z.im[mirror] = round(b.re[k]! - a.im[k]!);
    }
  }
  return z;
}

/** The spectrum of complex numbers, or with `back` the inverse. */
export function fft2(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["fft2"] {
  const io = numbers(memory, dtype);
  return (dst, src, height, width, back, tables, _scratch) => {
    const [rowTable, columnTable] = tablesAt(io, tables);
    const rows = readPairs(io, src, height, width).map((row) =>
      back ? swapped(transform(swapped(row), rowTable, io.round)) : transform(row, rowTable, io.round)
    );
    for (let k = 0; k < width; k++) transformColumn(rows, k, columnTable, io.round, back !== 0);
    writePairs(io, dst, rows, back ? io.round(1 / (height * width)) : 1);
  };
}
