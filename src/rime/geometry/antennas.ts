/**
 * Coordinates of antennas: positions on the ground, and UVW towards a source. And baselines: which antennas form a pair.
 *
 * An equatorial frame has X towards hour angle 0 and declination 0, Y towards the east (hour angle -6 h), Z towards the
 * celestial pole. With it (Thompson, Moran, Swenson, "Interferometry and Synthesis in Radio Astronomy", equation 4.1):
 *
 * ```text
 * u =  X sin H       + Y cos H
 * v = -X sin δ cos H + Y sin δ sin H + Z cos δ
 * w =  X cos δ cos H - Y cos δ sin H + Z sin δ
 * ```
 *
 * @module
 */

import { countOf, mustBeFinite, mustBeNumber } from "./check.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { oneOf, truth, whole } from "../../options/rules.ts";

/**
 * Positions in a local equatorial frame, from positions (east, north, up) in metres about a place at `latitude`: shape
 * (na, 3). Hour angles that go with them are those of that place.
 *
 * @example At the pole, up is the axis of the Earth
 * ```ts
 * import { equatorialFromEnu } from "@tilewise/tilewise/unstable/rime";
 * import { assertAlmostEquals } from "@std/assert";
 * assertAlmostEquals(equatorialFromEnu([0, 0, 5], Math.PI / 2)[2] ?? NaN, 5);
 * ```
 * @category Measurement equation
 */
export function equatorialFromEnu(enu: ArrayLike<number>, latitude: number): Float64Array<ArrayBuffer> {
  const count = countOf("equatorialFromEnu()", "enu", enu, 3);
  mustBeFinite("equatorialFromEnu()", "enu", enu, 3);
  mustBeNumber("equatorialFromEnu()", "latitude", latitude);
  const [sin, cos] = [Math.sin(latitude), Math.cos(latitude)];
  const out = new Float64Array(3 * count);
  for (let at = 0; at < 3 * count; at += 3) {
    const [east, north, up] = [enu[at]!, enu[at + 1]!, enu[at + 2]!];
    out.set([cos * up - sin * north, east, cos * north + sin * up], at);
  }
  return out;
}

/**
 * Positions in a local equatorial frame, from geocentric positions (ECEF, ITRF) in metres, turned to a `longitude`
 * (radians, east positive): shape (na, 3). Hour angles that go with them are those at that longitude; for longitude 0,
 * those of Greenwich. The origin stays at the centre of the Earth, which cancels in baselines.
 *
 * @example The antenna on the meridian of its longitude has no east coordinate
 * ```ts
 * import { equatorialFromEcef } from "@tilewise/tilewise/unstable/rime";
 * import { assertAlmostEquals } from "@std/assert";
 * assertAlmostEquals(equatorialFromEcef([3e6, 4e6, 1e6], Math.atan2(4, 3))[1] ?? NaN, 0, 1e-9);
 * ```
 * @category Measurement equation
 */
export function equatorialFromEcef(ecef: ArrayLike<number>, longitude: number): Float64Array<ArrayBuffer> {
  const count = countOf("equatorialFromEcef()", "ecef", ecef, 3);
  mustBeFinite("equatorialFromEcef()", "ecef", ecef, 3);
  mustBeNumber("equatorialFromEcef()", "longitude", longitude);
  const [sin, cos] = [Math.sin(longitude), Math.cos(longitude)];
  const out = new Float64Array(3 * count);
  for (let at = 0; at < 3 * count; at += 3) {
    const [x, y, z] = [ecef[at]!, ecef[at + 1]!, ecef[at + 2]!];
    out.set([cos * x + sin * y, cos * y - sin * x, z], at);
  }
  return out;
}

/**
 * UVW in metres of antennas at equatorial positions, towards one declination at some hour angles (radians): shape
 * (ntime, na, 3). UVW are those of positions less the position of the first antenna, so that large geocentric
 * coordinates cost no digits.
 *
 * @example A source on the meridian: u is the east coordinate
 * ```ts
 * import { antennaUvw } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 * assertEquals([...antennaUvw([0, 0, 0, 7, 100, 3], [0], 0)], [0, 0, 0, 100, 3, 7]);
 * ```
 * @category Measurement equation
 */
export function antennaUvw(
  equatorial: ArrayLike<number>,
  hourAngles: ArrayLike<number>,
  declination: number,
): Float64Array<ArrayBuffer> {
  const count = countOf("antennaUvw()", "equatorial", equatorial, 3);
  mustBeFinite("antennaUvw()", "equatorial", equatorial, 3);
  mustBeFinite("antennaUvw()", "hourAngles", hourAngles);
  mustBeNumber("antennaUvw()", "declination", declination);
  const [sin, cos] = [Math.sin(declination), Math.cos(declination)];
  const out = new Float64Array(3 * count * hourAngles.length);
  let to = 0;
  for (let t = 0; t < hourAngles.length; t++) {
    const [sinH, cosH] = [Math.sin(hourAngles[t]!), Math.cos(hourAngles[t]!)];
    for (let at = 0; at < 3 * count; at += 3) {
      const [x, y, z] = [0, 1, 2].map((k) => equatorial[at + k]! - equatorial[k]!) as [
        number,
        number,
        number,
      ];
      const outwards = x * cosH - y * sinH; // towards the source, in the plane of the equator
      out[to++] = x * sinH + y * cosH;
      out[to++] = z * cos - sin * outwards;
      out[to++] = z * sin + cos * outwards;
    }
  }
  return out;
}

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
