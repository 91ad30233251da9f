/** Images of all kinds beside what libpng, libjpeg and tifffile read from the same files. */

import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { openImage, toRgba } from "../../src/channel_images/service.ts";
import { type OpenImage, pixelSize } from "../../src/channel_images/common/image.ts";
import { isTilewiseError, TilewiseError } from "../../src/errors.ts";
import { crc32 } from "../../src/space/crc32.ts";
import { sha256 } from "../../src/io/hash.ts";
import expected from "./data/expected.json" with { type: "json" };

const FOLDER = new URL("./data/", import.meta.url);

function bytesOf(name: string): Uint8Array<ArrayBuffer> {
  return Deno.readFileSync(new URL(name, FOLDER));
}

async function rowsOf(image: OpenImage): Promise<Uint8Array> {
  const stride = image.width * pixelSize(image), all = new Uint8Array(stride * image.height);
  let next = 0;
  await image.decode((y, row) => {
    assertEquals([y, row.length], [next++, stride]);
    all.set(row, y * stride);
  });
  assertEquals(next, image.height);
  return all;
}

function rgbaOf(image: OpenImage, native: Uint8Array): Uint8Array {
  const stride = image.width * pixelSize(image), all = new Uint8Array(4 * image.width * image.height);
  const convert = toRgba(image);
  for (let y = 0; y < image.height; y++) {
    const out = all.subarray(4 * image.width * y, 4 * image.width * (y + 1));
    convert(native.subarray(y * stride, (y + 1) * stride), out);
  }
  return all;
}

for (const [name, row] of Object.entries(expected)) {
  Deno.test(`${name} has the pixels that others read`, async () => {
    const image = await openImage(bytesOf(name));
    const { height, width, samples, dtype } = image;
    const { native, rgba, ...facts } = row;
    assertEquals({ height, width, samples, dtype: dtype as string }, facts);
    const all = await rowsOf(image);
    assertEquals(await sha256(all), native, "native samples");
    if (rgba !== null) assertEquals(await sha256(rgbaOf(image, all)), rgba, "RGBA");
  });
}

/** Opens and decodes; the code of the typed error, or "ok". */
async function outcome(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    await (await openImage(bytes)).decode(() => {});
    return "ok";
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "corrupt") return error.code;
    throw error;
  }
}

Deno.test("what a JPEG file says of its colours counts behind a long comment as well", async () => {
  const bytes = bytesOf("rgb444.jpg"), comment = new Uint8Array(2 + 602);
  comment.set([0xff, 0xfe, 602 >> 8, 602 & 0xff]);
  const adobe = [0xff, 0xee, 0, 14, ...new TextEncoder().encode("Adobe"), 0, 100, 0, 0, 0, 0, 0]; // colours as stored
  const [plain, first, second] = await Promise.all(
    [[], [...adobe, ...comment], [...comment, ...adobe]].map(async (segments) =>
      await rowsOf(
        await openImage(Uint8Array.from([...bytes.subarray(0, 2), ...segments, ...bytes.subarray(2)])),
      )
    ),
  );
  assertNotEquals(first, plain);
  assertEquals(second, first);
});

Deno.test("a PNG file that is cut off anywhere is refused", async () => {
  for (const name of ["palette_alpha.png", "gray4_interlaced.png"]) {
    const whole = bytesOf(name);
    for (let length = 0; length < whole.length; length++) {
      const found = await outcome(whole.slice(0, length));
      const fits = length < 8 ? ["unknown-format"] : ["truncated"];
      assertEquals(fits.includes(found), true, `${name} after ${length} bytes: ${found}`);
    }
  }
});

Deno.test("a PNG file with a wrong byte is refused, wherever the byte counts", async () => {
  const whole = bytesOf("palette16.png");
  for (let at = 0; at < whole.length; at++) {
    const damaged = whole.slice();
    damaged[at]! ^= 0x10;
    const found = await outcome(damaged);
    assertEquals(found === "ok", false, `byte ${at}: ${found}`);
  }
});

/** Calls `change` on the body of each chunk of a PNG file, and puts the checksum right. */
function withChunks(bytes: Uint8Array<ArrayBuffer>, change: (type: string, body: Uint8Array) => void) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    const end = at + 8 + view.getUint32(at);
    change(String.fromCharCode(...bytes.subarray(at + 4, at + 8)), bytes.subarray(at + 8, end));
    view.setUint32(end, crc32(bytes.subarray(at + 4, end)));
  }
  return bytes;
}

