/**
 * From rows of components to rows of pixels: chroma is widened to the size of the image, and made RGB.
 *
 * Chroma of half the size is interpolated (3 : 1 between the nearest two), as all widespread readers do; other sizes are repeated.
 *
 * @module
 */

import type { JpegWorkspace } from "./workspace.ts";
import { type Component, type Frame, type Tables, wrong } from "./markers.ts";

/** Rows of a component. */
export class Plane {
  /** Bytes of a sample, and of a row. */
  readonly size: number;
  readonly stride: number;
  readonly #rows: number;
  readonly #at: number;
  #table = 0;

  /** Takes its memory from the workspace. */
  constructor(
    private readonly work: JpegWorkspace,
    frame: Frame,
    readonly component: Component,
  ) {
    this.size = frame.precision > 8 ? 2 : 1;
    this.stride = 8 * component.columns * this.size;
    this.#rows = 16 * component.down;
    this.#at = work.take(this.#rows * this.stride);
  }

  /** Address of row `y`, or of the nearest one that there is. */
  row(y: number): number {
    return this.#at + Math.max(0, Math.min(this.component.height - 1, y)) % this.#rows * this.stride;
  }

  /** Puts the quantization table of the component in place `which`. */
  useTable(which: number, tables: Tables, place: number): void {
    const { table } = this.component, found = tables.quantization[table];
    if (!found) throw wrong(`the quantization table ${table} is missing`, place);
    this.#table = this.work.table(which, found);
  }

  /** Computes the samples of `count` blocks at `blocks`, which lie in row `row` of blocks from `column` on. */
  samples(row: number, column: number, count: number, blocks: number): void {
    const { kernels, spare } = this.work;
    const undo = this.size === 1 ? kernels.jpeg_samples_u8 : kernels.jpeg_samples_u16;
    const to = this.#at + 8 * row % this.#rows * this.stride + 8 * column * this.size;
    undo(to, this.stride, blocks, this.#table, count, spare);
  }
}

/** Gives the address of row `y` of a component in the size of the image; it is valid until the next one is made. */
type RowMaker = (y: number) => number;

/** Joins rows of components to a row of pixels. */
type Join = (to: number, rows: readonly number[]) => void;

/** Writes rows of pixels. */
export class PixelRows {
  readonly #makers: readonly RowMaker[];
  readonly #rows: number[];
  readonly #stride: number;
  readonly #join: Join;
  /** Rows at the end of a band that need the next one. */
  readonly late: number;

  /** To `output`; `isRgb`: makes RGB of YCbCr. */
  constructor(
    work: JpegWorkspace,
    frame: Frame,
    planes: readonly Plane[],
    isRgb: boolean,
    private readonly output: number,
  ) {
    const size = frame.precision > 8 ? 2 : 1, bytes = (frame.width + 2) * size;
    const wide = work.take(bytes * planes.length);
    this.#stride = frame.width * planes.length * size;
    this.#rows = planes.map((_, i) => wide + i * bytes);
    this.#makers = planes.map((plane, i) => rowMaker(work, frame, plane, wide + i * bytes));
    this.#join = joiner(work, frame, planes.length, isRgb, wide);
    this.late = planes.some(({ component }) => frame.down === 2 * component.down) ? 1 : 0;
  }

  /** Writes row `y`. */
  write(y: number): void {
    for (let i = 0; i < this.#rows.length; i++) this.#rows[i] = this.#makers[i]!(y);
    this.#join(this.output + y * this.#stride, this.#rows);
  }
}

function joiner(
  { kernels }: JpegWorkspace,
  { width, precision }: Frame,
  count: number,
  isRgb: boolean,
  wide: number,
): Join {
  const size = precision > 8 ? 2 : 1, bytes = width * size, type = size === 1 ? "u8" : "u16";
  if (count === 3) {
    const join = kernels[`jpeg_${isRgb ? "rgb" : "three"}_${type}`];
    return (to, rows) => join(to, rows[0]!, rows[1]!, rows[2]!, width);
  }
  const copy = kernels.copy_rows_u8, transpose = kernels[`transpose_${type}`], apart = (width + 2) * size;
  if (count === 1) return (to, rows) => copy(to, bytes, rows[0]!, bytes, 1, bytes);
  return (to, rows) => {
    rows.forEach((row, i) => {
      if (row !== wide + i * apart) copy(wide + i * apart, bytes, row, bytes, 1, bytes);
    });
    transpose(to, count * size, wide, apart, count, width);
  };
}

function rowMaker(work: JpegWorkspace, frame: Frame, plane: Plane, wide: number): RowMaker {
  const { kernels } = work, { component: { width }, size } = plane;
  const across = frame.across / plane.component.across, down = frame.down / plane.component.down;
  if (across === 1 && down === 1) return (y) => plane.row(y);
  const other = (y: number) => plane.row((y >> 1) + (y & 1 ? 1 : -1)); // the second nearest row
  const type = size === 1 ? "u8" : "u16";
  const [widen, double, between] = [
    kernels[`jpeg_widen_${type}`],
    kernels[`jpeg_double_${type}`],
    kernels[`jpeg_between_${type}`],
  ];
  const made = (make: (y: number) => void): RowMaker => (y) => {
    make(y);
    return wide;
  };
  if (across === 2 && down === 1 && width > 2) return made((y) => widen(wide, plane.row(y), width));
  if (across === 2 && down === 2 && width > 2) {
    return made((y) => double(wide, plane.row(y >> 1), other(y), width));
  }
  if (across === 1 && down === 2) {
    return made((y) => between(wide, plane.row(y >> 1), other(y), width, y & 1 ? 2 : 1));
  }
  const bytes = work.bytes(0, wide + frame.width * size);
  return made((y) => {
    const from = plane.row(Math.floor(y / down));
    for (let x = 0; x < frame.width * size; x++) {
      bytes[wide + x] = bytes[from + Math.floor(Math.floor(x / size) / across) * size + x % size]!;
    }
  });
}
