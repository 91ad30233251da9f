/**
 * Writes the selected frames into a file; each worker writes the frames that it has read.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { castSamples, numbersOf } from "../../sinks/arrays/cast.ts";
import { rowTarget } from "../../sinks/rows/registry.ts";
import {
  type FramesToWrite,
  isAsInMemory,
  type RowTarget,
  sizesOf,
  storedBytes,
  type WrittenLayout,
} from "../../sinks/rows/layout.ts";
import { type WriteAt, writerAt } from "../../io/write/part_file.ts";
import { bytesOf } from "../../space/bytes.ts";
import type { AxisFacts, ValueFacts } from "../../space/axes.ts";
import { type DType, dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import { mustCast } from "../../space/cast.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../space/shape.ts";
import { pixelRuns } from "../buffers/slice_order.ts";
import type { Tile } from "../interface/tile.ts";
import type { Udf, UdfMeta } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/** The target of {@link recordFrames}. */
interface RecordOptions {
  /** The file, which exists already. */
  readonly part: string;
  /** Name of the file in messages. */
  readonly path: string;
  /** Id of the kind of file; see `src/sinks/rows/registry.ts`. */
  readonly as: string;
  /** File name without folder and extension. */
  readonly stem: string;
  /** Shape of the selected part of the scan, if it is one. Frames that are left out make a list of it. */
  readonly nav?: Shape;
  /** Shape of a frame in the file: single values have none. */
  readonly sig: Shape;
  /** Type of the samples in the file, the nearest ones. Absent: that of the data set, or of corrected samples. */
  readonly dtype?: DType;
  /** Names, kinds, scales and units of the dimensions of the scan, or of that part of it, and of its frames. */
  readonly axes?: readonly AxisFacts[];
  /** What the samples mean. */
  readonly values?: ValueFacts;
}

/**
 * Writes the selected frames into an existing file, with the headers that the format needs; `exportDataset` creates the
 * file, runs this and renames the file. Result `written`: 1 for each frame.
 */
export function recordFrames(options: RecordOptions): UdfRef<{ written: "uint8" }> {
  return builtin("record_frames", { ...options });
}

/** What is written (frames of the whole scan, or those that are selected), and where. */
export function recordSpec(
  target: RowTarget,
  { roi, navShape, nativeDType }: Pick<UdfMeta, "roi" | "navShape" | "nativeDType">,
  {
    stem,
    nav: part,
    sig,
    axes: all,
    values,
    dtype = nativeDType,
  }: Omit<RecordOptions, "part" | "path" | "as">,
): RecordSpec {
  // frames without an image may be selected, those that are not valid never are
  const isList = part ? roi.count !== sizeOf(part) : roi.indices !== null;
  const nav = isList ? [roi.count] : part ?? navShape;
  const axes = isList ? all && [{}, ...all.slice(all.length - sig.length)] : all;
  const frames = { nav, sig, dtype, stem, axes, ...defined({ values }), isSaid: true };
  const isCast = dtype !== nativeDType;
  if (isCast) mustCast("samples", nativeDType, dtype);
  const layout = target.layout(frames);
  return { frames, isCast, layout, ...sizesOf(frames, layout) };
}

/** Frames and their places in a file. */
export interface RecordSpec {
  /** What is written. */
  readonly frames: FramesToWrite;
  /** Whether its samples have another type than those of the data set. */
  readonly isCast: boolean;
  /** Where it is written. */
  readonly layout: WrittenLayout;
  /** Bytes of the samples of a frame. */
  readonly frame: number;
  /** Bytes from one frame to the next. */
  readonly pitch: number;
  /** Bytes of the file. */
  readonly total: number;
}

/** The UDF behind {@link recordFrames}. */
export async function recordFramesUdf(
  options: RecordOptions,
): Promise<Udf<{ written: "uint8" }, { taskData: RecordSpec }>> {
  const write = await writerAt(options.part, options.path), target = await rowTarget(options.as);
  const room = new Room();
  return {
    name: "record_frames",
    buffers: { written: { kind: "nav", dtype: "uint8", values: { kind: "mask" } } },
    inputDType: "native",
    tiling: { contiguous: true },
    taskData: ({ meta }) => recordSpec(target, meta, options),
    processTile(tile, { written }, { taskData: spec, meta }) {
      const isWhole = tile.pixels === meta.pixels;
      if (isWhole && liesAsInMemory(spec)) write(bytesOf(tile.data), startOf(spec, tile.slice.origin[0]!));
      else if (isWhole && spec.pitch <= PIECE) writeFrames(write, tile, spec, room);
      else {
        using _ = write.hold();
        writeParts(write, tile, spec, room);
      }
      written.fill(1);
    },
  };
}

