/**
 * Which groups are the rows of an observation: those of one source and one setup of frequencies.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { TilewiseError } from "../../errors.ts";
import type { Cards } from "../../formats/fits/cards.ts";
import { fieldNumber } from "../meaning/shown.ts";
import { CLOCKS, toUtc } from "../meaning/units.ts";
import { directionFrame } from "../meaning/uvfits.ts";
import { motionOf } from "../meaning/uvh5.ts";
import type { RowArray } from "../rows/rows.ts";
import { keyOf } from "./antennas.ts";
import { type Axes, axisOf, type Parameter, valueOf } from "./axes.ts";
import { type Groups, parameterRows } from "./groups.ts";
import type { AipsTable } from "./tables.ts";

// What follows from the parameters of groups, by rows: times, baselines, antennas, intervals.

/** Days from the beginning of Julian dates to that of modified ones. */
const MJD = 2400000.5;

/** Metres of a second of light. */
const LIGHT = 299792458;

/** Rows that are looked at a time. */
const BLOCK_ROWS: number = 2 ** 16;

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
function numbersOf({ groups, rows }: Rows, parameter: Parameter, offset = 0): RowArray {
  return parameterRows(groups, rows, 1, (into, place, numbers, at) => {
    into[place] = valueOf(parameter, numbers, at, offset);
  });
}

