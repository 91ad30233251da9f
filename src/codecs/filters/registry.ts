/**
 * The registry of chunk filters, by name; each format maps its own numbers or names to these.
 *
 * @module
 */

import { loadPacks } from "../../kernels/code.ts";
import type { KernelFamily } from "../../kernels/families/families.ts";
import { LZW_BYTES, SCRATCH_BYTES } from "../../kernels/families/filters.ts";
import { packsOf } from "../../kernels/pack_names.ts";
import { bzip2, bzip2Scratch, STATUS_BYTES, zstd, zstdScratch } from "./unpack.ts";
import type { ChunkFilter } from "./common/filter.ts";
import { jpegScratch } from "./jpeg/sizes.ts";

/** Where a filter is, and what it needs. */
interface Entry {
  readonly load: () => Promise<ChunkFilter>;
  /** The families of kernels that it calls. */
  readonly kernels?: readonly KernelFamily[];
  /** Most bytes of output per byte of input; absent if the format has no useful bound. */
  readonly most?: number;
  /** Bytes of the memory for steps in between, for chunks of up to `room` bytes after each step; absent: it uses none. */
  readonly spare?: (room: number, values: readonly number[]) => number;
  /** Bytes that it needs at `scratch` for chunks of a given size and its values, if `SCRATCH_BYTES` are too few. */
  readonly scratch?: (room: number, values: readonly number[]) => number;
}

/** A filter by name, and its parameters. */
interface ChunkFilterUse {
  readonly name: string;
  readonly values: readonly number[];
}

/** A chunk. */
const wholeChunk = (room: number) => room;
/** A row of samples; values: bytes of a sample, byte order, pixels of a row, samples of a pixel. */
const row = (room: number, [size = 4, , pixels = 1, samples = 1]: readonly number[]) =>
  Math.min(room, size * pixels * samples);

/** Status and strings of LZW. */
const lzwScratch = () => STATUS_BYTES + LZW_BYTES;

const JPEG_KERNELS: readonly KernelFamily[] = [
  "jpeg_codes",
  "jpeg_scan",
  "jpeg_pass",
  "jpeg_lossless",
  "jpeg_samples",
  "jpeg_double",
  "jpeg_widen",
  "jpeg_between",
  "jpeg_rgb",
  "jpeg_three",
  "copy_rows",
  "transpose",
];

