/**
 * Adler-32 and CRC-32 against zlib; Adler-32 of bytes that make its sums as large as they become.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { crc32, deflateSync } from "node:zlib";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { mulberry32 } from "./call.ts";

await loadKernels();

const memory = new WebAssembly.Memory({ initial: 8, maximum: 8 });
const { exports } = instantiateKernels(memory);
const [OUT, DATA] = [64, 4099];

/** Bytes of the tables of `crc`. */
const CRC_BYTES = 8192;

Deno.test("Adler-32 is what zlib writes behind its streams, for any length", () => {
  const random = mulberry32(1);
  for (const length of [0, 1, 15, 255, 256, 257, 511, 5552, 65535, 65536, 65537, 200_003]) {
    for (const byte of [() => 255, () => random() * 256]) {
      const data = Uint8Array.from({ length }, byte);
      new Uint8Array(memory.buffer, DATA, length).set(data);
      exports.adler32_u8(OUT, DATA, length);
      const found = new Uint32Array(memory.buffer, OUT, 1)[0];
      const stream = deflateSync(data, { level: 0 });
      assertEquals(found, stream.readUInt32BE(stream.length - 4), `${length}`);
    }
  }
});

Deno.test("CRC-32 is that of zlib, for lengths below and above those that are halved", () => {
  const random = mulberry32(2), tables = 8 * 65536 - CRC_BYTES;
  for (const length of [0, 1, 7, 8, 4095, 4096, 4097, 4103, 4104, 4111, 5000, 65_537, 200_003]) {
    const data = Uint8Array.from({ length }, () => random() * 256);
    new Uint8Array(memory.buffer, DATA, length).set(data);
    exports.crc_u8(OUT, DATA, length, 0xedb88320, tables);
    assertEquals(new Uint32Array(memory.buffer, OUT, 1)[0], crc32(data), `${length}`);
  }
});
