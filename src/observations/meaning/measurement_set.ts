/**
 * Which columns of Measurement Sets are read, what their values are, and what becomes of the others.
 *
 * Readers can ask only for columns that are in this table, with what it says of them: `docs/radio.md` shows it.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Column } from "../../formats/casacore/description.ts";
import type { KeywordRecord, RecordValue } from "../../formats/casacore/record.ts";
import { factorOf, type Unit, unitsFor } from "./units.ts";

/** Kinds of measures of casacore, whose frames columns name. */
export type Measure = "direction" | "epoch" | "frequency" | "position" | "uvw";

/** What a column holds. */
export interface ColumnUse {
  /** The unit that its values are converted to; absent: they have none. */
  readonly unit?: Unit;
  /** The kind of its frame; absent: it has none. */
  readonly measure?: Measure;
  /** What is done with it. */
  readonly use: string;
}

const columns = <C extends Record<string, Record<string, ColumnUse>>>(all: C): C => all;

/** The columns that are read, by their tables. */
export const MS_COLUMNS = columns({
  MAIN: {
    TIME: { unit: "s", measure: "epoch", use: "times, converted to UTC" },
    INTERVAL: { unit: "s", use: "seconds of a row" },
    ANTENNA1: { use: "first antennas" },
    ANTENNA2: { use: "second antennas" },
    FEED1: { use: "a warning where an antenna has several feeds" },
    FEED2: { use: "as FEED1" },
    FIELD_ID: { use: "which field a row is of" },
    DATA_DESC_ID: { use: "which spectral window and polarization a row is of" },
    UVW: { unit: "m", measure: "uvw", use: "baselines; ITRF stands for the frame of the field" },
    FLAG: { use: "flags of samples" },
    FLAG_ROW: { use: "flags all samples of a row" },
    WEIGHT_SPECTRUM: { use: "weights of samples" },
    WEIGHT: { use: "weights of rows, where there is no WEIGHT_SPECTRUM" },
  },
  ANTENNA: {
    NAME: { use: "names" },
    POSITION: { unit: "m", measure: "position", use: "places: sign of baselines, parallactic angles" },
    MOUNT: { use: "mounts: parallactic angles" },
  },
  DATA_DESCRIPTION: {
    SPECTRAL_WINDOW_ID: { use: "spectral window" },
    POLARIZATION_ID: { use: "polarization" },
  },
  FEED: {
    ANTENNA_ID: { use: "antenna" },
    FEED_ID: { use: "the first feed of an antenna is taken; a warning where rows have others" },
    SPECTRAL_WINDOW_ID: { use: "spectral window" },
    POLARIZATION_TYPE: { use: "types of receptors, which angles belong to" },
    RECEPTOR_ANGLE: { unit: "rad", use: "position angles of receptors" },
  },
  FIELD: {
    NAME: { use: "names" },
    PHASE_DIR: { unit: "rad", measure: "direction", use: "phase centres" },
    NUM_POLY: { use: "must be 0 for the field that is taken: others move" },
    EPHEMERIS_ID: { use: "must be below 0 for the field that is taken: others move" },
  },
  POLARIZATION: { CORR_TYPE: { use: "names of correlations" } },
  SPECTRAL_WINDOW: {
    CHAN_FREQ: { unit: "Hz", measure: "frequency", use: "centres of channels, as they are, in any frame" },
    CHAN_WIDTH: { unit: "Hz", use: "widths of channels" },
  },
});

/** The visibilities, whose column has any name. */
export const VISIBILITIES: ColumnUse = {
  unit: "Jy",
  use: "visibilities: DATA, or the column that is asked for",
};

/** The keyword of the main table that says what I is of XX and YY. */
export const POLARIZATION_KEYWORD = "pyuvdata_polconv";

/** What is done with it, in all formats. */
export const POLARIZATION_USE = "avg, or nothing: I is the mean of XX and YY; sum: it is their sum";

