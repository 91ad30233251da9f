/** Sources of kernels over views for tests. */

/** The greatest sample of a window less its first one, in any number of dimensions. */
export const SPREAD = `
import { Result, Sample, View } from "tilewise";

const START: StaticArray<f64> = [-Infinity, 0];

function walk(view: View, d: i32, from: usize, most: f64): f64 {
  if (d == view.rank) return max(most, <f64>load<Sample>(from));
  const count = 1 + view.radius(d) + view.back(d);
  for (let i = 0; i < count; i++) most = walk(view, d + 1, from + i * view.stride(d), most);
  return most;
}

function lines(view: View, d: i32, from: usize, out: usize): usize {
  if (d < view.rank) {
    for (let i = 0; i < view.shape(d); i++) out = lines(view, d + 1, from + i * view.stride(d), out);
    return out;
  }
  let first = from;
  for (let k = 0; k < view.rank; k++) first -= view.radius(k) * view.stride(k);
  store<Result>(out, <Result>(walk(view, 0, first, START[0]) - <f64>load<Sample>(first)));
  return out + sizeof<Result>();
}

export function tile(view: View, out: usize): void {
  lines(view, 0, view.data, out);
}
`;

/** Greatest less least sample of a window of 2 radius + 1 samples in the last two dimensions. */
export const RANGE = `
import { Result, Sample } from "tilewise";

export function plane(data: usize, stride: usize, out: usize, rows: i32, cols: i32, radius: f64): void {
  const r = <i32>radius;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < cols; x++, out += sizeof<Result>()) {
      let least = <f64>Infinity, most = -<f64>Infinity;
      for (let dy = -r; dy <= r; dy++) {
        for (let dx = -r; dx <= r; dx++) {
          const value = <f64>load<Sample>(data + (y + dy) * stride + (x + dx) * sizeof<Sample>());
          least = min(least, value);
          most = max(most, value);
        }
      }
      store<Result>(out, <Result>(most - least));
    }
  }
}
`;

/** A weighted sum of the samples of a row, by way of scratch memory. */
export const WEIGHTED = `
import { Sample } from "tilewise";

export function plane(
  data: usize, stride: usize, out: usize, rows: i32, cols: i32, weights: usize, row: usize, scale: f64, offset: f64,
): void {
  for (let y = 0; y < rows; y++) {
    for (let x = -1; x <= cols; x++) {
      store<f64>(row + 8 * (x + 1), <f64>load<Sample>(data + y * stride + x * sizeof<Sample>()) * scale + offset);
    }
    for (let x = 0; x < cols; x++, out += 8) {
      let sum = 0.0;
      for (let k = 0; k < 3; k++) sum += load<f32>(weights + 4 * k) * load<f64>(row + 8 * (x + k));
      store<f64>(out, sum);
    }
  }
}
`;

/** The head of a kernel that is called plane by plane. */
export const HEAD =
  "export function plane(data: usize, stride: usize, out: usize, rows: i32, cols: i32): void";
