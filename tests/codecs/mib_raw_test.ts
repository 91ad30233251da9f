import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { mibRawBytes, mibRawDecoder, mibRawDepth } from "../../src/codecs/mib_raw.ts";
import { mibRawReference } from "../oracles/codecs.ts";
import { frameDecoder } from "../../src/codecs/registry.ts";
import { decode, type Decoding } from "./decode.ts";

const BOTH = [mibRawDecoder, mibRawReference];

function raw(
  bits: number,
  chips: number,
  sigShape: number[],
  stored: Iterable<number>,
  frames = 1,
): Decoding {
  const storedBytes = mibRawBytes(sigShape[0]! * sigShape[1]!, bits);
  const { dtype } = mibRawDepth(bits)!;
  return {
    stored: Uint8Array.from(stored),
    frames,
    storedBytes,
    sigShape,
    dtype,
    params: { bits, chips, width: sigShape[1]! },
  };
}

/** 16-bit words, big endian. */
function big16(values: number[]): number[] {
  return values.flatMap((value) => [value >> 8, value & 255]);
}

Deno.test("R1: bit b of byte k of a word is pixel 8 (7 − k) + b", () => {
  for (let k = 0; k < 8; k++) {
    for (let b = 0; b < 8; b++) {
      const stored = new Uint8Array(8);
      stored[k] = 1 << b;
      const expected = new Uint8Array(64);
      expected[8 * (7 - k) + b] = 1; // first byte: bit 0 is pixel 56, bit 7 is pixel 63
      for (const decoder of BOTH) assertEquals(decode(decoder, raw(1, 1, [1, 64], stored)), expected);
    }
  }
});

Deno.test("R6: groups of 8 pixels, reversed", () => {
  const job = raw(6, 1, [2, 8], Array.from({ length: 16 }, (_, i) => i));
  const expected = Uint8Array.of(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
  for (const decoder of BOTH) assertEquals(decode(decoder, job), expected);
});

Deno.test("R12: groups of 4 big-endian pixels, reversed", () => {
  const job = raw(12, 1, [2, 4], big16([1, 2, 3, 4, 0x5ff, 6, 7, 0xfff]));
  for (const decoder of BOTH) {
    assertEquals(decode(decoder, job), Uint16Array.of(4, 3, 2, 1, 0xfff, 7, 6, 0x5ff));
  }
});

Deno.test("R24: high plane × 4096 + low plane", () => {
  const job = raw(24, 1, [1, 4], big16([1, 2, 3, 4, 5, 6, 7, 8]));
  for (const decoder of BOTH) assertEquals(decode(decoder, job), Uint32Array.of(16392, 12295, 8198, 4101));
});

/** Where each half row of a 4 × 8 quad image comes from: start, stop, flipped. */
const QUAD_4X8: [number, number, boolean][] = [
  [12, 16, false],
  [8, 12, false],
  [28, 32, false],
  [24, 28, false],
  [20, 24, true],
  [16, 20, true],
  [4, 8, true],
  [0, 4, true],
];

Deno.test("quad: the golden half rows of 4 × 8 chips, at 12 bits", () => {
  const image = Array.from({ length: 32 }, (_, i) => 100 + i);
  const words = Array.from({ length: 32 }, (_, i) => image[i - i % 4 + 3 - i % 4]!); // as read out
  const expected = QUAD_4X8.flatMap(([start, stop, flip]) => {
    const half = image.slice(start, stop);
    return flip ? half.reverse() : half;
  });
  for (const decoder of BOTH) {
    assertEquals(decode(decoder, raw(12, 4, [4, 8], big16(words))), Uint16Array.from(expected));
  }
});

Deno.test("raw frames agree with their twin for every depth, chip count, small size and skew", () => {
  const random = fc.sample(fc.uint8Array({ minLength: 20_000, maxLength: 20_000 }), {
    numRuns: 1,
    seed: 6,
  })[0]!;
  for (const [bits, chips] of [[1, 1], [6, 1], [12, 1], [24, 1], [1, 4], [6, 4], [12, 4]] as const) {
    const { group } = mibRawDepth(bits)!;
    for (const chipWidth of [group, 2 * group, 3 * group]) {
      for (let rows = 1; rows <= 5; rows++) {
        for (const skew of [0, 1, 3, 5]) {
          const sigShape = chips === 4 ? [2 * rows, 2 * chipWidth] : [rows, chipWidth];
          const job = raw(bits, chips, sigShape, [], 3);
          const stored = random.slice(skew, skew + 3 * (job.storedBytes + 10) - 10);
          const given = { ...job, stored, gap: 10, skew };
          assertEquals(decode(mibRawDecoder, given), decode(mibRawReference, given), `${bits} ${sigShape}`);
        }
      }
    }
  }
});

Deno.test("what raw mode does not know is refused", async () => {
  assertThrows(() => mibRawBytes(64, 7), Error, "no counter of 7 bits");
  assertThrows(() => decode(mibRawDecoder, { ...raw(6, 1, [1, 8], []), storedBytes: 9 }), Error, "needs 8");
  assertEquals(await frameDecoder("mib_raw"), mibRawDecoder);
});
