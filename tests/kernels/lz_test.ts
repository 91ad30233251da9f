/**
 * LZ4 and LZF: matches of every distance and length, at every place before the end of the output.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";

await loadKernels();

const memory = new WebAssembly.Memory({ initial: 2, maximum: 2 });
const bytes = new Uint8Array(memory.buffer);
const { exports } = instantiateKernels(memory);
const [STATUS, SRC, DST] = [64, 4096, 65536];

/** Literals before a match. */
const BEFORE = 40;

/** What comes out: bytes that all differ, some of them again, then `after` others. */
function expected(offset: number, length: number, after: number): number[] {
  const out = Array.from({ length: BEFORE }, (_, i) => 3 * i + 1);
  for (let i = 0; i < length; i++) out.push(out.at(-offset)!);
  for (let i = 0; i < after; i++) out.push(200 + i % 50);
  return out;
}

const lz4Length = (n: number) =>
  n < 15 ? [] : [...new Array(Math.floor((n - 15) / 255)).fill(255), (n - 15) % 255];

function lz4(plain: number[], offset: number, length: number, after: number): number[] {
  const tokens = [15 << 4 | Math.min(15, length - 4), Math.min(15, after) << 4];
  return [
    ...[tokens[0]!, ...lz4Length(BEFORE), ...plain.slice(0, BEFORE), offset, 0, ...lz4Length(length - 4)],
    ...[tokens[1]!, ...lz4Length(after), ...plain.slice(BEFORE + length)],
  ];
}

function lzf(plain: number[], offset: number, length: number, after: number): number[] {
  const run = (from: number, to: number): number[] =>
    from >= to ? [] : [Math.min(32, to - from) - 1, ...plain.slice(from, Math.min(to, from + 32))].concat(
      run(from + 32, to),
    );
  const match = length < 9 ? [length - 2 << 5, offset - 1] : [7 << 5, length - 9, offset - 1];
  return [...run(0, BEFORE), ...match, ...run(BEFORE + length, BEFORE + length + after)];
}

const PACK = { lz4, lzf } as const;

for (const name of ["lz4", "lzf"] as const) {
  Deno.test(`${name}: any distance and length, near the end of the output and far from it`, () => {
    for (let offset = 1; offset <= 34; offset++) {
      for (const length of [4, 5, 7, 8, 9, 15, 16, 17, 18, 19, 20, 31, 33, 64, 100, 255]) {
        for (const after of [0, 1, 5, 14, 15, 16, 17, 47, 90, 400]) {
          const plain = expected(offset, length, after);
          const packed = PACK[name](plain, offset, length, after);
          bytes.set(packed, SRC);
          bytes.fill(0xa5, DST - 16, DST + plain.length + 64);
          exports[`${name}_u8`](STATUS, DST, plain.length, SRC, packed.length);
          const status = [...new Int32Array(memory.buffer, STATUS, 2)];
          assertEquals(status, [plain.length, packed.length], `${offset} ${length} ${after}`);
          const found = bytes.subarray(DST, DST + plain.length);
          assert(found.every((byte, i) => byte === plain[i]), `${offset} ${length} ${after}: ${found}`);
          const outside = bytes.subarray(DST + plain.length, DST + plain.length + 64);
          assert(outside.every((byte) => byte === 0xa5), "nothing is written outside of the room");
        }
      }
    }
  });
}
