/**
 * Samples of views from the frames of any data set: decoded into a block, then copied to their place.
 *
 * @module
 */

import { imageCount } from "../dataset/layout/layout.ts";
import { FrameReader, type RawFrames } from "../dataset/storage/reader.ts";
import { TilewiseError } from "../errors.ts";
import { copyView } from "../memory/copy_box.ts";
import { denseStrides, type StridedView, stridedView } from "../memory/strided.ts";
import { type Box, box } from "../space/box.ts";
import { ravel, type Shape, sizeOf, unravel } from "../space/shape.ts";
import type { FrameArray } from "./array.ts";
import type { AxisRun } from "./geometry.ts";
import { type FrameReading, frameReading } from "./frame_reading.ts";
import type { ViewLayout } from "./plan.ts";
import type { SampleReader, SampleReaderOptions } from "./samples.ts";

/** A frame in a view: its image, if it has one, and the place of its scan position in the box that is read. */
interface Shown {
  readonly image: number;
  readonly at: Shape;
}

/** A box that is read, and the view that it is read to. */
interface ViewRuns {
  readonly runs: readonly AxisRun[];
  readonly pointer: number;
  /** Samples of the view, per dimension. */
  readonly shape: Shape;
}

/** Reads the samples of views from frames. */
export class FrameSamples implements SampleReader {
  readonly #reader: FrameReader;
  readonly #memory: WebAssembly.Memory;
  readonly #part: Box;
  readonly #frames: number;
  readonly #images: number;
  readonly #navs: number;

  private constructor(
    private readonly plan: ViewLayout,
    private readonly array: FrameArray,
    { part, frames }: FrameReading,
    memory: WebAssembly.Memory,
    reader: FrameReader,
  ) {
    const { layout, shape } = array;
    this.#memory = memory;
    this.#part = part;
    this.#frames = frames;
    this.#images = imageCount(layout);
    this.#navs = shape.length - layout.sigShape.length;
    this.#reader = reader;
  }

  /** A reader of the samples of `plan`, whose array is `array`. */
  static async open(
    plan: ViewLayout,
    array: FrameArray,
    { kernels, slab }: SampleReaderOptions,
  ): Promise<FrameSamples> {
    if (!slab) throw new TilewiseError("invalid", "Cannot decode frames for views without memory for them");
    const how = frameReading(array, plan.shape);
    const reader = await FrameReader.open(array.layout, {
      kernels,
      slab,
      maxFrames: how.frames,
      box: how.part,
    });
    return new FrameSamples(plan, array, how, kernels.memory, reader);
  }

  /** Reads frames in the order of the files, a few at a time. */
  async read(
    runs: readonly AxisRun[],
    pointer: number,
    signal?: AbortSignal,
    shape: Shape = this.plan.shape,
  ): Promise<void> {
    const place = { runs, pointer, shape };
    const part = this.#around(runs.slice(this.#navs));
    let waiting: Shown[] = [];
    for (const shown of this.#shown(runs.slice(0, this.#navs))) {
      if (this.#has(shown.image)) waiting.push(shown);
      else this.#blank(place, shown);
      if (waiting.length < this.#frames) continue;
      await this.#load(waiting, part, place, signal);
      waiting = [];
    }
    if (waiting.length > 0) await this.#load(waiting, part, place, signal);
  }

  /** Checks that the files have not changed. */
  recheck(): void {
    this.#reader.recheck();
  }

  /** Closes the files. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader[Symbol.asyncDispose]();
  }

  #has(image: number): boolean {
    return image >= 0 && image < this.#images && this.array.valid?.[image] !== 0;
  }

  /** The part of every frame to read: its shape is fixed, and it is moved so that it contains all samples of the runs. */
  #around(runs: readonly AxisRun[]): Box {
    const { shape } = this.#part;
    const { sigShape } = this.array.layout;
    return box(runs.map((run, d) => Math.min(lowest(run), sigShape[d]! - shape[d]!)), shape);
  }

  /** The frames in a box of the scan, ascending. */
  *#shown(runs: readonly AxisRun[]): Generator<Shown> {
    const { shape, syncOffset } = this.array;
    const navShape = shape.slice(0, this.#navs);
    const counts = runs.map(({ count }) => count);
    for (let flat = 0, all = sizeOf(counts); flat < all; flat++) {
      const at = unravel(flat, counts);
      yield { image: ravel(at.map((n, d) => lowest(runs[d]!) + n), navShape) + syncOffset, at };
    }
  }

  async #load(
    shown: readonly Shown[],
    part: Box,
    place: ViewRuns,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const raw = await this.#reader.load(shown.map(({ image }) => image), part, signal);
    shown.forEach((one, frame) => this.#copy(raw, frame, part, place, one));
  }

  /** Copies the samples of one frame to the view; runs with step −1 are mirrored. */
  #copy(raw: RawFrames, frame: number, part: Box, place: ViewRuns, shown: Shown): void {
    const { buffer } = this.#memory;
    const { dtype } = this.array;
    const strides = denseStrides(part.shape, dtype);
    const sig = place.runs.slice(this.#navs);
    const first = sig.map((run, d) => (lowest(run) - part.origin[d]!) * strides[d]!);
    const from = raw.pointer + frame * raw.frameStride + first.reduce((sum, bytes) => sum + bytes, 0);
    const counts = sig.map(({ count }) => count);
    copyView(stridedView(buffer, from, dtype, counts, strides), this.#target(place, shown));
  }

  /** The place of one frame in the view. */
  #target({ runs, pointer, shape }: ViewRuns, { at }: Shown): StridedView {
    const { dtype } = this.array;
    const strides = denseStrides(shape, dtype);
    const offsets = runs.map((run, d) => placeOf(run, d < this.#navs ? at[d]! : 0) * strides[d]!);
    const start = pointer + offsets.reduce((sum, bytes) => sum + bytes, 0);
    const sig = runs.slice(this.#navs);
    const steps = sig.map(({ step }, d) => (step === -1 ? -1 : 1) * strides[this.#navs + d]!);
    return stridedView(this.#memory.buffer, start, dtype, sig.map(({ count }) => count), steps);
  }

  #blank(place: ViewRuns, shown: Shown): void {
    const target = this.#target(place, shown);
    const { dtype } = this.array;
    const zero = new ArrayBuffer(16); // the size of the largest sample type
    copyView(stridedView(zero, 0, dtype, target.shape, target.shape.map(() => 0)), target);
  }
}

/** The first position in the array that a run reads. */
function lowest({ from, step, count }: AxisRun): number {
  return step === -1 ? from - count + 1 : from;
}

/** The place in the view of sample `n` of a run, counted from the lowest position in the array. */
function placeOf({ at, step, count }: AxisRun, n: number): number {
  return step === -1 ? at + count - 1 - n : at + n;
}
