/**
 * Reference kernel of the highest value between samples.
 *
 * @module
 */

import type { KernelFamilies } from "../../../src/kernels/families/families.ts";

const f = Math.fround;

/** The first largest of `Σ_r Σ_c rows[r − y][t] · columns[c − x][s] · image[r][c]`, in f32, along rows first. */
export function upsamplePeak(memory: WebAssembly.Memory): KernelFamilies["upsample_peak"] {
  const view = new DataView(memory.buffer);
  const get = (at: number) => view.getFloat32(at, true);
  const set = (at: number, value: number) => view.setFloat32(at, value, true);
  return (out, image, step, height, width, y, x, rows, columns, count, pad, partial) => {
    const weight = (table: number, distance: number, n: number, s: number) =>
      get(table + 4 * (((distance + n) % n) * pad + s));
    for (let r = 0; r < height; r++) {
      for (let s = 0; s < pad; s++) {
        let sum = 0;
        for (let c = 0; c < width; c++) {
          sum = f(sum + f(get(image + (r * width + c) * step) * weight(columns, c - x, width, s)));
        }
        set(partial + 4 * (r * pad + s), sum);
      }
    }
    let [best, bestT, bestS] = [-Infinity, 0, 0];
    for (let t = 0; t < count; t++) {
      for (let s = 0; s < count; s++) {
        let sum = 0;
        for (let r = 0; r < height; r++) {
          sum = f(sum + f(weight(rows, r - y, height, t) * get(partial + 4 * (r * pad + s))));
        }
        if (sum > best) [best, bestT, bestS] = [sum, t, s];
      }
    }
    set(out, bestT);
    set(out + 4, bestS);
  };
}
