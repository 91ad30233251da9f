/**
 * What kernels do with files, in every runtime: the same compiled kernels of the examples walk through files of the platform,
 * append to them, write and compare them and sort them; the walk uses files in memory as well, by both routes.
 */

import { createContext } from "@tilewise/tilewise";
import {
  type GridOptions,
  type HostOptions,
  launchKernel,
  memoryFiles,
  startHost,
} from "@tilewise/tilewise/channels";
import { images } from "@tilewise/tilewise/unstable/channels";

/** Compiled kernels of the examples, in base64. */
export type Kernels = Readonly<Record<"append" | "call" | "files" | "image" | "sort" | "walk", string>>;

/** Files of the platform. */
export interface PlatformFiles {
  /** How a host uses them. */
  readonly options: Pick<HostOptions, "roots" | "backEnd">;
  /** Makes a file in them. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** What is in a file of them. */
  get(name: string): Promise<Uint8Array>;
}

const WALKERS = 20, STEPS = 100, POSITIONS = 20_011;

/** Positions that lead through a file of 160 kB, the same everywhere. */
function positions(): BigInt64Array<ArrayBuffer> {
  return BigInt64Array.from(
    { length: POSITIONS },
    (_, i) => BigInt((Math.imul(i, 2654435761) >>> 8) % POSITIONS),
  );
}

/** The walk in memory: where each walker ends. */
function expected(): string {
  const all = positions();
  return Array.from({ length: WALKERS }, (_, w) => {
    let position = w * 7919 % POSITIONS;
    for (let s = 0; s < STEPS; s++) position = Number(all[position]!);
    return position;
  }).join();
}

/** What the kernels find, by what they do. Throws where it is not what programs without kernels find. */
export async function channels(
  kernels: Kernels,
  platform: PlatformFiles,
  functions: string,
): Promise<Record<string, string>> {
  const walks = await walkEverywhere(bytesOf(kernels.walk), platform);
  return {
    ...walks,
    append: await append(bytesOf(kernels.append), platform),
    files: await files(bytesOf(kernels.files), platform),
    sort: await sort(bytesOf(kernels.sort), platform),
    image: await image(bytesOf(kernels.image), platform),
    call: await call(bytesOf(kernels.call), platform, functions),
  };
}

/** Where walkers end, by store and route; each must be where the walk in memory ends. */
async function walkEverywhere(wasm: Uint8Array, platform: PlatformFiles): Promise<Record<string, string>> {
  const start = new Uint8Array(positions().buffer);
  await platform.put("positions.bin", start);
  await platform.put("ends.bin", new Uint8Array(0));
  const walk = await walkIn(wasm, "rpc", platform.options, () => platform.get("ends.bin"));
  const backEnd = memoryFiles({
    bytes: "512KiB",
    contents: { "positions.bin": start, "ends.bin": new Uint8Array(0) },
  });
  const walkInMemory = await walkIn(wasm, "rpc", { backEnd });
  const walkDirect = await walkIn(wasm, "direct", { backEnd });
  for (const [name, ends] of Object.entries({ walk, walkInMemory, walkDirect })) {
    mustBe(name, ends, expected());
  }
  return { walk, walkInMemory, walkDirect };
}

async function walkIn(
  wasm: Uint8Array,
  route: "rpc" | "direct",
  options: PlatformFiles["options"],
  get?: () => Promise<Uint8Array>,
): Promise<string> {
  await using context = createContext({ memory: "2MiB", workers: 2 });
  let ends: Uint8Array;
  {
    await using host = await startHost(context, { channels: 2, bufferLength: 1, elementSize: 8, ...options });
    const args = ["positions.bin", "ends.bin", WALKERS, STEPS];
    const { status } = await launchKernel(host, { wasm, export: "walk" }, { groups: 2, route, args });
    mustBe("the status of walk", status, 0);
    ends = get ? new Uint8Array(0) : await host.readFile("ends.bin");
  }
  if (get) ends = await get();
  return new BigInt64Array(ends.slice().buffer).join();
}

/** A kernel writes a text, reads it back, compares, and appends a word. */
async function append(wasm: Uint8Array, platform: PlatformFiles): Promise<string> {
  const text = "Die Größe 🗺 of a file. ";
  await run({ wasm, name: "append", platform, channels: 1, bufferLength: 4096, elementSize: 1 }, {
    args: ["demo.txt", text, "Success"],
  });
  const found = new TextDecoder().decode(await platform.get("demo.txt"));
  mustBe("append", found, `${text}Success`);
  return found;
}

