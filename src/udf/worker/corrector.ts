/**
 * Applies dark frame, gain and dead-pixel patch to tiles on a worker.
 *
 * @module
 */

import type { CorrectedDType } from "../../dataset/corrections.ts";
import type { CorrectKernel } from "../../kernels/families/families.ts";
import { hasKernel } from "../../kernels/exists.ts";
import { kernel } from "../../kernels/registry.ts";
import type { Kernels } from "../../kernels/bind.ts";
import type { Slab } from "../../memory/slab.ts";
import { box } from "../../space/box.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { converter } from "./convert.ts";
import { type RawSamples, Tile } from "../interface/tile.ts";

/** The corrections of one slice of the frames. */
export interface PlacedSlice {
  /**
   * First pixel of the slice in `dark` and `gain`: in the order of the frame, or slice by slice if slices have gaps in
   * a frame.
   */
  readonly pixel: number;
  /** Pixels of the slice. */
  readonly pixels: number;
  /** Address of the patch list, and number of pixels that it patches. */
  readonly patch?: { readonly pointer: number; readonly count: number };
}

/** Corrections in shared memory. */
export interface PlacedCorrections {
  /** Type of corrected samples, of `dark` and of `gain`: pairs of floats if samples are complex. */
  readonly dtype: CorrectedDType;
  /** Address of the dark frame; 0: none. */
  readonly dark: number;
  /** Address of the gain map; 0: none. */
  readonly gain: number;
  /** Whether the pairs of the gain map are complex numbers, instead of factors for both parts. */
  readonly complexGain: boolean;
  /** Per slice of the tiling scheme. */
  readonly slices: readonly PlacedSlice[];
}

/** How a tile is corrected: the kernel, the samples that it takes, and how many of its samples make a pixel. */
interface Step {
  readonly correct: CorrectKernel;
  readonly from: RawSamples;
  readonly units: number;
}

/** Computes corrected samples from stored ones: `(sample − dark) · gain`, then dead pixels from their neighbours. */
export class Corrector {
  readonly #pointer: number;

  /** Corrects tiles of up to `samples` samples. */
  constructor(
    private readonly corrections: PlacedCorrections,
    private readonly kernels: Kernels,
    slab: Slab,
    samples: number,
  ) {
    this.#pointer = slab.take(samples * dtypeInfo(corrections.dtype).itemSize, "corrected tiles");
  }

  /** The corrected samples of `frames` frames of slice `slice`. */
  apply(raw: RawSamples, frames: number, slice: number): RawSamples {
    const { dtype, dark, gain, slices } = this.corrections;
    const { pixel, pixels, patch } = slices[slice]!;
    const { itemSize, kind } = dtypeInfo(dtype);
    const stride = pixels * itemSize;
    const at = (base: number) => base === 0 ? 0 : base + pixel * itemSize;
    const { correct, from, units } = kind === "c" ? this.#complex(raw) : this.#real(raw, frames, pixels);
    const maps = [at(dark), at(gain)] as const;
    correct(this.#pointer, stride, from.pointer, from.frameStride, frames, ...maps, units * pixels);
    if (patch) this.#patch(frames, stride, patch);
    return { pointer: this.#pointer, frameStride: stride, dtype, byteOrder: "little" };
  }

  #real(raw: RawSamples, frames: number, pixels: number): Step {
    const family = this.#float === "float32" ? "correct_f32" : "correct_f64";
    const from = hasKernel(family, raw.dtype) ? raw : this.#widened(raw, frames, pixels);
    return { correct: kernel(this.kernels, family, from.dtype, from.byteOrder), from, units: 1 };
  }

  /** Pairs of floats: complex samples, or, if no complex multiplication is needed, twice as many real samples. */
  #complex(raw: RawSamples): Step {
    const family = this.#float === "float32" ? "correct_f32" : "correct_f64";
    const { complexGain } = this.corrections;
    const correct = kernel(
      this.kernels,
      complexGain ? "correct_pairs" : family,
      this.#float,
      raw.byteOrder,
    );
    return { correct, from: raw, units: complexGain ? 1 : 2 };
  }

  /** Type of the parts of a corrected sample. */
  get #float(): "float32" | "float64" {
    return dtypeInfo(this.corrections.dtype).unitSize === 4 ? "float32" : "float64";
  }

  /**
   * Converts samples of types that no kernel corrects to floats, in the place of the corrected samples, which have the
   * same size.
   */
  #widened(raw: RawSamples, frames: number, pixels: number): RawSamples {
    const { dtype } = this.corrections;
    const convert = converter(this.kernels, dtype, this.#pointer);
    const part = { box: box([0], [pixels]), navShape: [frames], positions: new Uint32Array(frames) };
    convert(new Tile({ raw, convert, ...part }));
    const frameStride = pixels * dtypeInfo(dtype).itemSize;
    return { pointer: this.#pointer, frameStride, dtype, byteOrder: "little" };
  }

  #patch(frames: number, stride: number, { pointer, count }: { pointer: number; count: number }): void {
    const { exports } = this.kernels;
    const patch = this.#float === "float32" ? exports.patch_f32 : exports.patch_f64;
    patch(this.#pointer, stride, frames, pointer, count);
  }
}
