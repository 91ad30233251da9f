/**
 * Correlates at a few pixels around every peak, without a transform: for small patterns that move by a few pixels.
 *
 * The correlation at pixel p is `Σ_q pattern[q − p] · log(x[q] − min x + 1)` over the pixels q of the frame, with the
 * least sample of that frame. libertem-blobfinder takes the least sample of a *tile*, which is several frames or a part
 * of one, so its values depend on the tiling; for tiles of one whole frame its values are the same as these.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
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
} from "./correlator.ts";
import { scaleFrame } from "./frame_correlation.ts";
import type { CorrelateOptions } from "./options/correlation.ts";
import type { Vector } from "./options/lattice.ts";
import type { MatchPattern } from "./options/patterns.ts";
import { patternMask, reachOf } from "./patterns.ts";

/** The method `sparse`. */
export function sparseMethod(options: CorrelateOptions, meta: UdfMeta): Method {
  const [height, width] = frameSize(meta);
  const peaks = peaksOf(options);
  const steps = sparseSteps(options);
  const half = Math.ceil(reachOf(options.pattern) + 0.5);
  const side = 2 * half + 1 + 2 * steps; // the pattern, and the steps on both sides
  const { taps, weights } = tapsOf(options.pattern, half, side);
  const window = 2 * steps + 1;
  return {
    constants: () => ({ taps, weights }),
    scratch: () => ({
      ...tableScratch(peaks.length / 2),
      frame: { dtype: "float32", length: height * width },
      images: { dtype: "float32", length: LANES * side * side },
      correlations: { dtype: "float32", length: LANES * window * window },
    }),
    create: (context) => new SparseCorrelator(peaks, half, steps, context),
  };
}

class SparseCorrelator implements Correlator {
  readonly #table: PeakTable;

  constructor(
    peaks: Float64Array,
    private readonly half: number,
    private readonly steps: number,
    private readonly context: UdfContext,
  ) {
    this.#table = new PeakTable(peaks, half + steps, context);
  }

  correlate({ raw }: Tile, shift: Vector): FoundPeaks {
    const { kernels, meta: { pixels }, scratch } = this.context;
    const memory = { frame: scratch.frame!.byteOffset, spare: scratch.images!.byteOffset };
    const range = scaleFrame(kernels, pixels, memory, raw);
    this.#table.place(shift);
    this.#table.setRange(range);
    if (range > 0) this.#correlateFrame();
    return this.#table.read(this.half);
  }

  /** Finds all peaks in the scaled frame. */
  #correlateFrame(): void {
    const table = this.#table;
    const { kernels, meta, scratch, constants: { taps, weights } } = this.context;
    const [height, width] = frameSize(meta);
    const side = 2 * (this.half + this.steps) + 1, window = 2 * this.steps + 1;
    const [images, sums] = [scratch.images!.byteOffset, scratch.correlations!.byteOffset];
    const crop = kernel(kernels, "lanes_crop", "float32");
    const check = kernel(kernels, "lanes_log", "float32");
    const correlate = kernel(kernels, "lanes_correlate", "float32");
    const peaks = kernel(kernels, "lanes_peaks", "float32");
    for (let first = 0; first < table.count; first += LANES) {
      const count = Math.min(LANES, table.count - first);
      crop(images, side, scratch.frame!.byteOffset, height, width, table.corners(first), count);
      check(images, table.range(first), side * side, 0); // so that constant cut-outs are detected
      correlate(sums, window, images, side, taps!.byteOffset, weights!.byteOffset, weights!.length);
      peaks(table.found(first), sums, window, count);
    }
  }
}

/** Steps on each side with which every maximum has an elevation. */
const LEAST_STEPS = 2;

/**
 * Steps on each side: by default so many that the pattern stays within its search radius, but at least 2. The elevation
 * of a maximum is measured from 1.5 pixels on. With one step, a maximum in the middle has no pixel that far away: its
 * elevation would be 0, and no lattice would be fitted to it.
 */
export function sparseSteps({ pattern, steps }: Pick<CorrelateOptions, "pattern" | "steps">): number {
  const found = steps ?? Math.max(LEAST_STEPS, Math.floor(pattern.search - reachOf(pattern)));
  if (Number.isInteger(found) && found > 0 && found <= 256) return found;
  throw new TilewiseError(
    "invalid",
    `Cannot correlate at ${found} steps around a peak; give a whole number from 1 to 256`,
    { option: "steps", found: String(found) },
  );
}

/** Fewest bytes of {@link tapsOf} and of cut-outs of its pattern with `margin` more pixels on each side. */
export function tapsBytes(pattern: MatchPattern, margin = 0): number {
  const size = 2 * Math.ceil(reachOf(pattern) + 0.5) + 1;
  return 8 * size * size + 4 * LANES * (size + 2 * margin) ** 2;
}

/** The non-zero weights of a pattern of `2 half + 1` pixels, and their places in images of `side` pixels per row. */
export function tapsOf(
  pattern: MatchPattern,
  half: number,
  side: number,
): { taps: Int32Array; weights: Float32Array } {
  const size = 2 * half + 1;
  const mask = patternMask(pattern, [size, size]).data;
  const used: number[] = [];
  mask.forEach((weight, i) => weight !== 0 && used.push(i));
  return {
    taps: Int32Array.from(used, (i) => Math.floor(i / size) * side + i % size),
    weights: Float32Array.from(used, (i) => mask[i]!),
  };
}
