import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { frms6DarkDecoder, frms6Decoder } from "../../src/codecs/frms6.ts";
import { frms6DarkReference, frms6Reference } from "../oracles/codecs.ts";
import { frameDecoder } from "../../src/codecs/registry.ts";
import { decode, type Decoding } from "./decode.ts";

function job(rows: number, width: number, bin: number, stored: Uint8Array, frames = 1): Decoding {
  return {
    stored,
    frames,
    storedBytes: 4 * rows * width,
    sigShape: [2 * rows * bin, width],
    dtype: "uint16",
    params: { rows, width, bin },
  };
}

function dark(count: number, pitch: number, one: Decoding): Decoding {
  const { storedBytes, params } = one;
  return {
    ...one,
    storedBytes: (count - 1) * pitch + storedBytes,
    dtype: "float32",
    params: { ...params, dark: count, pitch },
  };
}

Deno.test("the lower half is the right one, turned around", () => {
  const stored = new Uint8Array(Uint16Array.from([1, 2, 3, 4, 5, 6, 7, 8]).buffer);
  const unfolded = [1, 2, 5, 6, 8, 7, 4, 3];
  for (const decoder of [frms6Decoder, frms6Reference]) {
    assertEquals([...decode(decoder, job(2, 2, 1, stored))], unfolded);
    const twice = unfolded.flatMap((_, i) =>
      i % 2 === 0 ? [0, 1].flatMap(() => unfolded.slice(i, i + 2)) : []
    );
    assertEquals([...decode(decoder, job(2, 2, 2, stored))], twice);
  }
});

Deno.test("the mean of dark frames is exact in float32", () => {
  const frames = [[65535, 0], [65535, 1], [65534, 0]].map(([a, b]) => Uint16Array.of(a!, b!, 9, 9));
  const stored = new Uint8Array(Uint16Array.from(frames.flatMap((frame) => [...frame])).buffer).slice(0, 20);
  for (const decoder of [frms6DarkDecoder, frms6DarkReference]) {
    const found = decode(decoder, dark(3, 8, job(1, 1, 1, stored)));
    assertEquals([...found], [Math.fround(196604 / 3), Math.fround(1 / 3)]);
  }
});

Deno.test("both agree with their twins for every small size, binning, count and skew", () => {
  const random = Uint8Array.from(
    fc.sample(fc.uint8Array({ minLength: 9000, maxLength: 9000 }), { numRuns: 1, seed: 8 })[0]!,
  );
  for (const bin of [1, 2, 4]) {
    for (const [rows, width] of [[1, 1], [2, 7], [3, 8], [4, 19], [1, 33]] as const) {
      for (const skew of [0, 2, 6]) {
        const one = job(rows, width, bin, random, 3);
        const many = {
          ...one,
          stored: random.slice(skew, skew + 3 * (one.storedBytes + 6) - 6),
          gap: 6,
          skew,
        };
        assertEquals(decode(frms6Decoder, many), decode(frms6Reference, many), `${rows} ${width} ${bin}`);
        for (const count of [1, 2, 5]) {
          const mean = dark(count, one.storedBytes + 64, { ...one, frames: 1, skew: 2 * skew });
          const given = { ...mean, stored: random.slice(0, mean.storedBytes) };
          assertEquals(decode(frms6DarkDecoder, given), decode(frms6DarkReference, given), `${count}`);
        }
      }
    }
  }
});

Deno.test("layouts that contradict themselves are refused", async () => {
  const stored = new Uint8Array(16);
  assertThrows(() => decode(frms6Decoder, { ...job(2, 2, 1, stored), storedBytes: 12 }), Error, "needs 16");
  assertThrows(() => decode(frms6Decoder, { ...job(2, 2, 1, stored), sigShape: [3, 2] }), Error, "4 × 2");
  assertThrows(
    () => decode(frms6DarkDecoder, { ...dark(2, 80, job(2, 2, 1, stored)), storedBytes: 90 }),
    Error,
    "96",
  );
  assertEquals(await frameDecoder("frms6_dark"), frms6DarkDecoder);
});
