/**
 * A small writer of Zarr stores, independent of the reader: documents and chunks by their keys, as a map. Slow and plain.
 *
 * @module
 */

import { deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { zipSync } from "fflate";
import { crc32c } from "../../../src/space/crc32.ts";
import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import { ravel, sizeOf, unravel } from "../../../src/space/shape.ts";

/** Entries by their keys. */
export type Entries = Map<string, Uint8Array<ArrayBuffer>>;

/** A level of shards. */
export interface ShardSpec {
  readonly chunk: readonly number[];
  readonly index: "start" | "end";
  readonly bigIndex: boolean;
  readonly checked: boolean;
}

/** What is written. */
export interface ArraySpec {
  readonly version: 2 | 3;
  readonly path: string;
  readonly shape: readonly number[];
  /** Shape of the entries: of chunks, or of the outermost shards. */
  readonly chunk: readonly number[];
  readonly dtype: DType;
  readonly isBig: boolean;
  /** Order of dimensions in a chunk; version 2: F, or none. */
  readonly order?: readonly number[];
  /** Names of the codecs of bytes: gzip, zlib, zstd, crc32c, shuffle. */
  readonly codecs: readonly string[];
  /** Shards in shards, the outermost first. */
  readonly shards: readonly ShardSpec[];
  readonly separator: "." | "/";
  readonly fill: number;
  /** Which chunks (of the innermost) are not written. */
  readonly missing: (first: readonly number[]) => boolean;
  readonly attributes?: object;
}

/** Bytes of a sample: those of `fill` in the byte order of the file. */
export type SampleOf = (at: readonly number[]) => Uint8Array;

/** Writes an array whose samples are `sampleOf` (in the byte order of the file; `undefined` fill bytes for missing ones). */
export function writeArray(entries: Entries, spec: ArraySpec, sampleOf: SampleOf): void {
  const folder = spec.path === "" ? "" : `${spec.path}/`;
  const grid = spec.shape.map((n, d) => Math.ceil(n / spec.chunk[d]!));
  for (let cell = 0; cell < sizeOf(grid); cell++) {
    const at = unravel(cell, grid);
    const bytes = spec.shards.length > 0
      ? shard(spec, 0, at.map((c, d) => c * spec.chunk[d]!), spec.chunk, sampleOf)
      : chunk(spec, at.map((c, d) => c * spec.chunk[d]!), spec.chunk, sampleOf, spec.order);
    if (!bytes) continue;
    const key = at.length === 0 ? (spec.version === 3 ? "c" : "0") : at.join(spec.separator);
    const prefix = spec.version === 3 && at.length > 0 ? `c${spec.separator}` : "";
    entries.set(folder + prefix + key, bytes);
  }
  if (spec.version === 3) entries.set(`${folder}zarr.json`, json(documentOf(spec)));
  else {
    entries.set(`${folder}.zarray`, json(oldDocumentOf(spec)));
    if (spec.attributes) entries.set(`${folder}.zattrs`, json(spec.attributes));
  }
}

/** A document as bytes. */
export function json(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The store as a zip archive. */
export function zipped(entries: Entries, level: 0 | 6): Uint8Array<ArrayBuffer> {
  return zipSync(Object.fromEntries(entries), { level }) as Uint8Array<ArrayBuffer>;
}

/** The store as a list of files, with the names that a browser gives for a chosen folder. */
export function listed(entries: Entries, folder = "store.zarr"): File[] {
  return [...entries].map(([key, bytes]) => new File([bytes], `${folder}/${key}`));
}

/** The store as a folder. */
export async function written(entries: Entries, folder: string): Promise<string> {
  for (const [key, bytes] of entries) {
    await Deno.mkdir(`${folder}/${key}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeFile(`${folder}/${key}`, bytes);
  }
  return folder;
}

function chunk(
  spec: ArraySpec,
  first: readonly number[],
  shape: readonly number[],
  sampleOf: SampleOf,
  order: readonly number[] = shape.map((_, d) => d),
): Uint8Array<ArrayBuffer> | undefined {
  if (spec.missing(first)) return undefined;
  const { itemSize } = dtypeInfo(spec.dtype);
  const stored = order.map((d) => shape[d]!);
  const bytes = new Uint8Array(sizeOf(shape) * itemSize);
  for (let i = 0; i < sizeOf(shape); i++) {
    const place = unravel(i, stored), at = [...first];
    place.forEach((n, d) => at[order[d]!]! += n);
    bytes.set(sampleOf(at), i * itemSize);
  }
  return spec.codecs.reduce((data, codec) => encode(codec, data, itemSize), bytes);
}

function encode(codec: string, bytes: Uint8Array, itemSize: number): Uint8Array<ArrayBuffer> {
  if (codec === "gzip") return new Uint8Array(gzipSync(bytes));
  if (codec === "zlib") return new Uint8Array(deflateSync(bytes));
  if (codec === "zstd") return new Uint8Array(zstdCompressSync(bytes));
  if (codec === "crc32c") return withSum(bytes);
  const count = bytes.length / itemSize;
  return Uint8Array.from(bytes, (_, i) => bytes[i % count * itemSize + Math.floor(i / count)]!); // shuffle
}

function withSum(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes.length + 4);
  out.set(bytes);
  new DataView(out.buffer).setUint32(bytes.length, crc32c(bytes), true);
  return out;
}

/** A shard: the order of dimensions changes that of the index, and of the chunks in it. */
function shard(
  spec: ArraySpec,
  level: number,
  first: readonly number[],
  shape: readonly number[],
  sampleOf: SampleOf,
): Uint8Array<ArrayBuffer> | undefined {
  const own = spec.shards[level]!;
  const order = spec.order ?? shape.map((_, d) => d);
  const inner = own.chunk;
  const grid = order.map((d) => shape[d]! / inner[d]!);
  const parts: (Uint8Array | undefined)[] = [];
  for (let i = 0; i < sizeOf(grid); i++) {
    const at = [...first];
    unravel(i, grid).forEach((n, d) => at[order[d]!]! += n * inner[order[d]!]!);
    const isInside = at.every((x, d) => x < spec.shape[d]!);
    parts.push(
      !isInside
        ? undefined
        : level + 1 < spec.shards.length
        ? shard(spec, level + 1, at, inner, sampleOf)
        : chunk(spec, at, inner, sampleOf, order),
    );
  }
  if (parts.every((part) => part === undefined)) return undefined;
  const bytes = 16 * parts.length + (own.checked ? 4 : 0);
  const index = new DataView(new ArrayBuffer(16 * parts.length));
  let at = own.index === "start" ? bytes : 0;
  const body: Uint8Array[] = [];
  parts.forEach((part, i) => {
    index.setBigUint64(16 * i, part ? BigInt(at) : 2n ** 64n - 1n, !own.bigIndex);
    index.setBigUint64(16 * i + 8, part ? BigInt(part.length) : 2n ** 64n - 1n, !own.bigIndex);
    if (!part) return;
    body.push(part);
    at += part.length;
  });
  const plain = new Uint8Array(index.buffer), tail = own.checked ? withSum(plain) : plain;
  const all = own.index === "start" ? [tail, ...body] : [...body, tail];
  const out = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let to = 0;
  for (const part of all) {
    out.set(part, to);
    to += part.length;
  }
  return out;
}

function oldDocumentOf({ shape, chunk, dtype, isBig, order, codecs, fill, separator }: ArraySpec): object {
  const { kind, itemSize } = dtypeInfo(dtype);
  const sign = itemSize === 1 ? "|" : isBig ? ">" : "<";
  const old = (id: string) => id === "shuffle" ? { id, elementsize: itemSize } : { id, level: 5 };
  const last = codecs.at(-1);
  return {
    zarr_format: 2,
    shape,
    chunks: chunk,
    dtype: `${sign}${kind}${itemSize}`,
    order: order ? "F" : "C",
    fill_value: fill,
    dimension_separator: separator,
    filters: codecs.length > 1 ? codecs.slice(0, -1).map(old) : null,
    compressor: last === undefined ? null : old(last),
  };
}

function documentOf(spec: ArraySpec): object {
  const { shape, chunk, dtype, isBig, order, fill, separator, attributes = {} } = spec;
  const transpose = order ? [{ name: "transpose", configuration: { order } }] : [];
  return {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: dtype,
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: "default", configuration: { separator } },
    fill_value: fill,
    codecs: [...transpose, ...codecsFrom(spec, 0, isBig)],
    attributes,
  };
}

function codecsFrom(spec: ArraySpec, level: number, isBig: boolean): object[] {
  const own = spec.shards[level];
  const endian = isBig ? "big" : "little";
  if (!own) {
    const { itemSize } = dtypeInfo(spec.dtype);
    const named = (name: string) =>
      name === "zlib" || name === "shuffle"
        ? { name: `numcodecs.${name}`, configuration: { elementsize: itemSize } }
        : { name, configuration: {} };
    return [{ name: "bytes", configuration: { endian } }, ...spec.codecs.map(named)];
  }
  const order = spec.order ?? spec.shape.map((_, d) => d);
  const index = { name: "bytes", configuration: { endian: own.bigIndex ? "big" : "little" } };
  return [{
    name: "sharding_indexed",
    configuration: {
      chunk_shape: order.map((d) => own.chunk[d]!),
      codecs: codecsFrom(spec, level + 1, isBig),
      index_codecs: own.checked ? [index, { name: "crc32c" }] : [index],
      index_location: own.index,
    },
  }];
}

/** The flat number of a sample. */
export function flatOf(at: readonly number[], shape: readonly number[]): number {
  return ravel(at, shape);
}
