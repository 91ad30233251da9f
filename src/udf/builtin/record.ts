/**
 * Writes the selected frames into a file, each worker those that it has read.
 *
 * @module
 */

import { writerById } from "../../formats/writers/registry.ts";
import { type FramesToWrite, sizesOf, type WrittenLayout } from "../../formats/writers/writer.ts";
import { type WriteAt, writerAt } from "../../io/write.ts";
import { dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import { ravel, type Shape, sizeOf } from "../../space/shape.ts";
import { pixelRuns } from "../slice_order.ts";
import type { Tile } from "../tile.ts";
import type { Udf, UdfMeta } from "../udf.ts";
import { builtin, type UdfRef } from "../udf_ref.ts";

/** Where {@link recordFrames} writes to. */
export interface RecordOptions {
  /** The file, which has been made. */
  readonly part: string;
  /** What the file is called in messages. */
  readonly path: string;
  /** Id of the kind of file; see `src/formats/writers/registry.ts`. */
  readonly as: string;
  /** File name without folder and ending. */
  readonly stem: string;
}

/**
 * Writes the selected frames into an existing file, with what belongs around them; `exportDataset` makes the file, runs
 * this and gives the file its name. Result `written`: 1 for each frame.
 */
export function recordFrames(options: RecordOptions): UdfRef {
  return builtin("record", { ...options });
}

/** What is written: frames of the whole scan, or those that are selected, and where they go. */
export function recordSpec(
  { roi, navShape, sigShape, nativeDType }: Pick<UdfMeta, "roi" | "navShape" | "sigShape" | "nativeDType">,
  { as, stem }: Pick<RecordOptions, "as" | "stem">,
): RecordSpec {
  const nav = roi.indices ? [roi.count] : navShape;
  const frames = { nav, sig: sigShape, dtype: nativeDType, stem };
  const layout = writerById(as).layout(frames);
  return { frames, layout, ...sizesOf(frames, layout) };
}

/** Frames and where they go in a file. */
export interface RecordSpec {
  /** What is written. */
  readonly frames: FramesToWrite;
  /** Where it goes. */
  readonly layout: WrittenLayout;
  /** Bytes of the samples of a frame. */
  readonly frame: number;
  /** Bytes from one frame to the next. */
  readonly pitch: number;
  /** Bytes of the file. */
  readonly total: number;
}

/** The UDF behind {@link recordFrames}. */
export async function record(options: RecordOptions): Promise<Udf<"written">> {
  const write = await writerAt(options.part, options.path);
  return {
    name: "record",
    buffers: { written: { kind: "nav", dtype: "uint8" } },
    inputDType: "native",
    tiling: { contiguous: true },
    taskData: ({ meta }) => recordSpec(meta, options),
    processTile(tile, { written }, { taskData, meta }) {
      const spec = taskData as RecordSpec;
      const samples = fileSamples(tile.data, spec.layout);
      const row = tile.slice.origin[0]!;
      const isWhole = tile.pixels === meta.pixels;
      if (isWhole) write(wholeFrames(samples, row, tile.frames, spec), startOf(spec, row));
      else writeParts(write, samples, tile, spec);
      (written as Uint8Array).fill(1);
    },
  };
}

/** Where frame `row` begins, its header included. */
export function startOf({ layout, pitch }: RecordSpec, row: number): number {
  return layout.head.length + row * pitch;
}

/** The samples as the bytes of the file: of its type and in its byte order. */
function fileSamples(data: TypedArray, { dtype, byteOrder }: WrittenLayout): Uint8Array {
  const isOther = dtype === "float32" && !(data instanceof Float32Array);
  const values = isOther ? Float32Array.from(data as ArrayLike<number>, Number) : data;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return byteOrder === "big" ? reversed(bytes, dtypeInfo(dtype).unitSize) : bytes;
}

function reversed(bytes: Uint8Array, unit: number): Uint8Array {
  const out = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += unit) {
    for (let b = 0; b < unit; b++) out[at + b] = bytes[at + unit - 1 - b]!;
  }
  return out;
}

/** Frames with what stands around them, as one piece. */
function wholeFrames(samples: Uint8Array, row: number, count: number, spec: RecordSpec): Uint8Array {
  const { frame, pitch, layout } = spec;
  if (pitch === frame) return samples;
  const out = new Uint8Array(count * pitch);
  for (let f = 0; f < count; f++) {
    const header = layout.header?.(row + f);
    if (header) out.set(header, f * pitch);
    out.set(samples.subarray(f * frame, (f + 1) * frame), f * pitch + layout.headerBytes);
  }
  return out;
}

/** Parts of frames: their samples lie apart in the file. The part with the first pixel brings the header. */
function writeParts(
  write: WriteAt,
  samples: Uint8Array,
  { frames, box, slice }: Tile,
  spec: RecordSpec,
): void {
  const { layout, frames: { sig } } = spec;
  const each = samples.length / frames;
  const itemSize = each / sizeOf(box.shape);
  const isFirst = box.origin.every((o) => o === 0);
  for (let f = 0; f < frames; f++) {
    const row = slice.origin[0]! + f;
    const start = startOf(spec, row);
    if (isFirst && layout.header) write(layout.header(row), start);
    for (const { slice: from, row: to, length } of runsOf(box, sig)) {
      const part = samples.subarray(f * each + from * itemSize, f * each + (from + length) * itemSize);
      write(part, start + layout.headerBytes + to * itemSize);
    }
  }
}

function runsOf(box: { readonly origin: Shape; readonly shape: Shape }, sig: Shape) {
  return pixelRuns([box], sig) ?? [{ slice: 0, row: ravel(box.origin, sig), length: sizeOf(box.shape) }];
}