export interface Times {
  /** Days, MJD, in the scale of the file. */
  readonly array: RowArray;
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
export function uvwOf(of: Rows, frequency: number): RowArray {
  const all = ["UU", "VV", "WW"].map((name) => parameterOf(of, name));
  const factors = all.map(({ suffix }) => {
    const [, isWaves, projection = ""] = /^(L(?![A-Z]))?-*(.*)$/.exec(suffix) ?? [];
    if (projection === "" || projection === "SIN") return isWaves ? LIGHT / frequency : LIGHT;
    const text =
      `Cannot read ${of.file} as UVFITS: its baselines are in the projection ${projection} (UU---${projection}); ` +
      "SIN is read, or no suffix";
    throw new TilewiseError("unsupported", text, { file: of.file, expected: "SIN", found: projection });
  });
  return parameterRows(of.groups, of.rows, 3, (into, place, numbers, at) => {
    for (let k = 0; k < 3; k++) into[place + k] = valueOf(all[k]!, numbers, at) * factors[k]!;
  });
}

/** Seconds of rows: INTTIM, or the shortest time from one row to another, with a warning. */
export async function intervalsOf(
  of: Rows,
  times: RowArray,
): Promise<{ array: RowArray; warnings: readonly string[] }> {
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
  const array = parameterRows(of.groups, of.rows, 1, (into, place) => {
    into[place] = seconds;
  });
  return {
    array,
    warnings: [`Rows have no INTTIM: they count as ${seconds} s long, the shortest step of their times`],
  };
}

/** The antennas of rows, as `keyOf` names them. */
export function baselinesOf(of: Rows): [RowArray, RowArray] {
  const { parameters } = of;
  const subarray = parameters.get("SUBARRAY");
  const isSplit = parameters.has("ANTENNA1") && parameters.has("ANTENNA2");
  const make = (name: "ANTENNA1" | "ANTENNA2", part: 0 | 1) => {
    const stored = parameterOf(of, isSplit ? name : "BASELINE");
    return parameterRows(of.groups, of.rows, 1, (into, place, numbers, at) => {
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

/** A source. */
interface StoredSource {
  readonly name: string;
  readonly frame: string;
  /** Longitude and latitude in radians. */
  readonly direction: readonly [number, number];
  /** Why its direction is not the same at all times. */
  readonly moves?: string;
  /** What is added to the frequencies of each IF. */
  readonly offsets: readonly number[];
}

const DEGREE = Math.PI / 180;

/** The sources by what rows call them; one under 0 where rows say nothing of sources. */
export function sourcesOf(
  cards: Cards,
  axes: Axes,
  [table]: readonly AipsTable<"AIPS SU">[],
  hasSources: boolean,
): Map<number, StoredSource> {
  const found = new Map<number, StoredSource>();
  for (let row = 0; table && hasSources && row < table.rows; row++) {
    const number = table.numbers("ID. NO.", row)[0] ?? row + 1;
    found.set(number, sourceIn(cards, table, row));
  }
  if (found.size > 0) return found;
  const ra = axisOf(axes, "RA", cards.file), dec = axisOf(axes, "DEC", cards.file);
  return found.set(0, {
    name: cards.text("OBJECT").trim(),
    ...directed(cards, [ra.valueAt(0) * DEGREE, dec.valueAt(0) * DEGREE], equinoxOf(cards), []),
    offsets: [],
  });
}

function sourceIn(cards: Cards, table: AipsTable<"AIPS SU">, row: number): StoredSource {
  const [ra = NaN] = table.numbers("RAEPO", row, "rad", "deg"),
    [dec = NaN] = table.numbers("DECEPO", row, "rad", "deg");
  const [equinox] = table.numbers("EPOCH", row), [quality = 0] = table.numbers("QUAL", row);
  const motions = [table.numbers("PMRA", row)[0], table.numbers("PMDEC", row)[0]];
  return {
    name: table.textAt("SOURCE", row) + (quality === 0 ? "" : `_${quality}`),
    ...directed(cards, [ra, dec], equinox ?? equinoxOf(cards), motions),
    offsets: table.numbers("FREQOFF", row, "Hz"),
  };
}

/** The equinox of the header. */
function equinoxOf(cards: Cards): number | undefined {
  const found = [cards.values.get("EQUINOX"), cards.values.get("EPOCH")].find((value) =>
    typeof value === "number"
  );
  return typeof found === "number" ? found : undefined;
}

/** A direction with its frame. */
function directed(
  cards: Cards,
  direction: readonly [number, number],
  epoch: number | undefined,
  motions: readonly (number | undefined)[],
): Pick<StoredSource, "frame" | "direction" | "moves"> {
  const named = (["PHSFRAME", "RADESYS", "RADESYSA"] as const).map((name) => cards.text(name)).find((text) =>
    text !== ""
  );
  const frame = directionFrame(named ?? "", epoch);
  const moves = epoch === -1
    ? "it was tracked by the correlator (EPOCH is -1): it moves, which is not read"
    : motionOf({ type: undefined, frame, epoch, motions });
  return { frame, direction, ...defined({ moves }) };
}

/** What is asked for. */
interface SelectOptions {
  /** The source, by name or by what rows call it. */
  readonly field?: string | number;
  /** What rows have as FREQSEL. */
  readonly dataDescription?: number;
}

/** What was selected. */
interface Selected {
  /** What rows call the source. */
  readonly number: number;
  /** What they have as FREQSEL. */
  readonly setup: number;
  readonly rows?: Uint32Array;
  readonly warnings: readonly string[];
}

/** The rows of one source and one setup of frequencies: those that are asked for, or those of the first row. */
export async function select(
  of: Rows & { readonly sources: ReadonlyMap<number, StoredSource> },
  options: SelectOptions,
): Promise<Selected> {
  const { groups, parameters, sources, file } = of;
  const asked = options.field === undefined ? undefined : fieldNumber(sources, options.field, file);
  const hasTable = !sources.has(0) || sources.size > 1;
  const bySource = hasTable ? parameters.get("SOURCE") : undefined, bySetup = parameters.get("FREQSEL");
  const columns = [bySource, bySetup].map((one) => one && numbersOf(of, one));
  let number = asked ?? (bySource ? undefined : 0),
    setup = options.dataDescription ?? (bySetup ? undefined : 1);
  const rows = new Uint32Array(groups.count), others = [new Set<number>(), new Set<number>()] as const;
  let count = 0;
  for (let start = 0; start < groups.count; start += BLOCK_ROWS) {
    const stop = Math.min(groups.count, start + BLOCK_ROWS);
    const [own, setups] = await Promise.all(columns.map((column) => column?.read(start, stop)));
    for (let i = 0; i < stop - start; i++) {
      const source = Number(own?.[i] ?? number), of = Number(setups?.[i] ?? 1);
      others[0].add(source);
      others[1].add(of);
      if (asked === undefined) number ??= source;
      if (number === source) setup ??= of;
      if (number === source && setup === of) rows[count++] = start + i;
    }
  }
  number ??= sources.keys().next().value ?? 0;
  if (!sources.has(number)) {
    const text = `Cannot read ${file} as UVFITS: rows are of the source ${number}, which AIPS SU has not`;
    throw new TilewiseError("malformed", text, { file, expected: [...sources.keys()].join(), found: number });
  }
  if (count === 0 && groups.count > 0) throw noRows(options, sources.get(number)!, file);
  others[0].delete(number);
  others[1].delete(setup ?? 1);
  const fields = [...others[0]].map((id) => sources.get(id)?.name ?? String(id)),
    left = [...others[1]].join(", ");
  const warnings = [
    ...(options.field === undefined && fields.length > 0
      ? [
        `Took the field ${sources.get(number)!.name}, that of the first row; there are also ${
          fields.join(", ")
        }`,
      ]
      : []),
    ...(options.dataDescription === undefined && left !== ""
      ? [`Took data description ${setup} (FREQSEL), that of the first row; others are ${left}`]
      : []),
  ];
  return {
    number,
    setup: setup ?? 1,
    warnings,
    ...(count < groups.count ? { rows: rows.slice(0, count) } : {}),
  };
}

function noRows(
  { dataDescription }: SelectOptions,
  { name }: StoredSource,
  file: string,
): TilewiseError {
  const setup = dataDescription === undefined ? "" : ` with data description ${dataDescription} (FREQSEL)`;
  const text = `There are no rows of field "${name}"${setup} in ${file}`;
  return new TilewiseError("not-found", text, { file, option: setup === "" ? "field" : "dataDescription" });
}
