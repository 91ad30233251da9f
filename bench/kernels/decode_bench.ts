/**
 * Decoding tiles of TIFF files and chunks of Zarr arrays on one core: filters of Tilewise beside libtiff, tifffile, geotiff.js,
 * zarr-python and zarrita. GB/s of samples, tiles put in their places of the picture; files are in the page cache.
 *
 * `deno run -A bench/kernels/decode_bench.ts [--python PROGRAM] [--repeats N] [--side N]`; `plain` are the same filters with the twins of
 * the kernels, on a few tiles. Results are compared before they are timed; the ratio is to libtiff or to zarr-python.
 *
 * @module
 */

import { chunkFilter, scratchBytes } from "../../src/codecs/filters/registry.ts";
import type { ChunkFilter } from "../../src/codecs/filters/common/filter.ts";
import type { Kernels } from "../../src/kernels/bind.ts";
import { kernelRows } from "../../src/kernels/rows/catalogue.ts";
import { instantiateKernels } from "../../src/kernels/wasm.ts";
import { readArguments } from "../arguments.ts";
import { type BenchRow, measure, print, summarize, table } from "../timing.ts";

/** A file, as `decode_bench.py` writes and describes it. */
interface Picture {
  readonly name: string;
  readonly path: string;
  /** Its samples; by default beside it. */
  readonly plain?: string;
  /** The folder of the array, for a Zarr array. */
  readonly zarr?: string;
  readonly tiles: readonly (readonly [offset: number, bytes: number])[];
  readonly filters: readonly (readonly [name: string, values: readonly number[]])[];
  /** Bytes of a pixel. */
  readonly itemSize: number;
  readonly side: number;
  readonly tile: number;
  /** Seconds of others, or why there are none. */
  readonly peers: Readonly<Record<string, readonly number[] | string>>;
}

/** Tiles that `plain` decodes. */
const FEW = 2;

/** Decodes tiles into a picture, all in one memory. */
class Decoder {
  readonly picture: Uint8Array;
  readonly #memory: WebAssembly.Memory;
  readonly #places: readonly number[];
  readonly #scratch: number;
  readonly #room: number;

