/**
 * Keywords of columns of casacore that say how their numbers are meant: units, and frames of reference.
 *
 * ```
 * QuantumUnits  a unit for all values of a cell, or one for each of its fastest dimension
 * MEASINFO      type · Ref, or VarRefCol: the column with the frame of each row, as a name or as a number, which
 *               TabRefCodes and TabRefTypes explain
 * ```
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Column } from "../../formats/casacore/description.ts";
import type { KeywordRecord, RecordValue } from "../../formats/casacore/record.ts";
import type { ColumnUse, Measure } from "./measurement_set.ts";
import { factorOf, unitsFor } from "./units.ts";

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
