/**
 * Correlates whole frames, and then searches the neighbourhood of every peak. Outside of the frame correlations are 0.
 *
 * @module
 */

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
import { halfSize } from "./patterns.ts";
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
