/**
 * Puts fences between frames, in tests (see `memory/fences.ts`), so that a read beyond a frame does not hit its
 * neighbour.
 *
 * ```
 * as read     ████████████         or  H ████ H ████ H ████
 * as shown    ▒ ████ ▒▒ ████ ▒▒ ████ ▒
 * ```
 *
 * @module
 */

import type { FencedCuts } from "../../memory/fenced_room.ts";
import type { Slab } from "../../memory/slab.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import type { RawSamples } from "../interface/tile.ts";

/** Moves the frames of each tile apart. */
export class FramesApart {
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