/** Columns that are not looked at, and why. */
export const MS_IGNORED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  MAIN: {
    EXPOSURE: "smearing counts the whole INTERVAL",
    TIME_CENTROID: "rows are at TIME",
    SIGMA: "weights are used",
    SIGMA_SPECTRUM: "weights are used",
    FLAG_CATEGORY: "FLAG is used",
    ARRAY_ID: "no influence on a visibility",
    OBSERVATION_ID: "no influence on a visibility",
    PROCESSOR_ID: "no influence on a visibility",
    SCAN_NUMBER: "no influence on a visibility",
    STATE_ID: "no influence on a visibility",
  },
  ANTENNA: {
    DISH_DIAMETER: "beams are given by files",
    FLAG_ROW: "rows of visibilities have flags of their own",
    OFFSET: "of axes, which baselines have in them",
    STATION: "a name",
    TYPE: "a name",
  },
  DATA_DESCRIPTION: { FLAG_ROW: "rows of visibilities have flags of their own" },
  FEED: {
    BEAM_ID: "beams are given by files",
    BEAM_OFFSET: "beams are given by files",
    INTERVAL: "the first feed of an antenna is taken",
    NUM_RECEPTORS: "the number of types says it",
    POL_RESPONSE: "leakage is a term of its own",
    POSITION: "baselines have it in them",
    TIME: "the first feed of an antenna is taken",
  },
  FIELD: {
    CODE: "a name",
    DELAY_DIR: "not the phase centre",
    FLAG_ROW: "rows of visibilities have flags of their own",
    REFERENCE_DIR: "not the phase centre",
    SOURCE_ID: "a name",
    TIME: "the origin of directions that move, which are refused",
  },
  POLARIZATION: {
    CORR_PRODUCT: "follows from CORR_TYPE",
    FLAG_ROW: "rows of visibilities have flags of their own",
    NUM_CORR: "the number of types says it",
  },
  SPECTRAL_WINDOW: {
    EFFECTIVE_BW: "smearing counts CHAN_WIDTH",
    FLAG_ROW: "rows of visibilities have flags of their own",
    FREQ_GROUP: "a name",
    FREQ_GROUP_NAME: "a name",
    IF_CONV_CHAIN: "a name",
    MEAS_FREQ_REF: "read as the frame of CHAN_FREQ",
    NAME: "a name",
    NET_SIDEBAND: "channels have their frequencies",
    NUM_CHAN: "the number of frequencies says it",
    REF_FREQUENCY: "channels have their frequencies",
    RESOLUTION: "smearing counts CHAN_WIDTH",
    TOTAL_BANDWIDTH: "channels have their widths",
  },
};

/** Names of tables. */
export type TableName = keyof typeof MS_COLUMNS;

/** Columns of a table that are read. */
export type ColumnOf<T extends TableName> = keyof (typeof MS_COLUMNS)[T] & string;

/** Those that have a frame. */
export type MeasureOf<T extends TableName> = {
  [C in ColumnOf<T>]: (typeof MS_COLUMNS)[T][C] extends { readonly measure: Measure } ? C : never;
}[ColumnOf<T>];

/** Those that have none. */
export type PlainOf<T extends TableName> = Exclude<ColumnOf<T>, MeasureOf<T>>;

// Keywords of columns of casacore that say how their numbers are meant: units, and frames of reference.
//
// ```
// QuantumUnits  a unit for all values of a cell, or one for each of its fastest dimension
// MEASINFO      type · Ref, or VarRefCol: the column with the frame of each row, as a name or as a number, which
//               TabRefCodes and TabRefTypes explain
// ```

/** Where a column is, for messages. */
export interface ColumnPlace {
  /** The table. */
  readonly file: string;
  /** Its column. */
  readonly column: Column;
}

/** The frame of a column: the same everywhere, or that which another column has for each row. */
export type Reference = { readonly frame: string } | {
  /** The column with the frames. */
  readonly column: string;
  /** The names of numbers. */
  readonly nameOf: (code: number) => string | undefined;
};

/** The frames that the Measurement Set defines where a column names none. */
export const DEFAULT_FRAMES: Readonly<Record<Measure, string>> = {
  direction: "J2000",
  epoch: "UTC",
  frequency: "TOPO",
  position: "ITRF",
  uvw: "ITRF",
};

