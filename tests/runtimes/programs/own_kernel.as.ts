import { Sample } from "tilewise";

export function frame(data: usize, rows: i32, cols: i32, sum: usize, least: f64): void {
  let total = 0.0;
  for (let i = 0; i < rows * cols; i++) {
    const value = <f64>load<Sample>(data + <usize>i * sizeof<Sample>());
    if (value >= least) total += value;
  }
  store<f64>(sum, total);
}
