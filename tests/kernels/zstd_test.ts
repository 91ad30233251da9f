/**
 * Zstandard against frames of a library at every level, and against its twin where they are damaged.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { ZSTD_LITERALS, ZSTD_TABLES } from "../../src/kernels/families/filters.ts";
import { zstd } from "../oracles/twins/filters/zstd.ts";
import { xxh64 } from "../oracles/twins/filters/xxh64.ts";
import { STOPPED } from "../../src/kernels/families/unpack_stops.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { mulberry32 } from "./call.ts";
import { KINDS } from "./kinds.ts";

await loadKernels();

const memory = new WebAssembly.Memory({ initial: 64, maximum: 64 });
const { exports } = instantiateKernels(memory);
const twin = zstd(memory);
const [STATUS, TABLES, SPARE, SRC, DST] = [64, 128, 65536, 1 << 18, 1 << 21];

type Kernel = typeof exports.zstd_u8;

/** Status and output of a kernel. */
function unpack(kernel: Kernel, packed: Uint8Array, room: number): { status: number[]; output: Uint8Array } {
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(packed, SRC);
  bytes.fill(0xa5, DST - 64, DST + room + 64);
  bytes.fill(0xff, TABLES, TABLES + ZSTD_TABLES);
  const spare = Math.min(room + 32, ZSTD_LITERALS);
  bytes.fill(0xa5, SPARE + spare, SPARE + spare + 64);
  kernel(STATUS, DST, room, SRC, packed.length, TABLES, SPARE, spare);
  const guards = [[DST - 64, DST], [DST + room, DST + room + 64], [
    SPARE + spare,
    SPARE + spare + 64,
  ]] as const;
  const isWhole = guards.every(([start, stop]) => bytes.subarray(start, stop).every((byte) => byte === 0xa5));
  assert(isWhole, "nothing is written outside of the room");
  return {
    status: [...new Int32Array(memory.buffer, STATUS, 2)],
    output: bytes.slice(DST, DST + room),
  };
}

function packed(plain: Uint8Array, level: number, sum: boolean): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: sum ? 1 : 0 };
  return new Uint8Array(zstdCompressSync(plain, { params }));
}

function* frames(size: number, levels: readonly number[]) {
  const random = mulberry32(size);
  for (const [kind, make] of Object.entries(KINDS)) {
    const plain = make(size, random);
    for (const [i, level] of levels.entries()) {
      yield { name: `${kind} ${level} ${size}`, plain, packed: packed(plain, level, i % 2 === 0) };
    }
  }
}

Deno.test("what the library packs comes out as it went in, with the room exactly as large or larger", () => {
  for (const size of [0, 1, 300, 5000, 200_000]) {
    for (const { name, plain, packed } of frames(size, size < 10_000 ? [-7, 1, 5, 9, 13, 19] : [-2, 3, 8])) {
      for (const more of [0, 500]) {
        const { status, output } = unpack(exports.zstd_u8, packed, size + more);
        assertEquals(status, [size, packed.length], name);
        assert(output.subarray(0, size).every((byte, i) => byte === plain[i]), name);
        assert(output.subarray(size).every((byte) => byte === 0), name);
      }
    }
  }
});

Deno.test("several frames, and skipped ones between them, are one stream", () => {
  const [one, two] = [
    packed(Uint8Array.of(1, 2, 3, 4), 3, true),
    packed(new Uint8Array(9).fill(7), 3, false),
  ];
  const skipped = Uint8Array.of(0x53, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2);
  const all = Uint8Array.of(...skipped, ...one, ...skipped, ...two, ...skipped);
  for (const kernel of [exports.zstd_u8, twin]) {
    const { status, output } = unpack(kernel, all, 13);
    assertEquals(status, [13, all.length]);
    assertEquals([...output], [1, 2, 3, 4, ...new Array(9).fill(7)]);
  }
});

