/**
 * Kernels that unpack long streams, whole and damaged, touch nothing outside of their buffers: loops with room to spare, and
 * tables in output that is not written yet.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { deflateRawSync, zstdCompressSync } from "node:zlib";
import { INFLATE_BYTES, LZW_BYTES, ZSTD_LITERALS, ZSTD_TABLES } from "../../src/kernels/families/filters.ts";
import { lzwOldPacked, lzwPacked } from "../oracles/rows/common/segments_packed.ts";
import { RESERVED } from "../../src/memory/arena.ts";
import { mulberry32, sizes } from "./call.ts";
import { KINDS } from "./kinds.ts";
import { lookingKernels } from "./looking.ts";

const { memory, exports, fences } = lookingKernels(32);
const SIZE = 80_000;

type Kernel = (...args: number[]) => void;

/** A stream, what it holds, the kernel that unpacks it, and the bytes of its tables. */
interface Case {
  readonly packed: Uint8Array;
  readonly bytes: number;
  readonly kernel: Kernel;
  readonly tables: readonly number[];
}

const plain = KINDS.samples!(SIZE, mulberry32(1));
const lzw = (kernel: Kernel, { bytes, packed }: ReturnType<typeof lzwPacked>): Case => ({
  packed: Uint8Array.from(packed),
  bytes,
  kernel,
  tables: [LZW_BYTES],
});
const CASES: Record<string, Case> = {
  lzw: lzw(exports.lzw_u8 as Kernel, lzwPacked(sizes({ rowLength: SIZE, seed: 6 }))),
  lzw_old: lzw(exports.lzw_old_u8 as Kernel, lzwOldPacked(sizes({ rowLength: SIZE, seed: 6 }))),
  inflate: {
    packed: deflateRawSync(plain),
    bytes: SIZE,
    kernel: exports.inflate_u8 as Kernel,
    tables: [INFLATE_BYTES],
  },
  zstd: {
    packed: zstdCompressSync(plain),
    bytes: SIZE,
    kernel: exports.zstd_u8 as Kernel,
    tables: [ZSTD_TABLES, Math.min(ZSTD_LITERALS, SIZE + 32)],
  },
};

/** Unpacks with fences around every buffer; the bytes written, or a negative code. */
function unpack({ kernel, tables }: Case, packed: Uint8Array, room: number): number {
  let end = RESERVED;
  const starts = [8, room, packed.length, ...tables].map((bytes) => {
    const start = end + 64;
    end = Math.ceil((start + bytes + 64) / 64) * 64;
    return start;
  });
  fences.raise(RESERVED, end);
  [8, room, packed.length, ...tables].forEach((bytes, i) => fences.allow(starts[i]!, bytes, `buffer ${i}`));
  const [status = 0, dst = 0, src = 0, ...rest] = starts;
  new Uint8Array(memory.buffer).set(packed, src);
  const last = rest.length > 1 ? [...rest, tables[1]!] : rest;
  kernel(status, dst, room, src, packed.length, ...last);
  fences.check(RESERVED, end);
  return new DataView(memory.buffer).getInt32(status, true);
}

for (const [name, one] of Object.entries(CASES)) {
  Deno.test(`${name}: long streams touch nothing outside of their buffers`, () => {
    for (const room of [one.bytes, one.bytes + 1, one.bytes + 70_000]) {
      assertEquals(unpack(one, one.packed, room), one.bytes);
    }
    const random = mulberry32(2);
    let refused = 0;
    for (let i = 0; i < 12; i++) {
      const damaged = one.packed.slice(
        0,
        i % 3 ? one.packed.length : Math.floor(random() * one.packed.length),
      );
      damaged[Math.floor(random() ** 3 * damaged.length)]! ^= 1 << Math.floor(random() * 8);
      if (unpack(one, damaged, one.bytes) < 0) refused++;
    }
    assert(refused > 0 || name.startsWith("lzw"), "some are refused");
  });
}
