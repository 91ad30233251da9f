/**
 * Crystallinity at every position: the strength of a band of spatial frequencies in each frame.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { GEOMETRY } from "../../masks/geometry.ts";
import { inner, needed } from "../../options/rules.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";
import { type Disk, DISK_NAMES } from "./disk.ts";

/**
 * Parameters of {@link crystallinity}.
 * @category Analyses
 */
export interface CrystallinityOptions {
  /** Inner radius of the ring in frequency space, in its pixels, excluded. */
  readonly ri: number;
  /** Outer radius of the ring, included. */
  readonly ro: number;
  /** A disk of the frame that is set to 0 first, such as the unscattered beam. Default: none. */
  readonly real?: Disk;
}

/** The names of the options. */
export const CRYSTALLINITY_OPTIONS: OptionNames<CrystallinityOptions> = {
  ri: needed(GEOMETRY.ri),
  ro: needed(GEOMETRY.ro),
  real: inner(DISK_NAMES),
};

/**
 * Sum of the Fourier magnitudes of every frame over a ring of frequencies. Result `intensity`: float64, shape of the scan.
 *
 * As in LiberTEM, only the half of the spectrum with frequencies `0 … width/2` is used, and the ring is centred on half
 * the size of the frame, before the zero frequency is shifted there: for odd sizes it is half a pixel off. Transforms
 * are computed in float32, or in float64 for samples that float32 cannot hold.
 *
 * @example A checkerboard has its mean, and one frequency in the corner of the spectrum
 * ```ts
 * import { crystallinity, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const board = Uint8Array.from({ length: 16 }, (_, i) => (i + (i >> 2)) % 2);
 * const scan = await open(board, { format: "raw", dtype: "uint8", nav: [1], sig: [4, 4] });
 * const { fine, coarse } = await run(
 *   await plan(scan, { fine: crystallinity({ ri: 2, ro: 3 }), coarse: crystallinity({ ri: 0, ro: 2 }) }),
 * );
 * assertEquals([fine.intensity.data[0], coarse.intensity.data[0]], [8, 0]);
 * ```
 * @category Analyses
 */
export function crystallinity(options: CrystallinityOptions): UdfRef<{
  /** The sum of the Fourier magnitudes in the ring, per frame. */
  intensity: "float64";
}> {
  checkOptionNames("crystallinity()", options, CRYSTALLINITY_OPTIONS);
  const { ri, ro, real } = options;
  return builtin("crystallinity", { ri, ro, ...(real ? { real: { ...real } } : {}) });
}
