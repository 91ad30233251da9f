/**
 * Reads the data of tiles on one worker: blocks of frames or of sparse rows, part by part, corrected.
 *
 * @module
 */

import type { Backend } from "../../dataset/facts.ts";
import type { FrameLayout } from "../../dataset/layout/layout.ts";
import type { ShowsFrames } from "../../dataset/storage/common/block_reader.ts";
import { FrameReader, type RawFrames } from "../../dataset/storage/reader.ts";
import type { CsrBlock, CsrReader } from "../../dataset/storage/sparse/csr_reader.ts";
import type { WindowPlace } from "../../io/map/windows.ts";
import type { Kernels } from "../../kernels/bind.ts";
import type { FencedCuts } from "../../memory/fencing.ts";
import type { Slab } from "../../memory/slab.ts";
import type { Box } from "../../space/box.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { ravel, type Shape, sizeOf } from "../../space/shape.ts";
import type { RawSamples } from "../interface/tile.ts";
import type { Corrector, PlacedCorrections } from "./corrector.ts";
import type { RunShared } from "./job_data.ts";

// Puts fences between frames, in tests (see `memory/fencing.ts`), so that a read beyond a frame does not hit its
// neighbour.
//
// ```
// as read     ████████████         or  H ████ H ████ H ████
// as shown    ▒ ████ ▒▒ ████ ▒▒ ████ ▒
// ```

/** Moves the frames of each tile apart. */
class FramesApart {
  readonly #cuts: FencedCuts;
  readonly #memory: Uint8Array;
  #start = 0;
  #size = 0;
  #turn = 0;

  private constructor(cuts: FencedCuts, memory: WebAssembly.Memory) {
    this.#cuts = cuts;
    this.#memory = new Uint8Array(memory.buffer);
  }

  /** An instance that moves frames into `slab`, if it has fences. */
  static of({ fenced, memory }: Slab): FramesApart | undefined {
    return fenced && new FramesApart(fenced, memory);
  }

  /** The samples of a tile at their new place, valid until the next call. */
  move(raw: RawSamples, frames: number, pixels: number): RawSamples {
    const { itemSize } = dtypeInfo(raw.dtype);
    const bytes = pixels * itemSize;
    // Sometimes frames stay contiguous, as some code paths are only for contiguous frames.
    const gap = this.#turn++ % 4 === 3 ? 0 : itemSize * Math.ceil((16 + 8 * (this.#turn % 5)) / itemSize);
    const start = this.#place(frames * (bytes + gap) + 2 * MARGIN);
    if (start === undefined) return raw;
    const { fences } = this.#cuts;
    const pointer = start + MARGIN, frameStride = bytes + gap;
    fences.raise(start, start + this.#size);
    for (let f = 0; f < frames; f++) {
      const from = raw.pointer + f * raw.frameStride, to = pointer + f * frameStride;
      this.#memory.copyWithin(to, from, from + bytes);
      fences.allow(to, bytes, `frame ${f} of ${frames}`);
    }
    return { ...raw, pointer, frameStride };
  }

  /** Throws if something has been written between the frames. */
  check(): void {
    this.#cuts.fences.check(this.#start, this.#start + this.#size);
  }

  /** Room for this number of bytes; reuses the room of earlier tiles if it is large enough. */
  #place(bytes: number): number | undefined {
    if (bytes <= this.#size) return this.#start;
    const start = this.#cuts.spare(bytes);
    if (start === undefined) return undefined;
    this.#size = bytes;
    return this.#start = start;
  }
}

/** Bytes before the first frame and after the last one. */
const MARGIN = 128;

/** How tiles are read. */
export interface TileReading {
  /** The layout of the frames. */
  readonly layout: FrameLayout;
  /** The form in which they are read. */
  readonly source: Backend;
  /** Largest number of frames of a tile. */
  readonly frames: number;
  /** Sparse data: largest number of entries in a block of frames. */
  readonly entries: number;
  /** Parts of a frame, in order; the first is the largest. */
  readonly slices: readonly Box[];
  /** Whether a block is read as whole frames and then cut, rather than part by part. */
  readonly readWhole: boolean;
  /** Whether no decoded chunk is kept. */
  readonly lean: boolean;
}

/** Reads the parts of each block of frames. */
export class TileReader implements AsyncDisposable {
  readonly #dense: FrameReader | undefined;
  readonly #sparse: CsrReader | undefined;
  readonly #corrector: Corrector | undefined;
  /** In tests: puts fences between frames, for frames as read and as corrected. */
  readonly #apart: FramesApart | undefined;
  readonly #correctedApart: FramesApart | undefined;

  readonly #shown: ShowsFrames | undefined;

