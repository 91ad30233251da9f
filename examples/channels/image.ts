/**
 * A kernel loads an image into its memory and writes the pixels to a file. Run it with
 *
 * ```sh
 * deno run -A examples/channels/image.ts [--width N] [--height N] [--image FILE]
 * ```
 *
 * Without `--image` it makes a PNG file of `--width` × `--height` pixels and compares all pixels; with it, these are the most
 * that the image may have. A file that is not an image ends the launch with an error. The kernel is `image.as.ts`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { crc32, deflateSync } from "node:zlib";
import { createContext } from "@tilewise/tilewise";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { images, statusError } from "@tilewise/tilewise/unstable/channels";

/** Loads the image; what it says. Throws where a pixel is not what was drawn. */
export async function main(args: readonly string[]): Promise<string> {
  const { width, height, image } = options(args);
  const folder = await Deno.makeTempDir({ prefix: "tilewise-image-" });
  try {
    const name = image ?? `${folder}/drawn.png`, to = `${folder}/pixels.bin`;
    const drawn = drawing(width, height);
    if (image === undefined) await Deno.writeFile(name, png(drawn, width, height));
    const local = 16 + 4 * width * height;
    await using context = createContext({ memory: local + 2 ** 20, workers: 1 });
    await using host = await startHost(context, {
      channels: 1,
      bufferLength: Math.max(4096, 4 * width),
      type: "uint8",
      images: images(),
    });
    const kernel = { file: new URL("image.as.ts", import.meta.url) };
    const size = new Int32Array(2);
    const { status } = await launchKernel(host, kernel, {
      localMemory: local,
      args: [name, to, width, height, size],
    });
    if (status !== 0) throw statusError(status, `load ${name}`);
    const found = await Deno.readFile(to);
    if (image === undefined) compare(found, drawn);
    return `${size[1]} × ${size[0]} pixels, ${found.length} bytes${image === undefined ? ", all right" : ""}`;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function options(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      width: { type: "string", default: "640" },
      height: { type: "string", default: "480" },
      image: { type: "string" },
    },
  });
  return { width: Number(values.width), height: Number(values.height), image: values.image };
}

/** Pixels of red, green, blue and alpha. */
function drawing(width: number, height: number): Uint8Array {
  return Uint8Array.from({ length: 4 * width * height }, (_, i) => {
    const pixel = i >> 2, x = pixel % width, y = Math.floor(pixel / width);
    return [x + y, x * y >> 4, x ^ y, 255 - (y & 63)][i & 3]!;
  });
}

function compare(found: Uint8Array, expected: Uint8Array): void {
  if (found.length !== expected.length) {
    throw new Error(`There are ${found.length} bytes, not ${expected.length}`);
  }
  const wrong = expected.findIndex((value, i) => found[i] !== value);
  if (wrong >= 0) throw new Error(`Byte ${wrong} is ${found[wrong]}, not ${expected[wrong]}`);
}

/** The pixels as a PNG file: a header, one block of deflated rows, an end. */
function png(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const rows = new Uint8Array(height * (4 * width + 1)); // each row begins with the number of its filter: 0, none
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(4 * width * y, 4 * width * (y + 1)), (4 * width + 1) * y + 1);
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 6], 8); // 8 bits per sample, colour with alpha
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10);
  const parts = [
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", new Uint8Array()),
  ];
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}

if (import.meta.main) console.log(await main(Deno.args));
