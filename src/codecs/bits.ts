/**
 * Packed samples: unsigned integers of 1 to 32 bits without gaps between them.
 *
 * The samples of a frame are one stream of bits; every frame starts at a byte. `lsb`: bit `i` of the stream is bit
 * `i % 8`, counted from the lowest, of byte `⌊i / 8⌋`, and values come lowest bit first (Gatan K2). `msb`: both
 * counted from the highest (TIFF, most cameras).
 *
 * @module
 */

import { kernel } from "../kernels/registry.ts";
import { dtypeInfo } from "../space/dtype.ts";
import { sizeOf } from "../space/shape.ts";
import { bitsDType, packedBytes } from "./bit_sizes.ts";
import { checkStored, type FrameDecoder, type FramesToDecode, numberParam } from "./codec.ts";

/** Decoder of the codec `bits`; parameters: `bits`, 1 to 32, and `bitOrder`, `lsb` or `msb`. */
export const bitsDecoder: FrameDecoder = {
  decode(job: FramesToDecode): void {
    const bits = numberParam(job, "bits");
    checkStored(job, packedBytes(job.sigShape, bits));
    const pixels = sizeOf(job.sigShape);
    const dtype = bitsDType(bits);
    const frameBytes = pixels * dtypeInfo(dtype).itemSize;
    const unpack = kernel(job.kernels, job.params["bitOrder"] === "msb" ? "bits_msb" : "bits_lsb", dtype);
    for (let f = 0; f < job.frames; f++) {
      unpack(job.dst + f * frameBytes, job.src + f * job.srcStride, 0, pixels, bits);
    }
  },
};