/** A PNG file with a chunk more before its pixels. */
function withChunk(bytes: Uint8Array<ArrayBuffer>, type: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(12 + body.length), view = new DataView(chunk.buffer);
  view.setUint32(0, body.length);
  chunk.set(new TextEncoder().encode(type), 4);
  chunk.set(body, 8);
  view.setUint32(8 + body.length, crc32(chunk.subarray(4, 8 + body.length)));
  const end = 8 + 25; // behind the header
  return Uint8Array.from([...bytes.subarray(0, end), ...chunk, ...bytes.subarray(end)]);
}

Deno.test("a transparent colour of 16 bits adds alpha, and leaves the samples as they are", async () => {
  const file = bytesOf("rgb16.png");
  const pixels = (bytes: Uint8Array) => new Uint16Array(bytes.buffer);
  const plain = pixels(await rowsOf(await openImage(file)));
  const key = [...plain.subarray(30, 33)];
  const body = Uint8Array.from(key.flatMap((value) => [value >> 8, value & 255]));
  const image = await openImage(withChunk(file, "tRNS", body));
  const wanted = Array.from({ length: plain.length / 3 }, (_, i) => [...plain.subarray(3 * i, 3 * i + 3)])
    .flatMap((pixel) => [...pixel, pixel.every((value, s) => value === key[s]) ? 0 : 65535]);
  assertEquals([...pixels(await rowsOf(image))], wanted);
  assertEquals(wanted.includes(0) && plain.some((value) => value >> 8 !== (value & 255)), true);
});

Deno.test("a PNG header that lies, with the right checksum, ends in a typed error or in pixels", async () => {
  for (const name of ["palette_alpha.png", "gray2_interlaced.png", "rgb16.png"]) {
    for (let at = 0; at < 13; at++) {
      for (const value of [0, 1, 2, 3, 4, 6, 8, 16, 0x7f, 0x80, 0xff]) {
        const image = withChunks(bytesOf(name), (type, body) => void (type === "IHDR" && (body[at] = value)));
        const found = await outcome(image);
        const fits = ["ok", "malformed", "truncated", "over-budget"];
        assertEquals(fits.includes(found), true, `${name}: byte ${at} of the header is ${value}: ${found}`);
      }
    }
  }
});

Deno.test("packed rows of a PNG file that lie, with the right checksum of chunks, are refused or do not matter", async () => {
  for (const name of ["palette200.png", "rgba8_interlaced.png"] as const) {
    for (let k = 0; k < 150; k++) {
      let place = -1;
      const image = withChunks(bytesOf(name), (type, body) => {
        if (type === "IDAT") body[place = k * 7919 % body.length]! ^= 1 + k % 255;
      });
      const found = await outcome(image);
      if (found === "ok") { // behind the last row, for example
        assertEquals(
          await sha256(await rowsOf(await openImage(image))),
          expected[name].native,
          `byte ${place}`,
        );
      } else {assertEquals(
          ["malformed", "truncated"].includes(found),
          true,
          `${name}, byte ${place}: ${found}`,
        );}
    }
  }
});

Deno.test("damaged JPEG and TIFF files end in a typed error or in pixels", async () => {
  let seed = 1;
  const random = (n: number) => (seed = seed * 48271 % 2147483647) % n;
  for (const name of ["rgb420.jpg", "progressive.jpg", "rgb8_deflate.tif", "gray16_big.tif"]) {
    for (let i = 0; i < 60; i++) {
      const damaged = bytesOf(name);
      for (let k = 0; k < 3; k++) damaged[random(damaged.length)] = random(256);
      await outcome(random(3) === 0 ? damaged.slice(0, random(damaged.length)) : damaged);
    }
  }
});

Deno.test("files that are not images are refused with the reason", async () => {
  const text = new TextEncoder().encode(
    "this is not an image at all, only a text of some length\n".repeat(20),
  );
  await assertRejects(() => openImage(text.slice()), TilewiseError);
  assertEquals(await outcome(text.slice()), "unknown-format");
  assertEquals(await outcome(new Uint8Array(0)), "unknown-format");
});

Deno.test("floats and unknown colours are no RGBA", async () => {
  const image = await openImage(bytesOf("float32.tif"));
  const error = await assertRejects(() => Promise.resolve().then(() => toRgba(image)), TilewiseError);
  assertEquals([error.code, error.message.includes("native samples")], ["unsupported", true]);
});
