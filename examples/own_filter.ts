/** A filter of your own, written in three ways: an expression, a function in TypeScript, a kernel in AssemblyScript. */

import { createContext, open } from "@tilewise/tilewise";
import { viewKernel } from "@tilewise/tilewise/unstable/views";
import { mapViews, perSample, viewExpression, viewFunction } from "@tilewise/tilewise/views";

/** The steps to the next samples, right and below. */
const expression = viewExpression("abs(x[0,1] - x) + abs(x[1,0] - x)", { dtype: "float32" });

const plain = viewFunction(
  perSample((at) => Math.abs(at(0, 1) - at()) + Math.abs(at(1, 0) - at())),
  { radius: 1 },
);

const kernel = viewKernel({
  source: `
    import { Sample } from "tilewise";

    function sample(at: usize): f32 {
      return <f32>load<Sample>(at);
    }

    export function plane(data: usize, stride: usize, out: usize, rows: i32, cols: i32): void {
      for (let y = 0; y < rows; y++) {
        for (let x = 0; x < cols; x++, out += 4) {
          const at = data + y * stride + x * sizeof<Sample>(); // neighbours lie around it
          const here = sample(at);
          store<f32>(out, abs(sample(at + sizeof<Sample>()) - here) + abs(sample(at + stride) - here));
        }
      }
    }`,
  radius: 1,
});

/** The results of all three. */
export async function edges(): Promise<Float32Array[]> {
  await using context = createContext({ memory: "16MiB", workers: 2 });
  const samples = Uint16Array.from({ length: 256 * 256 }, (_, i) => i * 7919 % 509);
  const image = await open({ data: samples, shape: [256, 256] }); // or a path: open("image.tif")
  const results: Float32Array[] = [];
  for (const operation of [expression, plain, kernel]) {
    results.push((await mapViews(image, operation, { border: "reflect", context })).data);
  }
  return results;
}

if (import.meta.main) { for (const result of await edges()) console.log(result.slice(0, 3)); }
