/**
 * What follows from the parameters of groups, by rows: times, baselines, antennas, intervals.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { CLOCKS, toUtc } from "../meaning/clocks.ts";
import { keyOf } from "./antennas.ts";
import { type Parameter, valueOf } from "./axes.ts";
import type { Groups } from "./groups.ts";
import { ParameterRows } from "./rows.ts";
import type { AipsTable } from "./tables.ts";

/** Days from the beginning of Julian dates to that of modified ones. */
const MJD = 2400000.5;

/** Metres of a second of light. */
const LIGHT = 299792458;

/** Rows that are looked at a time. */
export const BLOCK_ROWS: number = 2 ** 16;

/** The groups of a file, some of which are rows. */
export interface Rows {
  readonly groups: Groups;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly rows?: Uint32Array | undefined;
  readonly file: string;
}

/** A parameter that there must be. */
function parameterOf({ parameters, file }: Rows, name: string): Parameter {
  const found = parameters.get(name);
  if (found) return found;
  const known = [...parameters.keys()].join(", ");
  const text = `Cannot read ${file} as UVFITS: its groups have no parameter ${name}; they have ${known}`;
  throw new TilewiseError("malformed", text, { file, expected: name, found: known });
}

/** A parameter by rows. */
export function numbersOf({ groups, rows }: Rows, parameter: Parameter, offset = 0): ParameterRows {
  return new ParameterRows(groups, rows, 1, (into, place, numbers, at) => {
    into[place] = valueOf(parameter, numbers, at, offset);
  });
}

export interface Times {
  /** Days, MJD, in the scale of the file. */
  readonly array: ParameterRows;
  readonly scale: string;
  /** Makes them seconds of UTC. */
  readonly seconds: (day: number) => number;
  readonly warnings: readonly string[];
}

/** The times of rows. Errors: `unsupported` for scales that are not read, and for times that are counted from an offset. */
export function timesOf(of: Rows, table: AipsTable<"AIPS AN">): Times {
  const said = table.text("TIMSYS") || table.text("TIMESYS"), scale = said || "UTC";
  const convert = toUtc(scale), offset = table.number("DATUTC", 0);
  const problem = !convert
    ? `its times are ${scale} (TIMSYS of AIPS AN); ${CLOCKS.join(", ")} are read`
    : scale.toUpperCase() === "UTC" && offset !== 0
    ? `its times are ${offset} s from UTC (DATUTC of AIPS AN), which is not read`
    : undefined;
  if (!convert || problem !== undefined) {
    throw new TilewiseError("unsupported", `Cannot read ${of.file} as UVFITS: ${problem}`, {
      file: of.file,
      found: scale,
    });
  }
  return {
    array: numbersOf(of, parameterOf(of, "DATE"), -MJD),
    scale: scale.toUpperCase(),
    seconds: (day) => convert(day * 86400),
    warnings: said === "" ? ["AIPS AN has no TIMSYS: times count as UTC"] : [],
  };
}

/** The baselines of rows in metres. Errors: `unsupported` for projections other than SIN. */
export function uvwOf(of: Rows, frequency: number): ParameterRows {
  const all = ["UU", "VV", "WW"].map((name) => parameterOf(of, name));
  const factors = all.map(({ suffix }) => {
    const [, isWaves, projection = ""] = /^(L(?![A-Z]))?-*(.*)$/.exec(suffix) ?? [];
    if (projection === "" || projection === "SIN") return isWaves ? LIGHT / frequency : LIGHT;
    const text =
      `Cannot read ${of.file} as UVFITS: its baselines are in the projection ${projection} (UU---${projection}); ` +
      "SIN is read, or no suffix";
    throw new TilewiseError("unsupported", text, { file: of.file, expected: "SIN", found: projection });
  });
  return new ParameterRows(of.groups, of.rows, 3, (into, place, numbers, at) => {
    for (let k = 0; k < 3; k++) into[place + k] = valueOf(all[k]!, numbers, at) * factors[k]!;
  });
}

/** Seconds of rows: INTTIM, or the shortest time from one row to another, with a warning. */
export async function intervalsOf(
  of: Rows,
  times: ParameterRows,
): Promise<{ array: ParameterRows; warnings: readonly string[] }> {
  const stored = of.parameters.get("INTTIM");
  if (stored) return { array: numbersOf(of, stored), warnings: [] };
  const found = new Set<number>(), [count = 0] = times.shape;
  for (let start = 0; start < count; start += BLOCK_ROWS) {
    for (const day of await times.read(start, Math.min(count, start + BLOCK_ROWS)) as Float64Array) {
      found.add(day);
    }
  }
  const days = Float64Array.from(found).sort();
  const least = days.subarray(1).reduce((best, day, i) => Math.min(best, day - days[i]!), Infinity);
  const seconds = Number.isFinite(least) ? Math.round(least * 86400e3) / 1e3 : 0;
  const array = new ParameterRows(of.groups, of.rows, 1, (into, place) => {
    into[place] = seconds;
  });
  return {
    array,
    warnings: [`Rows have no INTTIM: they count as ${seconds} s long, the shortest step of their times`],
  };
}

/** The antennas of rows, as `keyOf` names them. */
export function baselinesOf(of: Rows): [ParameterRows, ParameterRows] {
  const { parameters } = of;
  const subarray = parameters.get("SUBARRAY");
  const isSplit = parameters.has("ANTENNA1") && parameters.has("ANTENNA2");
  const make = (name: "ANTENNA1" | "ANTENNA2", part: 0 | 1) => {
    const stored = parameterOf(of, isSplit ? name : "BASELINE");
    return new ParameterRows(of.groups, of.rows, 1, (into, place, numbers, at) => {
      const value = valueOf(stored, numbers, at);
      const own = isSplit ? [value, value, 1] as const : splitBaseline(value);
      into[place] = keyOf(own[part], subarray ? valueOf(subarray, numbers, at) : own[2]);
    });
  };
  return [make("ANTENNA1", 0), make("ANTENNA2", 1)];
}

/** From this number on baselines are 2048 a + b + 65536. */
const LARGE = 65536;

/** The antennas and the subarray in a number of a baseline. */
function splitBaseline(value: number): readonly [number, number, number] {
  const baseline = Math.floor(value + 1e-3), subarray = Math.round((value - baseline) * 100) + 1;
  const [own, base] = baseline >= LARGE ? [baseline - LARGE, 2048] : [baseline, 256];
  return [Math.floor(own / base), own % base, subarray];
}
