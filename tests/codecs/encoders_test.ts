/** Encoders: what they pack comes out again. */

import { assert, assertEquals } from "@std/assert";
import { gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { encoderOf } from "../../src/codecs/encoders/registry.ts";
import { ENCODER_NAMES } from "../../src/codecs/encoders/registry.ts";
import { crc32c } from "../../src/space/crc32.ts";
import { unLzw, unpackBits } from "../views/sinks/readers.ts";

const UNDO: Readonly<Record<string, (bytes: Uint8Array, size: number) => Uint8Array>> = {
  deflate: (bytes) => new Uint8Array(inflateSync(bytes)),
  gzip: (bytes) => new Uint8Array(gunzipSync(bytes)),
  Zstandard: (bytes) => new Uint8Array(zstdDecompressSync(bytes)),
  packbits: unpackBits,
  lzw: unLzw,
};

/** Bytes with runs, so that there is something to pack. */
const BYTES = fc.array(fc.tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 1, max: 300 })), {
  maxLength: 40,
})
  .map((runs) =>
    Uint8Array.from(
      runs.flatMap(([byte, n]) => Array.from({ length: n }, (_, i) => byte + (i % 3 === 2 ? i : 0))),
    )
  );

for (const [name, undo] of Object.entries(UNDO)) {
  Deno.test(`${name}: what is packed comes out again`, async () => {
    const encode = await encoderOf([{ name, values: [] }]);
    await fc.assert(
      fc.asyncProperty(BYTES, async (bytes) => {
        assertEquals(undo(await encode(bytes.slice()), bytes.length), bytes);
      }),
      { numRuns: 40 },
    );
  });
}

Deno.test("LZW and PackBits pack noise of any length, across full tables", async () => {
  let state = 1;
  const noise = Uint8Array.from({ length: 20_000 }, () => (state = state * 48271 % 2147483647) >> 8);
  for (const name of ["lzw", "packbits"]) {
    const encode = await encoderOf([{ name, values: [] }]);
    for (const size of [0, 1, 2, 127, 128, 129, 255, 256, 511, 3837, 3838, 3839, 3840, 20_000]) {
      const bytes = noise.slice(0, size);
      const packed = await encode(bytes.slice());
      assert(packed.length <= 1.5 * size + 16);
      assertEquals(UNDO[name]!(packed, size), bytes, `${name} ${size}`);
    }
  }
});

Deno.test("there is an encoder for every name, and CRC-32C is that of the standard", async () => {
  for (const name of ENCODER_NAMES) {
    const encode = await encoderOf([{ name, values: [] }]);
    assert((await encode(new Uint8Array(64))).length > 0, name);
  }
  assertEquals(crc32c(new Uint8Array(32)), 0x8a9136aa);
  assertEquals(crc32c(new Uint8Array(32).fill(255)), 0x62a8ab43);
  assertEquals(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e);
});