/** Bytes that are prepared for one write: what a worker holds in addition to its tile. */
const PIECE = 2 ** 19;

/** A buffer that is reused for every piece; otherwise garbage would be made faster than it is collected. */
class Room {
  #bytes = new Uint8Array(0);

  /** `length` bytes, which still hold earlier contents. */
  take(length: number): Uint8Array<ArrayBuffer> {
    if (this.#bytes.length < length) this.#bytes = new Uint8Array(Math.ceil(length / 4096) * 4096);
    return this.#bytes.subarray(0, length);
  }
}

/** Whether the samples of frames are written without any change and without anything between frames. */
function liesAsInMemory({ layout, frame, pitch, isCast, frames: { dtype } }: RecordSpec): boolean {
  return pitch === frame && !isCast && isAsInMemory(layout, dtype);
}

/** Where frame `row` begins, including its header. */
export function startOf({ layout, pitch }: RecordSpec, row: number): number {
  return layout.head.length + row * pitch;
}

/** The samples as the bytes of the file, in `out` or as they are; `first` is the place of the first of them in it. */
function fileSamples(
  data: TypedArray,
  first: number,
  { frames, isCast, layout }: RecordSpec,
  out: (length: number) => Uint8Array<ArrayBuffer>,
): Uint8Array {
  const { dtype, nav, sig } = frames;
  const placeOf = (sample: number) => unravel(first + sample, [...nav, ...sig]);
  const bytes = bytesOf(isCast ? castSamples("the result", numbersOf(data, dtype), dtype, placeOf) : data);
  return isAsInMemory(layout, dtype) ? bytes : storedBytes(bytes, layout, dtype, out(bytes.length));
}

/** Frames with their headers, as many per write as fit into a piece. */
function writeFrames(write: WriteAt, { data, frames, slice }: Tile, spec: RecordSpec, room: Room): void {
  const { pitch, layout, frames: { sig } } = spec;
  const depth = Math.floor(PIECE / pitch);
  const each = data.length / frames;
  for (let first = 0; first < frames; first += depth) {
    const count = Math.min(depth, frames - first);
    const row = slice.origin[0]! + first;
    const out = room.take(count * pitch).fill(0);
    for (let f = 0; f < count; f++) {
      const at = f * pitch + layout.headerBytes, header = layout.header?.(row + f);
      if (header) out.set(header, f * pitch);
      const samples = data.subarray((first + f) * each, (first + f + 1) * each);
      const stored = fileSamples(
        samples,
        (row + f) * sizeOf(sig),
        spec,
        (bytes) => out.subarray(at, at + bytes),
      );
      if (stored.buffer !== out.buffer) out.set(stored, at);
    }
    write(out, startOf(spec, row));
  }
}

/**
 * Large frames, and parts whose samples are not contiguous in the file. The part with the first pixel writes the
 * header.
 */
function writeParts(
  write: WriteAt,
  { data, frames, box, slice }: Tile,
  spec: RecordSpec,
  room: Room,
): void {
  const { layout, frames: { sig, dtype } } = spec;
  const each = data.length / frames;
  const units = each / sizeOf(box.shape); // numbers per sample
  const { itemSize } = dtypeInfo(dtype);
  const most = Math.floor(PIECE / itemSize);
  const isFirst = box.origin.every((o) => o === 0);
  for (let f = 0; f < frames; f++) {
    const row = slice.origin[0]! + f;
    const start = startOf(spec, row);
    if (isFirst && layout.header) write(layout.header(row), start);
    for (const { slice: from, row: to, length } of runsOf(box, sig)) {
      for (let done = 0; done < length; done += most) {
        const [first, end] = [from + done, from + Math.min(length, done + most)];
        const part = fileSamples(
          data.subarray(f * each + first * units, f * each + end * units),
          row * sizeOf(sig) + to + done,
          spec,
          (bytes) => room.take(bytes),
        );
        write(part, start + layout.headerBytes + (to + done) * itemSize);
      }
    }
  }
}

function runsOf(box: { readonly origin: Shape; readonly shape: Shape }, sig: Shape) {
  return pixelRuns([box], sig) ?? [{ slice: 0, row: ravel(box.origin, sig), length: sizeOf(box.shape) }];
}
