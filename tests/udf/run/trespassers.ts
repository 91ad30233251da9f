/** UDFs that read or write what is not theirs, as modules that workers import. */

import { kernel } from "../../../src/kernels/registry.ts";
import type { DType } from "../../../src/space/dtype.ts";
import type { Buffers } from "../../../src/udf/interface/buffer_types.ts";
import type { Tile } from "../../../src/udf/interface/tile.ts";
import type { Udf, UdfContext } from "../../../src/udf/interface/udf.ts";

type Names = "sums" | "image";

/** A UDF with arrays of all kinds; `work` does what it must not. */
function trespasser(
  work: (tile: Tile, buffers: Buffers<Record<Names, DType>>, context: UdfContext, memory: Uint8Array) => void,
): Udf<Record<Names, DType>> {
  return {
    name: "trespasser",
    buffers: {
      sums: { kind: "nav", dtype: "float64" },
      image: { kind: "sig", dtype: "float32" },
    },
    inputDType: "native",
    raw: "kernels",
    constants: () => ({ weights: Float32Array.of(1, 2, 3) }),
    scratch: () => ({ room: { dtype: "float64", length: 5 } }),
    tiling: { wholeFrames: true, contiguous: true },
    processTile(tile, buffers, context) {
      const memory = new Uint8Array(context.kernels.memory.buffer);
      work(tile, buffers as Buffers<Record<Names, DType>>, context, memory);
    },
    merge() {},
  };
}

/** What writes one byte. */
export type Victim = "sums" | "image" | "scratch" | "frame" | "constant";

/** Changes the byte `away` bytes from the end of an array, or of the first frame. */
export function writer({ victim, away }: { victim: Victim; away: number }): Udf<Record<Names, DType>> {
  return trespasser(({ raw, pixels }, { sums, image }, { scratch, constants }, memory) => {
    const arrays = { sums, image, scratch: scratch.room!, constant: constants.weights! };
    const end = victim === "frame"
      ? raw.pointer + pixels * 2
      : arrays[victim].byteOffset + arrays[victim].byteLength;
    memory[end + away]! += 1; // for tile after tile
  });
}

/** Adds the bytes of each frame, and those of `before` bytes in front of it and `behind` bytes behind. */
export function reader({ before, behind }: { before: number; behind: number }): Udf<Record<Names, DType>> {
  return trespasser(({ raw, frames, pixels }, { sums }, _, memory) => {
    for (let f = 0; f < frames; f++) {
      const start = raw.pointer + f * raw.frameStride;
      for (let at = start - before; at < start + 2 * pixels + behind; at++) {
        sums[f] = Number(sums[f]) + memory[at]!;
      }
    }
  });
}

/** Lets a kernel add pixels from `first` on, `count` of them, of each frame. */
export function caller({ first, count }: { first: number; count: number }): Udf<Record<Names, DType>> {
  return trespasser(({ raw, frames }, { sums }, { kernels }) => {
    const add = kernel(kernels, "sum_pixels", raw.dtype, raw.byteOrder);
    add(sums.byteOffset, 8, raw.pointer + 2 * first, frames, raw.frameStride, 1, count);
  });
}