  constructor(private readonly of: Picture, private readonly stored: Uint8Array) {
    const tileBytes = of.tile ** 2 * of.itemSize, bytes = of.side ** 2 * of.itemSize;
    this.#room = Math.max(tileBytes, ...of.tiles.map(([, size]) => size)) + 1024;
    const scratch = scratchBytes(of.filters.map(([name, values]) => ({ name, values })), this.#room);
    const pages = Math.ceil((1024 + scratch + 4 * this.#room + bytes) / 65536);
    this.#memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    this.#scratch = 1024;
    this.#places = [0, 1, 2, 3].map((i) => 1024 + scratch + i * this.#room);
    this.picture = new Uint8Array(this.#memory.buffer, 1024 + scratch + 4 * this.#room, bytes);
  }

  kernels(): Kernels {
    return instantiateKernels(this.#memory);
  }

  /** The kernels' twins in place of the kernels. */
  twins(): Kernels {
    const own = [...kernelRows()].map((row) => [row.name, row.reference(this.#memory)] as const);
    return { ...this.kernels(), exports: Object.fromEntries(own) as unknown as Kernels["exports"] };
  }

  /** Decodes the first `count` tiles. */
  async decode(kernels: Kernels, filters: readonly ChunkFilter[], count: number): Promise<void> {
    const { tile, itemSize, side, tiles } = this.of;
    const perRow = side / tile, row = tile * itemSize;
    for (let t = 0; t < count; t++) {
      const [offset, bytes] = tiles[t]!;
      let input = this.#place(0, bytes);
      input.set(this.stored.subarray(offset, offset + bytes));
      for (let f = filters.length - 1, n = 1; f >= 0; f--, n++) {
        const output = this.#place(1 + n % 2, f === 0 ? tile * row : this.#room);
        const spare = this.#place(3, this.#room), values = this.of.filters[f]![1];
        const written = filters[f]!({ kernels, input, output, values, scratch: this.#scratch, spare });
        input = output.subarray(0, typeof written === "number" ? written : await written);
      }
      const [y, x] = [Math.floor(t / perRow), t % perRow];
      const target = this.picture.byteOffset + (y * tile * side + x * tile) * itemSize;
      kernels.exports.copy_rows_u8(target, side * itemSize, input.byteOffset, row, tile, row);
    }
  }

  #place(which: number, bytes: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#places[which]!, bytes);
  }
}

async function rowsOf(of: Picture, repeats: number): Promise<BenchRow[]> {
  const { name, filters, tiles } = of;
  const bytes = of.side ** 2 * of.itemSize;
  const stored = await Deno.readFile(of.path), plain = await Deno.readFile(of.plain ?? `${of.path}.plain`);
  const copy = new Uint8Array(bytes);
  const rows: BenchRow[] = [{
    name,
    by: "limit",
    bytes,
    ...await measure(() => copy.set(plain), { repeats }),
  }];
  for (const [by, seconds] of Object.entries(of.peers)) {
    if (typeof seconds === "string") print(`skipped: ${name} by ${by}: ${seconds}`);
    else rows.push({ name, by, bytes, ...summarize(seconds) });
  }
  const decoder = new Decoder(of, stored);
  const undo = await Promise.all(filters.map(([filter]) => chunkFilter(filter)));
  const kernels = decoder.kernels(), twins = decoder.twins();
  await decoder.decode(kernels, undo, tiles.length);
  same(`${name}: tilewise`, decoder.picture, plain);
  const simd = await measure(() => decoder.decode(kernels, undo, tiles.length), { repeats });
  const few = await measure(() => decoder.decode(twins, undo, FEW), { repeats: 2 });
  rows.push({ name, by: "tilewise plain", bytes: bytes * FEW / tiles.length, ...few });
  rows.push({ name, by: "tilewise simd", bytes, ...simd });
  if (name.startsWith("lzw")) { // it has room for 4093 strings, tifffile makes 4095: the process would run out of memory
    print(`skipped: ${name} by geotiff.js 3.0.5, which does not survive such files`);
    return rows;
  }
  const script = of.zarr ? await zarrita(of.zarr) : await geotiff(stored);
  try {
    same(`${name}: ${script.by}`, await script.read(), plain);
    rows.push({
      name,
      by: script.by,
      bytes,
      ...await measure(script.read, { repeats: Math.min(repeats, 3) }),
    });
  } catch (error) {
    print(`skipped: ${name} by ${script.by}: ${error}`);
  }
  return rows;
}

interface Script {
  readonly by: string;
  readonly read: () => Promise<Uint8Array>;
}

/** Bytes of what a library gives. */
function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

async function geotiff(stored: Uint8Array<ArrayBuffer>): Promise<Script> {
  const { fromArrayBuffer } = await import("geotiff");
  const tiff = await fromArrayBuffer(stored.buffer);
  const image = await tiff.getImage();
  const read = async () =>
    bytesOf(await image.readRasters({ interleave: true }) as unknown as ArrayBufferView);
  return { by: "geotiff.js", read };
}

async function zarrita(folder: string): Promise<Script> {
  const zarr = await import("zarrita");
  const get = (key: string) => Deno.readFile(folder + key).catch(() => undefined);
  const array = await zarr.open.v3(zarr.root({ get }), { kind: "array" });
  return {
    by: "zarrita",
    read: async () => bytesOf((await zarr.get(array)).data as unknown as ArrayBufferView),
  };
}

function same(what: string, found: Uint8Array, expected: Uint8Array): void {
  const at = found.length === expected.length ? found.findIndex((byte, i) => byte !== expected[i]) : 0;
  if (at >= 0) throw new Error(`${what} gives other bytes, the first at ${at}`);
}

/** The rows of all pictures, or why there are none. */
export async function decodeRows(
  program: string = "python3",
  repeats: number = 7,
  side: number = 2048,
): Promise<BenchRow[] | string> {
  const folder = await Deno.makeTempDir();
  try {
    const script = new URL("../peers/decode_bench.py", import.meta.url).pathname;
    const command = new Deno.Command(program, { args: [script, folder, String(repeats), String(side)] });
    const { stdout, stderr, success } = await command.output();
    if (!success) return new TextDecoder().decode(stderr);
    const rows: BenchRow[] = [];
    for (const line of new TextDecoder().decode(stdout).trim().split("\n")) {
      rows.push(...await rowsOf(JSON.parse(line), repeats));
    }
    return rows;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `${program} is not installed`;
    throw error;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The rows as text, each with its ratio to the native library. */
export function decodeTable(rows: readonly BenchRow[]): string {
  const isNative = ({ by }: BenchRow) => by === "libtiff" || by === "zarr-python";
  const base = (row: BenchRow) => {
    const other = rows.find((one) => one.name === row.name && isNative(one));
    return other && { ...other, min: other.min * (row.bytes ?? 0) / (other.bytes ?? 1) };
  };
  return table(rows, base);
}

if (import.meta.main) {
  const { options } = readArguments(Deno.args, ["python", "repeats", "side"]);
  const found = await decodeRows(options.python, Number(options.repeats ?? 7), Number(options.side ?? 2048));
  print(typeof found === "string" ? found : decodeTable(found));
}
