/**
 * Merlin raw mode (`R64`): pixels in the order in which the chips are read out, in 64-bit words.
 *
 * Within a word of 8 bytes the last byte comes first: 64 pixels of 1 bit, 8 of 6 bits in a byte, 4 big-endian ones of
 * 12 bits in 16. With 24 bits a frame is two images of 12 bits, the high one first. A quad detector stores its
 * four chips side by side, and two of them are mounted upside down:
 *
 * ```text
 *   stored row r:  | chip 4 | chip 3 | chip 2 | chip 1 |        h rows of 4 c pixels
 *
 *   image:         | chip 1 | chip 2 |   row r
 *                  | chip 3 | chip 4 |   row 2h − 1 − r, both from right to left
 * ```
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { kernel } from "../kernels/registry.ts";
import type { DType } from "../space/dtype.ts";
import { dtypeInfo } from "../space/dtype.ts";
import { sizeOf } from "../space/shape.ts";
import { checkStored, type FrameDecoder, type FramesToDecode, numberParam } from "./codec.ts";

/** Facts about one counter depth. */
interface MibRawDepth {
  /** Type of the samples. */
  readonly dtype: DType;
  /** Pixels in a 64-bit word. */
  readonly group: number;
  /** Stored images per frame. */
  readonly planes: number;
}

/** The counter depths of raw mode, by their bits. */
const DEPTHS: ReadonlyMap<number, MibRawDepth> = new Map([
  [1, { dtype: "uint8", group: 64, planes: 1 }],
  [6, { dtype: "uint8", group: 8, planes: 1 }],
  [12, { dtype: "uint16", group: 4, planes: 1 }],
  [24, { dtype: "uint32", group: 4, planes: 2 }],
]);

/** The facts about the counter depth `bits` of raw mode; `undefined` if there is no such depth. */
export function mibRawDepth(bits: number): MibRawDepth | undefined {
  return DEPTHS.get(bits);
}

/**
 * Stored bytes of a raw frame of `pixels` pixels.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([1, 6, 12, 24].map((bits) => mibRawBytes(65536, bits)), [8192, 65536, 131072, 262144]);
 * ```
 */
export function mibRawBytes(pixels: number, bits: number): number {
  const { group, planes } = depthOf(bits);
  return pixels / group * 8 * planes;
}

/** Decoder of the codec `mib_raw`; parameters: `bits` (1, 6, 12 or 24), `chips` (1 or 4), and with 4 the image's `width`. */
export const mibRawDecoder: FrameDecoder = {
  decode(job: FramesToDecode): void {
    const bits = numberParam(job, "bits");
    const { dtype } = depthOf(bits);
    const pixels = sizeOf(job.sigShape);
    checkStored(job, mibRawBytes(pixels, bits));
    const unpack = unpacker(job, bits);
    const frameBytes = pixels * dtypeInfo(dtype).itemSize;
    const quad = numberParam(job, "chips") === 4 ? quadOf(job, bits, pixels, unpack) : undefined;
    for (let f = 0; f < job.frames; f++) {
      const [dst, src] = [job.dst + f * frameBytes, job.src + f * job.srcStride];
      if (quad) quad(dst, src);
      else unpack(dst, src, pixels);
    }
  },
};

type Unpack = (dst: number, src: number, pixels: number) => void;

function unpacker({ kernels, storedBytes }: FramesToDecode, bits: number): Unpack {
  if (bits === 1) return kernel(kernels, "mib_r1", "uint8");
  if (bits === 6) return kernel(kernels, "mib_r6", "uint8");
  if (bits === 12) return kernel(kernels, "mib_r12", "uint16");
  const planes = kernel(kernels, "mib_r24", "uint32");
  return (dst, src, pixels) => planes(dst, src, src + storedBytes / 2, pixels);
}

/**
 * Decodes one frame of four chips. The upside-down half is first unpacked into the first rows, which the other half
 * overwrites later, because no memory beside the output is available.
 */
function quadOf(
  job: FramesToDecode,
  bits: number,
  pixels: number,
  unpack: Unpack,
): (dst: number, src: number) => void {
  const width = numberParam(job, "width");
  const height = pixels / width;
  const { dtype, group } = depthOf(bits);
  const [rows, chip] = [height / 2, width / 2];
  const [chipStored, chipBytes] = [chip / group * 8, chip * dtypeInfo(dtype).itemSize];
  const rowBytes = 2 * chipBytes;
  const reverse = kernel(job.kernels, "reverse", dtype);
  return (dst, src) => {
    for (let r = 0; r < rows; r++) {
      unpack(dst, src + 4 * r * chipStored, width); // chip 4, then chip 3
      reverse(dst + (height - 1 - r) * rowBytes, dst, width);
    }
    for (let r = 0; r < rows; r++) {
      const row = src + 4 * r * chipStored;
      unpack(dst + r * rowBytes, row + 3 * chipStored, chip);
      unpack(dst + r * rowBytes + chipBytes, row + 2 * chipStored, chip);
    }
  };
}

function depthOf(bits: number): MibRawDepth {
  const depth = DEPTHS.get(bits);
  if (depth) return depth;
  throw new TilewiseError("corrupt", `Merlin's raw mode has no counter of ${bits} bits`, { found: bits });
}
