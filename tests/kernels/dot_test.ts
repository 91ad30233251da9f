/** Mask products of rows that are longer than one piece, which the property tests do not reach. */

import { assertEquals } from "@std/assert";
import { kernel } from "../../src/kernels/registry.ts";
import { dotF32, dotF64 } from "../oracles/twins/dot.ts";
import { typedArray } from "../../src/space/dtype.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";

await loadKernels();

const memory = new WebAssembly.Memory({ initial: 32, maximum: 32 });
const kernels = instantiateKernels(memory);
const [OUT, TWIN, DATA, MASKS] = [1024, 2048, 4096, 1 << 20];
const [FRAMES, COUNT, ROWS] = [3, 5, 2];

/** Numbers of very different sizes, so that another order of additions gives other bits. */
function fill(array: Float32Array | Float64Array, seed: number): void {
  for (let i = 0; i < array.length; i++) array[i] = Math.sin(seed + i * 1.7) * 10 ** ((i * 7 + seed) % 9 - 4);
}

for (const name of ["dot_f32", "dot_f64"] as const) {
  Deno.test(`${name}: rows of any length around the pieces they are added in`, () => {
    const size = name === "dot_f32" ? 4 : 8;
    const dtype = size === 4 ? "float32" : "float64";
    for (const length of [1, 1023, 1024, 1025, 1026, 1027, 2047, 2048, 2051, 3000]) {
      const pixels = ROWS * length;
      fill(new Float32Array(memory.buffer, DATA, FRAMES * pixels), length);
      fill(typedArray(dtype, memory.buffer, MASKS, COUNT * pixels) as Float64Array, 3);
      const args = [DATA, FRAMES, 4 * pixels, MASKS, COUNT, size * pixels, ROWS, length] as const;
      for (const out of [OUT, TWIN]) new Float64Array(memory.buffer, out, FRAMES * COUNT).fill(0.1);
      kernel(kernels, name, "float32", "little")(OUT, 8 * COUNT, ...args);
      (size === 4 ? dotF32 : dotF64)(memory, "float32", "little")(TWIN, 8 * COUNT, ...args);
      const bits = (out: number) => [...new BigUint64Array(memory.buffer, out, FRAMES * COUNT)];
      assertEquals(bits(OUT), bits(TWIN), `rows of ${length}`);
    }
  });
}
