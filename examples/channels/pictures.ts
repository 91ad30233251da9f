/**
 * Filters a batch of pictures that is larger than the memory: 50 pictures of 1920 × 1080 pixels, read, filtered and written by
 * kernels, in memory for a few of them.
 *
 * The I/O of a picture is done by one member of its work group, or by all members together. Every result is compared with what a
 * plain function computes. Run it with
 *
 * ```sh
 * deno run -A examples/channels/pictures.ts [--do invert|blur] [--io one|all] [--pictures N] [--width N] [--height N]
 *   [--groups N] [--members N]
 * ```
 *
 * The kernel is `pictures.as.ts`. The pictures are made by this program.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { createContext } from "@tilewise/tilewise";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { statusError } from "@tilewise/tilewise/unstable/channels";

const HEADER = 54, FRONT = 1024, BUFFER = 2 ** 18;

/** What a picture is, row after row: blue, green and red of each pixel, rows filled up to a multiple of 4 bytes. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly stride: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Filters all pictures; what it says. Throws where one is not what it must be. */
export async function main(args: readonly string[]): Promise<string> {
  const { pictures, width, height, groups, members, ...how } = options(args);
  const filter = how.do === "blur" ? blurred : inverted;
  const folder = await Deno.makeTempDir({ prefix: "tilewise-pictures-" });
  try {
    const size = await makePictures(folder, pictures, width, height);
    const local = FRONT + 2 * size; // a picture and its result
    const memory = groups * (local + members * (BUFFER + 4096)) + 2 ** 18;
    await using context = createContext({ memory, workers: groups * members });
    await using host = await startHost(context, {
      channels: groups * members,
      bufferLength: BUFFER,
      type: "uint8",
    });
    const kernel = { file: new URL("pictures.as.ts", import.meta.url), export: `pictures_${how.io}` };
    const start = performance.now();
    const { status } = await launchKernel(host, kernel, {
      groups,
      groupSize: members,
      localMemory: local,
      oversized: "chunk", // transfers may be larger than the buffer of a channel
      args: [`${folder}/in`, `${folder}/out`, pictures, how.do === "blur" ? 1 : 0],
    });
    const seconds = (performance.now() - start) / 1000;
    if (status !== 0) throw failure(status);
    for (let i = 0; i < pictures; i++) await compare(folder, i, filter);
    return `${how.do}: ${pictures} pictures of ${width} × ${height}, all right, ${seconds.toFixed(2)} s\n` +
      `${mib(pictures * size)} of pictures in ${mib(memory)} of memory`;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function options(args: readonly string[]) {
  const text = (value: string) => ({ type: "string" as const, default: value });
  const { values } = parseArgs({
    args: [...args],
    options: {
      do: text("invert"),
      io: text("all"),
      pictures: text("50"),
      width: text("1920"),
      height: text("1080"),
      groups: text("2"),
      members: text("2"),
    },
  });
  const { do: filter, io, ...numbers } = values;
  if (!["invert", "blur"].includes(filter)) throw new Error(`--do is invert or blur, not ${filter}`);
  if (!["one", "all"].includes(io)) throw new Error(`--io is one or all, not ${io}`);
  const { pictures, width, height, groups, members } = numbers;
  return {
    do: filter,
    io,
    pictures: Number(pictures),
    width: Number(width),
    height: Number(height),
    groups: Number(groups),
    members: Number(members),
  };
}

const nameOf = (folder: string, prefix: string, i: number) =>
  `${folder}/${prefix}${String(i).padStart(3, "0")}.bmp`;

/** Writes the pictures; the bytes of each. */
async function makePictures(folder: string, count: number, width: number, height: number): Promise<number> {
  const stride = (3 * width + 3) & ~3;
  const bytes = new Uint8Array(HEADER + stride * height);
  const header = new DataView(bytes.buffer);
  header.setUint16(0, 0x4d42, true);
  header.setUint32(2, bytes.length, true);
  header.setUint32(10, HEADER, true);
  header.setUint32(14, 40, true); // bytes of the second header, which begins here
  header.setInt32(18, width, true);
  header.setInt32(22, height, true);
  header.setUint16(26, 1, true); // planes
  header.setUint16(28, 24, true); // bits per pixel
  for (let i = 0; i < count; i++) {
    fill(bytes.subarray(HEADER), width, stride, i);
    await Deno.writeFile(nameOf(folder, "in", i), bytes);
  }
  return bytes.length;
}

/** Noise over a slope, another one in each picture. */
function fill(rows: Uint8Array, width: number, stride: number, seed: number): void {
  let state = seed + 1;
  for (let row = 0; row < rows.length; row += stride) {
    for (let x = 0; x < 3 * width; x++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      rows[row + x] = (state >>> 26) + (x >> 4) + (row >> 12);
    }
  }
}

/** Compares result `i` with `filter` of picture `i`. */
async function compare(folder: string, i: number, filter: (picture: Picture) => Uint8Array): Promise<void> {
  const expected = filter(parse(await Deno.readFile(nameOf(folder, "in", i))));
  const found = parse(await Deno.readFile(nameOf(folder, "out", i)));
  const { stride, width } = found;
  if (found.bytes.length !== expected.length) {
    throw new Error(`Result ${i} has ${found.bytes.length} bytes of pixels, not ${expected.length}`);
  }
  const wrong = expected.findIndex((value, at) => at % stride < 3 * width && found.bytes[at] !== value);
  if (wrong >= 0) {
    throw new Error(`Result ${i}, byte ${wrong}: ${found.bytes[wrong]}, not ${expected[wrong]}`);
  }
}

function parse(file: Uint8Array<ArrayBuffer>): Picture {
  const header = new DataView(file.buffer);
  const width = header.getInt32(18, true), height = header.getInt32(22, true);
  return { width, height, stride: (3 * width + 3) & ~3, bytes: file.subarray(header.getUint32(10, true)) };
}

function inverted({ bytes }: Picture): Uint8Array {
  return bytes.map((value) => 255 - value);
}

/** The mean of 3 × 3 pixels, rounded; beyond the border the nearest pixel counts again. */
function blurred({ width, height, stride, bytes }: Picture): Uint8Array {
  const result = new Uint8Array(bytes.length);
  const inside = (i: number, count: number) => Math.max(0, Math.min(count - 1, i));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let colour = 0; colour < 3; colour++) {
        let sum = 0;
        for (let dy = -1; dy <= 1; dy++) {
          const row = inside(y + dy, height) * stride + colour;
          for (let dx = -1; dx <= 1; dx++) sum += bytes[row + 3 * inside(x + dx, width)]!;
        }
        result[y * stride + 3 * x + colour] = Math.round(sum / 9);
      }
    }
  }
  return result;
}

const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** What the kernel itself can return, and the statuses of its calls. */
function failure(status: number): Error {
  const own = ({ [-1001]: "A file is no such picture" } as Readonly<Record<number, string>>)[status];
  return own === undefined ? statusError(status, "filter pictures") : new Error(own);
}

if (import.meta.main) console.log(await main(Deno.args));
