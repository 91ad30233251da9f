/**
 * Writes the selected frames into a file, each worker those that it has read.
 *
 * @module
 */

import { npyHeader } from "../../codecs/npy_header.ts";
import { type WriteAt, writerAt } from "../../io/write.ts";
import type { DType } from "../../space/dtype.ts";
import { ravel, type Shape, sizeOf } from "../../space/shape.ts";
import { pixelRuns } from "../slice_order.ts";
import type { Udf, UdfMeta } from "../udf.ts";
import { builtin, type UdfRef } from "../udf_ref.ts";

/** Where {@link recordFrames} writes to. */
export interface RecordOptions {
  /** The file, which has been made. */
  readonly part: string;
  /** What the file is called in messages. */
  readonly path: string;
}

/**
 * Writes the selected frames into an existing `.npy` file, behind its header; `exportDataset` makes the file, runs this
 * and gives the file its name. Result `written`: 1 for each frame.
 */
export function recordFrames(options: RecordOptions): UdfRef {
  return builtin("record", { ...options });
}

/** What is written: frames of the whole scan, or those that are selected. */
export function recordSpec({ roi, navShape, sigShape, nativeDType }: RecordMeta): RecordSpec {
  const shape = [...(roi.indices ? [roi.count] : navShape), ...sigShape];
  const head = npyHeader(nativeDType, shape);
  return { shape, dtype: nativeDType, head };
}

type RecordMeta = Pick<UdfMeta, "roi" | "navShape" | "sigShape" | "nativeDType">;

/** Shape and type of the array in a file, and the header of that file. */
export interface RecordSpec {
  /** Shape of the array. */
  readonly shape: Shape;
  /** Type of its samples. */
  readonly dtype: DType;
  /** Everything before the samples. */
  readonly head: Uint8Array;
}

/** The UDF behind {@link recordFrames}. */
export async function record({ part, path }: RecordOptions): Promise<Udf<"written">> {
  const write = await writerAt(part, path);
  return {
    name: "record",
    buffers: { written: { kind: "nav", dtype: "uint8" } },
    inputDType: "native",
    tiling: { contiguous: true },
    constants: (meta) => ({ start: Float64Array.of(recordSpec(meta).head.length) }),
    processTile({ data, frames, box, slice }, { written }, { constants, meta }) {
      const samples = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      const frameBytes = samples.length / frames * (meta.pixels / sizeOf(box.shape));
      const start = Number(constants.start![0]) + slice.origin[0]! * frameBytes;
      if (sizeOf(box.shape) === meta.pixels) write(samples, start);
      else writeParts(write, samples, { frames, box, sigShape: meta.sigShape, frameBytes, start });
      (written as Uint8Array).fill(1);
    },
  };
}

interface Parts {
  readonly frames: number;
  readonly box: { readonly origin: Shape; readonly shape: Shape };
  readonly sigShape: Shape;
  readonly frameBytes: number;
  readonly start: number;
}

/** Parts of frames: their samples lie apart in the file. */
function writeParts(write: WriteAt, samples: Uint8Array, parts: Parts): void {
  const { frames, box, sigShape, frameBytes, start } = parts;
  const pixels = sizeOf(box.shape);
  const each = samples.length / frames;
  const itemSize = each / pixels;
  const runs = pixelRuns([box], sigShape) ?? [{ slice: 0, row: ravel(box.origin, sigShape), length: pixels }];
  for (let f = 0; f < frames; f++) {
    for (const { slice, row, length } of runs) {
      const from = f * each + slice * itemSize;
      write(samples.subarray(from, from + length * itemSize), start + f * frameBytes + row * itemSize);
    }
  }
}
