/**
 * Correlates whole frames, and then searches the neighbourhood of every peak. Outside of the frame correlations are 0.
 *
 * @module
 */

import { hasKernel } from "../../../kernels/exists.ts";
import { type LanesPlan, lanesPlan } from "../../../kernels/families/lanes_plan.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { Tile } from "../../interface/tile.ts";
import type { UdfContext, UdfMeta } from "../../interface/udf_meta.ts";
import {
  type Correlator,
  type FoundPeaks,
  frameSize,
  LANES,
  type Method,
  peaksOf,
  PeakTable,
  tableScratch,
  upsampling,
} from "./correlator.ts";
import { correlateFrame, frameConstants, type FrameMemory, frameScratch } from "./frame_correlation.ts";
import type { CorrelateOptions } from "./options/correlation.ts";
import type { Vector } from "./options/lattice.ts";
import { halfSize, isLarge, lanesSpectrum } from "./patterns.ts";
import { upsampleConstants, Upsampler, upsampleScratch } from "./upsample.ts";

/** The method `full`. */
export function fullMethod(options: CorrelateOptions, meta: UdfMeta): Method {
  const peaks = peaksOf(options);
  const half = halfSize(options.pattern);
  const size = frameSize(meta);
  const factor = upsampling(options);
  return {
    constants: () => ({ ...frameConstants(options.pattern, size), ...upsampleConstants(...size, factor) }),
    scratch: () => ({
      ...tableScratch(peaks.length / 2),
      ...frameScratch(size),
      ...upsampleScratch(size[0], factor),
      images: { dtype: "float32", length: LANES * (2 * half) ** 2 },
    }),
    create: (context) => new FullCorrelator(options, peaks, half, context),
  };
}

class FullCorrelator implements Correlator {
  readonly #table: PeakTable;
  readonly #memory: FrameMemory;
  readonly #upsampler: Upsampler | undefined;

  constructor(
    options: CorrelateOptions,
    peaks: Float64Array,
    private readonly half: number,
    private readonly context: UdfContext,
  ) {
    const { constants, scratch, meta } = context;
    this.#table = new PeakTable(peaks, half, context);
    this.#memory = {
      tables: constants.tables!.byteOffset,
      pattern: constants.spectrum!.byteOffset,
      frame: scratch.frame!.byteOffset,
      spectrum: scratch.spectrum!.byteOffset,
      transforms: scratch.transforms!.byteOffset,
    };
    const factor = upsampling(options);
    if (factor) this.#upsampler = new Upsampler(...frameSize(meta), factor, context);
  }

  correlate({ raw }: Tile, shift: Vector): FoundPeaks {
    const table = this.#table, n = 2 * this.half;
    const { kernels, meta, scratch } = this.context;
    const [height, width] = frameSize(meta);
    const images = scratch.images!.byteOffset, map = this.#memory.frame;
    const crop = kernel(kernels, "lanes_crop", "float32");
    const peaks = kernel(kernels, "lanes_peaks", "float32");
    table.place(shift);
    table.setRange(correlateFrame(kernels, [height, width], this.#memory, raw));
    for (let first = 0; first < table.count; first += LANES) {
      const count = Math.min(LANES, table.count - first);
      crop(images, n, map, height, width, table.corners(first), count);
      peaks(table.found(first), images, n, count);
    }
    if (this.#upsampler) this.#upsample(this.#upsampler);
    return table.read(0);
  }

  #upsample(upsampler: Upsampler): void {
    const map = this.#memory.frame;
    for (let p = 0; p < this.#table.count; p++) {
      const [y, x] = this.#table.highest(p).map((at, d) => at + this.#table.corner(p, d));
      this.#table.refine(p, upsampler.refine(map, 4, y!, x!));
    }
  }
}

// Correlates a cut-out around every peak, eight at a time.

/** Fewest bytes of the method for cut-outs of `side` pixels: images, and the spectrum of the pattern while it is made. */
export function fastBytes(side: number): number {
  return (4 * LANES + (isLarge(side) ? 40 : 8)) * side * side;
}

/** The method `fast`. */
export function fastMethod(options: CorrelateOptions): Method {
  const peaks = peaksOf(options);
  const plan = lanesPlan(2 * halfSize(options.pattern));
  const { n, radices, twiddles } = plan;
  const factor = upsampling(options);
  return {
    constants: () => ({
      radices,
      twiddles,
      spectrum: lanesSpectrum(options.pattern, plan),
      ...upsampleConstants(n, n, factor),
    }),
    scratch: () => ({
      ...tableScratch(peaks.length / 2),
      images: { dtype: "float32", length: LANES * n * n },
      ...upsampleScratch(n, factor),
      spare: { dtype: "float32", length: LANES * Math.max(...radices) },
    }),
    create: (context) => new FastCorrelator(options, peaks, plan, context),
  };
}

class FastCorrelator implements Correlator {
  readonly #table: PeakTable;
  readonly #upsampler: Upsampler | undefined;

  constructor(
    options: CorrelateOptions,
    peaks: Float64Array,
    private readonly plan: LanesPlan,
    private readonly context: UdfContext,
  ) {
    this.#table = new PeakTable(peaks, plan.n / 2, context);
    const factor = upsampling(options);
    if (factor) this.#upsampler = new Upsampler(plan.n, plan.n, factor, context);
  }

  correlate({ raw }: Tile, shift: Vector): FoundPeaks {
    const table = this.#table, { n } = this.plan;
    const { kernels, meta, scratch } = this.context;
    const [height, width] = frameSize(meta);
    const images = scratch.images!;
    const cropping = hasKernel("lanes_crop_low", raw.dtype) ? "lanes_crop_low" : "lanes_crop"; // with room for an offset
    const crop = kernel(kernels, cropping, raw.dtype, raw.byteOrder);
    const peaks = kernel(kernels, "lanes_peaks", "float32");
    table.place(shift);
    for (let first = 0; first < table.count; first += LANES) {
      const count = Math.min(LANES, table.count - first);
      crop(images.byteOffset, n, raw.pointer, height, width, table.corners(first), count);
      this.#correlateImages(table.range(first));
      peaks(table.found(first), images.byteOffset, n, count);
      for (let i = 0; this.#upsampler && i < count; i++) {
        table.refine(
          first + i,
          this.#upsampler.refine(images.byteOffset + 4 * i, 4 * LANES, ...table.highest(first + i)),
        );
      }
    }
    return table.read(0);
  }

  /** Scales eight images, and replaces them by their correlations with the pattern. */
  #correlateImages(range: number): void {
    const { kernels, constants, scratch } = this.context;
    const { n, radices } = this.plan;
    const images = scratch.images!.byteOffset;
    const transform = kernel(kernels, "lanes_fft", "float32");
    const tables = [constants.radices!.byteOffset, radices.length, constants.twiddles!.byteOffset] as const;
    const spare = scratch.spare!.byteOffset;
    kernel(kernels, "lanes_log", "float32")(images, range, n * n, 1);
    transform(images, n, ...tables, spare, 0);
    kernel(kernels, "lanes_multiply", "float32")(images, constants.spectrum!.byteOffset, n * n);
    transform(images, n, ...tables, spare, 1);
  }
}
