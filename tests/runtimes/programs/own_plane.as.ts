import { Sample } from "tilewise";

export function plane(data: usize, stride: usize, out: usize, rows: i32, cols: i32): void {
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < cols; x++, out += 4) {
      const at = data + y * stride + x * sizeof<Sample>();
      store<f32>(out, <f32>load<Sample>(at + stride) - <f32>load<Sample>(at));
    }
  }
}
