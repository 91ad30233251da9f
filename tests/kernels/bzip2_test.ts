/**
 * bzip2 against streams of Python's bz2, and against its twin where they are damaged.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { BZIP2_TABLES } from "../../src/kernels/families/filters.ts";
import { bzip2 } from "../oracles/twins/filters/bzip2.ts";
import { STOPPED } from "../../src/kernels/families/unpack_stops.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { join } from "../formats/helpers.ts";
import { sha256 } from "../formats/read_all.ts";
import { mulberry32 } from "./call.ts";

await loadKernels();

const FOLDER = new URL("../data/bzip2/", import.meta.url);
const EXPECTED: Record<string, [number, string]> = JSON.parse(
  Deno.readTextFileSync(new URL("expected.json", FOLDER)),
).streams;
const packedOf = (name: string) => Deno.readFileSync(new URL(`${name}.bz2`, FOLDER));

const MOST = 900_000;
const memory = new WebAssembly.Memory({ initial: 160, maximum: 160 });
const { exports } = instantiateKernels(memory);
const twin = bzip2(memory);
const [STATUS, TABLES, SRC, DST] = [64, 128, 4 << 20, 5 << 20];

type Kernel = (...args: [number, number, number, number, number, number, number]) => void;

/** Status and output of a kernel. */
function unpack(kernel: Kernel, packed: Uint8Array, room: number, symbols = MOST) {
  const bytes = new Uint8Array(memory.buffer);
  const behind = TABLES + BZIP2_TABLES + 4 * symbols;
  bytes.set(packed, SRC);
  bytes.fill(0xa5, DST - 64, DST + room + 64);
  bytes.fill(0xff, TABLES, behind);
  bytes.fill(0xa5, behind, behind + 64);
  kernel(STATUS, DST, room, SRC, packed.length, TABLES, symbols);
  const guards = [DST - 64, DST + room, behind].flatMap((at) => [...bytes.subarray(at, at + 64)]);
  assert(guards.every((byte) => byte === 0xa5), "nothing is written outside of what was given");
  return { status: [...new Int32Array(memory.buffer, STATUS, 2)], output: bytes.slice(DST, DST + room) };
}

for (const [name, [size, digest]] of Object.entries(EXPECTED)) {
  Deno.test(`${name}.bz2 gives the ${size} bytes that Python's bz2 packed, with room for them or more`, () => {
    const packed = packedOf(name);
    for (const more of [0, 1, 500]) {
      const { status, output } = unpack(exports.bzip2_u8, packed, size + more);
      assertEquals(status, [size, packed.length]);
      assertEquals(sha256(output.subarray(0, size)), digest);
      assert(output.subarray(size).every((byte) => byte === 0));
    }
    if (size === 0) return;
    assertEquals(unpack(exports.bzip2_u8, packed, size - 1).status[0], STOPPED.noRoom);
  });
}

Deno.test("damaged streams end as those of the twin do, at the same place; none gives other bytes", () => {
  const random = mulberry32(6);
  const ends = new Map<number, number>();
  for (const name of ["one", "runs", "noise", "periods", "all_bytes"]) {
    const [packed, [size, digest]] = [packedOf(name), EXPECTED[name]!];
    const room = size + 20;
    for (let i = 0; i < 60; i++) {
      const damaged = packed.slice(0, i % 4 === 3 ? Math.floor(random() * packed.length) : packed.length);
      for (let flips = i % 3; flips >= 0 && damaged.length > 0; flips--) {
        damaged[Math.floor(random() ** 2 * damaged.length)]! ^= 1 << Math.floor(random() * 8);
      }
      const found = unpack(exports.bzip2_u8, damaged, room, 120_000);
      assertEquals(found, unpack(twin, damaged, room, 120_000), `${name} ${i}`);
      const [end] = found.status as [number];
      ends.set(Math.min(0, end), (ends.get(Math.min(0, end)) ?? 0) + 1);
      if (end > 0) assertEquals(sha256(found.output.subarray(0, end)), digest); // flipped back, or behind the stream
    }
  }
  for (const code of [STOPPED.inputEnds, STOPPED.noCode, STOPPED.wrongSum]) assert(ends.get(code)! > 5);
});

Deno.test("a changed checksum of a block or of a stream is found", () => {
  const packed = packedOf("one");
  for (const at of [10, 13, packed.length - 5, packed.length - 2]) {
    const changed = packed.slice();
    changed[at]! ^= 0x10;
    assertEquals(unpack(exports.bzip2_u8, changed, 1).status[0], STOPPED.wrongSum, `byte ${at}`);
  }
});

Deno.test("streams follow each other; bytes behind that begin no stream are left alone", () => {
  const [one, empty] = [packedOf("one"), packedOf("empty")];
  const [three, zeros] = [join(one, empty, one), new Uint8Array(7)];
  assertEquals(unpack(exports.bzip2_u8, join(three, zeros), 10).status, [2, three.length]);
  assertEquals(unpack(exports.bzip2_u8, join(three, one.subarray(0, 3)), 10).status, [2, three.length]);
  assertEquals(unpack(exports.bzip2_u8, join(three, one.subarray(0, 4)), 10).status, [
    STOPPED.inputEnds,
    three.length + 4,
  ]);
  assertEquals(unpack(exports.bzip2_u8, join(zeros, one), 10).status, [STOPPED.noCode, 0]);
});

Deno.test("randomised blocks, and blocks beyond the level of the stream or the memory, are refused", () => {
  const randomised = packedOf("one");
  randomised[14]! |= 0x80;
  assertEquals(unpack(exports.bzip2_u8, randomised, 1).status, [STOPPED.oldKind, 4]);
  const counts = packedOf("counts"); // a block of 60 000 bytes or less
  assertEquals(unpack(exports.bzip2_u8, counts, 60_000, 1000).status, [STOPPED.noRoom, 4]);
  const level = packedOf("same");
  level[3] = 0x31;
  assertEquals(unpack(exports.bzip2_u8, level, 3_000_000).status[0], EXPECTED["same"]![0], "46 symbols");
  const large = Deno.readFileSync(new URL("large_level_1.bz2", FOLDER));
  assertEquals(unpack(exports.bzip2_u8, large, 200_000).status, [STOPPED.noCode, 4]);
});
