/** Every kernel of the registry against its plain twin, bit for bit. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { Sizes } from "../oracles/rows/common/describe.ts";
import type { KernelFamilies } from "../../src/kernels/families/families.ts";
import { type KernelRow, kernelRows } from "../oracles/rows/catalogue.ts";
import { hasKernel } from "../../src/kernels/exists.ts";
import { kernel } from "../../src/kernels/registry.ts";
import { cases } from "../suite/cases.ts";
import { packBytes, packModule } from "../../src/kernels/code.ts";
import { instantiateKernels, loadKernels, PACKS } from "../../src/kernels/wasm.ts";
import { around, type Call, fill, firstDifference, layOut, outcome, ownBytes, seedsOf } from "./call.ts";

await loadKernels();

type Run = (...args: readonly number[]) => void;
const pages = { initial: 16, maximum: 16 };
const flavours = [new WebAssembly.Memory(pages), new WebAssembly.Memory({ ...pages, shared: true })]
  .map((memory) => instantiateKernels(memory));
const plain = new WebAssembly.Memory(pages);

/** Runs kernel and twin on the same bytes and compares all that is there afterwards. */
function compare(row: KernelRow, sizes: Sizes, skew: (i: number) => number, flavour: number): void {
  const { memory, exports } = flavours[flavour]!;
  const call = layOut(row.parameters, sizes, skew);
  const before = prepare(call, sizes, memory);
  (exports as unknown as Record<string, Run>)[row.name]!(...call.args);
  (row.reference(plain) as Run)(...call.args);
  const found = outcome(memory, call), expected = outcome(plain, call);
  const at = firstDifference(found, expected);
  if (at >= 0) throw new Error(`${row.name} ${JSON.stringify(sizes)} ${where(memory, plain, call, at)}`);
  const own = ownBytes(call);
  for (let i = 0; i < expected.length; i++) {
    if (expected[i] === before[i] || own[i] === 1) continue;
    throw new Error(`${row.name} ${JSON.stringify(sizes)} writes byte ${i}, which is not its own`);
  }
}

function prepare(call: Call, sizes: Sizes, memory: WebAssembly.Memory): Uint8Array {
  assert(call.end <= memory.buffer.byteLength, "the call fits into the memory");
  fill(memory, call, sizes);
  const before = new Uint8Array(memory.buffer).slice(0, call.end);
  new Uint8Array(plain.buffer).set(before);
  return before;
}

function where(found: WebAssembly.Memory, expected: WebAssembly.Memory, call: Call, at: number): string {
  const buffer = call.buffers.find(({ offset, bytes }) => at >= offset && at < offset + bytes);
  if (!buffer) return `writes byte ${at}, outside of every buffer`;
  const start = at - (at - buffer.offset) % 8;
  const [f, e] = [found, expected].map((m) => new Uint8Array(m.buffer).slice(start, start + 8));
  const numbers = [f!, e!].map((b) => new Float64Array(b.buffer)[0]);
  return `differs at byte ${
    at - buffer.offset
  } of ${buffer.parameter.name}: ${f} for ${e} (as f64 ${numbers})`;
}

for (const row of kernelRows()) {
  Deno.test(`${row.name} agrees with its twin for every length, alignment and NaN`, () => {
    for (let n = 0; n <= 67; n++) {
      for (const seed of seedsOf(n)) {
        compare(row, around(n, seed), (i) => (seed * 7 + i * 5) % 16, seed % 2);
      }
    }
  });
  Deno.test(`${row.name} agrees with its twin for any sizes`, () => {
    const input = fc.record({ n: fc.nat(1500), seed: fc.nat(1e6), skew: fc.nat(15), flavour: fc.nat(1) });
    fc.assert(
      fc.property(input, ({ n, seed, skew, flavour }) => {
        compare(row, around(n, seed), (i) => (i * 3 + skew) % 16, flavour);
      }),
      { numRuns: cases(6, 12), seed: 7 },
    );
  });
}

Deno.test("kernels are found by family, dtype and byte order", () => {
  const kernels = flavours[0]!;
  assertEquals(kernel(kernels, "sum_frames", "bool"), kernels.exports.sum_frames_u8);
  assertEquals(kernel(kernels, "sum_frames", "int8", "big"), kernels.exports.sum_frames_i8);
  assertEquals(kernel(kernels, "sum_frames", "float32", "big"), kernels.exports.sum_frames_f32be);
  assertThrows(() => kernel(kernels, "sum_frames", "complex64"), Error, "exists for uint8");
  assert(hasKernel("sum_frames", "bool") && !hasKernel("sum_frames", "complex64"));
});

Deno.test("a memory has the same kernels in all calls, and others from another module", () => {
  const memory = new WebAssembly.Memory(pages);
  const kernels = instantiateKernels(memory);
  assert(instantiateKernels(memory) === kernels);
  assert(kernels.exports.sum_frames_u8 === instantiateKernels(memory).exports.sum_frames_u8);
  const other = instantiateKernels(memory, { core: new WebAssembly.Module(packBytes("core", false)) });
  assert(other !== kernels && other.memory === memory);
  assert(instantiateKernels(new WebAssembly.Memory(pages)) !== kernels);
});

Deno.test("every row has its kernel, and every kernel with samples its row", () => {
  const rows = new Set([...kernelRows()].map((row) => row.name));
  const names = PACKS.flatMap((pack) =>
    WebAssembly.Module.exports(packModule(pack, false)).map(({ name }) => name)
  );
  assertEquals(names.filter((name) => !rows.has(name)), []);
  assertEquals([...rows].filter((name) => !names.includes(name)), []);
});

Deno.test("sums of whole frames are exact far beyond 2^24", () => {
  const memory = new WebAssembly.Memory(pages);
  const kernels = instantiateKernels(memory);
  new Uint16Array(memory.buffer, 4096, 300 * 8).fill(65535);
  const sum: KernelFamilies["sum_frames"] = kernel(kernels, "sum_frames", "uint16");
  for (let i = 0; i < 10; i++) sum(1024, 4096, 300, 16, 8);
  assertEquals([...new Float64Array(memory.buffer, 1024, 8)], Array(8).fill(3000 * 65535));
});
