/**
 * What is read, what is ignored and what is refused, as the table of `docs/radio.md`.
 *
 * @module
 */

import { KINDS } from "../../../src/formats/casacore/description.ts";
import { STORAGES } from "../../../src/formats/casacore/views.ts";
import { CLOCKS, type Unit, unitsFor } from "../../../src/observations/meaning/units.ts";
import { FRAMES } from "../../../src/observations/meaning/frames.ts";
import {
  type ColumnUse,
  MS_COLUMNS,
  MS_IGNORED,
  POLARIZATION_KEYWORD,
  POLARIZATION_USE,
  VISIBILITIES,
} from "../../../src/observations/meaning/measurement_set.ts";
import { UVH5_DATA, UVH5_HEADER } from "../../../src/observations/meaning/uvh5.ts";
import { UVFITS_READ } from "../../../src/observations/meaning/uvfits.ts";
import { V4_ARRAYS } from "../../../src/observations/meaning/version4.ts";
import { UVFITS_IGNORED, UVH5_IGNORED, V4_ATTRIBUTES, V4_IGNORED } from "./ignored.ts";

/** What is refused, with the reason, where no other table says it. */
const REFUSED: readonly (readonly [what: string, why: string])[] = [
  [
    "frames of directions that move (HADEC, AZEL, AZELGEO, APP, JMEAN, planets, altaz, …), and unknown ones",
    "by name",
  ],
  ["fields with NUM_POLY above 0, with an ephemeris, or with a proper motion", "they move"],
  ["fields of UVH5 that are driftscan, unprojected or ephem, and the phase type drift", "they move"],
  ["columns with another storage manager, once their values are needed", "by its name"],
  [
    "tables that show rows of others where these are missing, have fewer rows, or lie elsewhere",
    "by their names",
  ],
  ["Dysco of other versions than 1.0, with unknown distributions, normalizations or sizes", "by number"],
  ["required columns (UVW, times, antennas, …) with a cell without a value", "by column"],
  ["rows of one column with several frames", "by their names"],
  ["frames that are counted from an offset (RefOffMsr, RefOffCol)", "by keyword"],
  ["MEASINFO of another kind than the column, lists of frames that contradict themselves", "by column"],
  [
    "units of another kind, unknown ones, other numbers of units than of values, VariableUnits",
    "by name and column",
  ],
  ["antennas in other frames than ITRF, ITRS and WGS84", "by name"],
  [
    "baselines of UVFITS in other projections than SIN, such as NCP; axes that are not in this table",
    "by name",
  ],
  ["times of UVFITS that are counted from an offset (DATUTC), sources with EPOCH -1", "by name"],
  ["other scales of time (UT1, LAST, GMST, …)", "by name"],
  ["terms for linear feeds where the receptors are circular, and the other way round", "by term"],
];

/** The tables, as Markdown. */
export function meaningDocument(): string {
  const units = (["s", "m", "rad", "Hz", "Jy"] as const).map((unit: Unit) =>
    unitsFor(unit).map(code).join(", ")
  );
  return [
    "Units: " + units.join("; ") +
    "; with the prefixes T, G, M, k, c, m, u, n where they are usual. Frames of directions: " +
    [...FRAMES.keys()].map(code).join(", ") + ". Scales of time: " + CLOCKS.map(code).join(", ") +
    ". Tables of Measurement Sets: " + KINDS.map(code).join(", ") + ". Storage managers: " +
    Object.keys(STORAGES).map(code).join(", ") + ".",
    "",
    "| where | what | becomes |",
    "| --- | --- | --- |",
    ...Object.entries(MS_COLUMNS).flatMap(([table, columns]) =>
      Object.entries(columns).map(([name, use]) => row(table, code(name), readAs(use)))
    ),
    row("MAIN", "`DATA`, …", readAs(VISIBILITIES)),
    row("MAIN", `the keyword ${code(POLARIZATION_KEYWORD)}`, POLARIZATION_USE),
    ...Object.entries({ ...UVH5_HEADER, ...UVH5_DATA }).map(([name, use]) => row("UVH5", code(name), use)),
    ...inUvfits(UVFITS_READ, (use) => use),
    ...Object.entries(V4_ARRAYS).map(([name, use]) => row("version 4", code(name), readAs(use))),
    ...Object.entries(V4_ATTRIBUTES).map(([name, use]) => row("version 4", `attribute ${code(name)}`, use)),
    ...Object.entries(MS_IGNORED).flatMap(([table, columns]) =>
      Object.entries(columns).map(([name, why]) => row(table, code(name), `ignored: ${why}`))
    ),
    ...Object.entries(UVH5_IGNORED).map(([name, why]) => row("UVH5", code(name), `ignored: ${why}`)),
    ...Object.entries(V4_IGNORED).map(([name, why]) => row("version 4", code(name), `ignored: ${why}`)),
    ...inUvfits(UVFITS_IGNORED, (why) => `ignored: ${why}`),
    ...REFUSED.map(([what, why]) => row("all", what, `refused ${why}`)),
  ].join("\n");
}

/** The rows of a table of UVFITS, by its places. */
function inUvfits(
  table: Readonly<Record<string, Readonly<Record<string, string>>>>,
  becomes: (text: string) => string,
): string[] {
  return Object.entries(table).flatMap(([place, names]) =>
    Object.entries(names).map(([name, text]) => row(`UVFITS ${place}`, code(name), becomes(text)))
  );
}

function code(text: string): string {
  return `\`${text}\``;
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function readAs(
  { unit, use, ...frame }:
    & { readonly unit?: Unit; readonly use: string }
    & ({ readonly measure?: string } | ColumnUse),
): string {
  const how = [
    ...(unit ? [`in ${unit}`] : []),
    ...("measure" in frame || "frame" in frame ? ["with its frame"] : []),
  ];
  return how.length === 0 ? use : `${use} (${how.join(", ")})`;
}