  private constructor(
    private readonly how: TileReading,
    { dense, sparse, shown }: Readers,
    slab: Slab,
    private readonly signal: AbortSignal,
    correctorFor?: (samples: number) => Corrector,
  ) {
    const { frames, slices } = how;
    this.#dense = dense;
    this.#shown = shown;
    this.#sparse = sparse;
    this.#apart = FramesApart.of(slab);
    this.#correctedApart = correctorFor && FramesApart.of(slab);
    this.#corrector = correctorFor?.(frames * mostPixels(slices));
  }

  /** Loads the reader that reads frames as `how` says; takes its memory from `slab`. */
  static async open(
    how: TileReading,
    kernels: Kernels,
    slab: Slab,
    signal: AbortSignal,
    { corrections, windows }: Pick<RunShared, "corrections" | "windows">,
    worker: number,
  ): Promise<TileReader> {
    const { layout, source, frames, entries, slices, readWhole, lean } = how;
    const common = { kernels, slab, maxFrames: frames, maxEntries: entries, lean };
    const correctorFor = corrections && await correcting(corrections, kernels, slab);
    if (source === "csr") {
      const { openRows } = await import("../../dataset/storage/sparse/csr_reader.ts");
      return new TileReader(how, { sparse: openRows(layout, common) }, slab, signal, correctorFor);
    }
    const box = readWhole ? {} : { box: slices[0]! };
    const shown = windows && { shown: await showing(layout, kernels.memory, windows[worker]!) };
    const dense = await FrameReader.open(layout, { ...common, ...box, ...shown });
    return new TileReader(how, { dense, ...shown }, slab, signal, correctorFor);
  }

  /** The parts of the frames of `images`, in order; each part is valid until the next one is requested. */
  async *parts(images: readonly number[]): AsyncGenerator<TileSource> {
    const { slices, layout: { sigShape } } = this.how;
    const block = await this.#sparse?.read(images, this.signal);
    const whole = this.#dense && this.how.readWhole ? await this.#load(images) : undefined;
    for (const [s, box] of slices.entries()) {
      if (block) yield { block, first: ravel(box.origin, sigShape) };
      else {
        const read = whole ? cut(whole, box, sigShape) : samples(await this.#load(images, box));
        const shape = [images.length, sizeOf(box.shape)] as const;
        const raw = this.#apart?.move(read, ...shape) ?? read;
        const corrected = this.#corrector?.apply(raw, images.length, s);
        yield corrected && this.#correctedApart?.move(corrected, ...shape) || corrected || raw;
        this.#apart?.check();
        this.#correctedApart?.check();
      }
    }
  }

  /** Throws `changed` if a file has changed since it was opened. */
  recheck(): void {
    this.#dense?.recheck();
    this.#sparse?.recheck();
    this.#shown?.check();
  }

  /** Closes the files. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dense?.[Symbol.asyncDispose]();
    await this.#sparse?.[Symbol.asyncDispose]();
    this.#shown?.close();
  }

  #load(images: readonly number[], box?: Box): RawFrames | Promise<RawFrames> {
    return this.#dense!.load(images, box, this.signal);
  }
}

/** What reads, and what shows files. */
interface Readers {
  readonly dense?: FrameReader;
  readonly sparse?: CsrReader;
  readonly shown?: ShowsFrames;
}

/** Shows frames at `place`; its code is loaded if there is one. */
async function showing(
  layout: FrameLayout,
  memory: WebAssembly.Memory,
  place: WindowPlace,
): Promise<ShowsFrames> {
  const { ShownFrames } = await import("../../dataset/storage/contiguous/shown_frames.ts");
  return new ShownFrames(layout, memory, place);
}

/** Makes what applies corrections, for tiles of up to so many samples; its code is loaded if there are corrections. */
async function correcting(
  corrections: PlacedCorrections,
  kernels: Kernels,
  slab: Slab,
): Promise<(samples: number) => Corrector> {
  const { Corrector } = await import("./corrector.ts");
  return (samples) => new Corrector(corrections, kernels, slab, samples);
}

/** Pixels of the largest part. */
export function mostPixels(slices: readonly Box[]): number {
  return slices.reduce((most, { shape }) => Math.max(most, sizeOf(shape)), 0);
}

function samples({ pointer, frameStride, dtype, byteOrder }: RawFrames): RawSamples {
  return { pointer, frameStride, dtype, byteOrder };
}

/** The part `box` of whole frames; only for parts that are contiguous in a frame. */
function cut(whole: RawFrames, box: Box, sigShape: Shape): RawSamples {
  const first = ravel(box.origin, sigShape) * dtypeInfo(whole.dtype).itemSize;
  return { ...samples(whole), pointer: whole.pointer + first };
}

/** A part of a block of sparse frames, starting at pixel `first`. */
export interface SparseSource {
  /** The frames. */
  readonly block: CsrBlock;
  /** The first pixel. */
  readonly first: number;
}

/** Dense samples, or a part of a block of sparse frames. */
export type TileSource = RawSamples | SparseSource;
