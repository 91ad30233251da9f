/**
 * No kernel reads or writes a byte that its row does not say: not in front of its buffers, not behind them, not between
 * the frames or rows of one. Whole vectors at a tail count, too.
 */

import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { Sizes } from "../oracles/rows/common/describe.ts";
import { type KernelRow, kernelRows } from "../oracles/rows/catalogue.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { RESERVED } from "../../src/memory/arena.ts";
import { ALL_CASES, cases } from "../suite/cases.ts";
import { around, type Call, fill, layOut, outcome, seedsOf, sizes } from "./call.ts";
import { lookingKernels, runLooking } from "./looking.ts";

await loadKernels();

/** Ends of buffers that no call of some sample type needs: the others are all touched. */
const INDIFFERENT: readonly string[] = [
  "bitshuffle_lz4.spare last", // room for what comes out of a block, which is less
  "csr_sum_pixels.indices first", // sums of integers need no order
  "csr_sum_pixels.indices last",
  "csr_sum_pixels.lanes first",
  "csr_sum_pixels.lanes last",
  "dense_csr.outData last", // room for a tile without zeros
  "dense_csr.outIndices last",
  "grid_gather.grid last", // cells beyond what the kernel of a visibility reaches
  "grid_spread.grid last",
  "grid_transform.scratch last",
  "inflate.tables last", // room for the largest tables
  "jpeg_lossless.codes last", // symbols: few codes have 256
  "jpeg_lossless.spare last", // room for 12 bits
  "jpeg_pass.codes last",
  "jpeg_pass.spare last",
  "jpeg_samples.spare last",
  "jpeg_scan.codes last",
  "jpeg_scan.spare last",
  "lzw.tables last", // room for 4096 strings
  "lzw_old.tables last",
  "median_3.scratch last", // room for whole vectors
  "median_5.scratch last",
  "mib_r1.src last", // blocks of 64 bits for fewer pixels
  "patch.data first", // pixels that are not dead, nor beside dead ones
  "patch.data last",
  "rfft2.scratch last", // room for all columns: these calls want fewer
  "rime_shapelets.pairs last", // as for tapers
  "rime_shapelets.uvw last",
  "rime_tapers.pairs last", // the row of a pair, which only sums need
  "rime_tapers.uvw last", // w, on which tapers do not depend
  "zstd.spare last", // room for the literals of the largest block
  "zstd.tables last", // room for the largest tables
];

const looking = [false, true].map((shared) => lookingKernels(80, shared));
const plain = instantiateKernels(new WebAssembly.Memory({ initial: 40 }));

/** Runs the kernel with a look at all it touches, and compares with what it does otherwise. */
function look(row: KernelRow, sizes: Sizes, skew: (i: number) => number, flavour: number): void {
  const { memory } = looking[flavour]!;
  const call = layOut(row.parameters, sizes, skew, RESERVED);
  fill(plain.memory, call, sizes);
  runLooking(looking[flavour]!, row, call, plain.memory);
  (plain.exports as unknown as Record<string, (...args: readonly number[]) => void>)[row.name]!(...call.args);
  compare(row, call, memory);
}

/** What lies outside differs in the two memories: whoever depends on it gives other results. */
function compare(row: KernelRow, call: Call, memory: WebAssembly.Memory): void {
  const [found, expected] = [outcome(memory, call), outcome(plain.memory, call)];
  for (const { parameter, parts } of call.buffers) {
    for (const { offset, bytes } of parts) {
      const [a, b] = [found, expected].map((all) => all.subarray(offset, offset + bytes));
      assertEquals(a, b, `${row.name}: ${parameter.name}`);
    }
  }
}

/** All places in one vector, with those around the ends of two, three and four; with all cases all places in two. */
const COUNTS = Array.from({ length: 68 }, (_, n) => n).filter((n) =>
  n <= (ALL_CASES ? 34 : 17) || [-1, 0, 1].includes(n - 16 * Math.round(n / 16))
);

for (const row of kernelRows()) {
  Deno.test(`${row.name} touches nothing but its buffers`, () => {
    for (const n of COUNTS) {
      for (const seed of seedsOf(n)) {
        look(row, around(n, seed), (i) => (seed * 7 + i * 5) % 16, seed % 2);
      }
    }
    const input = fc.record({ n: fc.nat(900), seed: fc.nat(1e6), skew: fc.nat(15), flavour: fc.nat(1) });
    const any = fc.property(input, ({ n, seed, skew, flavour }) => {
      look(row, around(n, seed), (i) => (i * 3 + skew) % 16, flavour);
    });
    fc.assert(any, { numRuns: cases(4, 8), seed: 11 });
  });
}

for (const row of kernelRows()) {
  if (!["rfft2", "irfft2", "fft2"].includes(row.family)) continue;
  Deno.test(`${row.name} touches nothing but its buffers: every small height, width and number of columns`, () => {
    for (let frames = 0; frames <= 9; frames++) {
      for (let rowLength = 0; rowLength <= 20; rowLength++) {
        for (let seed = frames % cases(2, 1); seed <= rowLength / 2 + 2; seed += cases(2, 1)) {
          look(row, sizes({ frames, rowLength, seed }), () => 0, seed % 2);
        }
      }
    }
  });
}

/** Whether the kernel stops when it may not touch the first, or the last, byte of the buffer `b`. */
function misses(row: KernelRow, sizes: Sizes, b: number, end: "first" | "last"): boolean {
  const call = layOut(row.parameters, sizes, undefined, RESERVED);
  fill(plain.memory, call, sizes);
  const { offset, bytes } = call.buffers[b]!.parts.at(end === "first" ? 0 : -1) ?? { offset: 0, bytes: 0 };
  if (bytes === 0) return false;
  try {
    runLooking(looking[0]!, row, call, plain.memory, end === "first" ? offset : offset + bytes - 1);
    return false;
  } catch (error) {
    assertMatch(String(error), /outside of its memory/);
    return true;
  }
}

Deno.test("every kernel stops without the first or the last byte of any of its buffers", () => {
  const indifferent: string[] = [];
  for (const row of kernelRows()) {
    const buffers = row.parameters.filter((parameter) => typeof parameter !== "function");
    for (const [b, { name }] of buffers.entries()) {
      for (const end of ["first", "last"] as const) {
        const trials = Array.from({ length: 40 }, (_, seed) => around(24 + 7 * seed, seed + 1));
        if (!trials.some((sizes) => misses(row, sizes, b, end))) {
          indifferent.push(`${row.family}.${name} ${end}`);
        }
      }
    }
  }
  assertEquals([...new Set(indifferent)].sort(), INDIFFERENT);
});

Deno.test("a kernel that is told to read too much is stopped, at any end and of any type", () => {
  const { memory, fences, exports } = looking[0]!;
  const [frames, sums] = [RESERVED + 1024, RESERVED + 2048];
  fences.raise(RESERVED, RESERVED + 4096);
  fences.allow(frames, 96, "frames");
  fences.allow(sums, 64, "sums");
  const sum = (data: number, pixels: number, acc = sums) => exports.sum_frames_f32(acc, data, 1, 32, pixels);
  sum(frames, 8);
  const outside = (call: () => void, text: string) => assertThrows(call, Error, text);
  outside(() => sum(frames - 1, 8), `1 B in front of "frames", which has 96 B from ${frames} on`);
  outside(() => sum(frames + 96 - 28, 8), "outside of its memory");
  outside(() => sum(frames, 8, sums + 8), "A kernel reads");
  outside(() => sum(memory.buffer.byteLength - 8, 8), "outside of its memory");
  outside(() => sum(-16, 8), "outside of its memory");
});
