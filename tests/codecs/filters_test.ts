/** Filters of chunks whose parameters or sizes make no sense: they end soon. */

import { assertEquals } from "@std/assert";
import { chunkFilter, mostBytes } from "../../src/codecs/filters/registry.ts";
import { instantiateKernels } from "../../src/kernels/wasm.ts";

Deno.test("shuffle leaves a chunk as it is that has fewer than two elements, however large they are said to be", async () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const kernels = instantiateKernels(memory);
  const input = new Uint8Array(memory.buffer, 1024, 10).map((_, i) => i + 1);
  const given = new Uint8Array(memory.buffer, 1024, 10);
  given.set(input);
  const output = new Uint8Array(memory.buffer, 2048, 10);
  const spare = new Uint8Array(memory.buffer, 4096, 10);
  const shuffle = await chunkFilter(2);
  for (const size of [6, 10, 11, 2 ** 29, 2 ** 32 - 1]) {
    output.fill(0);
    assertEquals(await shuffle({ kernels, input: given, output, spare, scratch: 8192, values: [size] }), 10);
    assertEquals(output, input, `size ${size}`);
  }
});

Deno.test("the most bytes of a chunk follow from what is stored and its filters", () => {
  assertEquals(mostBytes(10, []), 10);
  assertEquals(mostBytes(10, [1, 2, 3]), 10_320);
  assertEquals(mostBytes(10, [32000]), 880);
  assertEquals(mostBytes(10, [2, 32015]), Infinity);
});
