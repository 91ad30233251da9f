/**
 * Baselines: which antennas form a pair, and in which order.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { oneOf, truth, whole } from "../../options/rules.ts";

/**
 * Pairs of antennas, one per baseline.
 * @category Measurement equation
 */
export interface Baselines {
  /** The first antenna of each pair, `p` in `V_pq`. */
  readonly antenna1: Int32Array<ArrayBuffer>;
  /** The second antenna of each pair, `q` in `V_pq`. */
  readonly antenna2: Int32Array<ArrayBuffer>;
}

/**
 * Options of {@link baselinePairs}.
 * @category Measurement equation
 */
export interface BaselineOptions {
  /** Whether an antenna also forms a pair with itself. Default false. */
  readonly autoCorrelations?: boolean;
  /**
   * Which antenna of a pair is the first: the one with the `lower` number or the one with the `higher` number. The
   * visibility of one is the Hermitian conjugate of the other. Default `lower`.
   */
  readonly first?: "lower" | "higher";
  /** The slowest antenna in the order of pairs: 01 02 03 12 … is `lower`, 01 02 12 03 … is `higher`. Default `lower`. */
  readonly slowest?: "lower" | "higher";
}

// deno-fmt-ignore: written by `deno task build`
const BASELINE_OPTIONS: OptionNames<BaselineOptions> = {
  autoCorrelations: truth, first: oneOf("lower", "higher"), slowest: oneOf("lower", "higher"),
};

/**
 * All pairs of `antennas` antennas: `na (na - 1) / 2`, or `na (na + 1) / 2` with those of an antenna with itself.
 *
 * @example
 * ```ts
 * import { baselinePairs } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 * const { antenna1, antenna2 } = baselinePairs(3);
 * assertEquals([...antenna1], [0, 0, 1]);
 * assertEquals([...antenna2], [1, 2, 2]);
 * assertEquals(baselinePairs(64, { autoCorrelations: true }).antenna1.length, 2080);
 * ```
 * @category Measurement equation
 */
export function baselinePairs(antennas: number, options: BaselineOptions = {}): Baselines {
  checkOptionNames("baselinePairs()", options, BASELINE_OPTIONS);
  whole(0, MOST_ANTENNAS)("baselinePairs()", "antennas", antennas);
  const { autoCorrelations = false, first = "lower", slowest = "lower" } = options;
  const gap = autoCorrelations ? 0 : 1;
  const lower: number[] = [], higher: number[] = [];
  for (let slow = 0; slow < antennas; slow++) {
    const [start, stop] = slowest === "lower" ? [slow + gap, antennas] : [0, slow + 1 - gap];
    for (let fast = start; fast < stop; fast++) {
      lower.push(Math.min(slow, fast));
      higher.push(Math.max(slow, fast));
    }
  }
  const [antenna1, antenna2] = first === "lower" ? [lower, higher] : [higher, lower];
  return { antenna1: Int32Array.from(antenna1), antenna2: Int32Array.from(antenna2) };
}

/** More antennas have more pairs than a list of them can hold. */
const MOST_ANTENNAS = 16384;