const FILTERS: Readonly<Record<string, Entry>> = {
  "deflate": {
    load: async () => (await import("./simple.ts")).deflate,
    most: 1032,
    kernels: ["inflate", "adler32"],
  },
  "shuffle": { load: async () => (await import("./simple.ts")).shuffle, most: 1, kernels: ["unshuffle"] },
  "Fletcher32": {
    load: async () => (await import("./simple.ts")).fletcher32,
    most: 1,
    kernels: ["fletcher32"],
  },
  "scale-offset": {
    load: async () => (await import("./scale_offset.ts")).scaleOffset,
    kernels: ["bits_msb", "swap"],
  },
  "bzip2": { load: () => Promise.resolve(bzip2), scratch: bzip2Scratch, kernels: ["bzip2"] },
  "LZF": { load: async () => (await import("./simple.ts")).lzf, most: 88, kernels: ["lzf"] },
  "Blosc": {
    load: async () => (await import("./blosc.ts")).blosc,
    kernels: ["blosclz", "lz4", "inflate", "adler32", "zstd", "bit_planes", "unshuffle"],
    spare: wholeChunk,
    scratch: zstdScratch,
  },
  "LZ4": { load: async () => (await import("./simple.ts")).lz4, most: 255, kernels: ["lz4"] },
  "bitshuffle": {
    load: async () => (await import("./bitshuffle.ts")).bitshuffle,
    kernels: ["bitshuffle_lz4", "lz4", "zstd", "bit_planes", "unshuffle"],
    spare: wholeChunk,
    scratch: zstdScratch,
  },
  "Zstandard": { load: () => Promise.resolve(zstd), scratch: zstdScratch, kernels: ["zstd"] },
  "gzip": { load: async () => (await import("./sums.ts")).gzip, most: 1032, kernels: ["inflate", "crc"] },
  "crc32c": { load: async () => (await import("./sums.ts")).crc32c, most: 1, kernels: ["crc"] },
  "crc32": { load: async () => (await import("./sums.ts")).crc32, most: 1, kernels: ["crc"] },
  "adler32": { load: async () => (await import("./sums.ts")).adler32, most: 1, kernels: ["adler32"] },
  "zip-entry": {
    load: async () => (await import("./zip_entry.ts")).zipEntry,
    most: 1032,
    kernels: ["inflate", "crc"],
  },
  "transpose": {
    load: async () => (await import("./transpose.ts")).transpose,
    most: 1,
    kernels: ["transpose", "copy_rows"],
  },
  "delta": { load: async () => (await import("./numbers.ts")).delta, most: 1, kernels: ["sum_rows"] },
  "fixed-scale-offset": { load: async () => (await import("./numbers.ts")).fixedScaleOffset, most: 8 },
  "quantize": { load: async () => (await import("./numbers.ts")).quantize, most: 8 },
  "astype": { load: async () => (await import("./numbers.ts")).astype, most: 8 },
  "packbits-bool": {
    load: async () => (await import("./numbers.ts")).packbitsBool,
    most: 8,
    kernels: ["bits_msb"],
  },
  "lzw": {
    load: async () => (await import("./simple.ts")).lzw,
    most: 3840,
    scratch: lzwScratch,
    kernels: ["lzw"],
  },
  "lzw-old": {
    load: async () => (await import("./simple.ts")).lzwOld,
    most: 3840,
    scratch: lzwScratch,
    kernels: ["lzw_old"],
  },
  "packbits": { load: async () => (await import("./simple.ts")).packbits, most: 64, kernels: ["packbits"] },
  "predictor-2": {
    load: async () => (await import("./predictors.ts")).predictor2,
    most: 1,
    kernels: ["sum_rows"],
  },
  "predictor-3": {
    load: async () => (await import("./predictors.ts")).predictor3,
    most: 1,
    spare: row,
    kernels: ["float_rows", "sum_rows"],
  },
  "swap": { load: async () => (await import("./predictors.ts")).swap, most: 1, kernels: ["swap"] },
  "bit-reverse": {
    load: async () => (await import("./predictors.ts")).bitReverse,
    most: 1,
    kernels: ["reverse_bits"],
  },
  "unpack-bits": {
    load: async () => (await import("./predictors.ts")).unpackBits,
    most: 32,
    kernels: ["bits_lsb", "bits_msb"],
  },
  "ycbcr": { load: async () => (await import("./ycbcr.ts")).ycbcr, most: 3 },
  "ccitt": { load: async () => (await import("./ccitt.ts")).ccitt },
  "jpeg": {
    load: async () => (await import("./jpeg/jpeg.ts")).jpeg,
    scratch: jpegScratch,
    kernels: JPEG_KERNELS,
  },
  "lzma": { load: async () => (await import("./lzma/xz.ts")).lzma },
  "lerc": {
    load: async () => (await import("./lerc.ts")).lerc,
    spare: wholeChunk,
    scratch: zstdScratch,
    kernels: ["inflate", "adler32", "zstd"],
  },
  "webp": { load: async () => (await import("./webp/webp.ts")).webp },
  "array-header": { load: async () => (await import("./rows.ts")).arrayHeader, most: 1 },
  "dysco": { load: async () => (await import("./dysco/dysco.ts")).dysco },
  "dysco-weights": { load: async () => (await import("./dysco/dysco.ts")).dyscoWeights },
  "run-lengths": { load: async () => (await import("./rows.ts")).runLengths },
  "widen-float": {
    load: async () => (await import("./predictors.ts")).widenFloat,
    most: 4,
    kernels: ["convert_f32"],
  },
};

/** The names of all filters that can be undone. */
export const FILTER_NAMES: readonly string[] = Object.keys(FILTERS);

/** The most bytes that a chunk with `bytes` stored bytes can have after the filters `names`. */
export function mostBytes(bytes: number, names: readonly string[]): number {
  return names.reduce((most, name) => most * (FILTERS[name]?.most ?? Infinity), bytes);
}

/** Bytes that `filters` need at `scratch` for chunks that have at most `room` bytes after each step. */
export function scratchBytes(filters: readonly ChunkFilterUse[], room: number): number {
  const needs = filters.map(({ name, values }) => FILTERS[name]?.scratch?.(room, values) ?? 0);
  return Math.max(SCRATCH_BYTES, ...needs);
}

/** Bytes of the memory for steps in between that `filters` need, for chunks of up to `room` bytes after each step. */
export function spareBytes(filters: readonly ChunkFilterUse[], room: number): number {
  return Math.max(0, ...filters.map(({ name, values }) => FILTERS[name]?.spare?.(room, values) ?? 0));
}

/** The families of kernels that the filter `name` calls. */
export function filterKernels(name: string): readonly KernelFamily[] {
  return FILTERS[name]?.kernels ?? [];
}

/** The filter `name`, which must be known; with its kernels, unless this is a worker, which has those of its run. */
export async function chunkFilter(name: string): Promise<ChunkFilter> {
  const { load, kernels = [] } = FILTERS[name]!;
  const [filter] = await Promise.all([load(), loadPacks(packsOf(kernels))]);
  return filter;
}
