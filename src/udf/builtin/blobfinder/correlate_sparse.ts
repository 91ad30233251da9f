/**
 * Correlation at a few pixels around every peak, without a transform and without scaling: right for small patterns that
 * hardly move.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { Tile } from "../../tile.ts";
import type { UdfContext } from "../../udf_meta.ts";
import {
  type CorrelateOptions,
  type Correlator,
  type FoundPeaks,
  frameSize,
  LANES,
  type Method,
  peaksOf,
  PeakTable,
  tableScratch,
} from "./correlator.ts";
import { type MatchPattern, patternMask, reachOf } from "./patterns.ts";

/** The method `sparse`. */
export function sparseMethod(options: CorrelateOptions): Method {
  const peaks = peaksOf(options);
  const steps = stepsOf(options);
  const half = Math.ceil(reachOf(options.pattern) + 0.5);
  const side = 2 * half + 1 + 2 * steps; // pattern and steps on both sides
  const { taps, weights } = tapsOf(options.pattern, half, side);
  const window = 2 * steps + 1;
  return {
    constants: () => ({ taps, weights }),
    scratch: () => ({
      ...tableScratch(peaks.length / 2),
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

  correlate({ raw }: Tile, shift?: ArrayLike<number | bigint>): FoundPeaks {
    const table = this.#table;
    const { kernels, meta, scratch, constants } = this.context;
    const [height, width] = frameSize(meta);
    const side = 2 * (this.half + this.steps) + 1, window = 2 * this.steps + 1;
    const [images, sums] = [scratch.images!.byteOffset, scratch.correlations!.byteOffset];
    const { taps, weights } = constants;
    const crop = kernel(kernels, "lanes_crop", raw.dtype, raw.byteOrder);
    const check = kernel(kernels, "lanes_log", "float32");
    const correlate = kernel(kernels, "lanes_correlate", "float32");
    const peaks = kernel(kernels, "lanes_peaks", "float32");
    table.place(shift);
    for (let first = 0; first < table.count; first += LANES) {
      const count = Math.min(LANES, table.count - first);
      crop(images, side, raw.pointer, height, width, table.corners(first), count);
      check(images, table.range(first), side * side, 0);
      correlate(sums, window, images, side, taps!.byteOffset, weights!.byteOffset, weights!.length);
      peaks(table.found(first), sums, window, count);
    }
    return table.read(this.half);
  }
}

/** Steps on each side: by default as far as the pattern stays within its search radius. */
function stepsOf({ pattern, steps }: CorrelateOptions): number {
  const found = steps ?? Math.max(1, Math.floor(pattern.search - reachOf(pattern)));
  if (Number.isInteger(found) && found > 0 && found <= 256) return found;
  throw new TilewiseError(
    "invalid",
    `Cannot correlate at ${found} steps around a peak; give a whole number from 1 to 256`,
    { option: "steps", found: String(found) },
  );
}

/** The weights that are not 0 of a pattern of `2 half + 1` pixels, and their places in images of `side` pixels a row. */
export function tapsOf(
  pattern: MatchPattern,
  half: number,
  side: number,
): { taps: Int32Array; weights: Float32Array } {
  const size = 2 * half + 1;
  const mask = patternMask(pattern, [size, size]).data as Float64Array;
  const used = [...mask.keys()].filter((i) => mask[i] !== 0);
  return {
    taps: Int32Array.from(used, (i) => Math.floor(i / size) * side + i % size),
    weights: Float32Array.from(used, (i) => mask[i]!),
  };
}
