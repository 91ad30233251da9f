/** Plain readers of what sinks write, made from the specifications, and of no other code of this project. */

import { gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { join } from "@std/path";
import { type DType, dtypeInfo, type TypedArray, typedArray, zeros } from "../../../src/space/dtype.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";

/** An array that was read. */
export interface Read {
  readonly shape: Shape;
  readonly dtype: DType;
  readonly data: TypedArray;
}

/** Puts a chunk at its place; what lies outside of the array is left out. */
function place({ shape, dtype, data }: Read, chunk: Shape, index: Shape, bytes: Uint8Array): void {
  const { itemSize } = dtypeInfo(dtype);
  const to = new Uint8Array(data.buffer);
  if (bytes.length !== sizeOf(chunk) * itemSize) throw new Error(`a chunk has ${bytes.length} bytes`);
  for (let n = 0; n < sizeOf(chunk); n++) {
    const at = unravel(n, chunk).map((i, d) => i + index[d]! * chunk[d]!);
    if (at.some((i, d) => i >= shape[d]!)) continue;
    to.set(bytes.subarray(n * itemSize, (n + 1) * itemSize), ravel(at, shape) * itemSize);
  }
}

// deno-lint-ignore no-explicit-any
type Json = any;

const json = (path: string): Json => JSON.parse(Deno.readTextFileSync(path));

function bytesAt(path: string): Uint8Array | undefined {
  try {
    return Deno.readFileSync(path);
  } catch {
    return undefined;
  }
}

function unpacked(bytes: Uint8Array, codecs: Json[]): Uint8Array {
  return codecs.reduceRight((now: Uint8Array, { name, id }: Json) => {
    const codec = name ?? id;
    if (codec === "bytes") return now;
    if (codec === "zstd") return new Uint8Array(zstdDecompressSync(now));
    if (codec === "gzip") return new Uint8Array(gunzipSync(now));
    if (codec === "zlib") return new Uint8Array(inflateSync(now));
    if (codec === "blosc") return unblosc(now);
    throw new Error(`no codec ${codec}`);
  }, bytes);
}

function unblosc(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [flags, itemSize, size] = [bytes[2]!, bytes[3]!, view.getUint32(4, true)];
  if (flags & 2) return bytes.slice(16, 16 + size);
  const sorted = new Uint8Array(zstdDecompressSync(bytes.slice(24)));
  if (!(flags & 1)) return sorted;
  const items = size / itemSize;
  return sorted.map((_, i) => sorted[(i % itemSize) * items + Math.floor(i / itemSize)]!);
}

/** A Zarr array of version 2 or 3. */
export function readZarr(folder: string): Read {
  const meta = bytesAt(join(folder, "zarr.json")) ? json(join(folder, "zarr.json")) : undefined;
  const old = meta ? undefined : json(join(folder, ".zarray"));
  const { shape } = meta ?? old;
  const dtype: DType = meta?.data_type ?? dtypeOf2(old.dtype);
  const read = { shape, dtype, data: zeros(dtype, sizeOf(shape)) };
  const outer: Shape = meta?.chunk_grid.configuration.chunk_shape ?? old.chunks;
  const counts = (shape as number[]).map((n, d) => Math.ceil(n / outer[d]!));
  for (let n = 0; n < sizeOf(counts); n++) {
    const index = unravel(n, counts);
    const bytes = bytesAt(join(folder, meta ? "c" : "", index.join("/")));
    if (!bytes) continue;
    const [first] = meta?.codecs ?? [];
    if (first?.name === "sharding_indexed") shard(read, outer, index, bytes, first.configuration);
    else place(read, outer, index, unpacked(bytes, meta?.codecs ?? (old.compressor ? [old.compressor] : [])));
  }
  return read;
}

function shard(
  read: Read,
  outer: Shape,
  index: Shape,
  bytes: Uint8Array,
  { chunk_shape, codecs }: Json,
): void {
  const inside = outer.map((n, d) => n / chunk_shape[d]);
  const count = sizeOf(inside);
  const view = new DataView(bytes.buffer, bytes.length - 16 * count - 4);
  for (let n = 0; n < count; n++) {
    const [at, size] = [view.getBigUint64(16 * n, true), view.getBigUint64(16 * n + 8, true)];
    if (at === 2n ** 64n - 1n) continue;
    const own = unravel(n, inside).map((i, d) => i + index[d]! * inside[d]!);
    const stored = bytes.slice(Number(at), Number(at + size));
    place(read, chunk_shape, own, unpacked(stored, codecs));
  }
}

function dtypeOf2(text: string): DType {
  const kinds: Record<string, string> = { b: "bool", u: "uint", i: "int", f: "float", c: "complex" };
  return (text[1] === "b" ? "bool" : `${kinds[text[1]!]}${8 * Number(text.slice(2))}`) as DType;
}

/** The pages of a little-endian TIFF file, each with its levels, one array each. */
export function readTiff(
  path: string,
): { readonly big: boolean; readonly pages: Read[][]; readonly text: string } {
  const file = Deno.readFileSync(path);
  const view = new DataView(file.buffer);
  const big = view.getUint16(2, true) === 43;
  const word = (at: number) => big ? Number(view.getBigUint64(at, true)) : view.getUint32(at, true);
  const sizes: Record<number, number> = { 2: 1, 3: 2, 4: 4, 16: 8 };
  const directory = (at: number) => {
    const count = big ? word(at) : view.getUint16(at, true);
    const [first, step, size] = big ? [at + 8, 20, 8] : [at + 2, 12, 4];
    const tags = new Map<number, number[]>();
    for (let t = 0; t < count; t++) {
      const entry = first + t * step;
      const bytes = sizes[view.getUint16(entry + 2, true)]!;
      const values = word(entry + 4);
      const start = values * bytes <= size ? entry + 4 + size : word(entry + 4 + size);
      const value = (i: number) =>
        bytes === 1
          ? file[start + i]!
          : bytes === 2
          ? view.getUint16(start + 2 * i, true)
          : bytes === 4
          ? view.getUint32(start + 4 * i, true)
          : Number(view.getBigUint64(start + 8 * i, true));
      tags.set(view.getUint16(entry, true), Array.from({ length: values }, (_, i) => value(i)));
    }
    return { tags, next: word(first + count * step) };
  };
  const pages: Read[][] = [];
  let text = "";
  for (let at = word(big ? 8 : 4); at !== 0;) {
    const { tags, next } = directory(at);
    text ||= String.fromCharCode(...(tags.get(270) ?? []));
    const smaller = (tags.get(330) ?? []).map((place) => directory(place).tags);
    pages.push([tags, ...smaller].map((one) => image(file, one)));
    at = next;
  }
  return { big, pages, text };
}

function image(file: Uint8Array, tags: Map<number, number[]>): Read {
  const one = (tag: number, usual = 1) => tags.get(tag)?.[0] ?? usual;
  const [width, height, samples, bits] = [one(256), one(257), one(277), one(258)];
  const kind = ["", "uint", "int", "float", "", "", "complex"][one(339)]!;
  const dtype = `${kind}${bits}` as DType;
  const shape = samples > 1 ? [height, width, samples] : [height, width];
  const read = { shape, dtype, data: zeros(dtype, sizeOf(shape)) };
  const chunk = [one(323), one(322), ...shape.slice(2)];
  const counts = shape.map((n, d) => Math.ceil(n / chunk[d]!));
  tags.get(324)!.forEach((offset, n) => {
    const stored = file.slice(offset, offset + tags.get(325)![n]!);
    const plain = inflatedTile(stored, one(259), sizeOf(chunk) * dtypeInfo(dtype).itemSize);
    undoPredictor(plain, one(317), dtypeInfo(dtype).itemSize, chunk[1]!, samples);
    place(read, chunk, unravel(n, counts), plain);
  });
  return read;
}

function inflatedTile(bytes: Uint8Array, compression: number, size: number): Uint8Array {
  if (compression === 8) return new Uint8Array(inflateSync(bytes));
  if (compression === 50000) return new Uint8Array(zstdDecompressSync(bytes));
  if (compression === 32773) return unpackBits(bytes, size);
  if (compression === 5) return unLzw(bytes, size);
  return bytes;
}

/** Undoes PackBits. */
export function unpackBits(bytes: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  for (let at = 0, to = 0; at < bytes.length;) {
    const n = bytes[at++]!;
    if (n < 128) {
      out.set(bytes.subarray(at, at + n + 1), to);
      [at, to] = [at + n + 1, to + n + 1];
    } else if (n > 128) {
      out.fill(bytes[at++]!, to, to + 257 - n);
      to += 257 - n;
    }
  }
  return out;
}

/** Undoes LZW, with strings as lists of bytes. */
export function unLzw(bytes: Uint8Array, size: number): Uint8Array {
  const out: number[] = [];
  let [table, bits, last] = [[] as number[][], 9, [] as number[]];
  for (let at = 0; at + bits <= 8 * bytes.length;) {
    let code = 0;
    for (let i = 0; i < bits; i++, at++) code = code << 1 | bytes[at >> 3]! >> (7 - (at & 7)) & 1;
    if (code === 257) break;
    if (code === 256) {
      [table, bits, last] = [Array.from({ length: 258 }, (_, i) => [i]), 9, []];
      continue;
    }
    const now = table[code] ?? [...last, last[0]!];
    if (last.length > 0) table.push([...last, now[0]!]);
    out.push(...now);
    last = now;
    if (table.length + 1 >= 1 << bits && bits < 12) bits++;
  }
  if (out.length !== size) throw new Error(`LZW gives ${out.length} of ${size} bytes`);
  return Uint8Array.from(out);
}

function undoPredictor(
  bytes: Uint8Array,
  predictor: number,
  itemSize: number,
  width: number,
  samples: number,
): void {
  const row = width * samples * itemSize;
  for (let start = 0; predictor === 2 && start < bytes.length; start += row) {
    const dtype = `uint${8 * itemSize}` as DType;
    const words = typedArray(dtype, bytes.buffer, start, width * samples) as Uint16Array;
    for (let i = samples; i < words.length; i++) words[i]! += words[i - samples]!;
  }
  for (let start = 0; predictor === 3 && start < bytes.length; start += row) {
    const line = bytes.subarray(start, start + row);
    for (let i = samples; i < row; i++) line[i]! += line[i - samples]!;
    const sorted = line.slice();
    const items = width * samples;
    for (let i = 0; i < items; i++) {
      for (let b = 0; b < itemSize; b++) line[i * itemSize + b] = sorted[(itemSize - 1 - b) * items + i]!;
    }
  }
}
