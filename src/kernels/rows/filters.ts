/**
 * Rows of the kernels that undo filters.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../space/dtype.ts";
import type { BufferParameter, Parameter, Sizes } from "../families/describe.ts";
import { BZIP2_TABLES, INFLATE_BYTES } from "../families/filters.ts";
import { adler32, bitPlanes, copyRows, fletcher32, unshuffle } from "../reference/filters/filters.ts";
import { bzip2 } from "../reference/filters/bzip2.ts";
import { bitshuffleLz4 } from "../reference/filters/bitshuffle.ts";
import { inflate } from "../reference/filters/inflate.ts";
import { lz4, lzf } from "../reference/filters/lz.ts";
import { bzip2Packed } from "./common/bzip2_packed.ts";
import { bitshuffled, deflated, lz4Packed, lzfPacked, type Packed } from "./common/packed.ts";
import type { FamilyRow } from "./common/row.ts";

/** Filters. */
export const FILTERS: {
  readonly unshuffle: FamilyRow<"unshuffle">;
  readonly bit_planes: FamilyRow<"bit_planes">;
  readonly lz4: FamilyRow<"lz4">;
  readonly bitshuffle_lz4: FamilyRow<"bitshuffle_lz4">;
  readonly lzf: FamilyRow<"lzf">;
  readonly inflate: FamilyRow<"inflate">;
  readonly bzip2: FamilyRow<"bzip2">;
  readonly copy_rows: FamilyRow<"copy_rows">;
  readonly fletcher32: FamilyRow<"fletcher32">;
  readonly adler32: FamilyRow<"adler32">;
} = {
  unshuffle: {
    reference: unshuffle,
    parameters: (dtype) => {
      const size = dtype === "uint8" ? oddSize : () => dtypeInfo(dtype).itemSize;
      return sorted((sizes) => sizes.pixels, size);
    },
  },
  bit_planes: bytesRow(bitPlanes, sorted(({ pixels }) => pixels - pixels % 8, oddSize)),
  lz4: bytesRow(lz4, unpacked(lz4Packed)),
  bitshuffle_lz4: bytesRow(bitshuffleLz4, [
    ...unpacked(bitshuffled),
    oddSize,
    {
      name: "spare",
      role: "scratch",
      dtype: "uint8",
      bytes: (sizes) => bitshuffled(sizes).bytes,
      values: "any",
    },
    (sizes) => bitshuffled(sizes).bytes,
  ]),
  lzf: bytesRow(lzf, unpacked(lzfPacked)),
  inflate: bytesRow(inflate, [
    ...unpacked(deflated),
    { name: "tables", role: "scratch", dtype: "uint8", bytes: () => INFLATE_BYTES, values: "any" },
  ]),
  bzip2: bytesRow(bzip2, [
    ...unpacked(bzip2Packed),
    {
      name: "tables",
      role: "scratch",
      dtype: "uint8",
      bytes: (sizes) => BZIP2_TABLES + 4 * bzip2Symbols(sizes),
      values: "any",
    },
    bzip2Symbols,
  ]),
  copy_rows: bytesRow(copyRows, [
    {
      ...byteBuffer("dst", "out", (sizes) => rowsOf(sizes) * (sizes.pixels + sizes.gap)),
      parts: ({ pixels, gap }) => ({ bytes: pixels, stride: pixels + gap }),
    },
    ({ pixels, gap }) => pixels + gap,
    {
      ...byteBuffer("src", "in", (sizes) => rowsOf(sizes) * (sizes.pixels + sizes.seed % 5)),
      parts: ({ pixels, seed }) => ({ bytes: pixels, stride: pixels + seed % 5 }),
    },
    ({ pixels, seed }) => pixels + seed % 5,
    rowsOf,
    ({ pixels }) => pixels,
  ]),
  fletcher32: bytesRow(fletcher32, summed()),
  adler32: bytesRow(adler32, summed()),
};

type Reference<R> = (memory: WebAssembly.Memory, dtype: DType) => R;

function bytesRow<R>(reference: Reference<R>, parameters: readonly Parameter[]) {
  return { reference, parameters: () => parameters };
}

function rowsOf({ frames }: Sizes): number {
  return frames;
}

function oddSize({ seed }: Sizes): number {
  return 1 + seed % 9;
}

/** Room for the symbols of a block; now and then it is less than the blocks of the input have. */
function bzip2Symbols({ seed }: Sizes): number {
  return seed % 11 === 0 ? 100 : 8192;
}

function sorted(n: (sizes: Sizes) => number, size: (sizes: Sizes) => number): Parameter[] {
  const bytes = (sizes: Sizes) => n(sizes) * size(sizes);
  return [byteBuffer("dst", "out", bytes), byteBuffer("src", "in", bytes), n, size];
}

/** Packed bytes; some with damage, and sometimes too little room. */
function unpacked(pack: (sizes: Sizes) => Packed): Parameter[] {
  const room = (sizes: Sizes) => Math.max(0, pack(sizes).bytes + [0, 0, 40, -3, 0][sizes.seed % 5]!);
  return [
    { name: "status", role: "out", dtype: "int32", bytes: () => 8, values: "any" },
    byteBuffer("dst", "out", room),
    room,
    {
      ...byteBuffer("src", "in", (sizes) => pack(sizes).packed.length),
      values: (sizes) => pack(sizes).packed,
    },
    (sizes) => pack(sizes).packed.length,
  ];
}

function summed(): Parameter[] {
  const bytes = ({ pixels, seed }: Sizes) => pixels * (seed % 7 === 0 ? 40 : 1);
  return [
    { name: "out", role: "out", dtype: "uint32", bytes: () => 4, values: "any" },
    byteBuffer("data", "in", bytes),
    bytes,
  ];
}

function byteBuffer(
  name: string,
  role: "in" | "out",
  bytes: (sizes: Sizes) => number,
): BufferParameter {
  return { name, role, dtype: "uint8", bytes, values: "any" };
}
