/**
 * Decoding tiles of TIFF files and chunks of Zarr arrays on one core: filters of Tilewise beside libtiff, tifffile, geotiff.js,
 * zarr-python and zarrita. GB/s of samples, tiles put in their places of the picture; files are in the page cache.
 *
 * `deno run -A bench/kernels/decode_bench.ts [--python PROGRAM] [--repeats N] [--side N]`; `plain` are the same filters with the twins of
 * the kernels, on a few tiles. Results are compared before they are timed; the ratio is to libtiff or to zarr-python, and below
 * the table to geotiff.js or to zarrita.
 *
 * @module
 */

import { chunkFilter, scratchBytes } from "../../src/codecs/filters/registry.ts";
import type { ChunkFilter } from "../../src/codecs/filters/common/filter.ts";
import type { Kernels } from "../../src/kernels/bind.ts";
import { kernelRows } from "../../tests/oracles/rows/catalogue.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { readArguments } from "../arguments.ts";
import { type BenchRow, measure, print, summarize, table, type Timing } from "../timing.ts";

await loadKernels();

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

/** What was timed, and what was left out, with the reason. */
interface Found {
  readonly rows: readonly BenchRow[];
  readonly skipped: readonly string[];
}

async function rowsOf(of: Picture, repeats: number): Promise<Found> {
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
  const skipped: string[] = [];
  for (const [by, seconds] of Object.entries(of.peers)) {
    if (typeof seconds === "string") skipped.push(`${name} by ${by}: ${seconds}`);
    else rows.push({ name, by, bytes, ...summarize(seconds) });
  }
  const decoder = new Decoder(of, stored);
  const undo = await Promise.all(filters.map(([filter]) => chunkFilter(filter)));
  const kernels = decoder.kernels(), twins = decoder.twins();
  await decoder.decode(kernels, undo, tiles.length);
  same(`${name}: tilewise`, decoder.picture, plain);
  // On a busy machine the optimizing compiler takes a while to get its turn.
  const simd = await measure(() => decoder.decode(kernels, undo, tiles.length), { repeats, warmup: 10 });
  const few = await measure(() => decoder.decode(twins, undo, FEW), { repeats: 2 });
  rows.push({ name, by: "tilewise plain", bytes: bytes * FEW / tiles.length, ...few });
  rows.push({ name, by: "tilewise simd", bytes, ...simd });
  const own = of.zarr ? await zarrita(of.zarr) : await geotiff(stored);
  const add = (timing: Timing) => void rows.push({ name, by: own.by, bytes, ...timing });
  const note = await timeScript(own, plain, add, repeats);
  return { rows, skipped: note === undefined ? skipped : [...skipped, `${name} by ${own.by}: ${note}`] };
}

/** Times a library in JavaScript; or why not. */
async function timeScript(
  { read }: Script,
  plain: Uint8Array,
  add: (timing: Timing) => void,
  repeats: number,
): Promise<string | undefined> {
  try {
    same("it", await read(), plain);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  add(await measure(read, { repeats: Math.min(repeats, 3) }));
  return undefined;
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

/** The rows of all pictures and what was left out, or why there are none. */
export async function decodeRows(
  program: string = "python3",
  repeats: number = 7,
  side: number = 2048,
): Promise<Found | string> {
  const folder = await Deno.makeTempDir();
  try {
    const script = new URL("../peers/decode_bench.py", import.meta.url).pathname;
    const command = new Deno.Command(program, { args: [script, folder, String(repeats), String(side)] });
    const { stdout, stderr, success } = await command.output();
    if (!success) return new TextDecoder().decode(stderr);
    const found: Found[] = [];
    for (const line of new TextDecoder().decode(stdout).trim().split("\n")) {
      found.push(await rowsOf(JSON.parse(line), repeats));
    }
    return { rows: found.flatMap(({ rows }) => rows), skipped: found.flatMap(({ skipped }) => skipped) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `${program} is not installed`;
    throw error;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The libraries that rows are compared with: native ones, and those in JavaScript. */
const PEERS = { native: ["libtiff", "zarr-python"], script: ["geotiff.js", "zarrita"] } as const;

/** The rows as text, each with its ratio to the native library; below them, ours to the library in JavaScript, and what was left out. */
export function decodeTable({ rows, skipped }: Found): string {
  const peerOf = (row: BenchRow, peers: readonly string[]) => {
    const other = rows.find((one) => one.name === row.name && peers.includes(one.by ?? ""));
    return other && { ...other, min: other.min * (row.bytes ?? 0) / (other.bytes ?? 1) };
  };
  const ratios = rows.filter(({ by }) => by === "tilewise simd").flatMap((row) => {
    const other = peerOf(row, PEERS.script);
    return other ? [`${row.name}: ${(other.min / row.min).toFixed(1)}x ${other.by}`] : [];
  });
  return [
    table(rows, (row) => peerOf(row, PEERS.native)),
    ...ratios,
    ...skipped.map((text) => `skipped: ${text}`),
  ].join("\n");
}

if (import.meta.main) {
  const { options } = readArguments(Deno.args, ["python", "repeats", "side"]);
  const found = await decodeRows(options.python, Number(options.repeats ?? 7), Number(options.side ?? 2048));
  print(typeof found === "string" ? found : decodeTable(found));
}
