/** Encoders: what they pack comes out again. */

import { assert, assertEquals } from "@std/assert";
import { gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { encoderOf } from "../../src/codecs/encoders/registry.ts";
import { ENCODERS } from "../../src/codecs/encoders/registry.ts";
import { crc32, crc32c } from "../../src/space/crc32.ts";
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
  for (const name of Object.keys(ENCODERS)) {
    const encode = await encoderOf([{ name, values: [] }]);
    assert((await encode(new Uint8Array(64))).length > 0, name);
  }
  assertEquals(crc32c(new Uint8Array(32)), 0x8a9136aa);
  assertEquals(crc32c(new Uint8Array(32).fill(255)), 0x62a8ab43);
  assertEquals(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e);
});

Deno.test("what is packed is one frame that says its size, or one member, and nothing follows it", async () => {
  let state = 7;
  const noise = Uint8Array.from({ length: 300_000 }, () => (state = state * 48271 % 2147483647) >> 8);
  const around = [16_384, 32_768, 65_536, 131_072, 262_144].flatMap((n) =>
    Array.from({ length: 40 }, (_, i) => n - 32 + i)
  );
  for (const size of [0, 1, 255, 256, 300_000, ...around]) {
    const bytes = noise.slice(0, size), room = new DataView(new ArrayBuffer(8));
    for (const values of [[1, 0], [3, 1]]) {
      const packed = await packedBy("Zstandard", bytes, values);
      assertEquals(contentSize(packed), size, `${size} bytes`);
      assertEquals(framesIn(packed), 1, `${size} bytes`);
      assertEquals(UNDO["Zstandard"]!(packed, size), bytes);
    }
    const gzip = await packedBy("gzip", bytes, [1]);
    room.setUint32(0, crc32(bytes), true);
    room.setUint32(4, size, true);
    assertEquals(gzip.slice(-8), new Uint8Array(room.buffer), `gzip of ${size} bytes`);
    const deflate = await packedBy("deflate", bytes, [1]);
    assertEquals(
      new DataView(deflate.buffer, deflate.byteOffset + deflate.length - 4).getUint32(0),
      adler32(bytes),
    );
  }
});

async function packedBy(name: string, bytes: Uint8Array, values: readonly number[]): Promise<Uint8Array> {
  return await (await encoderOf([{ name, values }]))(bytes.slice());
}

/** Magic numbers of frames: noise of this size has none by chance. */
function framesIn(packed: Uint8Array): number {
  const magic = [0x28, 0xb5, 0x2f, 0xfd];
  return packed.reduce((n, _, at) => n + (magic.every((byte, i) => packed[at + i] === byte) ? 1 : 0), 0);
}

/** How many bytes come out, as the header of a frame says. */
function contentSize(packed: Uint8Array): number | undefined {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const descriptor = packed[4]!, at = descriptor & 0x20 ? 5 : 6;
  if (descriptor < 0x40) return descriptor & 0x20 ? packed[at] : undefined;
  if (descriptor < 0x80) return view.getUint16(at, true) + 256;
  return descriptor < 0xc0 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) b = (b + (a = (a + byte) % 65521)) % 65521;
  return (b * 65536 + a) >>> 0;
}
