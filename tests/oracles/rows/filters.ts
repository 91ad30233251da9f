/**
 * Rows of the kernels that undo filters.
 *
 * @module
 */

import { dtypeInfo } from "../../../src/space/dtype.ts";
import type { BufferContents, NumberParameter, Sizes } from "./common/describe.ts";
import { BZIP2_TABLES, INFLATE_BYTES, ZSTD_TABLES } from "../../../src/kernels/families/filters.ts";
import { adler32, bitPlanes, copyRows, fletcher32, unshuffle } from "../twins/filters/filters.ts";
import { bzip2 } from "../twins/filters/bzip2.ts";
import { bitshuffleLz4 } from "../twins/filters/bitshuffle.ts";
import { inflate } from "../twins/filters/inflate.ts";
import { blosclz, lz4, lzf } from "../twins/filters/lz.ts";
import { zstd } from "../twins/filters/zstd.ts";
import { bzip2Packed } from "./common/bzip2_packed.ts";
import { bitshuffled, blosclzPacked, deflated, lz4Packed, lzfPacked, type Packed } from "./common/packed.ts";
import { zstdPacked } from "./zstd_packed.ts";
import { numbers, pixels, type RowParameters, type Rows } from "./common/row.ts";

/** Filters. */
export const FILTERS: Rows<
  | "unshuffle"
  | "bit_planes"
  | "lz4"
  | "bitshuffle_lz4"
  | "lzf"
  | "blosclz"
  | "inflate"
  | "bzip2"
  | "zstd"
  | "copy_rows"
  | "fletcher32"
  | "adler32"
> = {
  unshuffle: {
    reference: unshuffle,
    parameters: (dtype) => sorted(pixels, dtype === "uint8" ? oddSize : () => dtypeInfo(dtype).itemSize),
  },
  bit_planes: {
    reference: bitPlanes,
    parameters: () => sorted(({ pixels }) => pixels - pixels % 8, oddSize),
  },
  lz4: { reference: lz4, parameters: () => unpacked(lz4Packed) },
  bitshuffle_lz4: {
    reference: bitshuffleLz4,
    parameters: () => ({
      ...unpacked(bitshuffled),
      size: oddSize,
      spare: bytes((sizes) => bitshuffled(sizes).bytes),
      spareBytes: (sizes) => bitshuffled(sizes).bytes,
    }),
  },
  lzf: { reference: lzf, parameters: () => unpacked(lzfPacked) },
  blosclz: { reference: blosclz, parameters: () => unpacked(blosclzPacked) },
  inflate: {
    reference: inflate,
    parameters: () => ({ ...unpacked(deflated), tables: bytes(() => INFLATE_BYTES) }),
  },
  bzip2: {
    reference: bzip2,
    parameters: () => ({
      ...unpacked(bzip2Packed),
      tables: bytes((sizes) => BZIP2_TABLES + 4 * bzip2Symbols(sizes)),
      symbols: bzip2Symbols,
    }),
  },
  zstd: {
    reference: zstd,
    parameters: () => ({
      ...unpacked(zstdPacked),
      tables: bytes(() => ZSTD_TABLES),
      spare: bytes(zstdSpare),
      spareBytes: zstdSpare,
    }),
  },
  copy_rows: {
    reference: copyRows,
    parameters: () => ({
      dst: apart(({ gap }) => gap),
      dstStride: ({ pixels, gap }) => pixels + gap,
      src: apart(({ seed }) => seed % 5),
      srcStride: ({ pixels, seed }) => pixels + seed % 5,
      rows: ({ frames }) => frames,
      bytes: pixels,
    }),
  },
  fletcher32: { reference: fletcher32, parameters: summed },
  adler32: { reference: adler32, parameters: summed },
};

const bytes = (count: NumberParameter): BufferContents => numbers("uint8", count);

/** One row per frame, with gaps between them. */
function apart(gap: NumberParameter): BufferContents {
  return {
    ...bytes((sizes) => sizes.frames * (sizes.pixels + gap(sizes))),
    parts: (sizes) => ({ bytes: sizes.pixels, stride: sizes.pixels + gap(sizes) }),
  };
}

function oddSize({ seed }: Sizes): number {
  return 1 + seed % 9;
}

/** Room for the symbols of a block; sometimes less than the blocks of the input need. */
function bzip2Symbols({ seed }: Sizes): number {
  return seed % 11 === 0 ? 100 : 8192;
}

/** All the bytes that there is room for may be literals. */
function zstdSpare(sizes: Sizes): number {
  return zstdPacked(sizes).bytes + 80;
}

function sorted(n: NumberParameter, size: NumberParameter): RowParameters<"unshuffle"> {
  const all = bytes((sizes) => n(sizes) * size(sizes));
  return { dst: all, src: all, n, size };
}

/** Packed bytes; some are damaged, and sometimes there is too little room. */
export function unpacked(pack: (sizes: Sizes) => Packed): RowParameters<"lz4"> {
  const room = (sizes: Sizes) => Math.max(0, pack(sizes).bytes + [0, 0, 40, -3, 0][sizes.seed % 5]!);
  const length = (sizes: Sizes) => pack(sizes).packed.length;
  return {
    status: numbers("int32", () => 2),
    dst: bytes(room),
    room,
    src: numbers("uint8", length, (sizes) => pack(sizes).packed),
    length,
  };
}

function summed(): RowParameters<"adler32"> {
  const n = ({ pixels, seed }: Sizes) => pixels * (seed % 7 === 0 ? 40 : 1);
  return { out: numbers("uint32", () => 1), data: bytes(n), n };
}