/** Numbers of frames where a column has no list of its own, as casacore has them. */
const CODES: Partial<Record<Measure, readonly string[]>> = {
  direction: [
    ...("J2000 JMEAN JTRUE APP B1950 B1950_VLA BMEAN BTRUE GALACTIC HADEC AZEL AZELSW AZELGEO AZELSWGEO JNAT ECLIPTIC " +
      "MECLIPTIC TECLIPTIC SUPERGAL ITRF TOPO ICRS").split(" "),
    ...new Array<string>(10),
    ..."MERCURY VENUS MARS JUPITER SATURN URANUS NEPTUNE PLUTO SUN MOON COMET".split(" "), // from 32 on
  ],
  epoch: "LAST LMST GMST1 GAST UT1 UT2 UTC TAI TDT TCG TDB TCB".split(" "),
  frequency: "REST LSRK LSRD BARY GEO TOPO GALACTO LGROUP CMB".split(" "),
};

/**
 * By what the values of a cell are multiplied, along its fastest dimension or all alike; absent: they are as they should be.
 * Errors: `unsupported` for units that are not read, by name.
 */
export function factorsOf(place: ColumnPlace, { unit }: ColumnUse): readonly number[] | undefined {
  const { keywords, shape } = place.column;
  if (keywords["VariableUnits"] !== undefined) {
    throw refused(place, "its units differ from row to row", "VariableUnits");
  }
  const given = keywords["QuantumUnits"] ?? keywords["UNIT"];
  if (given === undefined || unit === undefined) return undefined;
  const texts = [given].flat();
  if (!texts.every((text) => typeof text === "string")) {
    throw refused(place, "its units are not names", given);
  }
  const named = texts.filter((text) => text !== "");
  if (named.length === 0) return undefined;
  const across = shape?.at(-1) ?? 1;
  if (named.length > 1 && shape && shape.length > 0 && named.length !== across) {
    throw refused(place, `it has ${named.length} units for ${across} values`, named.join());
  }
  const factors = named.map((text) => {
    const factor = factorOf(text, unit);
    if (factor !== undefined) return factor;
    throw refused(place, `its unit is "${text}"; it must be one of ${unitsFor(unit).join(", ")}`, text);
  });
  return factors.every((factor) => factor === 1) ? undefined : factors;
}

/** The frame that a column names. Errors: `unsupported` for offsets, and for another kind of measure than it should have. */
export function referenceOf(place: ColumnPlace, measure: Measure): Reference {
  const info = place.column.keywords["MEASINFO"];
  if (!isRecord(info)) return { frame: DEFAULT_FRAMES[measure] };
  const type = info["type"];
  if (type !== measure) {
    throw refused(place, `it holds measures of the kind ${show(type)}, not ${measure}`, show(type));
  }
  const offset = Object.keys(info).find((name) => /^RefOff/.test(name));
  if (offset !== undefined) throw refused(place, "its values are counted from an offset", offset);
  const { VarRefCol: column, Ref: frame } = info;
  if (typeof column === "string") return { column, nameOf: namesOf(place, info, measure) };
  if (frame === undefined) return { frame: DEFAULT_FRAMES[measure] };
  if (typeof frame !== "string") throw refused(place, `its frame is ${show(frame)}`, show(frame));
  return { frame };
}

function namesOf(
  place: ColumnPlace,
  { TabRefTypes: types, TabRefCodes: codes }: KeywordRecord,
  measure: Measure,
): (code: number) => string | undefined {
  if (types === undefined && codes === undefined) return (code) => CODES[measure]?.[code];
  const isList = Array.isArray(types) && Array.isArray(codes) && types.length === codes.length;
  if (!isList) {
    throw refused(place, "its lists of frames and of their numbers differ in length", "TabRefCodes");
  }
  const names = new Map(codes.map((code, i) => [Number(code), String(types[i])]));
  return (code) => names.get(code);
}

/** The error about the meaning of a column. */
export function refused(
  { file, column: { name } }: ColumnPlace,
  problem: string,
  found: unknown,
): TilewiseError {
  const text = `Cannot read the column ${name} of ${file}: ${problem}`;
  return new TilewiseError("unsupported", text, { file, column: name, found: show(found) });
}

function show(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "nothing";
}

function isRecord(value: RecordValue | undefined): value is KeywordRecord {
  return typeof value === "object" && !Array.isArray(value);
}
