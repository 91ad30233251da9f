/**
 * Boxes of an array, read on this thread into memory of their own.
 *
 * @module
 */

import { defined } from "../options.ts";
import { holdUnpacked } from "../io/open.ts";
import { unlessChanged } from "../io/unchanged.ts";
import { type Kernels, swapSamples } from "../kernels/bind.ts";
import { instantiateKernels, loadPacks } from "../kernels/wasm.ts";
import { ALIGNMENT, Arena, roundUp } from "../memory/arena.ts";
import { Slab } from "../memory/slab.ts";
import type { Box } from "../space/box.ts";
import { type TypedArray, typedArray } from "../space/dtype.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import { type ArraySpec, packsOfArray, sourcesOfArray } from "./array.ts";
import type { AxisRun } from "./geometry.ts";
import { openSamples } from "./open_samples.ts";
import { layoutOf } from "./plan.ts";
import type { SampleReader } from "./samples.ts";

/** The views of boxes, and the bytes for one of them and for what decodes it. */
function roomFor(array: ArraySpec, largest: Shape) {
  const layout = layoutOf(array, { tile: largest.map((n) => Math.max(1, n)), clipped: true });
  const { byteLength, readerBytes } = layout;
  return { layout, box: roundUp(byteLength, ALIGNMENT), reader: roundUp(readerBytes, ALIGNMENT) };
}

/** Reads boxes of one array, one after another. */
export class BoxReader implements AsyncDisposable {
  /** The last requested read: all use the same memory. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly array: ArraySpec,
    private readonly samples: SampleReader,
    private readonly kernels: Kernels,
    private readonly pointer: number,
    private readonly release: () => void,
  ) {}

  /** Bytes that a reader of such boxes holds until it is closed. */
  static bytesFor(array: ArraySpec, largest: Shape): number {
    const { box, reader } = roomFor(array, largest);
    return box + reader + 2 * ALIGNMENT;
  }

  /** Opens the sources of `array`, and takes memory for boxes of at most `largest` samples per dimension. */
  static async open(array: ArraySpec, largest: Shape, signal?: AbortSignal): Promise<BoxReader> {
    const { layout, box, reader } = roomFor(array, largest);
    const arena = new Arena({ budget: BoxReader.bytesFor(array, largest) });
    const { offset } = arena.lease(box, "a box");
    const slab = reader === 0
      ? {}
      : { slab: new Slab(arena.memory, arena.lease(reader, "the reader of boxes").offset, reader) };
    await loadPacks(packsOfArray(array));
    const kernels = instantiateKernels(arena.memory);
    const release = await holdUnpacked(sourcesOfArray(array), signal);
    try {
      const samples = await openSamples(layout, { kernels, ...slab, ...defined({ signal }) });
      return new BoxReader(array, samples, kernels, offset, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** The samples of a box, dense and little endian: a copy. */
  read(box: Box, signal?: AbortSignal): Promise<TypedArray> {
    const read = this.#turn.then(() => this.#read(box, signal));
    this.#turn = read.catch(() => {});
    return read;
  }

  async #read({ origin, shape }: Box, signal: AbortSignal | undefined): Promise<TypedArray> {
    const { dtype } = this.array;
    const runs = shape.map((count, d): AxisRun => ({
      kind: "read",
      at: 0,
      from: origin[d]!,
      step: 1,
      count,
    }));
    const samples = sizeOf(shape);
    if (samples > 0) {
      try {
        await this.samples.read(runs, this.pointer, signal, shape);
        this.samples.recheck();
      } catch (error) {
        throw unlessChanged(error, () => this.samples.recheck());
      }
      swapSamples(this.kernels, this.array, this.pointer, samples);
    }
    return typedArray(dtype, this.kernels.memory.buffer, this.pointer, samples).slice();
  }

  /** Closes the sources. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turn;
    await this.samples[Symbol.asyncDispose]();
    this.release();
  }
}
