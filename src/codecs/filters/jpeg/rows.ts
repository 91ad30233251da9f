/**
 * From rows of components to rows of pixels: chroma is widened to the size of the image, and made RGB.
 *
 * Chroma of half the size is interpolated (3 : 1 between the nearest two), as all widespread readers do; other sizes are repeated.
 *
 * @module
 */

import type { Desk } from "./desk.ts";
import type { Frame } from "./markers.ts";
import type { Plane } from "./planes.ts";

/** Gives the address of row `y` of a component in the size of the image; it is valid until the next one is made. */
type RowMaker = (y: number) => number;

/** Writes rows of pixels. */
export class PixelRows {
  readonly #makers: readonly RowMaker[];
  readonly #size: number;
  /** Rows at the end of a band that need the next one. */
  readonly late: number;
  readonly #wide: readonly number[];

  /** To `output`; `isRgb`: makes RGB of YCbCr. */
  constructor(
    private readonly desk: Desk,
    private readonly frame: Frame,
    planes: readonly Plane[],
    private readonly isRgb: boolean,
    private readonly output: number,
  ) {
    this.#size = frame.precision > 8 ? 2 : 1;
    const bytes = (frame.width + 2) * this.#size;
    const wide = desk.take(bytes * planes.length);
    this.#wide = planes.map((_, i) => wide + i * bytes);
    this.#makers = planes.map((plane, i) => rowMaker(desk, frame, plane, this.#wide[i]!));
    this.late = planes.some(({ component }) => frame.down === 2 * component.down) ? 1 : 0;
  }

  /** Writes row `y`. */
  write(y: number): void {
    const { desk: { kernels }, frame: { width } } = this, size = this.#size;
    const rows = this.#makers.map((make) => make(y)), count = rows.length;
    const to = this.output + y * width * count * size;
    if (count === 3) {
      const kernel = this.isRgb ? "jpeg_rgb" : "jpeg_three";
      kernels[`${kernel}_${size === 1 ? "u8" : "u16"}`](to, rows[0]!, rows[1]!, rows[2]!, width);
      return;
    }
    const bytes = width * size;
    if (count === 1) return kernels.copy_rows_u8(to, bytes, rows[0]!, bytes, 1, bytes);
    rows.forEach((row, i) => {
      const beside = this.#wide[i]!;
      if (row !== beside) kernels.copy_rows_u8(beside, bytes, row, bytes, 1, bytes);
    });
    const apart = this.#wide[1]! - this.#wide[0]!;
    const transpose = size === 1 ? kernels.transpose_u8 : kernels.transpose_u16;
    transpose(to, count * size, this.#wide[0]!, apart, count, width);
  }
}

function rowMaker(desk: Desk, frame: Frame, plane: Plane, wide: number): RowMaker {
  const { kernels } = desk, { component: { width }, size } = plane;
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
  const bytes = desk.bytes(0, wide + frame.width * size);
  return made((y) => {
    const from = plane.row(Math.floor(y / down));
    for (let x = 0; x < frame.width * size; x++) {
      bytes[wide + x] = bytes[from + Math.floor(Math.floor(x / size) / across) * size + x % size]!;
    }
  });
}