/** Two groups write files of their own, read them back and compare; they are compared again here. */
async function files(wasm: Uint8Array, platform: PlatformFiles): Promise<string> {
  const count = 6, numbers = 3000;
  await run({ wasm, name: "files", platform, channels: 2, bufferLength: numbers, elementSize: 8 }, {
    groups: 2,
    args: ["file-", count, numbers, 2],
  });
  const last: string[] = [];
  for (let file = 0; file < count; file++) {
    const found = new BigUint64Array((await platform.get(`file-00${file}`)).slice().buffer);
    const numberAt = (i: number) => BigInt.asUintN(64, (BigInt(file) * 2n ** 32n + BigInt(i)) * STEP);
    mustBe(`file ${file}`, found.join(), Array.from({ length: numbers }, (_, i) => numberAt(i)).join());
    last.push(String(found.at(-1)));
  }
  return last.join();
}

const STEP = 0x9e3779b97f4a7c15n;

/** Two members sort a file with memory for a small part of it. */
async function sort(wasm: Uint8Array, platform: PlatformFiles): Promise<string> {
  const keys = BigInt64Array.from({ length: 5000 }, (_, i) => BigInt.asIntN(64, BigInt(i + 1) * STEP) >> 20n);
  await platform.put("input.bin", new Uint8Array(keys.buffer));
  for (const name of ["output.bin", "spare.bin"]) await platform.put(name, new Uint8Array(0));
  await run({ wasm, name: "sort", platform, channels: 2, bufferLength: 128, elementSize: 8 }, {
    groupSize: 2,
    args: ["input.bin", "output.bin", "spare.bin", keys.length, 128],
  });
  const found = new BigInt64Array((await platform.get("output.bin")).slice().buffer);
  mustBe("sort", found.join(), keys.sort().join());
  return `${found[0]}, ${found.at(-1)}`;
}

/** A kernel loads a PNG file and writes its pixels. */
async function image(wasm: Uint8Array, platform: PlatformFiles): Promise<string> {
  const width = 37, height = 21;
  const grey = Uint8Array.from({ length: width * height }, (_, i) => Math.imul(i, 2654435761) >>> 24);
  await platform.put("drawn.png", await png(grey, width, height));
  await platform.put("pixels.bin", new Uint8Array(0));
  const local = 16 + 4 * width * height;
  const size = new Int32Array(2);
  await run({
    wasm,
    name: "image",
    platform,
    channels: 1,
    bufferLength: 4096,
    elementSize: 1,
    images: images(),
  }, {
    localMemory: local,
    args: ["drawn.png", "pixels.bin", width, height, size],
  });
  const found = await platform.get("pixels.bin");
  mustBe("the pixels", found.join(), [...grey].map((value) => `${value},${value},${value},255`).join());
  return `${size[1]} × ${size[0]}, ${found.length} bytes`;
}

/** An image of one byte per pixel as PNG. */
async function png(grey: Uint8Array, width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const rows = Array.from({ length: height }, (_, y) => [0, ...grey.subarray(y * width, (y + 1) * width)])
    .flat();
  const deflated = new Blob([Uint8Array.from(rows)]).stream().pipeThrough(new CompressionStream("deflate"));
  const header = [0, 0, 0, width, 0, 0, 0, height, 8, 0, 0, 0, 0];
  const data = [...new Uint8Array(await new Response(deflated).arrayBuffer())];
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  return Uint8Array.from([
    ...signature,
    ...chunk("IHDR", header),
    ...chunk("IDAT", data),
    ...chunk("IEND", []),
  ]);
}

function chunk(type: string, data: readonly number[]): number[] {
  const named = [...type].map((letter) => letter.charCodeAt(0)).concat(data);
  let crc = ~0;
  for (const byte of named) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >>> 1 ^ 0xedb88320 : crc >>> 1;
  }
  return [...bigEndian(data.length), ...named, ...bigEndian(~crc)];
}

function bigEndian(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => value >>> shift & 255);
}

/** A kernel calls a function of the user, which answers with a promise. */
async function call(wasm: Uint8Array, platform: PlatformFiles, module: string): Promise<string> {
  const words = new Float64Array(2), results = new Float64Array(5);
  const functions = { module, export: "functions" };
  await run({ wasm, name: "call", platform, channels: 1, bufferLength: 64, elementSize: 8, functions }, {
    args: ["hypotenuse", words, results],
  });
  mustBe("the results", results.join(), [0, 1, 2, 3, 4].map((n) => Math.sqrt(n * n + 9)).join());
  return results.join();
}

/** A kernel and its host. */
interface KernelRun
  extends Pick<HostOptions, "channels" | "bufferLength" | "elementSize" | "images" | "functions"> {
  readonly wasm: Uint8Array;
  readonly name: string;
  readonly platform: PlatformFiles;
}

async function run({ wasm, name, platform, ...counts }: KernelRun, options: GridOptions): Promise<void> {
  await using context = createContext({ memory: "2MiB", workers: 2 });
  await using host = await startHost(context, { ...counts, ...platform.options });
  const { status } = await launchKernel(host, { wasm, export: name }, options);
  mustBe(`the status of ${name}`, status, 0);
}

function mustBe(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what} is ${found}, not ${expected}`);
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