Deno.test("a dictionary, a wrong checksum and a wrong size are told apart", () => {
  const sum = Number(xxh64(new Uint8Array(9).fill(7)) & 0xffffffffn);
  const good = Uint8Array.of(
    0x28,
    0xb5,
    0x2f,
    0xfd,
    0x24,
    9,
    0x4b,
    0,
    0,
    7,
    ...[0, 8, 16, 24].map((by) => sum >> by),
  );
  const changed = (at: number, value: number) => good.map((byte, i) => i === at ? value : byte);
  const cases: readonly [Uint8Array, number][] = [
    [Uint8Array.of(...good.subarray(0, 4), good[4]! | 1, 5, ...good.subarray(5)), STOPPED.needsDictionary],
    [changed(good.length - 1, good.at(-1)! ^ 1), STOPPED.wrongSum],
    [changed(5, 8), STOPPED.wrongSize],
    [changed(5, 200), STOPPED.noRoom],
    [changed(0, 0), STOPPED.noCode],
    [good.subarray(0, 8), STOPPED.inputEnds],
  ];
  for (const [bytes, code] of cases) {
    for (const kernel of [exports.zstd_u8, twin]) assertEquals(unpack(kernel, bytes, 20).status[0], code);
  }
  const undictionaried = Uint8Array.of(...good.subarray(0, 4), good[4]! | 1, 0, ...good.subarray(5));
  assertEquals(unpack(exports.zstd_u8, undictionaried, 20).status[0], 9, "the dictionary 0 is none");
});

Deno.test("damaged frames end as those of the twin do, at the same place", () => {
  const random = mulberry32(5);
  let [refused, read] = [0, 0];
  for (const { packed, plain } of frames(700, [-3, 1, 19])) {
    for (let i = 0; i < 24; i++) {
      const damaged = packed.slice(0, i % 4 === 3 ? Math.floor(random() * packed.length) : packed.length);
      for (let flips = i % 3; flips > 0 && damaged.length > 0; flips--) {
        damaged[Math.floor(random() ** 2 * damaged.length)]! ^= 1 << Math.floor(random() * 8);
      }
      const room = Math.max(0, plain.length + Math.floor(random() * 3 - 1) * 10);
      const found = unpack(exports.zstd_u8, damaged, room);
      assertEquals(found, unpack(twin, damaged, room));
      if (found.status[0]! < 0) refused++;
      else read++;
    }
  }
  assert(refused > 150 && read > 40, `${refused} refused, ${read} read`);
});

Deno.test("damaged blocks with many literals, whose codes are read in pairs, end as those of the twin do", () => {
  const random = mulberry32(8);
  const size = 90_000, plain = KINDS.samples!(size, random), whole = packed(plain, 3, false);
  assert(whole.length > size * 0.75 && whole.length < size * 0.87, "six to seven bits per byte");
  const ends = new Set<number>();
  for (let i = 0; i < 16; i++) {
    const damaged = whole.slice(0, i === 1 ? whole.length - 1 : whole.length);
    for (let flips = i < 2 ? 0 : 1 + i % 2; flips > 0; flips--) {
      damaged[Math.floor(random() ** (i % 3 ? 1 : 12) * damaged.length)]! ^= 1 << Math.floor(random() * 8);
    }
    for (const room of i === 0 ? [size - 1, size, size + 1, size + 100_000] : [size]) {
      const found = unpack(exports.zstd_u8, damaged, room), expected = unpack(twin, damaged, room);
      assertEquals(found.status, expected.status);
      assert(found.output.every((byte, at) => byte === expected.output[at]), `damage ${i}, room for ${room}`);
      ends.add(Math.min(0, found.status[0]!));
    }
  }
  assert(
    ends.has(0) && ends.has(STOPPED.noCode) && ends.has(STOPPED.noRoom),
    "some are read, some are refused",
  );
});

Deno.test("a block may have so many sequences that their number takes two bytes more", () => {
  // Three bytes are copied each time, from 4 and from 1 bytes before in turns: all codes are the same, and take no bits.
  const more = 5, count = 0x7f00 + more, start = [1, 2, 3, 4];
  const sequences = [0, 255, more, 0, 0x54, 0, 0, 0, 1];
  const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x38, 4 << 3, 0, 0, ...start);
  const bytes = Uint8Array.of(...frame, sequences.length << 3 | 5, 0, 0, ...sequences);
  const plain = [...start];
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) plain.push(plain.at(i % 2 === 0 ? -4 : -1)!);
  }
  assertEquals([...zstdDecompressSync(bytes)].join(), plain.join(), "the library");
  for (const kernel of [exports.zstd_u8, twin]) {
    const { status, output } = unpack(kernel, bytes, plain.length);
    assertEquals(status, [plain.length, bytes.length]);
    assertEquals(output.join(), plain.join());
  }
});
