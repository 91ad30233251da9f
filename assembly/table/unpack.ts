/**
 * Kernels that turn what detectors store into samples.
 *
 * @module
 */

import { BYTES, UNSIGNED, WORDS } from "../../src/kernels/families/types.ts";
import type { Families, Params } from "./declaration.ts";

const MOVE = { dst: "out T", src: "in T", n: "i32" } satisfies Params;
const BITS = { dst: "out T", src: "in uint8", startBit: "u32", n: "i32", bits: "i32" } satisfies Params;

/** Bit streams, Merlin's raw mode, sectors, folded frames. */
export const UNPACK = {
  /** Values of `bits` bits from bit `startBit` of a stream, the lowest bit of each byte first; to the family's dtype. */
  bits_lsb: {
    pack: "readout",
    file: "unpack",
    body: "bitsLsb",
    params: BITS,
    types: UNSIGNED,
  },
  /** As `bits_lsb`, the highest bit of each byte first. */
  bits_msb: {
    pack: "readout",
    file: "unpack",
    body: "bitsMsb",
    params: BITS,
    types: UNSIGNED,
  },
  /** The samples in reverse; the places must not overlap. */
  reverse: {
    pack: "readout",
    file: "unpack",
    body: "reverse",
    params: MOVE,
    types: ["uint8", "uint16"],
  },
  /** Merlin's raw mode, 1 bit per pixel: 64-bit words, last byte first. The source has whole words; so have the others. */
  mib_r1: {
    pack: "readout",
    file: "unpack",
    body: "mibR1",
    params: MOVE,
    types: BYTES,
  },
  /** Merlin's raw mode, 6 bits in a byte. */
  mib_r6: {
    pack: "readout",
    file: "unpack",
    body: "mibWords",
    params: MOVE,
    types: BYTES,
  },
  /** Merlin's raw mode, 12 bits in 16. */
  mib_r12: {
    pack: "readout",
    file: "unpack",
    body: "mibWords",
    params: MOVE,
    types: WORDS,
  },
  /** Merlin's raw mode, 24 bits in two images of 12. */
  mib_r24: {
    pack: "readout",
    file: "unpack",
    body: "mibR24",
    params: { dst: "out T", high: "in uint16", low: "in uint16", n: "i32" },
    types: ["uint32"],
  },
  /**
   * Rows of a sector of a Gatan K2: blocks of 16 columns of 12 bits, lowest first, the last columns first. The first
   * byte of a block is `blockStride` behind that of the one before.
   */
  k2is_rows: {
    pack: "readout",
    file: "readout",
    body: "k2isRows",
    params: {
      dst: "out T",
      dstStride: "usize",
      src: "in uint8",
      blockStride: "usize",
      blocks: "i32",
      rows: "i32",
    },
    types: WORDS,
  },
  /** A frame of a pnCCD: `rows` stored rows of twice `width` samples become `2 · rows · bin` rows of `width`. */
  unfold: {
    pack: "readout",
    file: "readout",
    body: "unfold",
    params: { dst: "out T", src: "in T", rows: "i32", width: "i32", bin: "i32" },
    types: WORDS,
  },
  /** Mean of up to 65537 frames as f32; sums are exact. */
  mean_frames: {
    pack: "readout",
    file: "readout",
    body: "meanFrames",
    params: { dst: "out float32", src: "in T", frames: "i32", stride: "usize", n: "i32" },
    types: WORDS,
  },
} satisfies Families;
