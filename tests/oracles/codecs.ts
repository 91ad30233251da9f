/**
 * The plain twins of the frame codecs, which work pixel by pixel, without kernels: specification and oracle.
 *
 * @module
 */

import { dtypeInfo } from "../../src/space/dtype.ts";
import { sizeOf } from "../../src/space/shape.ts";
import { bitsDType } from "../../src/codecs/bit_sizes.ts";
import { type FrameDecoder, type FramesToDecode, numberParam } from "../../src/codecs/codec.ts";
import { mibRawDepth } from "../../src/codecs/mib_raw.ts";

/** Twin of the codec `bits`. */
export const bitsReference: FrameDecoder = {
  decode(job: FramesToDecode): void {
    const bits = numberParam(job, "bits");
    const msb = job.params["bitOrder"] === "msb";
    const bytes = new Uint8Array(job.memory.buffer);
    eachPixel(job, dtypeInfo(bitsDType(bits)).itemSize, (frame, pixel) => {
      let value = 0;
      for (let b = 0; b < bits; b++) {
        const at = pixel * bits + b;
        const bit = bytes[frame + Math.floor(at / 8)]! >> (msb ? 7 - at % 8 : at % 8) & 1;
        value += bit * 2 ** (msb ? bits - 1 - b : b);
      }
      return value;
    });
  },
};

/** Twin of the codec `mib_raw`. */
export const mibRawReference: FrameDecoder = {
  decode(job: FramesToDecode): void {
    const bits = numberParam(job, "bits");
    const at = numberParam(job, "chips") === 4
      ? quadPosition(sizeOf(job.sigShape), numberParam(job, "width"))
      : (pixel: number) => pixel;
    const stored = storedPixel(job, bits);
    const itemSize = dtypeInfo(mibRawDepth(bits)!.dtype).itemSize;
    eachPixel(job, itemSize, (frame, pixel) => stored(frame, at(pixel)));
  },
};

/** Where pixel `pixel` of a quad image is stored, counted in pixels of the stored image. */
function quadPosition(pixels: number, width: number): (pixel: number) => number {
  const [chip, height] = [width / 2, pixels / width];
  return (pixel) => {
    const [y, x] = [Math.floor(pixel / width), pixel % width];
    if (y < height / 2) return y * 2 * width + (x < chip ? 3 * chip + x : 2 * chip + x - chip);
    return (height - 1 - y) * 2 * width + (width - 1 - x); // chips 4 and 3, from right to left
  };
}

/** Reads stored pixel `n` of the frame at an address. */
function storedPixel(
  { memory, storedBytes }: FramesToDecode,
  bits: number,
): (frame: number, n: number) => number {
  const view = new DataView(memory.buffer);
  const big16 = (image: number, n: number) => view.getUint16(image + 2 * (n - n % 4 + 3 - n % 4), false);
  if (bits === 1) {
    return (frame, n) => {
      const word = frame + Math.floor(n / 64) * 8;
      return view.getUint8(word + 7 - Math.floor(n % 64 / 8)) >> (n % 8) & 1;
    };
  }
  if (bits === 6) return (frame, n) => view.getUint8(frame + n - n % 8 + 7 - n % 8);
  if (bits === 12) return big16;
  return (frame, n) => big16(frame, n) * 4096 + big16(frame + storedBytes / 2, n);
}

/** Twin of the codec `frms6`. */
export const frms6Reference: FrameDecoder = {
  decode(job: FramesToDecode): void {
    const view = new DataView(job.memory.buffer);
    const at = folded(job);
    eachPixel(job, 2, (frame, pixel) => view.getUint16(frame + at(pixel), true));
  },
};

/** Twin of the codec `frms6_dark`. */
export const frms6DarkReference: FrameDecoder = {
  decode(job: FramesToDecode): void {
    const view = new DataView(job.memory.buffer);
    const [dark, pitch] = [numberParam(job, "dark"), numberParam(job, "pitch")];
    const at = folded(job);
    const bits = new DataView(new ArrayBuffer(4));
    eachPixel(job, 4, (frame, pixel) => {
      let sum = 0;
      for (let d = 0; d < dark; d++) sum += view.getUint16(frame + d * pitch + at(pixel), true);
      bits.setFloat32(0, sum / dark);
      return bits.getUint32(0);
    });
  },
};

/** Where a pixel of an unfolded image is stored, in bytes. */
function folded(job: FramesToDecode): (pixel: number) => number {
  const [rows, width, bin] = [numberParam(job, "rows"), numberParam(job, "width"), numberParam(job, "bin")];
  return (pixel) => {
    const [y, x] = [Math.floor(pixel / width), pixel % width];
    const isUpper = y < rows * bin;
    const row = Math.floor((isUpper ? y : 2 * rows * bin - 1 - y) / bin);
    return 2 * (row * 2 * width + (isUpper ? x : 2 * width - 1 - x));
  };
}

function eachPixel(
  { memory, dst, src, frames, srcStride, sigShape }: FramesToDecode,
  itemSize: number,
  value: (frame: number, pixel: number) => number,
): void {
  const bytes = new Uint8Array(memory.buffer);
  const pixels = sizeOf(sigShape);
  for (let f = 0; f < frames; f++) {
    for (let p = 0; p < pixels; p++) {
      const found = value(src + f * srcStride, p);
      const at = dst + (f * pixels + p) * itemSize;
      for (let b = 0; b < itemSize; b++) bytes[at + b] = Math.floor(found / 256 ** b) & 255;
    }
  }
}
