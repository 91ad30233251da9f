/**
 * How densely an observation covers (u, v).
 *
 * @module
 */

import { defined } from "../../options.ts";
import { TilewiseError } from "../../errors.ts";
import type { Observation } from "../../observations/observation.ts";
import { SPEED_OF_LIGHT } from "../geometry/constants.ts";
import { type Extent, extentOf, hasBaseline, uvBlocks } from "./extent.ts";

/** How a coverage is counted. */
export interface CoverageOptions {
  /** Pixels along each side. */
  readonly pixels: number;
  /** `wavelengths`: each channel has its own place; `metres`: baselines as they are. */
  readonly unit: "wavelengths" | "metres";
  /** `all` channels, or the one in the `centre`. For wavelengths. */
  readonly channels: "all" | "centre";
  /** Cancels it. */
  readonly signal?: AbortSignal;
  /** Called with the rows that have been read; each row is read twice. */
  readonly onRows?: (rows: number) => void;
}

/** Samples per pixel of a square of (u, v) around 0. */
export interface Coverage {
  /** Samples per pixel; the first row is that of the largest v, the first column that of the least u. */
  readonly counts: Uint32Array;
  /** Pixels along each side. */
  readonly pixels: number;
  /** u and v of the right and the upper edge, in the unit that was asked for. */
  readonly limit: number;
  /** The baselines. */
  readonly extent: Extent;
  /** Channels that were counted. */
  readonly channels: number;
  /** Samples in all, those of both signs. */
  readonly samples: number;
}

/** Most samples that are counted one by one, about ten seconds; of more, some channels are taken, evenly spaced. */
const MOST_SAMPLES = 2.5e8;

/** Room around the longest baseline. */
const MARGIN = 1.05;

/**
 * Counts the samples of an observation in the pixels of a square of (u, v), with both signs, as visibilities of (−u, −v) are
 * the conjugates of those of (u, v). Rows are read in blocks, twice. Rows of an antenna with itself do not count.
 *
 * Errors: `invalid` for an observation without baselines.
 */
export async function coverageOf(observation: Observation, options: CoverageOptions): Promise<Coverage> {
  const { pixels, signal, onRows = () => {} } = options;
  const { rows: all, source } = observation;
  const extent = await extentOf(observation, { ...defined({ signal }), onRows });
  if (extent.rows === 0) {
    const text = `Cannot show the baselines of ${source}: none of its ${all} rows has one`;
    throw new TilewiseError("invalid", text, { file: source, found: all });
  }
  const scales = scalesOf(observation, extent, options);
  const limit = MARGIN * Math.max(...extent.most) * scales.at(-1)!;
  const counts = new Uint32Array(pixels * pixels);
  const half = pixels / 2;
  for await (const { uvw, stop } of uvBlocks(observation, signal)) {
    for (let row = 0; row < uvw.length / 3; row++) {
      if (!hasBaseline(uvw, row)) continue;
      const [u, v] = [uvw[3 * row]! * half / limit, uvw[3 * row + 1]! * half / limit];
      for (const scale of scales) {
        const [x, y] = [Math.floor(half + u * scale), Math.floor(half - v * scale)];
        counts[y * pixels + x]!++;
        counts[(pixels - 1 - y) * pixels + pixels - 1 - x]!++;
      }
    }
    onRows(all + stop);
  }
  return { counts, pixels, limit, extent, channels: scales.length, samples: 2 * extent.rows * scales.length };
}

/** By what metres are multiplied for each channel that counts, ascending. */
function scalesOf(
  { frequencies }: Observation,
  { rows }: Extent,
  { unit, channels }: CoverageOptions,
): Float64Array {
  if (unit === "metres") return Float64Array.of(1);
  const scales = frequencies.map((frequency) => frequency / SPEED_OF_LIGHT).sort();
  if (channels === "centre") return scales.slice(scales.length >> 1, (scales.length >> 1) + 1);
  const most = Math.max(2, Math.floor(MOST_SAMPLES / rows));
  if (scales.length <= most) return scales;
  return Float64Array.from(
    { length: most },
    (_, i) => scales[Math.round(i * (scales.length - 1) / (most - 1))]!,
  );
}
