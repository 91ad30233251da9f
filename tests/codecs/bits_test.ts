import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { bitsDType, packedBytes } from "../../src/codecs/bit_sizes.ts";
import { bitsDecoder } from "../../src/codecs/bits.ts";
import { bitsReference } from "../oracles/codecs.ts";
import { decode, type Decoding } from "./decode.ts";

function packed(bits: number, bitOrder: string, sigShape: number[], stored: number[], frames = 1): Decoding {
  const storedBytes = packedBytes(sigShape, bits);
  const params = { bits, bitOrder };
  return { stored: Uint8Array.from(stored), frames, storedBytes, sigShape, dtype: bitsDType(bits), params };
}

Deno.test("12 bits as the K2 stores them", () => {
  const job = packed(12, "lsb", [4], [0x12, 0x34, 0x56, 0xab, 0xcd, 0xef]);
  for (const decoder of [bitsDecoder, bitsReference]) {
    assertEquals([...decode(decoder, job)], [0x412, 0x563, 0xdab, 0xefc]);
  }
});

Deno.test("12 bits, highest first", () => {
  const job = packed(12, "msb", [4], [0x12, 0x34, 0x56, 0xab, 0xcd, 0xef]);
  for (const decoder of [bitsDecoder, bitsReference]) {
    assertEquals([...decode(decoder, job)], [0x123, 0x456, 0xabc, 0xdef]);
  }
});

Deno.test("1 bit in both orders", () => {
  assertEquals([...decode(bitsDecoder, packed(1, "lsb", [8], [0b0000_0011]))], [1, 1, 0, 0, 0, 0, 0, 0]);
  assertEquals([...decode(bitsDecoder, packed(1, "msb", [8], [0b0000_0011]))], [0, 0, 0, 0, 0, 0, 1, 1]);
});

Deno.test("bits agree with their twin at every width, order and length up to 40", () => {
  const random = fc.sample(fc.uint8Array({ minLength: 400, maxLength: 400 }), { numRuns: 1, seed: 5 })[0]!;
  for (let bits = 1; bits <= 32; bits++) {
    for (const bitOrder of ["lsb", "msb"]) {
      for (let pixels = 0; pixels <= 40; pixels++) {
        const storedBytes = packedBytes([pixels], bits);
        const stored = random.slice(0, 2 * storedBytes + 3);
        const job = { ...packed(bits, bitOrder, [pixels], []), stored, frames: 2, gap: 3, skew: pixels % 7 };
        assertEquals(decode(bitsDecoder, job), decode(bitsReference, job), `${bits} ${bitOrder} ${pixels}`);
      }
    }
  }
});

Deno.test("a layout that promises other bytes than the codec reads is refused", () => {
  const job = { ...packed(12, "lsb", [4], [1, 2, 3, 4, 5]), storedBytes: 5 };
  assertThrows(() => decode(bitsDecoder, job), Error, "the codec needs 6");
  assertThrows(() => decode(bitsDecoder, { ...job, params: {} }), Error, 'no number "bits"');
});
