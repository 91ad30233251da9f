/**
 * The families of kernels that undo filters of chunks: a part of the table of exports.
 *
 * @module
 */

import type { Family } from "./families.ts";

const UNPACK = "status: usize, dst: usize, room: i32, src: usize, length: i32";
const SORTED = "dst: usize, src: usize, n: i32, size: i32";
const SUM = "out: usize, data: usize, n: i32";

const bytes = (name: string, file: string, body: string, params: string): Family => ({
  name,
  file,
  body,
  params,
  types: ["u8"],
});

/** Kernels that undo filters. */
export const FILTER_FAMILIES: readonly Family[] = [
  {
    ...bytes("unshuffle", "unshuffle", "unshuffle", SORTED),
    types: ["u8", "u16", "u32", "u64"],
  },
  bytes("bit_planes", "unshuffle", "bitPlanes", SORTED),
  bytes("lz4", "lz", "lz4", UNPACK),
  bytes(
    "bitshuffle_lz4",
    "bitshuffle",
    "bitshuffleLz4",
    `${UNPACK}, size: i32, spare: usize, spareBytes: i32`,
  ),
  bytes("lzf", "lz", "lzf", UNPACK),
  bytes("inflate", "inflate", "inflate", `${UNPACK}, tables: usize`),
  bytes("bzip2", "bzip2", "bzip2", `${UNPACK}, tables: usize, symbols: i32`),
  bytes(
    "copy_rows",
    "copy_rows",
    "copyRows",
    "dst: usize, dstStride: usize, src: usize, srcStride: usize, rows: i32, bytes: i32",
  ),
  bytes("fletcher32", "checksums", "fletcher32", SUM),
  bytes("adler32", "checksums", "adler32", SUM),
];
