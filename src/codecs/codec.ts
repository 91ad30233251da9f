/**
 * The interface of frame codecs, which turn stored frames into dense samples in shared memory.
 *
 * A codec is one file with one decoder, loaded when a data set first needs it. It has no state, allocates no
 * memory and writes only to the output.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { Kernels } from "../kernels/bind.ts";
import type { Shape } from "../space/shape.ts";

/** Frames to decode: addresses in one memory, and the parameters of the codec. */
export interface FramesToDecode {
  /** The kernels, bound to `memory`. */
  readonly kernels: Kernels;
  /** The memory that `dst` and `src` are addresses in. */
  readonly memory: WebAssembly.Memory;
  /** Where the samples go: `frames × sigShape`, dense, little endian, in the dtype of the layout. */
  readonly dst: number;
  /** First stored byte of the first frame; `storedBytes` follow. It need not be aligned. */
  readonly src: number;
  /** Frames to decode. */
  readonly frames: number;
  /** Bytes from one stored frame to the next. */
  readonly srcStride: number;
  /** Shape of one frame after decoding. */
  readonly sigShape: Shape;
  /** Stored bytes of one frame; nothing beyond them is read. */
  readonly storedBytes: number;
  /** The parameters of the codec in the layout. */
  readonly params: Readonly<Record<string, string | number | boolean>>;
}

/** Turns stored frames into samples. */
export interface FrameDecoder {
  /** Decodes all frames of the job in one call. */
  decode(job: FramesToDecode): void;
}

/** The number `name` in the parameters of a codec; `corrupt` if it is missing, as Tilewise itself writes these parameters. */
export function numberParam({ params }: FramesToDecode, name: string): number {
  const value = params[name];
  if (typeof value === "number") return value;
  throw new TilewiseError("corrupt", `A layout gives its codec no number "${name}"`, {
    found: String(value),
  });
}

/** Throws `corrupt` unless a frame has `expected` stored bytes: a decoder must not read beyond them. */
export function checkStored({ storedBytes, sigShape }: FramesToDecode, expected: number): void {
  if (storedBytes === expected) return;
  const text =
    `Cannot decode frames of ${sigShape.join(" × ")}: the layout says ${storedBytes} stored bytes, ` +
    `the codec needs ${expected}`;
  throw new TilewiseError("corrupt", text, { expected, found: storedBytes });
}
