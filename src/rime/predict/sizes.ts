/**
 * The sizes of a problem, and the checks of its arrays.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { inner, list, needed, whole } from "../../options/rules.ts";
import { mustBeFinite } from "../geometry/check.ts";
import { checkIndices } from "./blocks.ts";
import type { PredictKernelOptions } from "./options.ts";
import type { PredictInput, PredictJones, PredictRows, PredictSizes } from "./problem.ts";
import { checkFrequencies, SKY, skySizes, thirds, wrong } from "./sky_arrays.ts";

const JONES: OptionNames<PredictJones> = { matrices: needed(list), direction: list };

// deno-fmt-ignore: written by `deno task build`
const INPUT: OptionNames<PredictInput> = {
  uvw: needed(list), antenna1: list, antenna2: list, timeIndex: list, antennas: whole(1),
  frequency: needed(list), sky: needed(inner(SKY)), jones: inner(JONES),
};

/** The sizes of a checked problem; `correlations` are predicted. */
export function sizesOf(call: string, input: PredictInput, correlations: number): PredictSizes {
  checkOptionNames(call, input, INPUT);
  const { sky, frequency } = input;
  const ofSky = skySizes(call, sky);
  mustBeFinite(call, "uvw", input.uvw, 3);
  checkFrequencies(call, frequency);
  const rows = rowSizes(call, input), nchan = frequency.length;
  const ndir = directionsOf(call, input.jones, ofSky.nsrc, 2 * rows.ntime * rows.na * nchan * correlations);
  return { ...ofSky, ndir, nchan, ...rows };
}

/** How many directions there are: as many as have matrices of `each` numbers, of which some may have no source. */
function directionsOf(
  call: string,
  jones: PredictJones | undefined,
  nsrc: number,
  each: number,
): number {
  if (!jones) return 0;
  mustBeFinite(call, "jones.matrices", jones.matrices);
  const { direction } = jones;
  if (!direction) return 0;
  if (direction.length !== nsrc) {
    throw wrong(call, "jones.direction", `${direction.length} numbers`, `${nsrc}`);
  }
  const least = most(direction) + 1, given = jones.matrices.length / each;
  checkIndices("jones.direction", direction, least);
  return Number.isInteger(given) && given > least ? given : least;
}

/** The axes of `stokes`, from its length. */
export function stokesAxesOf(
  call: string,
  { sky }: PredictInput,
  { nsrc, nchan, ntime }: PredictSizes,
): NonNullable<PredictKernelOptions["stokesAxes"]> {
  const { length } = sky.stokes;
  if (length === 4 * nsrc) return [];
  if (length === 4 * nsrc * nchan) return ["nchan"];
  if (ntime > 0 && length === 4 * nsrc * ntime * nchan) return ["ntime", "nchan"];
  const would = [4 * nsrc, 4 * nsrc * nchan, ...(ntime > 0 ? [4 * nsrc * ntime * nchan] : [])];
  throw wrong(call, "sky.stokes", `${length} numbers`, [...new Set(would)].join(" or "));
}

function rowSizes(
  call: string,
  input: PredictInput,
): Pick<PredictSizes, "ntime" | "na" | "nbl" | "nrow"> {
  const { uvw, antenna1, antenna2, timeIndex } = input;
  const positions = thirds(call, uvw);
  if (!antenna1 || !antenna2) {
    if (antenna1 ?? antenna2) throw wrong(call, "antenna2", "one antenna of rows", "both, or none");
    if (timeIndex && timeIndex.length !== positions) {
      throw wrong(call, "timeIndex", `${timeIndex.length} numbers`, `${positions}`);
    }
    return { ntime: most(timeIndex ?? []) + 1, na: 0, nbl: 0, nrow: positions };
  }
  const na = antennasOf(antenna1, antenna2, input.antennas);
  const ntime = na === 0 ? 0 : positions / na;
  if (!Number.isInteger(ntime)) {
    throw wrong(
      call,
      "uvw",
      `${positions} positions`,
      `a multiple of ${na}: those of all antennas at each time`,
    );
  }
  const nbl = antenna1.length;
  if (antenna2.length !== nbl) throw wrong(call, "antenna2", `${antenna2.length} numbers`, `${nbl}`);
  checkIndices("antenna1", antenna1, na);
  checkIndices("antenna2", antenna2, na);
  if (!timeIndex) return { ntime, na, nbl, nrow: ntime * nbl };
  if (timeIndex.length !== nbl) throw wrong(call, "timeIndex", `${timeIndex.length} numbers`, `${nbl}`);
  checkIndices("timeIndex", timeIndex, ntime);
  return { ntime, na, nbl: 0, nrow: nbl };
}

function antennasOf(antenna1: Int32Array, antenna2: Int32Array, antennas: number | undefined): number {
  return antennas ?? Math.max(most(antenna1), most(antenna2)) + 1;
}

function most(values: ArrayLike<number>): number {
  let most = -1;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i]!);
  return most;
}

/** All rows, each with its antennas, its time, and the position of the first antenna minus that of the second. */
export function rowsOf({ uvw, antenna1, antenna2, timeIndex, antennas }: PredictRows) {
  if (!antenna1 || !antenna2) {
    const none = new Int32Array(0);
    return { uvw, antenna1: none, antenna2: none, times: none };
  }
  const na = antennasOf(antenna1, antenna2, antennas), nbl = antenna1.length;
  const nrow = timeIndex ? nbl : nbl * (uvw.length / 3 / na);
  const list = (of: (row: number) => number) => Int32Array.from({ length: nrow }, (_, row) => of(row));
  const first = list((row) => antenna1[row % nbl]!), second = list((row) => antenna2[row % nbl]!);
  const times = timeIndex ?? list((row) => Math.floor(row / nbl));
  const across = Float64Array.from({ length: 3 * nrow }, (_, i) => {
    const [row, k] = [Math.floor(i / 3), i % 3];
    const at = (list: Int32Array) => uvw[3 * (times[row]! * na + list[row]!) + k]!;
    return at(first) - at(second);
  });
  return { uvw: across, antenna1: first, antenna2: second, times };
}
