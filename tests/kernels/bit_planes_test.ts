/**
 * Bit planes of which some are nothing but zeros, as those of small counts are.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { bitPlanes } from "../oracles/twins/filters/filters.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { mulberry32 } from "./call.ts";

await loadKernels();

const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
const bytes = new Uint8Array(memory.buffer);
const { exports } = instantiateKernels(memory);
const twin = bitPlanes(memory);
const [SRC, DST] = [1024, 32768];

Deno.test("bit planes: zeros of a whole byte, of a part of its bits, of a part of the elements", () => {
  const random = mulberry32(5);
  for (const size of [1, 2, 4]) {
    for (const n of [120, 128, 136, 512, 1000]) {
      for (const kept of [0, 1, 3, 8, 11, 8 * size]) {
        const row = n / 8;
        bytes.fill(0, SRC, SRC + n * size);
        for (let bit = 0; bit < Math.min(kept, 8 * size); bit++) {
          const from = SRC + bit * row + (bit % 2 ? row >> 1 : 0); // every other one in its second half alone
          for (let i = from; i < SRC + (bit + 1) * row; i++) bytes[i] = random() * 256;
        }
        const outcome = (kernel: typeof twin) => {
          bytes.fill(0xa5, DST, DST + n * size + 32);
          kernel(DST, SRC, n, size);
          return bytes.slice(DST, DST + n * size + 32);
        };
        assertEquals(outcome(exports.bit_planes_u8), outcome(twin), `${size} ${n} ${kept}`);
      }
    }
  }
});
