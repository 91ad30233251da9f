/** Golden vectors of unpacking and of half floats. */

import { assertEquals } from "@std/assert";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";

await loadKernels();

const memory = new WebAssembly.Memory({ initial: 10, maximum: 10 });
const { exports } = instantiateKernels(memory);
const SRC = 1024, DST = 4096;

function put(...bytes: readonly number[]): void {
  new Uint8Array(memory.buffer, SRC, bytes.length).set(bytes);
}

Deno.test("12 bits, lowest first: 3 bytes are 2 values", () => {
  put(0x21, 0x43, 0x65, 0xff, 0x0f, 0x00);
  exports.bits_lsb_u16(DST, SRC, 0, 4, 12);
  assertEquals([...new Uint16Array(memory.buffer, DST, 4)], [0x321, 0x654, 0xfff, 0x000]);
});

Deno.test("12 bits, highest first", () => {
  put(0x12, 0x34, 0x56, 0xff, 0xf0, 0x00);
  exports.bits_msb_u16(DST, SRC, 0, 4, 12);
  assertEquals([...new Uint16Array(memory.buffer, DST, 4)], [0x123, 0x456, 0xfff, 0x000]);
});

Deno.test("1 and 4 bits, both ways", () => {
  put(0b10000001, 0b00000110, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0);
  exports.bits_lsb_u8(DST, SRC, 0, 16, 1);
  assertEquals([...new Uint8Array(memory.buffer, DST, 16)], [1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0]);
  exports.bits_msb_u8(DST, SRC, 0, 16, 1);
  assertEquals([...new Uint8Array(memory.buffer, DST, 16)], [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0]);
  exports.bits_msb_u8(DST, SRC, 16, 16, 4);
  assertEquals([...new Uint8Array(memory.buffer, DST, 16)], [
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
    0,
  ]);
  exports.bits_lsb_u32(DST, SRC, 16, 16, 4);
  assertEquals([...new Uint32Array(memory.buffer, DST, 16)], [
    2,
    1,
    4,
    3,
    6,
    5,
    8,
    7,
    10,
    9,
    12,
    11,
    14,
    13,
    0,
    15,
  ]);
});

Deno.test("Merlin raw, 1 bit: the last byte comes first, its lowest bit is pixel 0", () => {
  put(0x81, 0, 0, 0, 0, 0, 0, 0x01);
  exports.mib_r1_u8(DST, SRC, 64);
  const pixels = new Uint8Array(memory.buffer, DST, 64);
  assertEquals([...pixels].flatMap((value, p) => value ? [p] : []), [0, 56, 63]);
});

Deno.test("Merlin raw, 6 and 12 bits: words of 8 bytes backwards", () => {
  put(0, 1, 2, 3, 4, 5, 6, 7);
  exports.mib_r6_u8(DST, SRC, 8);
  assertEquals([...new Uint8Array(memory.buffer, DST, 8)], [7, 6, 5, 4, 3, 2, 1, 0]);
  put(0x0f, 0xff, 0x01, 0x02, 0x00, 0x03, 0x00, 0x04);
  exports.mib_r12_u16(DST, SRC, 4);
  assertEquals([...new Uint16Array(memory.buffer, DST, 4)], [4, 3, 0x102, 0xfff]);
});

Deno.test("Merlin raw, 24 bits: the first plane counts 4096 times", () => {
  const bigEndian = (values: readonly number[]) => values.flatMap((v) => [v >> 8, v & 255]);
  put(...bigEndian([1, 2, 3, 4]), ...bigEndian([5, 6, 7, 8]));
  exports.mib_r24_u32(DST, SRC, SRC + 8, 4);
  assertEquals([...new Uint32Array(memory.buffer, DST, 4)], [16392, 12295, 8198, 4101]);
});

Deno.test("all 65536 half floats", () => {
  const bits = new Uint16Array(memory.buffer, 65536, 65536);
  for (let i = 0; i < 65536; i++) bits[i] = i;
  const halves = new Float16Array(memory.buffer, 65536, 65536);
  exports.convert_f32_f16(2 * 131072, 65536, 65536);
  const found = new Float32Array(memory.buffer, 2 * 131072, 65536);
  for (let i = 0; i < 65536; i++) {
    if (!Object.is(found[i], halves[i])) throw new Error(`half ${i} is ${halves[i]}, not ${found[i]}`);
  }
});
