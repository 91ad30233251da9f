/**
 * Fourier transforms of real images, of which one half is stored; the other half follows from symmetry.
 *
 * ```
 * stored row r     c₀ c₁ … c_half−1            c₀ is frequency 0 along the row
 * decoded row r    c_half−1 … c₁ c₀  c̄₁ …         c̄: conjugates of the row opposite to r
 * ```
 *
 * @module
 */

import { checkStored, type FrameDecoder, numberParam } from "./codec.ts";

/**
 * Decoder of the codec `half_plane`; parameters: `rows` and `columns` of a frame, which has 2 · (half − 1) of them but may
 * be shown in another shape, and `unit`, bytes of a float.
 */
export const halfPlaneDecoder: FrameDecoder = {
  decode(job) {
    const { memory, dst, src, frames, srcStride } = job;
    const [rows, columns, unit] = [
      numberParam(job, "rows"),
      numberParam(job, "columns"),
      numberParam(job, "unit"),
    ];
    const half = columns / 2 + 1;
    checkStored(job, rows * half * 2 * unit);
    const view = new DataView(memory.buffer);
    const get = (at: number) => unit === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true);
    const set = (at: number, value: number) =>
      unit === 4 ? view.setFloat32(at, value, true) : view.setFloat64(at, value, true);
    for (let f = 0; f < frames; f++) {
      const stored = (row: number, c: number) => src + f * srcStride + (row * half + c) * 2 * unit;
      for (let row = 0; row < rows; row++) {
        for (let x = 0; x < columns; x++) {
          const isLeft = x < half;
          const from = isLeft ? stored(row, half - 1 - x) : stored(rows - 1 - row, x - half + 1);
          const to = dst + ((f * rows + row) * columns + x) * 2 * unit;
          set(to, get(from));
          set(to + unit, isLeft ? get(from + unit) : -get(from + unit));
        }
      }
    }
  },
};
