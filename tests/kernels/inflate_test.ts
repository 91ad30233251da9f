/**
 * INFLATE against streams of zlib at every level and strategy, and against its twin where they are damaged.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { INFLATE_BYTES } from "../../src/kernels/families/filters.ts";
import { inflate } from "../oracles/twins/filters/inflate.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { mulberry32 } from "./call.ts";
import { KINDS } from "./kinds.ts";

await loadKernels();

const memory = new WebAssembly.Memory({ initial: 64, maximum: 64 });
const { exports } = instantiateKernels(memory);
const twin = inflate(memory);
const [STATUS, TABLES, SRC, DST] = [64, 128, 65536, 1 << 20];

type Kernel = (...args: [number, number, number, number, number, number]) => void;

/** Status and output of a kernel. */
function unpack(kernel: Kernel, packed: Uint8Array, room: number): { status: number[]; output: Uint8Array } {
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(packed, SRC);
  bytes.fill(0xa5, DST - 64, DST + room + 64);
  bytes.fill(0xff, TABLES, TABLES + INFLATE_BYTES);
  kernel(STATUS, DST, room, SRC, packed.length, TABLES);
  const guards = [...bytes.slice(DST - 64, DST), ...bytes.slice(DST + room, DST + room + 64)];
  assert(guards.every((byte) => byte === 0xa5), "nothing is written outside of the room");
  return {
    status: [...new Int32Array(memory.buffer, STATUS, 2)],
    output: bytes.slice(DST, DST + room),
  };
}

const LEVELS = [0, 1, 6, 9];
const STRATEGIES = [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY];

function* streams(size: number): Generator<{ name: string; plain: Uint8Array; packed: Uint8Array }> {
  const random = mulberry32(size);
  for (const [kind, make] of Object.entries(KINDS)) {
    const plain = make(size, random);
    for (const level of LEVELS) {
      for (const strategy of STRATEGIES) {
        yield {
          name: `${kind} ${level} ${strategy}`,
          plain,
          packed: deflateRawSync(plain, { level, strategy }),
        };
      }
    }
  }
}

Deno.test("what zlib packs comes out as it went in, with the room exactly as large or larger", () => {
  for (const size of [0, 1, 300, 5000, 300_000]) {
    for (const { name, plain, packed } of streams(size)) {
      for (const more of [0, 500]) {
        const { status, output } = unpack(exports.inflate_u8, packed, size + more);
        assertEquals(status, [size, packed.length], `${name} ${size}`);
        assert(output.subarray(0, size).every((byte, i) => byte === plain[i]), name);
        assert(output.subarray(size).every((byte) => byte === 0), name);
      }
    }
  }
});

Deno.test("damaged streams end as those of the twin do, at the same place", () => {
  const random = mulberry32(5);
  let [refused, read] = [0, 0];
  for (const { packed, plain } of streams(700)) {
    for (let i = 0; i < 12; i++) {
      const damaged = packed.slice(0, i % 4 === 3 ? Math.floor(random() * packed.length) : packed.length);
      for (let flips = i % 3; flips >= 0 && damaged.length > 0; flips--) {
        damaged[Math.floor(random() ** 2 * damaged.length)]! ^= 1 << Math.floor(random() * 8);
      }
      const room = Math.max(0, plain.length + Math.floor(random() * 3 - 1) * 10);
      const found = unpack(exports.inflate_u8, damaged, room);
      const expected = unpack(twin, damaged, room);
      assertEquals(found, expected);
      if (found.status[0]! < 0) refused++;
      else if (++read % 4 === 0) {
        const other = inflateRawSync(damaged, { finishFlush: constants.Z_SYNC_FLUSH });
        assertEquals(found.output.slice(0, found.status[0]), new Uint8Array(other));
      }
    }
  }
  assert(refused > 300 && read > 20, `${refused} refused, ${read} read`);
});

/** Streams long enough for pairs of symbols, with codes of many shapes. */
function* longStreams(): Generator<{ plain: Uint8Array; packed: Uint8Array; name: string }> {
  const random = mulberry32(9);
  for (const [kind, make] of Object.entries(KINDS)) {
    const plain = make(24_000, random);
    for (const strategy of [...STRATEGIES, constants.Z_RLE, constants.Z_FILTERED]) {
      for (const [memLevel, windowBits] of [[1, 9], [8, 15], [9, 12]] as const) {
        const packed = deflateRawSync(plain, { level: 6, strategy, memLevel, windowBits });
        yield { name: `${kind} ${strategy} ${memLevel} ${windowBits}`, plain, packed };
      }
    }
  }
}

Deno.test("long streams of every strategy, window and size of block come out as they went in", () => {
  for (const { name, plain, packed } of longStreams()) {
    const { status, output } = unpack(exports.inflate_u8, packed, plain.length);
    assertEquals(status, [plain.length, packed.length], name);
    assert(output.every((byte, i) => byte === plain[i]), name);
  }
});

Deno.test("a long stream that is cut off at any byte, or has too little room, ends with that error", () => {
  const { plain, packed } = [...longStreams()].find(({ name }) => name === "uneven 0 8 15")!;
  for (let length = 0; length < packed.length; length += length < 300 ? 1 : 41) {
    assertEquals(
      unpack(exports.inflate_u8, packed.subarray(0, length), plain.length).status[0],
      -1,
      `${length}`,
    );
  }
  for (let room = 0; room < plain.length; room += 97) {
    assertEquals(unpack(exports.inflate_u8, packed, room).status[0], -2, `${room}`);
  }
});

Deno.test("damaged long streams end as those of the twin do, at the same place", () => {
  const random = mulberry32(17);
  let refused = 0;
  for (const { name, packed, plain } of longStreams()) {
    if (packed.length < 5000) continue;
    const damaged = packed.slice();
    damaged[Math.floor(random() * 4000)]! ^= 1 << Math.floor(random() * 8);
    const found = unpack(exports.inflate_u8, damaged, plain.length);
    assertEquals(found, unpack(twin, damaged, plain.length), name);
    if (found.status[0]! < 0) refused++;
  }
  assert(refused > 5, `${refused} refused`);
});
